import { describe, expect, it } from "vitest";

import { changesFor } from "$lib/backend/mock/diff-data";
import type { DiffLine, FileDiff } from "$lib/backend/types";

import { longestLine, rowsOf } from "./rows";

function diffOf(...texts: string[]): FileDiff {
  const lines = texts.map((text, index): DiffLine => {
    const kind = text.startsWith("+") ? "added" : text.startsWith("-") ? "removed" : "context";
    return { kind, old: index, new: index, text: text.slice(1), no_line_break: false };
  });
  const known = changesFor("completed")[0] as FileDiff;
  return { file: known.file, hunks: [{ old_start: 1, new_start: 1, section: "", lines }], cut: false };
}

const shown = (diff: FileDiff, layout: "unified" | "split") =>
  rowsOf(diff, layout).rows.map((row) =>
    row.kind === "hunk" ? "@" : [row.left?.line.text ?? "", row.right?.line.text ?? ""].join("|"),
  );

describe("rowsOf", () => {
  const diff = diffOf(" a", "-b", "-c", "+d", " e", "+f", "-g", "+h");

  it("puts lines one below the other", () => {
    expect(shown(diff, "unified")).toEqual(["@", "|a", "b|", "c|", "|d", "|e", "|f", "g|", "|h"]);
    expect(rowsOf(diff, "unified").changes).toEqual([2, 6, 7]);
  });

  it("puts the sides beside each other", () => {
    expect(shown(diff, "split")).toEqual(["@", "a|a", "b|d", "c|", "e|e", "|f", "g|h"]);
    expect(rowsOf(diff, "split").changes).toEqual([2, 5, 6]);
  });

  it("knows which line became which", () => {
    const lines = rowsOf(diff, "split").rows.flatMap((row) => (row.kind === "line" ? [row.left, row.right] : []));
    const twins = lines.filter((line) => line?.twin).map((line) => `${line?.line.text}${line?.twin?.text}`);
    expect(twins).toEqual(["bd", "db", "gh", "hg"]);
  });

  it("shows every line exactly once, in both layouts", () => {
    for (const change of changesFor("completed")) {
      const all = change.hunks.flatMap((hunk) => hunk.lines);
      const unified = rowsOf(change, "unified").rows.filter((row) => row.kind === "line");
      expect(unified).toHaveLength(all.length);
      const seen = new Set(
        rowsOf(change, "split").rows.flatMap((row) => (row.kind === "line" ? [row.left?.line, row.right?.line] : [])),
      );
      seen.delete(undefined);
      expect(seen.size).toBe(all.length);
    }
  });
});

describe("longestLine", () => {
  it("counts tabs and wide characters as what they take", () => {
    expect(longestLine(diffOf(" abc"))).toBe(3);
    expect(longestLine(diffOf("+\ta"))).toBe(5);
    expect(longestLine(diffOf(" 茶a"))).toBe(3);
  });
});

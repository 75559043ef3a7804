import { describe, expect, it } from "vitest";

import type { DiffFile } from "$lib/backend/types";

import { filtered, treeRows } from "./tree";
import { modeText } from "./words-of-files";

const file = (path: string, rest: Partial<DiffFile> = {}): DiffFile => ({
  path,
  old_path: null,
  status: "modified",
  added: 1,
  removed: 0,
  folded: null,
  old_mode: "100644",
  new_mode: "100644",
  ...rest,
});

const shown = (files: DiffFile[], closed: string[] = []) =>
  treeRows(files, new Set(closed)).map((row) =>
    row.kind === "folder"
      ? `${"  ".repeat(row.depth)}${row.name}/${row.open ? "" : ` (${row.count})`}`
      : `${"  ".repeat(row.depth)}${row.folder ? `${row.folder}/` : ""}${row.name}`,
  );

describe("treeRows", () => {
  const files = ["z.txt", "src/a/b/one.rs", "src/a/b/two.rs", "src/main.rs", "docs/deep/only.md", "B.md"].map((path) =>
    file(path),
  );

  it("joins folders that hold nothing else, and a folder with its only file", () => {
    expect(shown(files)).toEqual([
      "docs/deep/only.md",
      "src/",
      "  a/b/",
      "    one.rs",
      "    two.rs",
      "  main.rs",
      "B.md",
      "z.txt",
    ]);
  });

  it("hides what is in a closed folder and says how much that is", () => {
    expect(shown(files, ["src/a/b"])).toEqual([
      "docs/deep/only.md",
      "src/",
      "  a/b/ (2)",
      "  main.rs",
      "B.md",
      "z.txt",
    ]);
    expect(shown(files, ["src"])).toContain("src/ (3)");
  });

  it("is empty when nothing changed", () => {
    expect(shown([])).toEqual([]);
  });
});

describe("filtered", () => {
  it("looks for every word in the old and the new path", () => {
    const files = [file("src/new.rs", { old_path: "src/old.rs" }), file("docs/x.md")];
    expect(filtered(files, "OLD rs")).toHaveLength(1);
    expect(filtered(files, "x.m")).toHaveLength(1);
    expect(filtered(files, "nowhere")).toEqual([]);
    expect(filtered(files, "  ")).toHaveLength(2);
  });
});

describe("modeText", () => {
  it.each([
    ["100644", "100644", ""],
    [null, "100755", ""],
    ["100644", "100755", "now executable"],
    ["100755", "100644", "no longer executable"],
    ["120000", "100755", "now executable, was a link"],
    ["100644", "160000", "now a submodule"],
    ["100644", "040000", "now 040000"],
  ])("from %s to %s", (old_mode, new_mode, text) => {
    expect(modeText(file("a", { old_mode, new_mode }))).toBe(text);
  });
});

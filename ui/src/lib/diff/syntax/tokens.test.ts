import type { StreamParser } from "@codemirror/streamparser";
import { describe, expect, it } from "vitest";

import { changesFor } from "$lib/backend/mock/diff-data";
import type { DiffLine, Hunk } from "$lib/backend/types";

import { segmentsOf } from "../segments";
import { languageOf, modeOf } from "./languages";
import { HunkColours, kindOf, LineReader, tokensOfHunk } from "./tokens";

const line = (kind: DiffLine["kind"], text: string): DiffLine => ({
  kind,
  old: null,
  new: null,
  text,
  no_line_break: false,
});
const hunk = (...lines: DiffLine[]): Hunk => ({ old_start: 1, new_start: 1, section: "", lines });
const mode = async (path: string) => (await modeOf(path)) as StreamParser<unknown>;

describe("languageOf", () => {
  it.each([
    ["src/main.rs", "rust"],
    ["a/b/Component.svelte", "html"],
    ["Dockerfile", "dockerfile"],
    ["Cargo.lock", "toml"],
    ["X.TSX", "typescript"],
    [".env", "properties"],
    ["README", null],
    ["data.unknown", null],
    ["", null],
  ])("%s is %s", (path, language) => expect(languageOf(path)).toBe(language));
});

describe("modeOf", () => {
  it("has a reader for every language there is an ending for", async () => {
    const paths =
      "c cpp cs clj cmake css dart diff dockerfile elm erl go groovy hs html java js json jl kt less lua md nginx ml pl ps1 ini proto py r rb rs scala scss sh sql swift toml ts xml yml";
    for (const ending of paths.split(" ")) {
      const found = await modeOf(ending === "dockerfile" ? ending : `file.${ending}`);
      expect(found?.token, ending).toBeTypeOf("function");
    }
    expect(await modeOf("LICENSE")).toBeNull();
  });
});

describe("colours", () => {
  it("tells what the parts of a line are", async () => {
    const reader = new LineReader(await mode("a.rs"));
    const text = 'let tea: u32 = 5; // "green"';
    const kinds = reader.read(text).map(({ from, to, kind }) => `${kind}:${text.slice(from, to)}`);
    expect(kinds).toContain("keyword:let");
    expect(kinds).toContain("number:5");
    expect(kinds).toContain('comment:// "green"');
  });

  it("reads each side for itself", async () => {
    const rust = await mode("a.rs");
    const tokens = tokensOfHunk(
      rust,
      hunk(line("removed", "/* old"), line("added", "let a = 1;"), line("context", "")),
    );
    expect(tokens[0]?.[0]?.kind).toBe("comment");
    expect(tokens[1]?.[0]).toEqual({ from: 0, to: 3, kind: "keyword" });
  });

  it("colours Markdown", async () => {
    const reader = new LineReader(await mode("a.md"));
    const kinds = (text: string) => reader.read(text).map((token) => token.kind);
    expect(kinds("# Teas")).toEqual(["heading"]);
    expect(kinds("see `teas.txt` and **this**")).toEqual(["string", "heading"]);
    expect(kinds("```rust")).toEqual(["meta"]);
    expect(kinds("# code, no heading")).toEqual(["string"]);
    expect(kinds("```")).toEqual(["meta"]);
    expect(kinds("- [x](y)")).toEqual(["keyword", "string"]);
  });

  it("stays plain where a language cannot be read", () => {
    const stuck: StreamParser<unknown> = { token: () => null };
    expect(new LineReader(stuck).read("abc")).toEqual([]);
    const broken: StreamParser<unknown> = {
      token: () => {
        throw new Error("confused");
      },
    };
    expect(tokensOfHunk(broken, hunk(line("added", "a")))).toEqual([]);
    expect(new HunkColours(broken, [hunk(line("added", "a"))]).of(0, 0)).toEqual([]);
    expect(new HunkColours(stuck, []).of(3, 0)).toEqual([]);
    expect(new LineReader(stuck).read("x".repeat(3_000))).toEqual([]);
  });

  it("knows the modes' names for things", () => {
    expect(kindOf("string.special")).toBe("string");
    expect(kindOf("variableName.definition")).toBe("name");
    expect(kindOf("variableName")).toBeNull();
    expect(kindOf("emphasis strong")).toBe("heading");
    expect(kindOf(null)).toBeNull();
  });
});

describe("segmentsOf", () => {
  it("always holds the whole line, whatever is marked", async () => {
    for (const { file, hunks } of changesFor("completed").slice(0, 8)) {
      const parser = await modeOf(file.path);
      for (const part of hunks) {
        const tokens = parser ? tokensOfHunk(parser, part) : [];
        part.lines.forEach(({ text }, index) => {
          const marks = [{ from: 1, to: 4 }].filter((mark) => mark.to <= text.length);
          for (const blanks of [false, true]) {
            const segments = segmentsOf(text, tokens[index] ?? [], marks, blanks);
            expect(segments.map((segment) => segment.text).join("")).toBe(text);
          }
        });
      }
    }
  });

  it("tells marks, syntax and blanks by their classes", () => {
    const segments = segmentsOf("let a\t ", [{ from: 0, to: 3, kind: "keyword" }], [{ from: 4, to: 5 }], true);
    expect(segments.map(({ text, classes }) => [text, classes])).toEqual([
      ["let", "keyword"],
      [" ", "space"],
      ["a", "mark"],
      ["\t", "tab trailing"],
      [" ", "space trailing"],
    ]);
  });
});

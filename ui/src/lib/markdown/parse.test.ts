import { describe, expect, it } from "vitest";

import { HOSTILE_TEXTS } from "$lib/backend/mock";

import { type Block, hasMarks, parseMarkdown, type Span } from "./parse";

/** How many milliseconds it takes to read a text. */
function timeOf(text: string): number {
  const begun = performance.now();
  parseMarkdown(text);
  return performance.now() - begun;
}

/** All text of some blocks, in order. */
function textOf(blocks: readonly Block[]): string {
  const ofSpan = (span: Span): string =>
    "text" in span ? span.text : "spans" in span ? span.spans.map(ofSpan).join("") : "\n";
  return blocks
    .map((block) => {
      switch (block.kind) {
        case "paragraph":
        case "heading":
          return block.spans.map(ofSpan).join("");
        case "code":
          return block.text;
        case "list":
          return block.items.map((item) => textOf(item.blocks)).join("\n");
        case "quote":
          return textOf(block.blocks);
        case "table":
          return [block.head, ...block.rows]
            .map((row) => row.map((cell) => cell.map(ofSpan).join("")).join("|"))
            .join();
        default:
          return "";
      }
    })
    .join("\n");
}

const spansOf = (text: string): Span[] => {
  const [first] = parseMarkdown(text);
  return first?.kind === "paragraph" ? first.spans : [];
};

describe("markdown", () => {
  it("knows what agents write", () => {
    const kinds = parseMarkdown(
      "# Done\n\nTwo *things*:\n\n1. one\n2. two\n\n> quoted\n\n```rust\nfn main() {}\n```\n\n| a | b |\n|--|-:|\n| 1 | 2 |\n\n---",
    ).map((block) => block.kind);
    expect(kinds).toEqual(["heading", "paragraph", "list", "quote", "code", "table", "rule"]);
    expect(parseMarkdown("```ts\nlet a;\n```")).toEqual([{ kind: "code", text: "let a;", language: "ts" }]);
    expect(parseMarkdown("- [x] done\n- [ ] open")).toMatchObject([
      { kind: "list", ordered: false, items: [{ checked: true }, { checked: false }] },
    ]);
    expect(spansOf("a **b** `c`\nd")).toEqual([
      { kind: "text", text: "a " },
      { kind: "strong", spans: [{ kind: "text", text: "b" }] },
      { kind: "text", text: " " },
      { kind: "code", text: "c" },
      { kind: "break" },
      { kind: "text", text: "d" },
    ]);
  });

  it("makes links of web addresses only", () => {
    expect(spansOf("[docs](https://example.org/a)")).toMatchObject([
      { kind: "link", address: "https://example.org/a" },
    ]);
    for (const written of [
      "[a](javascript:alert(1))",
      "[a](JaVaScRiPt:alert(1))",
      "[a](data:text/html,<script>alert(1)</script>)",
      "[a](file:///etc/passwd)",
      "[a](/relative)",
      "<javascript:alert(1)>",
    ]) {
      expect(
        spansOf(written).some((span) => span.kind === "link"),
        written,
      ).toBe(false);
      expect(textOf(parseMarkdown(written))).toContain(written.includes("script:") ? "alert(1)" : "a");
    }
  });

  it("makes links of places in this window, where they are one", () => {
    expect(spansOf("[it](loopwright:tasks/7)")).toMatchObject([{ kind: "link", address: "loopwright:tasks/7" }]);
    expect(spansOf("[it](loopwright:nowhere)").some((span) => span.kind === "link")).toBe(false);
  });

  it("never loads a picture: it is its description, and a link", () => {
    expect(spansOf("![a plan](https://example.org/a.png)")).toEqual([
      { kind: "image", text: "a plan", address: "https://example.org/a.png" },
    ]);
    expect(spansOf("![x](data:image/png;base64,AAAA)")).toEqual([{ kind: "image", text: "x", address: null }]);
  });

  it("keeps markup as the text it is", () => {
    for (const hostile of HOSTILE_TEXTS) {
      expect(textOf(parseMarkdown(hostile)).replace(/\s+/g, " "), hostile).toBe(hostile.replace(/\s+/g, " "));
    }
    expect(textOf(parseMarkdown("&lt;b&gt; &amp; &bogus;"))).toBe("<b> & &bogus;");
  });

  it("is quick and sound with texts that are made to be slow", () => {
    const nasty = ["[", ">", "*a_ ", "![](", "`", "- ", "| a ", "<", "\\[", "**a", "> - "];
    for (const piece of nasty) {
      const text = piece.repeat(Math.ceil(4000 / piece.length));
      expect(parseMarkdown(text).length).toBeGreaterThan(0);
      // A busy machine makes one reading slow, a bad text each of them.
      expect(Math.min(...[text, text, text].map(timeOf)), piece).toBeLessThan(1500);
    }
  });

  it("shows a text as it is where it is too long to be read", () => {
    const long = "**a** ".repeat(40_000);
    expect(parseMarkdown(long)).toEqual([{ kind: "paragraph", spans: [{ kind: "text", text: long }] }]);
  });

  it("knows plain words without reading them", () => {
    expect(hasMarks("I will price the greens next.")).toBe(false);
    expect(["a *b*", "see https://x.org", "- one", "1. one", "a\nb", "`x`"].every(hasMarks)).toBe(true);
  });
});

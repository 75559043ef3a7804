import { describe, expect, it } from "vitest";

import { type Mark, markPattern } from "./marks";

const mark = (words: string, kind: Mark["kind"] = "finding"): Mark => ({ words, kind, title: words });
const found = (text: string, ...marks: Mark[]) => {
  const pattern = markPattern(marks);
  return pattern ? [...text.matchAll(pattern.expression)].map(([each]) => [each, pattern.markOf(each)?.kind]) : null;
};

describe("marked words", () => {
  it("are whole words in any case, with anything but letters between them", () => {
    expect(found("Fast, fasting, steadfast: FAST", mark("fast"))).toEqual([
      ["Fast", "finding"],
      ["FAST", "finding"],
    ]);
    expect(found("User-friendly and user friendly", mark("user friendly"))?.length).toBe(2);
    expect(found("Größe größer", mark("größe"))?.map(([each]) => each)).toEqual(["Größe"]);
  });

  it("take the longer phrase, and a finding before a term", () => {
    expect(found("state of the art", mark("state"), mark("state of the art", "term"))).toEqual([
      ["state of the art", "term"],
    ]);
    expect(found("guest", mark("guest", "term"), mark("guest"))).toEqual([["guest", "finding"]]);
    expect(found("guest", mark("guest"), mark("guest", "term"))).toEqual([["guest", "finding"]]);
  });

  it("read nothing in a word as an expression", () => {
    expect(found("a.c abc (x", mark("a.c"), mark("(x"))?.map(([each]) => each)).toEqual(["a.c", "x"]);
    expect(found("text", mark("..."))).toBeNull();
    expect(markPattern([])).toBeNull();
  });
});

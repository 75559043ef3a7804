import { describe, expect, it } from "vitest";

import { highlighted } from "./highlight";

const shown = (text: string, searched: string) =>
  highlighted(text, searched)
    .map(({ text: piece, found }) => (found ? `[${piece}]` : piece))
    .join("");

describe("what was searched for", () => {
  it.each([
    ["Opening hours", "hour", "Opening [hour]s"],
    ["Café and cafe", "cafe", "[Café] and [cafe]"],
    ["teas, steams", "tea", "[tea]s, steams"],
    ["a.b (c)", ".*(", "a.b (c)"],
    ["nothing", "", "nothing"],
    ["hot tea", "tea hot", "[hot] [tea]"],
    ["İstanbul 🍵 tea", "tea", "İstanbul 🍵 [tea]"],
  ])("in %j for %j", (text, searched, expected) => {
    expect(shown(text, searched)).toBe(expected);
  });
});

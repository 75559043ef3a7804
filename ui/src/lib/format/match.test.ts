import { describe, expect, it } from "vitest";

import { matchScore, rank } from "./match";

describe("matchScore", () => {
  it("needs every word, in any order and any case", () => {
    expect(matchScore("Theme: dark", "DARK theme")).toBeGreaterThan(0);
    expect(matchScore("Theme: dark", "dark light")).toBe(0);
  });

  it("prefers the start of the text, then the start of a word", () => {
    const start = matchScore("open folder", "op");
    const word = matchScore("just open", "op");
    const inside = matchScore("a stopper", "op");
    expect(start).toBeGreaterThan(word);
    expect(word).toBeGreaterThan(inside);
  });

  it("knows the first letters of words, which count the least", () => {
    expect(matchScore("go to settings", "gts")).toBeGreaterThan(0);
    expect(matchScore("theme: dark", "tdark")).toBeGreaterThan(0);
    expect(matchScore("go to settings", "gxs")).toBe(0);
    expect(matchScore("go to settings", "st")).toBe(0);
    expect(matchScore("tasks: new", "tn")).toBeLessThan(matchScore("a tn", "tn"));
  });

  it("takes characters that mean something in patterns", () => {
    expect(matchScore("a (b) [c] *", "(b) *")).toBeGreaterThan(0);
    expect(matchScore("plain", ".*")).toBe(0);
  });
});

describe("rank", () => {
  it("keeps everything in order for an empty query", () => {
    expect(rank(["b", "a"], "  ", String)).toEqual(["b", "a"]);
  });

  it("puts the best first and keeps the order of equals", () => {
    expect(rank(["xopen", "open b", "open a"], "open", String)).toEqual(["open b", "open a", "xopen"]);
  });
});

import { describe, expect, it } from "vitest";

import { costText, countText, durationText, sizeText } from "./measure";

describe("durationText", () => {
  it.each([
    [0, "0.0 s"],
    [-5, "0.0 s"],
    [420, "0.4 s"],
    [9_949, "9.9 s"],
    [9_990, "10 s"],
    [59_499, "59 s"],
    [59_600, "1 m 00 s"],
    [184_000, "3 m 04 s"],
    [3_600_000, "1 h 00 m"],
    [7_860_000, "2 h 11 m"],
    [273_600_000, "3 d 4 h"],
  ])("%i ms is %s", (ms, text) => expect(durationText(ms)).toBe(text));
});

describe("countText", () => {
  it.each([
    [0, "0"],
    [999, "999"],
    [1_000, "1k"],
    [12_345, "12.3k"],
    [99_949, "99.9k"],
    [99_960, "100k"],
    [999_499, "999k"],
    [999_500, "1M"],
    [4_120_000, "4.1M"],
    [1_234_000_000, "1,234M"],
  ])("%i is %s", (count, text) => expect(countText(count)).toBe(text));
});

describe("costText", () => {
  it.each([
    [0, false, "$0.00"],
    [1_200_000, false, "$1.20"],
    [42_000, true, "≈ $0.04"],
    [1_250, false, "$0.0013"],
    [1_234_560_000, false, "$1,234.56"],
  ])("%i is %s", (micros, estimated, text) => expect(costText(micros, estimated)).toBe(text));
});

describe("sizeText", () => {
  it.each([
    [0, "0 bytes"],
    [1, "1 byte"],
    [999, "999 bytes"],
    [14_400, "14 kB"],
    [3_240_000, "3.2 MB"],
  ])("%i is %s", (bytes, text) => expect(sizeText(bytes)).toBe(text));
});

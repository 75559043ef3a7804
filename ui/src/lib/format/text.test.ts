import { describe, expect, it } from "vitest";

import { asSentence, modeText, plural, splitPath } from "./text";

describe("plural", () => {
  it.each([
    [0, "0 tasks"],
    [1, "1 task"],
    [2, "2 tasks"],
    [12_345, "12,345 tasks"],
  ])("says %i as a person would", (count, text) => {
    expect(plural(count, "task")).toBe(text);
  });

  it("takes a form of its own", () => {
    expect(plural(2, "entry", "entries")).toBe("2 entries");
  });
});

describe("asSentence", () => {
  it.each([
    ["the value is too long", "The value is too long."],
    ["Nothing was changed.", "Nothing was changed."],
    ["/home/ada is not a project", "/home/ada is not a project."],
    ["config.toml cannot be read", "config.toml cannot be read."],
    ["really?", "really?"],
  ])("writes %s", (text, sentence) => {
    expect(asSentence(text)).toBe(sentence);
  });
});

describe("splitPath", () => {
  it.each([
    ["/home/ada/code", { parent: "/home/ada", name: "code" }],
    ["/home/ada/code/", { parent: "/home/ada", name: "code" }],
    ["C:\\code\\heron", { parent: "C:\\code", name: "heron" }],
    ["heron", { parent: "", name: "heron" }],
  ])("splits %s", (path, parts) => {
    expect(splitPath(path)).toEqual(parts);
  });
});

describe("modeText", () => {
  it.each([
    ["autonomous", "Autonomous"],
    ["review_each", "Review each"],
    ["review_every:3", "Review every 3"],
    ["something_new", "something_new"],
  ])("names %s", (mode, title) => {
    expect(modeText(mode).title).toBe(title);
  });

  it("counts one task right", () => {
    expect(modeText("review_every:1").text).toContain("1 finished task.");
  });
});

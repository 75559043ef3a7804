import { describe, expect, it } from "vitest";

import { isTyping, keyNames, matches } from "./shortcuts";

const press = (init: KeyboardEventInit) => new KeyboardEvent("keydown", init);

describe("matches", () => {
  it.each([
    ["Ctrl+K elsewhere", { key: "k", ctrlKey: true }, false, true],
    ["⌘K on a Mac", { key: "k", metaKey: true }, true, true],
    ["Ctrl+K on a Mac", { key: "k", ctrlKey: true }, true, false],
    ["⌘K elsewhere", { key: "k", metaKey: true }, false, false],
    ["K alone", { key: "k" }, false, false],
    ["Ctrl+Alt+K", { key: "k", ctrlKey: true, altKey: true }, false, false],
    ["with caps lock", { key: "K", ctrlKey: true }, false, true],
  ])("%s", (_, init, mac, expected) => {
    expect(matches(press(init), { key: "k", mod: true }, mac)).toBe(expected);
  });

  it("finds symbols that need Shift on some keyboards", () => {
    expect(matches(press({ key: "/", ctrlKey: true, shiftKey: true }), { key: "/", mod: true }, false)).toBe(true);
    expect(matches(press({ key: "&", code: "Digit1", ctrlKey: true }), { key: "1", mod: true }, false)).toBe(true);
    expect(matches(press({ key: "?", shiftKey: true }), { key: "?" }, false)).toBe(true);
    expect(matches(press({ key: "?", ctrlKey: true }), { key: "?" }, false)).toBe(false);
  });
});

describe("keyNames", () => {
  it("prints them as the platform does", () => {
    expect(keyNames({ key: "k", mod: true }, false)).toEqual(["Ctrl", "K"]);
    expect(keyNames({ key: " " }, false)).toEqual(["Space"]);
    expect(keyNames({ key: "k", mod: true }, true)).toEqual(["⌘", "K"]);
    expect(keyNames({ key: "F5" }, false)).toEqual(["F5"]);
  });
});

describe("isTyping", () => {
  it("is true in fields only", () => {
    expect(isTyping(document.createElement("input"))).toBe(true);
    expect(isTyping(document.createElement("button"))).toBe(false);
    expect(isTyping(null)).toBe(false);
  });
});

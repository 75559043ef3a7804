import { describe, expect, it } from "vitest";

import type { FieldShape } from "$lib/backend/types";

import { nextOf, numberOf, previousOf, readableOf, textOf, valueOf, withoutAnswer } from "./phases";

const field = (kind: FieldShape["kind"]): FieldShape => ({ name: "a", label: "A", help: "", kind, choices: [] });

describe("values of fields", () => {
  it.each([
    ["line", "tea", "tea"],
    ["texts", " one\n\n two ", ["one", "two"]],
    ["number", " 12 ", 12],
    ["number", "many", null],
    ["number", "-1", null],
    ["flag", "true", true],
    ["flag", "false", false],
  ] as const)("%s: %j", (kind, text, expected) => {
    expect(valueOf(field(kind), text)).toEqual(expected);
  });

  it("are written as lines, numbers and words", () => {
    expect([textOf(["a", "b"]), textOf(3), textOf(true), textOf(undefined)]).toEqual(["a\nb", "3", "true", ""]);
  });
});

describe("tasks and sections that are meant", () => {
  const names = new Map([
    ["i1", "Menu"],
    ["i2", "Teas"],
  ]);

  it.each([
    ["tasks/i3/depends_on", ["i1", "i9"], "Menu\ni9"],
    ["sections", ["i2"], "Teas"],
    ["tasks/i3/acceptance", ["i1"], "i1"],
    ["tasks/i3/title", "i1", "i1"],
  ])("%s: %j", (path, value, expected) => {
    expect(readableOf(path, value, names)).toBe(expected);
  });
});

describe("the order of phases", () => {
  it("goes from Vision to Launch", () => {
    expect([numberOf("vision"), numberOf("launch")]).toEqual([1, 9]);
    expect([previousOf("vision"), nextOf("vision"), nextOf("launch")]).toEqual([null, "functionality", null]);
  });
});

describe("what an agent says", () => {
  it.each([
    ["I read it.", "I read it."],
    ['Here it is:\n```json\n{"a": 1}\n```', "Here it is:"],
    ['{"a": 1}', ""],
    ["Use {braces} freely", "Use {braces} freely"],
  ])("%j", (text, expected) => {
    expect(withoutAnswer(text)).toBe(expected);
  });
});

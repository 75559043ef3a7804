import { describe, expect, it } from "vitest";

import { known, numberText, pluralForm } from "./locale";

describe("the system's languages", () => {
  it("are those that are known: anything else would throw", () => {
    expect(known(["c", "", "de_DE", "de-DE", "x", "en"])).toEqual(["de-DE", "en"]);
    expect(() => new Intl.NumberFormat(known(["c"]))).not.toThrow();
  });
});

describe("counts", () => {
  it("have the form of a noun that goes with them", () => {
    expect([0, 1, 2, 1.5].map((count) => pluralForm(count, "task", "tasks"))).toEqual([
      "tasks",
      "task",
      "tasks",
      "tasks",
    ]);
    expect(numberText(12_345)).toBe("12,345");
  });
});

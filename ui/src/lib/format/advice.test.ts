import { describe, expect, it } from "vitest";

import { advice } from "./advice";

describe("advice", () => {
  const watch = { action: "watch_run", text: "Watch it" } as const;
  const cancel = { action: "cancel_run", text: "End it" } as const;

  it("tells the hint and the steps in words, without commands", () => {
    expect(advice({ hint: null })).toBe("");
    expect(advice({ hint: "Try again" })).toBe("Try again.");
    expect(advice({ hint: null, next: [watch] })).toBe("Watch it.");
    expect(advice({ hint: "Wait until it ends.", next: [watch, cancel] })).toBe(
      "Wait until it ends. Watch it, or end it.",
    );
  });
});

import { describe, expect, it } from "vitest";

import { shortModel, workerText } from "./agents";

describe("who worked", () => {
  it("is the agent, and its model where that is known", () => {
    expect(workerText({ harness: "claude", model: "claude-opus-4-5" })).toBe("Claude · claude-opus-4-5");
    expect(workerText({ harness: "mine", model: null })).toBe("mine");
    expect(workerText({ harness: null, model: null })).toBe("");
  });

  it.each([
    ["claude", "claude-sonnet-4-5-20250929", "sonnet-4-5"],
    ["gemini", "gemini-3-pro", "3-pro"],
    ["codex", "gpt-5.1-codex", "gpt-5.1-codex"],
    [null, "claude-opus-4-5", "claude-opus-4-5"],
    ["aider", null, ""],
  ])("in short: %s %s is %s", (harness, model, short) => {
    expect(shortModel({ harness, model })).toBe(short);
  });
});

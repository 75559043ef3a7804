import { describe, expect, it } from "vitest";

import type { Setting } from "$lib/backend/types";

import {
  harnessName,
  listItems,
  lockReason,
  modeOf,
  modeValue,
  optionLabel,
  originText,
  preferredScope,
  resettableScope,
} from "./setting";

type Source = Pick<Setting, "origin" | "scopes">;
const source = (
  type: Setting["origin"]["type"],
  place: string | null = null,
  scopes: Setting["scopes"] = ["project", "user"],
): Source => ({
  origin: { type, place },
  scopes,
});

describe("a setting's origin", () => {
  it.each([
    [source("default"), "default", null, "project", null],
    [source("project", "config.toml:3"), "from project config.toml:3", null, "project", "project"],
    [source("user", "config.toml:4"), "from user config.toml:4", null, "user", "user"],
    [
      source("env", "LOOPWRIGHT_MODE"),
      "from the environment variable LOOPWRIGHT_MODE",
      "LOOPWRIGHT_MODE",
      "project",
      null,
    ],
    [source("flag"), "from the command line", "command line", "project", null],
    [source("project", "config.toml:3", ["user"]), "from project config.toml:3", null, "user", null],
  ])("%o", (setting, text, lock, scope, reset) => {
    expect(originText(setting)).toBe(text);
    expect(preferredScope(setting)).toBe(scope);
    expect(resettableScope(setting)).toBe(reset);
    const reason = lockReason(setting);
    if (lock === null) {
      expect(reason).toBeNull();
    } else {
      expect(reason).toContain(lock);
    }
  });

  it("cannot be changed without a file to write to", () => {
    expect(lockReason(source("default", null, []))).not.toBeNull();
  });
});

describe("harnessName", () => {
  it.each([
    ["harness.claude.command", "claude"],
    ['harness."my.agent".command', "my.agent"],
    ["harness.'odd name'.command", "odd name"],
  ])("finds the name in %s", (key, name) => {
    expect(harnessName(key)).toBe(name);
  });
});

describe("values in words", () => {
  it("names choices", () => {
    expect(["", "claude", "true", "false"].map((value) => optionLabel("a", value))).toEqual([
      "None in particular",
      "claude",
      "On",
      "Off",
    ]);
    expect(optionLabel("on_limit", "stop")).toBe("Stop the run");
  });

  it.each(["autonomous", "review_each", "review_every:3", "review_every:"])("takes %s apart and together", (value) => {
    const { name, count } = modeOf(value);
    expect(modeValue(name, count)).toBe(value);
  });

  it("reads a list line by line", () => {
    expect(listItems("a\n\n b \n")).toEqual(["a", "b"]);
    expect(listItems("")).toEqual([]);
  });
});

import { describe, expect, it } from "vitest";

import { draftErrors, looksLikeShell, newDraft, tidied } from "./draft";

const draft = { ...newDraft(), name: "test", command: "make test" };

describe("a draft", () => {
  it("is right when it has a name and a command", () => {
    expect(draftErrors(draft, null, ["lint"])).toEqual({});
    expect(draftErrors({ ...newDraft(), name: "x", builtin: "clean-tree" }, null, [])).toEqual({});
  });

  it("says what is missing or wrong", () => {
    expect(Object.keys(draftErrors(newDraft(), null, []))).toEqual(["name", "command"]);
    expect(draftErrors(draft, null, ["test"]).name).toContain("Another");
    expect(draftErrors(draft, "test", ["test"])).toEqual({});
    expect(draftErrors({ ...draft, command: "say 'hi" }, null, []).command).toContain("quote");
    expect(draftErrors({ ...draft, command: "say \"it's\" \\' done" }, null, [])).toEqual({});
    for (const timeout of ["soon", "10", "m"]) {
      expect(draftErrors({ ...draft, timeout }, null, []).timeout, timeout).toBeTruthy();
    }
    for (const timeout of ["90s", "10 m", "1h 30m", "", "1.5h"]) {
      expect(draftErrors({ ...draft, timeout }, null, []).timeout, timeout).toBeUndefined();
    }
    for (const dir of ["/etc", "..", "a/../../b", "C:\\x"]) {
      expect(draftErrors({ ...draft, dir }, null, []).dir, dir).toBeTruthy();
    }
    expect(draftErrors({ ...draft, dir: "web/app..js" }, null, [])).toEqual({});
    expect(draftErrors({ ...draft, parser: "regex" }, null, []).pattern).toBeTruthy();
  });

  it("is sent without what does not go with the rest", () => {
    const full = { ...draft, name: " test ", timeout: " ", dir: "web", parser: "regex", pattern: "x", issues: "a" };
    expect(tidied(full)).toEqual({ ...draft, dir: "web", parser: "regex", pattern: "x" });
    expect(tidied({ ...full, parser: "text" })).toEqual({ ...draft, dir: "web" });
    expect(tidied({ ...full, builtin: "clean-tree" })).toEqual({ ...draft, command: "", builtin: "clean-tree" });
  });

  it("knows what only a shell would understand", () => {
    for (const command of ["a && b", "a | b", "a > b", "echo $HOME", "echo $(x)", "a; b"]) {
      expect(looksLikeShell(command), command).toBe(true);
    }
    for (const command of ["make test", "grep 'a|b' \"x > y\"", "npm run test -- --watch=false"]) {
      expect(looksLikeShell(command), command).toBe(false);
    }
  });
});

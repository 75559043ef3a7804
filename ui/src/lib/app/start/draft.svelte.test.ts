import { beforeEach, describe, expect, it } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import { emptyDraft, StartDraft } from "./draft.svelte";

beforeEach(() => sessionStorage.clear());

describe("StartDraft", () => {
  it("is found again by a page that is loaded anew, each project's on its own", () => {
    const draft = new StartDraft("/a");
    draft.fields.prompt = "Price";
    draft.fields.limits.time = "2h";
    draft.remember();
    expect(new StartDraft("/a").fields).toEqual({ ...draft.fields });
    expect(new StartDraft("/b").fields).toEqual(emptyDraft());
  });

  it.each(["{", '"text"', "7", '{"limits":null}', '{"prompt":"kept"}'])("survives %s in the storage", (stored) => {
    sessionStorage.setItem("loopwright.draft./a", stored);
    const { fields } = new StartDraft("/a");
    expect(Object.keys(fields)).toEqual(expect.arrayContaining(Object.keys(emptyDraft())));
    expect(fields.limits.time).toBe("");
  });

  it("takes over what a run was started with", async () => {
    const state = await createMockBackend({ scenario: "exhausted" }).runState(null);
    const draft = new StartDraft("/a");
    if (state) {
      draft.adopt(state);
    }
    expect(draft.fields).toMatchObject({
      kind: "prompt",
      prompt: expect.stringContaining("Price every tea"),
      harness: "claude",
      automation: "auto",
      limits: { iterations: "20", time: "8h", money: "25" },
      autoCommit: true,
      createBranch: false,
    });
    draft.clear();
    expect(new StartDraft("/a").fields).toEqual(emptyDraft());
  });

  it("takes over procedures and fixing, and what an older version wrote", async () => {
    const state = await createMockBackend({ scenario: "exhausted" }).runState(null);
    if (!state?.options) {
      throw new Error("The run has no options.");
    }
    const draft = new StartDraft("/a");
    draft.adopt({ ...state, options: { ...state.options, prompt: null, procedure: "build" } });
    expect([draft.fields.kind, draft.fields.procedure]).toEqual(["procedure", "build"]);
    draft.adopt({ ...state, run: { ...state.run, kind: "fix" }, options: { ...state.options, prompt: "Mind it" } });
    expect([draft.fields.kind, draft.fields.extra]).toEqual(["fix", "Mind it"]);
    draft.adopt({ ...state, options: null });
    expect([draft.fields.kind, draft.fields.prompt]).toEqual(["prompt", state.run.title]);
  });
});

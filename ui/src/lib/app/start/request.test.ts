import { describe, expect, it } from "vitest";

import { choicesFor } from "$lib/backend/mock/choices";
import { overviewFor } from "$lib/backend/mock/projects";
import { OPTIONS } from "$lib/backend/mock/run-data";
import type { RunChoices } from "$lib/backend/types";

import { type Draft, emptyDraft } from "./draft.svelte";
import { countOf, limitDefaults, limitsSentence, limitTexts, limitThatEnded, timeSetting } from "./limits";
import { harnessOf, problemsOf, requestOf } from "./request";

const choices: RunChoices = choicesFor("sample", overviewFor("sample"));
const draft = (changes: Partial<Draft> = {}): Draft => ({ ...emptyDraft(), prompt: "Price the teas", ...changes });
const limits = (changes: Partial<Draft["limits"]>) => ({ limits: { ...emptyDraft().limits, ...changes } });

describe("requestOf", () => {
  it("asks for nothing that was not said", () => {
    expect(requestOf(draft({ prompt: "  Price the teas \n" }), choices)).toEqual({
      work: { kind: "prompt", text: "Price the teas" },
      harness: null,
      model: null,
      automation: null,
      settings: [],
      leave_earlier: false,
    });
  });

  it("says everything that was said, as the settings write it", () => {
    const full = draft({
      ...limits({
        iterations: "5",
        time: " 90m ",
        money: "$ 2.50",
        tokens: "1.5M",
        failures: "0",
        timeout: "none",
        promise: "DONE",
      }),
      harness: "claude",
      model: " opus ",
      automation: "plan",
      autoCommit: true,
      createBranch: false,
      includeChanges: true,
    });
    const request = requestOf(full, { ...choices, uncommitted: 2, earlier: {} as RunChoices["earlier"] });
    expect(request).toEqual({
      work: { kind: "prompt", text: "Price the teas" },
      harness: "claude",
      model: "opus",
      automation: "plan",
      settings: [
        { key: "loop.max_iterations", value: "5" },
        { key: "loop.max_runtime", value: "90m" },
        { key: "loop.max_cost", value: "2.50" },
        { key: "loop.max_tokens", value: "1500000" },
        { key: "loop.failure_threshold", value: "0" },
        { key: "agent.timeout", value: "" },
        { key: "loop.completion_promise", value: "DONE" },
        { key: "git.auto_commit", value: "true" },
        { key: "loop.dirty", value: "include" },
      ],
      leave_earlier: true,
    });
  });

  it("knows procedures and fixing", () => {
    const procedure = requestOf(draft({ kind: "procedure", procedure: "build", noPromise: true }), choices);
    expect(procedure.work).toEqual({ kind: "procedure", name: "build" });
    expect(procedure.settings).toEqual([{ key: "loop.completion_promise", value: "" }]);
    const fix = requestOf(draft({ kind: "fix", extra: " Mind the tests ", ...limits({ iterations: "7" }) }), choices);
    expect(fix.work).toEqual({ kind: "fix", extra: "Mind the tests" });
    expect(fix.settings).toEqual([{ key: "fix.max_iterations", value: "7" }]);
    expect(requestOf(draft({ kind: "fix" }), choices).work).toEqual({ kind: "fix", extra: null });
  });

  it("knows tasks, and leaves out what does not hold for them", () => {
    const chosen = { kind: "tasks" as const, tag: "core", mode: "review_every:3", commit: "wave", autoCommit: true };
    const tasks = requestOf(
      draft({ ...chosen, noPromise: true, ...limits({ iterations: "9", attempts: "2" }) }),
      choices,
    );
    expect(tasks.work).toEqual({ kind: "tasks", tag: "core", task: null, wave: null });
    expect(tasks.settings).toEqual([
      { key: "mode", value: "review_every:3" },
      { key: "run.commit", value: "wave" },
      { key: "run.max_attempts", value: "2" },
      { key: "run.max_iterations", value: "9" },
    ]);
    expect(requestOf(draft({ kind: "tasks" }), choices).settings).toEqual([]);
  });

  it("takes no changes in where there are none", () => {
    expect(requestOf(draft({ includeChanges: true }), choices).settings).toEqual([]);
  });
});

describe("problemsOf", () => {
  const fields = (changes: Partial<Draft>, known: Partial<RunChoices> = {}) =>
    Object.keys(problemsOf(draft(changes), { ...choices, ...known }));

  it.each<[string, Partial<Draft>, Partial<RunChoices>, string[]]>([
    ["nothing", {}, {}, []],
    ["an empty prompt", { prompt: " \n" }, {}, ["prompt"]],
    ["no procedure", { kind: "procedure" }, {}, ["procedure"]],
    ["a broken procedure", { kind: "procedure", procedure: "broken" }, {}, ["procedure"]],
    ["a good procedure", { kind: "procedure", procedure: "build" }, {}, []],
    ["no task to do", { kind: "tasks" }, {}, ["tasks"]],
    ["no checks to fix", { kind: "fix" }, { checks: 0 }, ["checks"]],
    ["no agent", {}, { harness: null }, ["harness"]],
    ["an agent that is not there", { harness: "codex" }, {}, ["harness"]],
    ["uncommitted changes", {}, { uncommitted: 3 }, ["changes"]],
    ["uncommitted changes that are taken in", { includeChanges: true }, { uncommitted: 3 }, []],
    ["a half iteration", limits({ iterations: "1.5" }), {}, ["iterations"]],
    ["a time without a unit", limits({ time: "8" }), {}, ["time"]],
    ["several units", limits({ time: "1h 30m", timeout: "none" }), {}, []],
    ["money in words", limits({ money: "ten" }), {}, ["money"]],
    ["money", limits({ money: "$0.50", tokens: "20,000" }), {}, []],
    ["negative counts", limits({ tokens: "-1", failures: "x" }), {}, ["tokens", "failures"]],
  ])("finds %s", (_, changes, known, expected) => {
    expect(fields(changes, known)).toEqual(expected);
  });
});

describe("harnessOf", () => {
  it("takes the chosen one, then the procedure's, then the settings'", () => {
    const own = { ...choices, procedures: choices.procedures.map((each) => ({ ...each, harness: "codex" })) };
    expect(harnessOf(draft(), own)).toBe("rehearsal");
    expect(harnessOf(draft({ kind: "procedure", procedure: "build" }), own)).toBe("codex");
    expect(harnessOf(draft({ kind: "procedure", procedure: "build", harness: "claude" }), own)).toBe("claude");
  });
});

describe("limits", () => {
  it.each([
    ["20", "20"],
    ["20 000", "20000"],
    ["20,000", "20000"],
    ["2M", "2000000"],
    ["1.5k", "1500"],
    ["0", "0"],
    ["1.5", null],
    ["-1", null],
    ["", null],
    ["9".repeat(30), null],
  ])("counts %s as %s", (text, digits) => expect(countOf(text)).toBe(digits));

  it.each([
    [28_800_000, "8h"],
    [5_400_000, "1h 30m"],
    [45_000, "45s"],
    [1, "1s"],
  ])("writes %i ms as %s", (ms, text) => expect(timeSetting(ms)).toBe(text));

  it("writes what a run had so that it means the same again", () => {
    const texts = limitTexts(OPTIONS);
    expect(texts).toEqual({
      iterations: "20",
      time: "8h",
      money: "25",
      tokens: "20M",
      failures: "3",
      timeout: "none",
      promise: "COMPLETE",
      attempts: "",
    });
    expect(problemsOf(draft({ limits: texts }), choices)).toEqual({});
  });

  it("names what ended a run by its field", () => {
    expect([limitThatEnded("money"), limitThatEnded("max_iterations"), limitThatEnded("promise"), limitThatEnded(null)])
      // Anything else is no limit that could be raised.
      .toEqual(["money", "iterations", null, null]);
  });

  it("are told in one sentence", () => {
    const sentence = (changes: Partial<Draft> = {}) => {
      const written = draft(changes);
      return limitsSentence(written.limits, limitDefaults(written, choices, null));
    };
    expect(sentence()).toBe("Stops after 20 iterations, 8h, $25 or 3 failures in a row");
    expect(sentence({ kind: "fix" })).toContain("100 iterations");
    expect(sentence({ kind: "procedure", procedure: "build" })).toContain("5 iterations");
    expect(sentence({ kind: "procedure", procedure: "price-teas" })).toBe("Stops after 8h, $25 or 3 failures in a row");
    expect(sentence(limits({ iterations: "0", time: "none", money: "none", failures: "0" }))).toBe(
      "Goes on without end",
    );
    expect(sentence(limits({ iterations: "1", time: "none", money: "none", failures: "0" }))).toBe(
      "Stops after 1 iteration",
    );
  });
});

import type { RunChoices, RunSetting, StartRun, StartWork } from "$lib/backend/types";

import type { Draft, LimitField, WorkKind } from "./draft.svelte";
import { countOf, NONE } from "./limits";

/** Where something has to be corrected before a run can start. */
export type Field = LimitField | "tasks" | "mode" | "prompt" | "procedure" | "harness" | "checks" | "changes";

export type Problems = Partial<Record<Field, string>>;

const COUNTS: [LimitField, string][] = [
  ["iterations", "Write a whole number; 0 is without end."],
  ["tokens", "Write a whole number, such as 500k or 2M; 0 is without limit."],
  ["failures", "Write a whole number; 0 never stops."],
  ["attempts", "Write a whole number; 0 is without limit."],
];

/**
 * What is missing or cannot be right; `pending` is how many tasks could be done. The backend has the last word; this only
 * spares the way there.
 */
export function problemsOf(draft: Draft, choices: RunChoices, pending = 0): Problems {
  const problems: Problems = { ...workProblem(draft, choices, pending), ...harnessProblem(draft, choices) };
  if (draft.kind === "tasks" && draft.mode !== null && !MODES.test(draft.mode)) {
    problems.mode = "Write after how many finished tasks, such as 3.";
  }
  for (const [field, text] of COUNTS) {
    const written = draft.limits[field].trim();
    if (written !== "" && countOf(written) === null) {
      problems[field] = text;
    }
  }
  for (const field of ["time", "timeout"] as const) {
    const written = draft.limits[field].trim();
    if (written !== "" && written !== NONE && !/^(\d+(\.\d+)?\s*[a-z]+[\s,]*)+$/i.test(written)) {
      problems[field] = "Write a time with its unit, such as 90s, 20m or 2h, or none.";
    }
  }
  if (!/^(none|\$?\s*\d+(\.\d{1,6})?)?$/.test(draft.limits.money.trim())) {
    problems.money = "Write US dollars, such as 5 or 0.50, or none.";
  }
  if ((choices.uncommitted ?? 0) > 0 && !draft.includeChanges) {
    problems.changes = "Commit your changes, or let the run take them in.";
  }
  return problems;
}

const MODES = /^(autonomous|review_each|review_every:[1-9]\d{0,3})$/;

function workProblem(draft: Draft, choices: RunChoices, pending: number): Problems {
  if (draft.kind === "tasks") {
    return pending === 0 ? { tasks: "There is no pending task to run." } : {};
  }
  if (draft.kind === "prompt") {
    return draft.prompt.trim() === "" ? { prompt: "Say what is to be done." } : {};
  }
  if (draft.kind === "fix") {
    return choices.checks === 0 ? { checks: "There is no check that could fail. Add one first." } : {};
  }
  const procedure = choices.procedures.find((each) => each.name === draft.procedure);
  return procedure === undefined || procedure.problem !== null ? { procedure: "Choose a procedure." } : {};
}

function harnessProblem(draft: Draft, choices: RunChoices): Problems {
  const name = harnessOf(draft, choices);
  const harness = choices.harnesses.find((each) => each.name === name);
  return harness === undefined || harness.problem !== null ? { harness: "Choose an agent that can be started." } : {};
}

/** The agent that a run would be given: the one that was chosen, the procedure's own, or what the settings say. */
export function harnessOf(draft: Draft, choices: RunChoices): string | null {
  const own = draft.kind === "procedure" && choices.procedures.find((each) => each.name === draft.procedure)?.harness;
  return draft.harness ?? (own || choices.harness);
}

/** Exactly what is asked for. What is as the settings have it is left to them. */
export function requestOf(draft: Draft, choices: RunChoices): StartRun {
  return {
    work: workOf(draft),
    harness: draft.harness,
    model: draft.model.trim() || null,
    automation: draft.automation,
    settings: settingsOf(draft, choices),
    leave_earlier: choices.earlier !== null,
  };
}

function workOf(draft: Draft): StartWork {
  switch (draft.kind) {
    case "prompt":
      return { kind: "prompt", text: draft.prompt.trim() };
    case "procedure":
      return { kind: "procedure", name: draft.procedure ?? "" };
    case "tasks":
      return { kind: "tasks", tag: draft.tag, task: draft.task, wave: draft.wave };
    default:
      return { kind: "fix", extra: draft.extra.trim() || null };
  }
}

/** How the setting for the number of iterations is called. */
const ITERATIONS: Record<WorkKind, string> = {
  tasks: "run.max_iterations",
  prompt: "loop.max_iterations",
  procedure: "loop.max_iterations",
  fix: "fix.max_iterations",
};

function settingsOf(draft: Draft, choices: RunChoices): RunSetting[] {
  const { limits, kind } = draft;
  const count = (text: string) => countOf(text.trim()) ?? "";
  const promise = draft.noPromise ? "" : limits.promise.trim() || null;
  const tasks = kind === "tasks";
  const loops = kind === "prompt" || kind === "procedure";
  const settings: [string, string | null][] = [
    ["mode", tasks ? draft.mode : null],
    ["run.commit", tasks ? draft.commit : null],
    ["run.max_attempts", tasks ? count(limits.attempts) || null : null],
    [ITERATIONS[kind], count(limits.iterations) || null],
    ["loop.max_runtime", limited(limits.time)],
    ["loop.max_cost", limited(limits.money.replace(/[$\s]/g, ""))],
    ["loop.max_tokens", count(limits.tokens) || null],
    ["loop.failure_threshold", count(limits.failures) || null],
    ["agent.timeout", limited(limits.timeout)],
    ["loop.completion_promise", loops ? promise : null],
    ["git.auto_commit", tasks ? null : switched(draft.autoCommit, choices.defaults.auto_commit)],
    ["git.create_branch", switched(draft.createBranch, choices.defaults.create_branch)],
    ["loop.dirty", draft.includeChanges && (choices.uncommitted ?? 0) > 0 ? "include" : null],
  ];
  return settings.flatMap(([key, value]) => (value === null ? [] : [{ key, value }]));
}

/** A limit as the settings hold it, where none is written as nothing. */
function limited(text: string): string | null {
  const written = text.trim();
  return written === NONE ? "" : written || null;
}

function switched(chosen: boolean | null, otherwise: boolean): string | null {
  return chosen === null || chosen === otherwise ? null : String(chosen);
}

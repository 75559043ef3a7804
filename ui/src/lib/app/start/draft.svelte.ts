import type { Automation, RunKind, RunState, TaskId } from "$lib/backend/types";

import { limitTexts } from "./limits";

/** The limits of a run as a person writes them; empty where nothing was written. */
export interface LimitFields {
  iterations: string;
  time: string;
  money: string;
  tokens: string;
  failures: string;
  timeout: string;
  promise: string;
  /** How often a task is tried. */
  attempts: string;
}

export type LimitField = keyof LimitFields;

/** What of the start panel can be asked for: a field, or the button that starts. */
export type StartField = LimitField | "prompt" | "start";

/** The sources of work. */
export type WorkKind = "tasks" | "prompt" | "procedure" | "fix";

/** What somebody wants to start, as far as they have said it. Nothing said is what the settings say. */
export interface Draft {
  kind: WorkKind;
  /** Whether the kind was chosen; until then tasks come first wherever some wait to be done. */
  kindChosen: boolean;
  /** Only the tasks of this tag; none for all. */
  tag: string | null;
  /** Only the tasks of this wave; none for all. */
  wave: number | null;
  /** Only this task; none for all. */
  task: TaskId | null;
  /** When a person looks at the work; none for what the settings say. */
  mode: string | null;
  /** When a run over tasks commits; none for what the settings say. */
  commit: string | null;
  prompt: string;
  procedure: string | null;
  extra: string;
  harness: string | null;
  model: string;
  automation: Automation | null;
  limits: LimitFields;
  /** The run ends as soon as an agent ends well, without a promise. */
  noPromise: boolean;
  autoCommit: boolean | null;
  createBranch: boolean | null;
  includeChanges: boolean;
}

const NO_LIMITS: LimitFields = {
  iterations: "",
  time: "",
  money: "",
  tokens: "",
  failures: "",
  timeout: "",
  promise: "",
  attempts: "",
};

export function emptyDraft(): Draft {
  return {
    kind: "prompt",
    kindChosen: false,
    tag: null,
    wave: null,
    task: null,
    mode: null,
    commit: null,
    prompt: "",
    procedure: null,
    extra: "",
    harness: null,
    model: "",
    automation: null,
    limits: { ...NO_LIMITS },
    noPromise: false,
    autoCommit: null,
    createBranch: null,
    includeChanges: false,
  };
}

/**
 * The draft of a window. It outlives the view it is written in, and a page that is loaded anew finds it again: nothing
 * that was typed is lost.
 */
export class StartDraft {
  fields = $state<Draft>(emptyDraft());
  /** Whether the limits are unfolded. */
  limitsOpen = $state(false);
  /** The field to go to; whoever went there takes it away. */
  wanted = $state<StartField | null>(null);

  readonly #key: string;

  constructor(place: string) {
    this.#key = `loopwright.draft.${place}`;
    this.fields = remembered(this.#key);
  }

  /** Keeps what was written for a page that is loaded anew. */
  remember(): void {
    try {
      sessionStorage.setItem(this.#key, JSON.stringify(this.fields));
    } catch {
      // A page without storage forgets its draft with itself.
    }
  }

  /** Takes over what a run was started with, so that it can be started again. */
  adopt({ run, options }: RunState): void {
    const before = emptyDraft();
    const kind = workOf(run.kind, options?.procedure ?? null);
    this.fields = {
      ...before,
      kind,
      kindChosen: true,
      tag: options?.tasks?.tag ?? null,
      wave: options?.tasks?.wave ?? null,
      task: options?.tasks?.task ?? null,
      prompt: kind === "prompt" ? (options?.prompt ?? run.title) : "",
      procedure: options?.procedure ?? run.procedure,
      extra: kind === "fix" ? (options?.prompt ?? "") : "",
      harness: run.harness,
      ...(options && {
        model: options.agent.model ?? "",
        automation: automationOf(options.automation),
        limits: { ...NO_LIMITS, ...limitTexts(options) },
        mode: options.rules?.gates.mode ?? null,
        commit: options.rules?.commit ?? null,
        noPromise: options.promise === null && options.goal === "process_success",
        autoCommit: options.git.auto_commit,
        createBranch: options.git.create_branch,
        includeChanges: options.include_dirty,
      }),
    };
    this.remember();
  }

  /** Begins with an empty one: what was written has been started. */
  clear(): void {
    this.fields = emptyDraft();
    this.limitsOpen = false;
    this.wanted = null;
    this.remember();
  }
}

function workOf(kind: RunKind, procedure: string | null): WorkKind {
  if (kind === "run") {
    return "tasks";
  }
  return kind === "fix" ? "fix" : procedure === null ? "prompt" : "procedure";
}

function automationOf(word: string): Automation | null {
  const words: Automation[] = ["manual", "plan", "auto", "yolo"];
  return words.find((each) => each === word) ?? null;
}

function remembered(key: string): Draft {
  const empty = emptyDraft();
  try {
    const stored = JSON.parse(sessionStorage.getItem(key) ?? "null") as Partial<Draft> | null;
    return stored === null ? empty : { ...empty, ...stored, limits: { ...empty.limits, ...stored.limits } };
  } catch {
    return empty;
  }
}

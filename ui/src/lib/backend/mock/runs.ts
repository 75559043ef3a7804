import type { Unsubscribe } from "../backend";
import type { RunBackend } from "../runs";
import type { CloseAsked, RunChoices, RunId, RunSummary, RunUpdate, StartRun } from "../types";

import { choicesFor, promptFor, titleFor } from "./choices";
import { refusal } from "./faults";
import { type Fate, runIdOf } from "./iteration-data";
import type { MockLogs } from "./logs";
import type { MockParts } from "./parts";
import { OPTIONS, progressOf } from "./run-data";
import { createRunMachine, type RunMachine } from "./run-machine";

const ALL_TASKS = { tag: null, task: null, wave: null, plan: null, spec_files: [], verify: null, handoff: null };
/** Kinds of work whose runs may take many iterations. */
const LONG: StartRun["work"]["kind"][] = ["fix", "tasks"];

/** What a test makes a run do, instead of time. */
export interface RunControls {
  /** Comes to the next phase; the iteration ends as `fate` says when that is its end. */
  step(fate?: Fate): void;
  /** Works until the iteration under way is over. */
  finishIteration(fate?: Fate): void;
  /** The run ends for a reason. */
  end(status: RunSummary["status"], reason: RunSummary["reason"], code?: RunSummary["code"]): void;
  /** Somebody starts a run in a terminal. */
  startElsewhere(): void;
  /** The window is asked to close. */
  askToClose(own?: boolean): void;
  /** A notification was clicked. */
  showView(view: string): void;
}

/** Runs in memory. Time does not move them: the controls do. */
export function createRunsMock(
  parts: MockParts,
  logs: MockLogs,
): RunBackend & { runControls: RunControls; machine: RunMachine } {
  const { scenario, world, guarded, journal } = parts;
  const followers = new Set<(updates: RunUpdate[]) => void>();
  const closeAsked = new Set<(asked: CloseAsked) => void>();
  const viewShown = new Set<(view: string) => void>();
  const send = (updates: RunUpdate[]): void => followers.forEach((batch) => batch(updates));
  const machine = createRunMachine(parts, logs, send);
  parts.noted.add((event) => send([{ kind: "events", events: [event] }]));
  logs.onPrinted((printed) => send([printed]));

  function choices(): RunChoices {
    const known = choicesFor(scenario, parts.overview());
    return { ...known, earlier: machine.earlier(), live: machine.holder() };
  }

  function refuseStart(request: StartRun): void {
    const known = choices();
    const harness = known.harnesses.find((choice) => choice.name === (request.harness ?? known.harness));
    if (known.trust === "untrusted" || known.trust === "changed") {
      throw refusal("trust.required", "This folder is not trusted yet.", "Read what it runs, then trust it.");
    }
    if (known.live !== null) {
      throw refusal("run.locked", `This project is in use by process ${known.live.pid}.`, "Wait for it, or end it.");
    }
    if (!harness || harness.problem) {
      throw refusal("agent.missing", "No agent can be started.", "Choose one in Settings → Agent.");
    }
    const bad = request.settings.find(
      ({ key, value }) =>
        (key.endsWith("max_runtime") && !/[a-z]/.test(value)) ||
        (key.endsWith("max_iterations") && !/^\d+$/.test(value)),
    );
    if (bad) {
      throw refusal("config.bad_value", `${bad.key} must be a time, like "90s" or "2h", or empty for none.`);
    }
    if (known.earlier !== null && !request.leave_earlier) {
      throw refusal("run.interrupted", "An earlier run was stopped.", "Go on with it, or begin anew.");
    }
    const included = request.settings.some(({ key, value }) => key === "loop.dirty" && value === "include");
    if ((known.uncommitted ?? 0) > 0 && !included) {
      throw refusal("run.dirty", "The tree has uncommitted changes.", "Commit them, or take them in.");
    }
    if (request.automation === "yolo" && promptFor(request).includes("decline")) {
      throw refusal("confirmation.declined", "Nothing was started.");
    }
  }

  function begin(request: StartRun, origin: "app" | "cli"): RunId {
    const number = world.runs.length + 1;
    const { kind } = request.work;
    const harness = request.harness ?? choices().harness ?? "claude";
    const { work } = request;
    const options = {
      ...OPTIONS,
      tasks: work.kind === "tasks" ? { ...ALL_TASKS, tag: work.tag, task: work.task, wave: work.wave } : null,
      prompt: request.work.kind === "prompt" ? request.work.text : null,
      procedure: request.work.kind === "procedure" ? request.work.name : null,
      agent: { ...OPTIONS.agent, name: harness, model: request.model },
      automation: request.automation ?? "auto",
    };
    const asked = request.settings.find((setting) => setting.key.endsWith("max_iterations"));
    const limits = {
      ...OPTIONS.limits,
      max_iterations: Number(asked?.value ?? (LONG.includes(kind) ? 100 : OPTIONS.limits.max_iterations)),
    };
    const summary: RunSummary = {
      id: runIdOf(number),
      kind: kind === "tasks" ? "run" : kind === "fix" ? "fix" : "loop",
      title: titleFor(request),
      procedure: options.procedure,
      harness,
      status: "running",
      waiting: null,
      reason: null,
      code: null,
      message: null,
      holds: [],
      limits,
      progress: progressOf([]),
      goal: true,
      origin,
      started_at: new Date().toISOString(),
      last_iteration_at: null,
      ended_at: null,
    };
    const mode = request.settings.find((setting) => setting.key === "mode")?.value ?? null;
    return machine.begin(summary, { ...options, limits }, mode);
  }

  function listen<F>(listeners: Set<F>, callback: F): Unsubscribe {
    listeners.add(callback);
    return () => listeners.delete(callback);
  }

  return {
    runChoices: () => guarded("runChoices", null, choices),
    previewRun: (request) =>
      guarded("previewRun", request, () => {
        const prompt = promptFor(request);
        const command = `${request.harness ?? choices().harness ?? "claude"} -p --output-format stream-json`;
        const notes = request.work.kind === "tasks" ? ["No plan names this task, so none is handed along."] : [];
        const size = { tokens: prompt.length >> 2, budget: 100_000 };
        return { title: titleFor(request), command, size, prompt, notes, preview: null };
      }),
    startRun: (request) =>
      guarded("startRun", request, () => {
        refuseStart(request);
        return begin(request, "app");
      }),
    resumeRun: (run) => guarded("resumeRun", run, () => machine.resume(run)),
    askRun: (kind) => guarded("askRun", kind, () => machine.ask(kind)),
    runState: (run) =>
      guarded("runState", run, () => {
        const found = run === null ? world.runs[0] : world.runs.find((each) => each.summary.id === run);
        return found ? machine.stateOf(found) : null;
      }),
    runs: (before, limit) =>
      guarded("runs", { before, limit }, () => {
        const from = world.runs.findIndex((run) => run.summary.id === before) + 1;
        return world.runs.slice(from, from + limit).map((run) => run.summary);
      }),
    follow: (after, batch) => {
      const missed = journal.filter((event) => event.seq > after);
      const events: RunUpdate[] = missed.length > 0 ? [{ kind: "events", events: missed }] : [];
      queueMicrotask(() => batch([...events, { kind: "state", state: machine.state() }, ...machine.output()]));
      return listen(followers, batch);
    },
    closeWindow: (choice) => guarded("closeWindow", choice, () => undefined),
    closeAskedShown: () => guarded("closeAskedShown", null, () => undefined),
    onCloseAsked: (callback) => listen(closeAsked, callback),
    onShowView: (callback) => listen(viewShown, callback),
    machine,
    runControls: {
      step: machine.step,
      finishIteration: machine.finishIteration,
      end: machine.end,
      startElsewhere: () => {
        const work = { kind: "prompt" as const, text: "Priced from a terminal" };
        begin({ work, harness: null, model: null, automation: null, settings: [], leave_earlier: true }, "cli");
      },
      askToClose: (own = true) => closeAsked.forEach((callback) => callback({ run: machine.newest().summary, own })),
      showView: (view) => viewShown.forEach((callback) => callback(view)),
    },
  };
}

import type {
  ControlKind,
  EventEnvelope,
  Gate,
  GateAnswer,
  GateDecision,
  Iteration,
  RunId,
  RunOptions,
  RunState,
  RunSummary,
  RunUpdate,
} from "../types";

import { MOCK_PROCESS } from "./process";
import { endingFor } from "./endings";
import { refusal } from "./faults";
import { type Fate, plannedIteration, settled } from "./iteration-data";
import type { MockLogs } from "./logs";
import type { MockParts } from "./parts";
import { progressOf, type RecordedRun } from "./run-data";
import { TaskRuns } from "./task-runs";

const PHASES = ["planned", "running", "checking", "committing", "settled"] as const;
const ELSEWHERE = 9_042;
const RESUMABLE: RunSummary["status"][] = ["paused", "waiting", "interrupted"];
const HELD: RunSummary["status"][] = ["running", "paused", "waiting"];

export type RunMachine = ReturnType<typeof createRunMachine>;

/** The newest run in memory and what moves it from phase to phase. Tells whoever follows. */
export function createRunMachine(parts: MockParts, logs: MockLogs, send: (updates: RunUpdate[]) => void) {
  const { world, gates, tasks, note, journal } = parts;
  const work = new TaskRuns(parts);
  let asked: ControlKind | null = null;
  let holder = world.runs[0] && holds(world.runs[0]) ? started(world.runs[0].summary.origin) : null;
  const first = current();
  if (first) {
    world.printed.set(first.id, 7);
  }

  function holds(run: RecordedRun): boolean {
    return HELD.includes(run.summary.status);
  }

  function started(origin: "app" | "cli"): RunState["live"] {
    return { pid: origin === "app" ? MOCK_PROCESS : ELSEWHERE, since: new Date().toISOString(), what: "loop" };
  }

  function newest(): RecordedRun {
    const run = world.runs[0];
    if (!run) {
      throw refusal("run.not_found", "There is no run here.");
    }
    return run;
  }

  function current(): Iteration | null {
    const last = world.runs[0]?.iterations.at(-1);
    return last && last.phase !== "settled" ? last : null;
  }

  function stateOf(run: RecordedRun): RunState {
    const latest = run === world.runs[0];
    const last = run.iterations.findLast((iteration) => iteration.phase === "settled") ?? null;
    return {
      run: run.summary,
      options: run.options,
      live: latest ? holder : null,
      current: latest ? current() : null,
      last,
      asked: latest ? asked : null,
      ending: endingFor(run.summary, last),
      seq: journal.at(-1)?.seq ?? 0,
    };
  }

  function state(): RunState | null {
    return world.runs[0] ? stateOf(world.runs[0]) : null;
  }

  /** The output of the iteration under way, else of the last one. */
  function newestOutput(): RunUpdate[] {
    const iteration = current() ?? world.runs[0]?.iterations.at(-1) ?? null;
    return iteration ? [logs.printed(iteration)] : [];
  }

  function tell(...events: EventEnvelope["event"][]): void {
    events.forEach(note);
    send([{ kind: "state", state: state() }, ...newestOutput()]);
  }

  function change(run: RecordedRun, about: Partial<RunSummary>): void {
    run.summary = { ...run.summary, ...about, progress: progressOf(run.iterations) };
  }

  function replace(run: RecordedRun, iteration: Iteration): void {
    const place = run.iterations.findIndex((each) => each.id === iteration.id);
    run.iterations.splice(place < 0 ? run.iterations.length : place, 1, iteration);
  }

  function status(
    run: RecordedRun,
    to: RunSummary["status"],
    reason: RunSummary["reason"],
    message: string,
    code: RunSummary["code"] = null,
  ): void {
    const over = !HELD.includes(to);
    const ended_at = over ? new Date().toISOString() : null;
    change(run, { status: to, reason, code, message, ended_at, waiting: null });
    holder = over ? null : holder;
    asked = null;
    tell({ type: "run.status", run: run.summary.id, status: to, reason, code, message });
  }

  function plan(run: RecordedRun): void {
    const taken = run.summary.kind === "run" ? work.take(run) : { task: null, wave: null };
    if (taken === null) {
      const over = work.over();
      status(run, over.status, over.reason, over.message);
      return;
    }
    const number = run.summary.progress.iteration;
    const attempt = 1 + run.iterations.filter((iteration) => iteration.number === number).length;
    const place = run.iterations.length;
    const iteration = { ...plannedIteration(world.runs.length, place, number, attempt, Date.now()), ...taken };
    replace(run, iteration);
    world.printed.set(iteration.id, 0);
    const { id, task } = iteration;
    tell({ type: "iteration.started", run: run.summary.id, iteration: id, number, task, attempt });
  }

  function settle(run: RecordedRun, iteration: Iteration, fate: Fate, reason: string | null = null): Iteration {
    const elapsed = Math.max(1000, Date.now() - Date.parse(iteration.started_at));
    const ended = settled(iteration, fate, elapsed);
    const over = reason === null ? ended : { ...ended, message: reason };
    replace(run, over);
    work.settle(over, fate, reason);
    world.printed.delete(iteration.id);
    change(run, { last_iteration_at: over.ended_at });
    const { id, number, outcome, message, commit } = over;
    const event = { run: run.summary.id, iteration: id, number, message, elapsed_ms: elapsed, commit };
    tell({ type: "iteration.settled", outcome: outcome ?? "failed", ...event });
    afterIteration(run);
    return over;
  }

  /** Stops for a person before the commit: what is shown is what was checked. */
  function openGate(run: RecordedRun, iteration: Iteration): void {
    const { tree_after } = settled(iteration, "good", 1);
    const waiting: Iteration = { ...iteration, phase: "awaiting_approval", tree_after, preview: iteration.preview };
    replace(run, waiting);
    const gate = gates.openWork(waiting, work.asks(run));
    if (waiting.task !== null) {
      tasks.setStatus(waiting.task, "awaiting_approval", { iteration: waiting.id }, note);
    }
    const { id, task, reasons } = gate;
    const message = "Waiting for your approval.";
    change(run, { status: "waiting", waiting: "approval", message });
    tell(
      { type: "iteration.phase", iteration: waiting.id, phase: "awaiting_approval" },
      { type: "gate.opened", gate: id, run: run.summary.id, iteration: waiting.id, task, reasons },
      { type: "run.status", run: run.summary.id, status: "waiting", reason: null, message },
    );
  }

  /** Does what a person decided at a gate, and goes on. */
  function carryOut(gate: Gate, decision: GateDecision): GateAnswer {
    const found = world.iteration(gate.iteration);
    const goesOn = found !== null && found.run === world.runs[0] && found.run.summary.status === "waiting";
    if (goesOn) {
      change(found.run, { status: "running", waiting: null, message: null });
      const message = "Goes on.";
      tell({ type: "run.status", run: gate.run, status: "running", reason: null, message });
    }
    if (gate.kind !== "work" || found === null) {
      if (gate.task !== null) {
        tasks.setStatus(gate.task, "pending", { iteration: gate.iteration }, note);
      }
      return { kind: "committed", commit: null };
    }
    const approved = decision.kind === "approve" || decision.kind === "approve_with_edits";
    const fate: Fate = approved ? "good" : decision.kind === "skip" ? "skipped" : "rejected";
    const over = settle(found.run, found.iteration, fate, "reason" in decision ? decision.reason : null);
    return approved
      ? { kind: "committed", commit: over.commit }
      : { kind: "put_back", kept: `refs/loopwright/attempts/${over.id}`, left: [] };
  }

  function afterIteration(run: RecordedRun): void {
    const { progress, limits } = run.summary;
    if (asked === "pause_after_iteration" || asked === "pause") {
      status(run, "paused", null, "Paused.");
    } else if (limits.failure_threshold > 0 && progress.consecutive_failures >= limits.failure_threshold) {
      const message = `${progress.consecutive_failures} iterations failed in a row.`;
      status(run, "aborted", "failure_threshold", message);
    } else if (limits.max_iterations > 0 && progress.iteration >= limits.max_iterations) {
      status(run, "aborted", "max_iterations", `All ${limits.max_iterations} iterations are used.`);
    }
  }

  function step(fate: Fate = "good"): void {
    const run = newest();
    const iteration = current();
    if (run.summary.status !== "running") {
      return;
    }
    if (asked === "pause" && iteration?.phase !== "running") {
      status(run, "paused", null, "Paused.");
    } else if (iteration === null) {
      plan(run);
    } else {
      advance(run, iteration, fate);
    }
  }

  function advance(run: RecordedRun, iteration: Iteration, fate: Fate): void {
    const next = PHASES[PHASES.indexOf(iteration.phase as (typeof PHASES)[number]) + 1] ?? "settled";
    if (next === "settled" || (iteration.phase === "checking" && fate !== "good")) {
      settle(run, iteration, fate);
      return;
    }
    if (next === "committing" && iteration.task !== null && (work.asks(run) || gates.flagsOf(iteration).length > 0)) {
      openGate(run, iteration);
      return;
    }
    const worked = Date.now() - Date.parse(iteration.started_at);
    replace(run, { ...iteration, phase: next, ...(next === "running" ? { pid: 51_000 } : { agent_ms: worked }) });
    tell({ type: "iteration.phase", iteration: iteration.id, phase: next });
  }

  /** A run that was just started. */
  function begin(summary: RunSummary, options: RunOptions, mode: string | null = null): RunId {
    world.runs = [{ summary, options, mode, iterations: [] }, ...world.runs];
    holder = started(summary.origin);
    const { id, kind, title, harness, origin } = summary;
    const { max_iterations } = summary.limits;
    tell({ type: "run.started", run: id, kind, title, harness, max_iterations, origin });
    plan(newest());
    return id;
  }

  function resume(id: RunId | null): RunId {
    const run = newest();
    if ((id !== null && id !== run.summary.id) || !RESUMABLE.includes(run.summary.status)) {
      throw refusal("run.not_found", "There is no run that could be resumed.");
    }
    holder ??= started("app");
    asked = null;
    change(run, {
      status: "running",
      waiting: null,
      holds: [],
      reason: null,
      code: null,
      message: null,
      ended_at: null,
    });
    const iteration = run.summary.progress.iteration;
    tell({ type: "run.resumed", run: run.summary.id, iteration, origin: "app" });
    return run.summary.id;
  }

  function ask(kind: ControlKind): "told" | "done" {
    const run = newest();
    if (kind === "resume" && run.summary.status === "running") {
      asked = null;
      tell({ type: "control.requested", run: run.summary.id, control: kind, origin: "app" });
      return "told";
    }
    if (kind === "resume") {
      resume(null);
      return "told";
    }
    if (holder === null && (kind !== "cancel" || run.summary.status === "completed")) {
      throw refusal("run.not_found", "No run is going on here.");
    }
    const live = holder !== null;
    asked = kind;
    tell({ type: "control.requested", run: run.summary.id, control: kind, origin: "app" });
    if (kind === "cancel") {
      cancel(run);
    } else if (kind === "pause" && run.summary.waiting === "limit") {
      // Nothing is under way that would have to come to its end first.
      status(run, "paused", null, "Paused.");
    }
    return live ? "told" : "done";
  }

  function cancel(run: RecordedRun): void {
    const iteration = current();
    if (iteration) {
      work.settle(iteration, "interrupted");
      replace(run, settled(iteration, "interrupted", Date.now() - Date.parse(iteration.started_at)));
    }
    status(run, "cancelled", "cancelled", "A person ended it.");
  }

  function end(to: RunSummary["status"], reason: RunSummary["reason"], code: RunSummary["code"] = null): void {
    const run = newest();
    const iteration = current();
    if (iteration) {
      replace(run, settled(iteration, to === "completed" ? "good" : "interrupted", 60_000));
    }
    status(run, to, reason, "", code);
  }

  function finishIteration(fate: Fate = "good"): void {
    const waits = () => newest().summary.status !== "running";
    for (const id = current()?.id; id !== undefined && current()?.id === id && !waits();) {
      step(fate);
    }
  }

  return {
    state,
    stateOf,
    newest,
    begin,
    resume,
    ask,
    step,
    end,
    finishIteration,
    carryOut,
    output: newestOutput,
    /** Who works here now. */
    holder: () => holder,
    /** The run that was stopped and could go on. */
    earlier: (): RunSummary | null => {
      const summary = world.runs[0]?.summary ?? null;
      return holder === null && summary !== null && RESUMABLE.includes(summary.status) ? summary : null;
    },
  };
}

import type { Automation, Iteration, Phase, RunKind, RunState, RunStatus } from "$lib/backend/types";

import { durationText } from "./measure";
import { numberText } from "./locale";

/** How each status of a run is written for people. */
export const RUN_STATUS_LABELS: Record<RunStatus, string> = {
  running: "Running",
  paused: "Paused",
  waiting: "Waiting",
  completed: "Completed",
  aborted: "Stopped",
  interrupted: "Interrupted",
  cancelled: "Cancelled",
};

export const PHASE_LABELS: Record<Phase, string> = {
  planned: "Starting",
  running: "Working",
  agent_done: "Agent done",
  checking: "Checks",
  awaiting_approval: "Needs review",
  committing: "Committing",
  settled: "Interrupted",
};

/** What a run is called by the kind of its work. */
export const RUN_KIND_LABELS: Record<RunKind, string> = { loop: "Loop", fix: "Fix", run: "Tasks" };

/** How much an agent may do, each in one plain sentence. */
export const AUTOMATION_TEXTS: Record<Automation, { label: string; text: string }> = {
  manual: { label: "Step by step", text: "Each iteration starts only when you say so." },
  plan: { label: "Plan only", text: "The agent reads and plans. It changes nothing." },
  auto: { label: "Automatic", text: "The agent edits files and runs the commands that are allowed to it." },
  yolo: { label: "Unrestricted", text: "The agent does whatever it wants on this computer, and nothing asks you." },
};

/** The three parts of an iteration a person sees. */
export const STAGES = ["agent", "checks", "commit"] as const;
export type Stage = (typeof STAGES)[number];

/** Which part of an iteration a phase belongs to; none before the agent and after everything. */
export function stageOf(phase: Phase): Stage | null {
  switch (phase) {
    case "running":
    case "agent_done":
      return "agent";
    case "checking":
      return "checks";
    case "awaiting_approval":
    case "committing":
      return "commit";
    default:
      return null;
  }
}

/** Whether the agent's process came to a bad end: an exit code that is not 0, or a signal. */
export function agentFailed({ exit_code, exit_signal }: Pick<Iteration, "exit_code" | "exit_signal">): boolean {
  return exit_code === null ? exit_signal !== null : exit_code !== 0;
}

/** How the agent's process ended, in words. */
export function exitWords({ exit_code, exit_signal }: Pick<Iteration, "exit_code" | "exit_signal">): string {
  if (exit_code !== null) {
    return `exit code ${exit_code}`;
  }
  return exit_signal === null ? "no exit code" : `ended by signal ${exit_signal}`;
}

/** What has been going on for some time, in whole seconds: "12 s", "3 m 04 s", "2 h 10 m". */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 10 ? `${seconds} s` : durationText(seconds * 1000);
}

/** How far a run is: "9/20", or "9" when it has no end. `done` counts settled iterations. */
export function progressText(done: number, max: number): string {
  return max > 0 ? `${numberText(done)}/${numberText(max)}` : numberText(done);
}

/** The number of the iteration under way, or of the last one, counted from 1. */
export function iterationShown(state: RunState): number {
  return state.current ? state.current.number + 1 : state.run.progress.iteration;
}

/** How long the run has worked until now, with the iteration under way. */
export function workedUntil({ run, current, live }: RunState, now: number): number {
  const running = current !== null && live !== null && run.status === "running";
  return run.progress.worked_ms + (running ? Math.max(0, now - Date.parse(current.started_at)) : 0);
}

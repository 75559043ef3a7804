import type { Automation, Phase, RunKind, RunState, RunStatus } from "$lib/backend/types";

import { durationText } from "./measure";

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

/** What has been going on for some time, in whole seconds: "12 s", "3 m 04 s", "2 h 10 m". */
export function elapsedText(ms: number): string {
  const seconds = Math.max(0, Math.floor(ms / 1000));
  return seconds < 10 ? `${seconds} s` : durationText(seconds * 1000);
}

/** How far a run is: "9/20", or "9" when it has no end. `done` counts settled iterations. */
export function progressText(done: number, max: number): string {
  return max > 0 ? `${done.toLocaleString("en")}/${max.toLocaleString("en")}` : done.toLocaleString("en");
}

/** The number of the iteration under way, or of the last one, counted from 1. */
export function iterationShown(state: RunState): number {
  return state.current ? state.current.number + 1 : state.run.progress.iteration;
}

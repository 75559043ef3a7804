import type { ControlKind, Iteration, RunState, RunStatus } from "$lib/backend/types";
import type { PhaseBegun } from "$lib/app/live.svelte";
import type { Tone } from "$lib/ui/Badge.svelte";

/** What a status looks like. */
export const STATUS_TONES: Record<RunStatus, Tone> = {
  running: "active",
  paused: "notice",
  waiting: "waiting",
  completed: "good",
  aborted: "bad",
  interrupted: "notice",
  cancelled: "neutral",
};

/** What was asked of a run and it has not done yet. */
export function askedText(asked: ControlKind, state: RunState): string {
  switch (asked) {
    case "pause":
      return state.current?.phase === "checking" ? "Pausing after the checks…" : "Pausing after this phase…";
    case "pause_after_iteration":
      return "Pausing after this iteration…";
    case "cancel":
      return "Cancelling…";
    default:
      return "Resuming…";
  }
}

/**
 * When the iteration came to the phase it is in. Where this page saw it happen it knows exactly; else the phases' own
 * lengths say it.
 */
export function phaseBegan(iteration: Iteration, seen: PhaseBegun | null): number {
  if (seen !== null && seen.iteration === iteration.id && seen.phase === iteration.phase) {
    return Date.parse(seen.at);
  }
  const began = Date.parse(iteration.started_at);
  switch (iteration.phase) {
    case "checking":
    case "agent_done":
      return began + iteration.agent_ms;
    case "committing":
    case "awaiting_approval":
      return began + Math.max(iteration.agent_ms, iteration.elapsed_ms);
    default:
      return began;
  }
}

/** A limit of a run that can be used up, and how far it is. */
export interface Meter {
  used: number;
  limit: number;
  /** Whether so much is used that it is worth a warning. */
  near: boolean;
  /** The share from which on it is, when that is the same for all. */
  mark?: number;
}

/** From this share on a limit is worth a warning. */
const NEAR = 0.8;

/** How much of a limit is used; none where there is no limit. */
export function meterOf(used: number, limit: number | null): Meter | null {
  return limit === null || limit === 0 ? null : { used, limit, near: used >= limit * NEAR, mark: NEAR };
}

/** Failures count one by one: the last one before the end is the warning. */
export function failureMeter({ run }: RunState): Meter | null {
  const { failure_threshold: limit } = run.limits;
  const { consecutive_failures: used } = run.progress;
  return limit === 0 ? null : { used, limit, near: used > 0 && used >= limit - 1 };
}

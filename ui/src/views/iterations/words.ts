import type { IterationRow, Phase, RunStatus, RunSummary } from "$lib/backend/types";
import { costText, countText, durationText } from "$lib/format/measure";
import { progressText, RUN_STATUS_LABELS } from "$lib/format/run";
import { asSentence, plural } from "$lib/format/text";
import { tokensOf } from "$lib/format/usage";
import type { Tone } from "$lib/ui/Badge.svelte";

export { CHECK_TONES, CHECK_WORDS } from "$lib/format/check";

type Ended = Pick<IterationRow, "phase" | "outcome" | "cause">;

const PHASES: Record<Phase, string> = {
  planned: "Starting",
  running: "Agent works",
  agent_done: "Agent done",
  checking: "Checks run",
  awaiting_approval: "Needs approval",
  committing: "Committing",
  settled: "Unsettled",
};

type Cause = NonNullable<IterationRow["cause"]>;

/** Why an iteration failed, in two or three words. */
const CAUSES: Record<Cause, string> = {
  not_started: "Not started",
  agent_exit: "Agent failed",
  wall_timeout: "Took too long",
  idle_timeout: "Silent too long",
  start_timeout: "Never spoke",
  agent_error: "Agent error",
  reported: "Gave up",
  blocked: "Blocked",
  checks: "Checks failed",
  not_improved: "Not improved",
  commit: "Commit failed",
  no_signal: "No signal",
  plan_changed_files: "Changed files",
  rejected: "Rejected",
  skipped: "Put aside",
  denied: "Not allowed",
  limit: "Usage limit",
  overload: "Service down",
};

/** What is no failure of the work, and costs no attempt. */
const WAITS: Cause[] = ["limit", "overload"];

/** How an iteration ended, or what it does now. */
export function outcomeText({ phase, outcome, cause }: Ended): string {
  if (outcome !== "succeeded" && cause !== null && WAITS.includes(cause)) {
    return CAUSES[cause];
  }
  switch (outcome) {
    case "succeeded":
      return "Succeeded";
    case "interrupted":
      return "Interrupted";
    case "failed":
      return cause === null ? "Failed" : CAUSES[cause];
    default:
      return PHASES[phase];
  }
}

export function outcomeTone({ phase, outcome, cause }: Ended): Tone {
  if (outcome !== "succeeded" && cause !== null && WAITS.includes(cause)) {
    return "notice";
  }
  switch (outcome) {
    case "succeeded":
      return "good";
    case "failed":
      return "bad";
    case "interrupted":
      return "notice";
    default:
      return phase === "awaiting_approval" ? "waiting" : "active";
  }
}

/** Whether it is still going on. */
export function isUnderWay({ phase, outcome }: Pick<IterationRow, "phase" | "outcome">): boolean {
  return phase !== "settled" && outcome === null;
}

/** How the agent's process ended, short: an exit code or a signal. */
export function exitText({ exit_code, exit_signal }: Pick<IterationRow, "exit_code" | "exit_signal">): string {
  if (exit_code !== null) {
    return String(exit_code);
  }
  return exit_signal === null ? "–" : `sig ${exit_signal}`;
}

/** The same in words. */
export function exitWords(exit: Pick<IterationRow, "exit_code" | "exit_signal">): string {
  if (exit.exit_code !== null) {
    return `exit code ${exit.exit_code}`;
  }
  return exit.exit_signal === null ? "no exit code" : `ended by signal ${exit.exit_signal}`;
}

/** "#12", and which attempt it was when it was not the first. */
export function numberText({ number, attempt }: Pick<IterationRow, "number" | "attempt">): string {
  return `#${(number + 1).toLocaleString("en")}${attempt > 1 ? ` · attempt ${attempt}` : ""}`;
}

export const RUN_TONES: Record<RunStatus, Tone> = {
  running: "active",
  paused: "notice",
  waiting: "waiting",
  completed: "good",
  aborted: "bad",
  interrupted: "notice",
  cancelled: "neutral",
};

/** What became of a run, in one line. */
export function runWords(run: RunSummary): string {
  const { iteration, worked_ms, usage } = run.progress;
  const max = run.limits.max_iterations;
  const tokens = tokensOf(usage);
  const cost = usage.cost_micros ?? null;
  return [
    max > 0 ? `${progressText(iteration, max)} iterations` : plural(iteration, "iteration"),
    worked_ms > 0 ? durationText(worked_ms) : "",
    cost !== null ? costText(cost, usage.estimated) : tokens > 0 ? `${countText(tokens)} tokens` : "",
  ]
    .filter(Boolean)
    .join(" · ");
}

/** Why a run ended or stopped. */
export function reasonWords(run: RunSummary): string {
  return run.message === null ? RUN_STATUS_LABELS[run.status] : asSentence(run.message);
}

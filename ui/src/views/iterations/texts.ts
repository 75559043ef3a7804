import { numberText } from "$lib/format/locale";
import type { IterationRow, RunStatus, RunSummary } from "$lib/backend/types";
import { costText, countText, durationText } from "$lib/format/measure";
import { progressText, RUN_STATUS_LABELS, PHASE_LABELS } from "$lib/format/run";
import { asSentence, plural } from "$lib/format/text";
import { tokensOf } from "$lib/format/usage";
import type { Tone } from "$lib/ui/Badge.svelte";

export { CHECK_TONES, CHECK_WORDS } from "$lib/format/check";
export { agentFailed, exitWords } from "$lib/format/run";

/** The texts of the view. */
export const TEXTS = {
  title: "Iterations",
  columns: {
    number: "Number",
    outcome: "Outcome",
    task: "Task",
    result: "Result",
    agent: "Agent",
    started: "Started",
    duration: "Duration",
    exit: "Exit",
    exitHint: "The agent's exit code",
    lines: "Lines",
    tokens: "Tokens",
    cost: "Cost",
  },
  attempt: (attempt: number) => `Attempt ${attempt}`,
  checkFailed: (check: string) => `Check failed: ${check}`,
  tokens: (tokens: number) => plural(tokens, "token"),
  tokensShort: (count: string) => `${count} tokens`,
  estimated: "Computed from a price list",
  compare: "Compare",
  compareOne: (number: number) => `Compare iteration ${numberText(number)}`,
  chooseOneMore: "choose one more to compare",
  compareNone: "Compare none",
  broken: "This iteration cannot be shown.",
  /** All of a run in a line: how many, how many passed where that is known, and what they took. */
  sum: (count: number, passed: number | null, settled: number) =>
    passed === null
      ? plural(count, "iteration")
      : `${plural(count, "iteration")}, ${numberText(passed)} of ${numberText(settled)} settled ones passed`,
  runs: "Runs",
  run: "Run:",
  olderRuns: "Show older runs",
  lookingForRuns: "Reading older runs…",
  empty: {
    title: "No run yet",
    text: "Each time a run starts an agent, that iteration is listed here: what it was asked, what it did, and what changed.",
    action: "Start a run",
  },
  runEmpty: { title: "Nothing yet", text: "This run has not begun its first iteration." },
  unreadable: "The iterations could not be read",
  one: (number: number) => `Iteration ${numberText(number)}`,
  previous: "Previous iteration ([)",
  next: "Next iteration (])",
  restore: "Restore…",
  noDiff: "There is no diff to show",
  unchanged: "This iteration changed no files.",
  oneUnreadable: "This iteration could not be read",
} as const;

type Ended = Pick<IterationRow, "phase" | "outcome" | "cause"> & Partial<Pick<IterationRow, "failed_checks" | "task">>;

type Cause = NonNullable<IterationRow["cause"]>;

/** Why an iteration failed, in two or three words. */
const CAUSES: Record<Cause, string> = {
  not_started: "Not started",
  agent_exit: "Agent failed",
  wall_timeout: "Timed out",
  idle_timeout: "No output",
  start_timeout: "Did not start",
  agent_error: "Agent error",
  reported: "Reported blocked",
  blocked: "Reported blocked",
  checks: "Checks failed",
  not_improved: "No progress",
  commit: "Commit failed",
  no_signal: "No signal",
  nothing_changed: "Nothing changed",
  plan_changed_files: "Changed files",
  rejected: "Rejected",
  skipped: "Skipped",
  denied: "Not allowed",
  limit: "Usage limit",
  overload: "Service down",
};

/** What is no failure of the work, and costs no attempt. */
const WAITS: Cause[] = ["limit", "overload"];

/** What an iteration that is not over stands at, when its run does not work. */
const HELD: Record<Exclude<RunStatus, "running">, string> = {
  paused: "Paused",
  waiting: "Waiting",
  completed: PHASE_LABELS.settled,
  aborted: PHASE_LABELS.settled,
  interrupted: "Interrupted",
  cancelled: PHASE_LABELS.settled,
};

/** How an iteration ended, or what it does now: something only while its run works. */
export function outcomeText({ phase, outcome, cause, failed_checks = [] }: Ended, run: RunStatus): string {
  if (outcome === "failed" && failed_checks.length === 1) {
    return TEXTS.checkFailed(failed_checks[0] ?? "");
  }
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
      return run === "running" || phase === "awaiting_approval" ? PHASE_LABELS[phase] : HELD[run];
  }
}

export function outcomeTone({ phase, outcome, cause }: Ended, run: RunStatus): Tone {
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
      return phase === "awaiting_approval" || run === "waiting" ? "waiting" : run === "running" ? "active" : "notice";
  }
}

/** Whether it is not over yet. */
export function isUnderWay({ phase, outcome }: Pick<IterationRow, "phase" | "outcome">): boolean {
  return phase !== "settled" && outcome === null;
}

/** Whether something is being done for it now, so that its time goes on: not while its run is paused or waits. */
export function isWorking(iteration: Pick<IterationRow, "phase" | "outcome">, run: RunStatus): boolean {
  return run === "running" && iteration.phase !== "awaiting_approval" && isUnderWay(iteration);
}

/** How the agent's process ended, short: an exit code or a signal. */
export function exitText({ exit_code, exit_signal }: Pick<IterationRow, "exit_code" | "exit_signal">): string {
  if (exit_code !== null) {
    return String(exit_code);
  }
  return exit_signal === null ? "–" : `sig ${exit_signal}`;
}

/** "#12", and which attempt it was when it was not the first. */
export function attemptName({ number, attempt }: Pick<IterationRow, "number" | "attempt">): string {
  return `#${numberText(number + 1)}${attempt > 1 ? ` · attempt ${attempt}` : ""}`;
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

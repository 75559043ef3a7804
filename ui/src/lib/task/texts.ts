import type { IterationRow, TaskRow, TaskStatus } from "$lib/backend/types";
import { doneWithoutCommit, TASK_STATUS_LABELS } from "$lib/format/status";
import { listText, pluralForm } from "$lib/format/locale";

import { idsText, KIND_LABELS } from "./words";

/** The texts of a task where it is shown in full. */
export const TEXTS = {
  title: "Title",
  description: "Description",
  describe: "What is to be done. An agent reads this.",
  criteria: "Criteria",
  criterion: "Criterion",
  criterionHint: "What must hold when it is done",
  attempts: "Attempts",
  noAttempts: "Not tried yet.",
  linked: "Linked",
  unblocks: "Before",
  details: "Details",
  history: "History",
  testStrategy: "Test strategy",
  testStrategyHint: "How it is tested.",
  notes: "Notes",
  notesHint: "What you want to remember about it.",
  added: "Added",
  moreActions: "More actions",
  actions: (id: number) => `Task ${id}`,
  needsReview: "Its work needs your review.",
  review: "Review",
  unblock: "Unblock",
  circle: (chain: string) => `${chain} wait for each other and can never start. Remove one of these dependencies.`,
  show: (id: number) => `Show ${id}`,
  unreadable: "The task could not be read",
} as const;

/** What stands above the title: "Task 8, in progress, attempt 2 by claude". */
export function leadText(row: TaskRow, held: boolean, byHand: boolean, latest: IterationRow | undefined): string {
  const status = byHand
    ? "yours"
    : held
      ? "waiting"
      : doneWithoutCommit(row)
        ? "done without a commit"
        : TASK_STATUS_LABELS[row.status].toLowerCase();
  if (row.status === "in_progress" && latest) {
    return latest.harness
      ? `Task ${row.id}, attempt ${row.attempts} by ${latest.harness}`
      : `Task ${row.id}, attempt ${row.attempts}`;
  }
  return `Task ${row.id}, ${status}`;
}

/** What a task is, in a few words: "Feature", "Size M", "Complexity 5", "Priority 2", "booking". */
export function factsOf(row: TaskRow): string[] {
  return [
    row.kind && KIND_LABELS[row.kind],
    row.size && `Size ${row.size}`,
    row.complexity > 0 && `Complexity ${row.complexity}`,
    `Priority ${row.priority}`,
    row.wave !== null && `Wave ${row.wave}`,
    row.tag,
    row.external,
  ].filter((fact): fact is string => typeof fact === "string" && fact !== "");
}

/** Why it cannot start, and what would help. */
export function heldSentence(by: readonly number[], statusOf: (id: number) => TaskStatus | undefined): string {
  const blocked = by.filter((id) => statusOf(id) === "blocked");
  const cancelled = by.filter((id) => statusOf(id) === "cancelled");
  const reasons = [
    blocked.length > 0 && `${idsText(blocked)} ${pluralForm(blocked.length, "is", "are")} blocked`,
    cancelled.length > 0 && `${idsText(cancelled)} ${pluralForm(cancelled.length, "is", "are")} cancelled`,
  ].filter((reason): reason is string => reason !== false);
  return reasons.length > 0 ? `It cannot start: ${listText(reasons)}.` : `Waiting for ${idsText(by)}.`;
}

/** What an attempt came to. */
export function attemptText(attempt: IterationRow, number: number): string {
  if (attempt.outcome === null) {
    return attempt.phase === "awaiting_approval" ? `Attempt ${number} needs review` : `Attempt ${number} is working`;
  }
  const outcomes = { succeeded: "succeeded", failed: "failed", interrupted: "was interrupted" } as const;
  const [check, ...more] = attempt.failed_checks;
  if (check !== undefined) {
    return more.length === 0 ? `Attempt ${number} failed: ${check}` : `Attempt ${number} failed its checks`;
  }
  return `Attempt ${number} ${outcomes[attempt.outcome]}`;
}

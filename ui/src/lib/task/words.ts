import type { TaskDraft, TaskKind, TaskMove, TaskSize, TaskStatus } from "$lib/backend/types";

export const KIND_LABELS: Record<TaskKind, string> = {
  feature: "Feature",
  fix: "Fix",
  test: "Test",
  refactor: "Refactor",
  config: "Config",
  docs: "Docs",
  verification: "Verification",
};

export const SIZE_LABELS: Record<TaskSize, string> = {
  S: "S, one file",
  M: "M, one or two files",
  L: "L, two or three files",
  XL: "XL, better split",
};

export const KINDS = Object.keys(KIND_LABELS) as TaskKind[];
export const TASK_SIZES = Object.keys(SIZE_LABELS) as TaskSize[];

/** Fibonacci numbers; 0 is not estimated. */
export const COMPLEXITIES = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

/** The priority of a task that nobody gave one; smaller is sooner. */
export const DEFAULT_PRIORITY = 5;

export type MoveKind = TaskMove["kind"];

/** What a move is called on a button; an ellipsis where something is asked first. */
export const MOVE_LABELS: Record<MoveKind, string> = {
  done: "Mark as done",
  block: "Block…",
  unblock: "Unblock",
  cancel: "Cancel…",
  reopen: "Reopen",
};

/** Where a move leads. */
export const MOVE_TARGETS: Record<MoveKind, TaskStatus> = {
  done: "done",
  block: "blocked",
  unblock: "pending",
  cancel: "cancelled",
  reopen: "pending",
};

/** What can be done with a task by hand. What is worked on or waits at a gate is moved by that work. */
const MOVES: Record<TaskStatus, MoveKind[]> = {
  pending: ["done", "block", "cancel"],
  in_progress: [],
  awaiting_approval: [],
  done: ["reopen"],
  blocked: ["unblock", "done", "cancel"],
  cancelled: ["reopen"],
};

export function movesFrom(status: TaskStatus): MoveKind[] {
  return MOVES[status];
}

/** The move that brings a task from one status to another; none when a person cannot do that. */
export function moveTo(from: TaskStatus, to: TaskStatus): MoveKind | null {
  return MOVES[from].find((move) => MOVE_TARGETS[move] === to) ?? null;
}

/** A draft with nothing but a title. */
export function emptyDraft(title = ""): TaskDraft {
  return {
    title,
    description: "",
    acceptance: [],
    test_strategy: "",
    priority: DEFAULT_PRIORITY,
    size: null,
    complexity: 0,
    kind: null,
    tag: null,
    sections: [],
    depends_on: [],
    notes: "",
  };
}

/** What each part of a draft is called. */
export const FIELD_LABELS: Record<keyof TaskDraft, string> = {
  title: "Title",
  description: "Description",
  acceptance: "Acceptance criteria",
  test_strategy: "Test strategy",
  priority: "Priority",
  size: "Size",
  complexity: "Complexity",
  kind: "Kind",
  tag: "Tag",
  sections: "Spec sections",
  depends_on: "After",
  notes: "Notes",
};

/** Task numbers as people write them: "#3, #7 and 5 more". */
export function idsText(ids: readonly number[], most = 6): string {
  const shown = ids.slice(0, most).map((id) => `#${id}`);
  return ids.length > most ? `${shown.join(", ")} and ${ids.length - most} more` : shown.join(", ");
}

/** A circle as people follow it: "#1 → #2 → #1". Each waits for the next. */
export function chainText(cycle: readonly number[], most = 12): string {
  const shown = cycle.slice(0, most).map((id) => `#${id}`);
  return [...shown, cycle.length > most ? "…" : `#${cycle[0]}`].join(" → ");
}

import type { TaskBoard, TaskStatus } from "$lib/backend/types";
import { numberText } from "$lib/format/locale";
import { plural } from "$lib/format/text";

/** The order of the board's columns: as work goes. */
export const BOARD_ORDER: TaskStatus[] = [
  "pending",
  "in_progress",
  "awaiting_approval",
  "blocked",
  "done",
  "cancelled",
];

/** The texts of the view. */
export const TEXTS = {
  title: "Tasks",
  filter: "Filter tasks",
  filterHint: "Filter",
  task: "The task",
  newTask: "New task",
  import: "Import…",
  table: "Tasks",
  columns: {
    status: "Status",
    id: "Number",
    title: "Title",
    wave: "Wave",
    kind: "Kind",
    tag: "Tag",
    size: "Size",
    attempts: "Tries",
    after: "After",
  },
  attemptsHint: "Attempts at it, over all runs",
  afterHint: "The tasks it comes after",
  keys: {
    tag: "a tag",
    status: "its status",
    kind: "what kind of work it is",
    wave: "a wave's number",
  },
  wave: (number: number) => `Wave ${number}`,
  noWave: "In no wave",
  noWaveReason: "Cancelled, or waiting for each other",
  needsReview: "needs review",
  yours: "you are working on it",
  noCommit: "no commit",
  select: (id: number) => `Select task ${id}`,
  titleOf: (id: number) => `Title of task ${id}`,
  tagOf: (id: number) => `Tag of task ${id}`,
  notSet: "not set",
  broken: "This task cannot be shown.",
  empty: {
    title: "No tasks yet",
    text: "A task is a piece of work that an agent, or you, can finish in one go. What it comes after decides its wave.",
  },
  none: { title: "No matching tasks", text: "No task matches the filter.", action: "Show all tasks" },
  unreadable: "The tasks could not be read",
  inOrder: "In the order of a run.",
  sorted: (column: string, descending: boolean) => `Sorted by ${column}, ${descending ? "descending" : "ascending"}.`,
  placed: (id: number, after: boolean, target: number) =>
    after ? `Task ${id} is now after task ${target}.` : `Task ${id} is now before task ${target}.`,
  shifted: (id: number, by: number) => (by < 0 ? `Task ${id} moved up.` : `Task ${id} moved down.`),
  movedByRun: (status: string) => `${status}: the run moves it`,
} as const;

/** What is there, in a few words. */
export function boardSummary(board: TaskBoard): string | null {
  if (board.tasks.length === 0) {
    return null;
  }
  const count = (status: TaskStatus) => board.tasks.filter((task) => task.status === status).length;
  const total = board.tasks.length - count("cancelled");
  return `${numberText(count("done"))} of ${plural(total, "task")} done`;
}

import { numberText } from "$lib/format/locale";
import type { TaskBoard, TaskStatus } from "$lib/backend/types";
import { TASK_STATUS_LABELS } from "$lib/format/status";
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

/** What a status is called where there is little room. */
export const SHORT_LABELS: Record<TaskStatus, string> = { ...TASK_STATUS_LABELS, awaiting_approval: "For approval" };

/** What is there, in one line. */
export function boardSummary(board: TaskBoard): string {
  if (board.tasks.length === 0) {
    return "What is to be done, one piece at a time. A run takes tasks wave by wave.";
  }
  const count = (status: TaskStatus) => board.tasks.filter((task) => task.status === status).length;
  const total = board.tasks.length - count("cancelled");
  const facts = [
    `${plural(total, "task")} in ${plural(board.waves.length, "wave")}`,
    `${numberText(count("done"))} done`,
    count("blocked") > 0 ? `${numberText(count("blocked"))} blocked` : "",
    board.held.length > 0 ? `${numberText(board.held.length)} held` : "",
  ];
  return facts.filter(Boolean).join(" · ");
}

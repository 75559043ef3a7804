import type { TaskRow, TaskStatus } from "$lib/backend/types";

/** How each status is written for people. */
export const TASK_STATUS_LABELS: Record<TaskStatus, string> = {
  done: "Done",
  awaiting_approval: "Needs review",
  in_progress: "In progress",
  blocked: "Blocked",
  pending: "Pending",
  cancelled: "Cancelled",
};

/** The order of a bar's segments: from finished to not begun. */
export const TASK_STATUS_ORDER = Object.keys(TASK_STATUS_LABELS) as TaskStatus[];

/** How many tasks have each status, from finished to not begun; statuses nobody has are left out. */
export function countByStatus(statuses: readonly TaskStatus[]): { status: TaskStatus; count: number }[] {
  return TASK_STATUS_ORDER.map((status) => ({
    status,
    count: statuses.filter((each) => each === status).length,
  })).filter((entry) => entry.count > 0);
}

/** Whether a task counts as done though nothing was committed for it. */
export function doneWithoutCommit({ status, commit }: Pick<TaskRow, "status" | "commit">): boolean {
  return status === "done" && commit === null;
}

/** How a task stands, with what is unusual about it. */
export function statusText(task: Pick<TaskRow, "status" | "commit">): string {
  return doneWithoutCommit(task) ? "Done without a commit" : TASK_STATUS_LABELS[task.status];
}

import type { RunState, Task } from "$lib/backend/types";

/** How many of a run's tasks are done, and of how many. Cancelled ones do not count. */
export interface TaskProgress {
  done: number;
  total: number;
}

/** How far a run over tasks is; none for a run over anything else. */
export function taskProgress({ run, options }: RunState, tasks: readonly Task[]): TaskProgress | null {
  if (run.kind !== "run" || tasks.length === 0) {
    return null;
  }
  const { task = null, tag: group = null } = options?.tasks ?? {};
  const meant = tasks.filter(
    ({ id, tag, status }) =>
      status !== "cancelled" && (task === null || id === task) && (group === null || tag === group),
  );
  return { done: meant.filter(({ status }) => status === "done").length, total: meant.length };
}

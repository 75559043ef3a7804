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
  const chosen = options?.tasks ?? null;
  const meant = tasks.filter(
    ({ id, tag, status }) =>
      status !== "cancelled" &&
      (chosen?.task == null || id === chosen.task) &&
      (chosen?.tag == null || tag === chosen.tag),
  );
  return { done: meant.filter(({ status }) => status === "done").length, total: meant.length };
}

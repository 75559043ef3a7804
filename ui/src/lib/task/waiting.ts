import type { TaskId, TaskRow } from "$lib/backend/types";

/** Unfinished tasks that wait for one of these, directly or through others. */
export function waitingFor(tasks: readonly TaskRow[], all: readonly TaskRow[]): TaskRow[] {
  const reached = new Set<TaskId>(tasks.map(({ id }) => id));
  const waiting = all.filter(({ id, status }) => status !== "done" && status !== "cancelled" && !reached.has(id));
  const found: TaskRow[] = [];
  let before = -1;
  // The board's order is by wave, so that one round is nearly always enough.
  while (found.length !== before) {
    before = found.length;
    for (const row of waiting) {
      if (!reached.has(row.id) && row.depends_on.some((id) => reached.has(id))) {
        reached.add(row.id);
        found.push(row);
      }
    }
  }
  return found;
}

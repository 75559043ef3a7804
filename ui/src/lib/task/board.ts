import type { HeldTask, TaskId, TaskRow } from "$lib/backend/types";

export function rowsById(rows: readonly TaskRow[]): ReadonlyMap<TaskId, TaskRow> {
  return new Map(rows.map((row) => [row.id, row]));
}

export function heldById(held: readonly HeldTask[]): ReadonlyMap<TaskId, HeldTask> {
  return new Map(held.map((each) => [each.task, each]));
}

export function idSet(...ids: Iterable<TaskId>[]): ReadonlySet<TaskId> {
  return new Set(ids.flatMap((each) => [...each]));
}

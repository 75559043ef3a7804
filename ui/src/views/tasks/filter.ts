import type { TaskId, TaskKind, TaskRow, TaskStatus, WaveSummary } from "$lib/backend/types";
import { idSet } from "$lib/task/board";
import { matching } from "$lib/task/match";

import { type Sort, sorted } from "./sort";

/** Which tasks are shown; nothing said means all of them. */
export interface Filter {
  text: string;
  statuses: readonly TaskStatus[];
  tag: string | null;
  kind: TaskKind | null;
  wave: number | null;
}

export const NO_FILTER: Filter = { text: "", statuses: [], tag: null, kind: null, wave: null };

export function isFiltering(filter: Filter): boolean {
  const { text, statuses, tag, kind, wave } = filter;
  return text.trim() !== "" || statuses.length > 0 || tag !== null || kind !== null || wave !== null;
}

/** The tasks a filter lets through, in their order; `found` are those whose longer texts the backend found its text in. */
export function filtered(rows: readonly TaskRow[], filter: Filter, found: readonly TaskId[]): TaskRow[] {
  const { statuses, tag, kind, wave } = filter;
  const kept = rows.filter(
    (row) =>
      (statuses.length === 0 || statuses.includes(row.status)) &&
      (tag === null || row.tag === tag) &&
      (kind === null || row.kind === kind) &&
      (wave === null || row.wave === wave),
  );
  return matching(kept, filter.text, found);
}

/** A line of the list: a task, or the head of the wave it is in. */
export type Line =
  | { kind: "task"; row: TaskRow }
  | { kind: "wave"; wave: number | null; shown: number; summary: WaveSummary | null; open: boolean };

/**
 * The lines of the list, sorted inside of each wave. Tasks without a wave come last: the cancelled, and what waits in
 * a circle.
 */
export function linesOf(
  rows: readonly TaskRow[],
  waves: readonly WaveSummary[],
  isOpen: (wave: number | null) => boolean,
  sort: Sort | null = null,
): Line[] {
  const byWave = new Map<number | null, TaskRow[]>();
  for (const row of rows) {
    const wave = byWave.get(row.wave);
    if (wave) {
      wave.push(row);
    } else {
      byWave.set(row.wave, [row]);
    }
  }
  const lines: Line[] = [];
  for (const [wave, tasks] of byWave) {
    const open = isOpen(wave);
    lines.push({
      kind: "wave",
      wave,
      shown: tasks.length,
      summary: wave === null ? null : (waves[wave - 1] ?? null),
      open,
    });
    if (open) {
      sorted(tasks, sort).forEach((row) => lines.push({ kind: "task", row }));
    }
  }
  return lines;
}

/**
 * What a task has to be placed before to stand right before or after another one. Only tasks of one wave can change
 * places: `undefined` where that makes no sense.
 */
export function placeBefore(
  all: readonly TaskRow[],
  moved: TaskId,
  target: TaskId,
  after: boolean,
): TaskId | null | undefined {
  const row = all.find(({ id }) => id === moved);
  const wave = row?.wave ?? null;
  const others = all.filter((each) => each.wave === wave && each.id !== moved);
  const at = others.findIndex(({ id }) => id === target);
  if (wave === null || at < 0) {
    return undefined;
  }
  return after ? (others[at + 1]?.id ?? null) : target;
}

/** Where each task stands in the list. */
export function placesOf(lines: readonly Line[]): ReadonlyMap<TaskId, number> {
  return new Map(lines.flatMap((line, place) => (line.kind === "task" ? [[line.row.id, place]] : [])));
}

/** The set with a task in it, or without it when it was. */
export function toggled(ids: ReadonlySet<TaskId>, id: TaskId): ReadonlySet<TaskId> {
  return ids.has(id) ? idSet([...ids].filter((each) => each !== id)) : idSet(ids, [id]);
}

export function countStatuses(rows: readonly TaskRow[]): ReadonlyMap<TaskStatus, number> {
  const counted = new Map<TaskStatus, number>();
  rows.forEach(({ status }) => counted.set(status, (counted.get(status) ?? 0) + 1));
  return counted;
}

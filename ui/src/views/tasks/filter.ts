import type { TaskId, TaskKind, TaskRow, TaskStatus, WaveSummary } from "$lib/backend/types";
import { idSet } from "$lib/task/board";
import { matching } from "$lib/task/match";

import { type Sort, sorted } from "./sort";

/** Which tasks are shown; nothing said means all of them. */
export interface Filter {
  text: string;
  statuses: readonly TaskStatus[];
  /** In lower case. */
  tags: readonly string[];
  kinds: readonly TaskKind[];
  waves: readonly number[];
  /** Something is asked for that no task can have. */
  impossible: boolean;
}

export const NO_FILTER: Filter = { text: "", statuses: [], tags: [], kinds: [], waves: [], impossible: false };

/** The tasks a filter lets through, in their order; `found` are those whose longer texts the backend found its text in. */
export function filtered(rows: readonly TaskRow[], filter: Filter, found: readonly TaskId[]): TaskRow[] {
  const { statuses, tags, kinds, waves } = filter;
  if (filter.impossible) {
    return [];
  }
  const kept = rows.filter(
    (row) =>
      (statuses.length === 0 || statuses.includes(row.status)) &&
      (tags.length === 0 || (row.tag !== null && tags.includes(row.tag.toLowerCase()))) &&
      (kinds.length === 0 || (row.kind !== null && kinds.includes(row.kind))) &&
      (waves.length === 0 || (row.wave !== null && waves.includes(row.wave))),
  );
  return matching(kept, filter.text, found);
}

/** A line of the list: a task, or the head of the wave it is in. */
export type Line = { kind: "task"; row: TaskRow } | WaveHead;

export interface WaveHead {
  kind: "wave";
  wave: number | null;
  shown: number;
  summary: WaveSummary | null;
  open: boolean;
}

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

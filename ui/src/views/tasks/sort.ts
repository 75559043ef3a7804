import type { TaskRow } from "$lib/backend/types";
import { KINDS, TASK_SIZES } from "$lib/task/words";

import { BOARD_ORDER } from "./texts";

/** What tasks can be sorted by. */
export type Column = "id" | "status" | "title" | "wave" | "size" | "kind" | "tag" | "attempts";

export interface Sort {
  column: Column;
  descending: boolean;
}

/** What a task has in a column; nothing stands last in either direction. */
const VALUES: Record<Column, (row: TaskRow) => number | string | null> = {
  id: (row) => row.id,
  status: (row) => BOARD_ORDER.indexOf(row.status),
  title: (row) => row.title,
  wave: (row) => row.wave,
  size: (row) => (row.size === null ? null : TASK_SIZES.indexOf(row.size)),
  kind: (row) => (row.kind === null ? null : KINDS.indexOf(row.kind)),
  tag: (row) => row.tag,
  attempts: (row) => row.attempts + row.failures / 1000,
};

const texts = new Intl.Collator(undefined, { numeric: true, sensitivity: "base" });

function compared(one: number | string, other: number | string): number {
  return typeof one === "number" && typeof other === "number" ? one - other : texts.compare(String(one), String(other));
}

/** The tasks in another order than a run takes them; those that are alike stay in that one. */
export function sorted(rows: readonly TaskRow[], sort: Sort | null): TaskRow[] {
  if (sort === null) {
    return [...rows];
  }
  const value = VALUES[sort.column];
  const sign = sort.descending ? -1 : 1;
  return rows.toSorted((a, b) => {
    const [one, other] = [value(a), value(b)];
    if (one === null || other === null) {
      return Number(one === null) - Number(other === null);
    }
    return sign * compared(one, other);
  });
}

/** What a click on a column's head leads to: up, then down, then the order of a run again. */
export function nextSort(sort: Sort | null, column: Column): Sort | null {
  if (sort?.column !== column) {
    return { column, descending: false };
  }
  return sort.descending ? null : { column, descending: true };
}

import type { TaskId, TaskRow } from "$lib/backend/types";

/** Whether every word of the text stands in the task's line: its number, title, tag or foreign name. */
export function matches(row: Pick<TaskRow, "id" | "title" | "tag" | "external">, words: readonly string[]): boolean {
  const line = `#${row.id} ${row.title} ${row.tag ?? ""} ${row.external ?? ""}`.toLowerCase();
  return words.every((word) => line.includes(word));
}

export function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean);
}

/**
 * The tasks that a text is found in, in their order: in the line itself, or, as the backend found, in the longer texts.
 * A number alone names its task first.
 */
export function matching(rows: readonly TaskRow[], text: string, found: readonly TaskId[]): TaskRow[] {
  const words = wordsOf(text);
  if (words.length === 0) {
    return [...rows];
  }
  const elsewhere = new Set(found);
  const number = Number(text.trim().replace(/^#/, ""));
  const hits = rows.filter((row) => matches(row, words) || elsewhere.has(row.id));
  return Number.isInteger(number)
    ? hits.sort((left, right) => Number(right.id === number) - Number(left.id === number))
    : hits;
}

import type { Backend } from "$lib/backend/backend";
import type { TaskId, TaskRow } from "$lib/backend/types";

import { matches, wordsOf } from "./match";

/** Nobody writes more; each is asked for by itself. */
const WORDS = 8;

/**
 * The tasks in which every word of a text is found, the best match first: each word in the task's line or, as the backend
 * finds it, in its longer texts.
 */
export async function findTasks(
  backend: Pick<Backend, "searchTasks">,
  rows: readonly Pick<TaskRow, "id" | "title" | "tag" | "external">[],
  text: string,
): Promise<TaskId[]> {
  const words = wordsOf(text).slice(0, WORDS);
  const answers = await Promise.all(words.map((word) => backend.searchTasks(word)));
  const ranks = answers.map((ids) => new Map(ids.map((id, rank) => [id, rank])));
  return rows
    .filter((row) => words.every((word, index) => ranks[index]?.has(row.id) || matches(row, [word])))
    .map(({ id }) => ({ id, rank: ranks.reduce((sum, each) => sum + (each.get(id) ?? each.size), 0) }))
    .sort((left, right) => left.rank - right.rank)
    .map(({ id }) => id);
}

import type { Overview, Task } from "$lib/backend/types";

import type { Draft } from "./draft.svelte";

type Selection = Pick<Draft, "tag" | "wave" | "task">;

/** The pending tasks of a selection, in the order in which a run takes them. */
export function selectedTasks({ tasks, waves }: Pick<Overview, "tasks" | "waves">, selection: Selection): Task[] {
  const { tag, wave, task } = selection;
  const order = waves.flatMap((each) => each.tasks);
  const ofWave = wave === null ? null : new Set(waves.find(({ number }) => number === wave)?.tasks);
  return tasks
    .filter(({ status }) => status === "pending")
    .filter((each) => (task === null || each.id === task) && (tag === null || each.tag === tag))
    .filter(({ id }) => ofWave === null || ofWave.has(id))
    .sort((left, right) => order.indexOf(left.id) - order.indexOf(right.id));
}

/** What of the tasks a run takes, as the value of a choice. */
export function selectionValue({ tag, wave, task }: Selection): string {
  return task !== null ? "task" : wave !== null ? `wave:${wave}` : tag !== null ? `tag:${tag}` : "all";
}

/** The selection that a value stands for; `task` keeps the one that is named. */
export function selectionOf(value: string, task: Draft["task"]): Selection {
  const [, kind, name] = /^(wave|tag):([^]*)$/.exec(value) ?? [];
  return {
    tag: kind === "tag" ? (name ?? null) : null,
    wave: kind === "wave" ? Number(name) : null,
    task: value === "task" ? task : null,
  };
}

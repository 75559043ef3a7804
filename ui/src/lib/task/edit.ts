import { type Backend, faultOf } from "$lib/backend/backend";
import type { Task, TaskDetail, TaskDraft, TaskId } from "$lib/backend/types";

export type Field = keyof TaskDraft;

/** An edit that somebody else's edit stands against. */
export interface Conflict {
  id: TaskId;
  /** What both changed, and differently. */
  fields: Field[];
  mine: Partial<TaskDraft>;
  theirs: TaskDetail;
}

export type Saved = { kind: "saved"; detail: TaskDetail } | { kind: "conflict"; conflict: Conflict };

/** Between reading and writing somebody may be quicker, but not for ever. */
const TRIES = 4;

export function draftOf(task: Task): TaskDraft {
  const { title, description, acceptance, test_strategy, priority, size, complexity } = task;
  const { kind, tag, sections, depends_on, notes } = task;
  const linked = { kind, tag, sections, depends_on, notes };
  return { title, description, acceptance, test_strategy, priority, size, complexity, ...linked };
}

export function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(left) === JSON.stringify(right);
}

/**
 * Writes what a person changed. What somebody else changed meanwhile stays, unless it is the same field: then nothing is
 * written and the person decides. `seen` is what the fields were when the person began, `base` the task if it is known.
 * Throws what the backend refuses.
 */
export async function saveEdit(
  backend: Pick<Backend, "task" | "editTask">,
  id: TaskId,
  seen: Partial<TaskDraft>,
  mine: Partial<TaskDraft>,
  base: Task | null = null,
): Promise<Saved> {
  let task = base ?? (await backend.task(id)).task;
  for (let tries = 1; ; tries++) {
    try {
      const fields = (Object.keys(mine) as Field[]).filter(
        (field) => !same(task[field], seen[field]) && !same(task[field], mine[field]),
      );
      if (fields.length > 0) {
        return { kind: "conflict", conflict: { id, fields, mine, theirs: await backend.task(id) } };
      }
      return { kind: "saved", detail: await backend.editTask(id, task.updated_at, { ...draftOf(task), ...mine }) };
    } catch (thrown) {
      if (faultOf(thrown).code !== "task.changed" || tries >= TRIES) {
        throw thrown;
      }
      task = (await backend.task(id)).task;
    }
  }
}

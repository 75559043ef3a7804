import type { App } from "$lib/app/app.svelte";
import { Resource } from "$lib/app/resource.svelte";
import { faultOf } from "$lib/backend/backend";
import type { Fault, TaskDetail, TaskDraft, TaskId } from "$lib/backend/types";

import { draftOf, type Field } from "./edit";
import { type TaskStore, taskStoreOf } from "./store.svelte";

/** Refusals that are about what a task waits for. */
const ABOUT_DEPENDENCIES = new Set(["task.cycle", "task.invalid"]);

/** One task in full, and what a person changes in it. Each part is written when it is left. */
export class OpenTask {
  readonly id: TaskId;
  readonly detail: Resource<TaskDetail>;
  /** What is being written, and shown as if it were. */
  #pending = $state.raw<Partial<TaskDraft>>({});
  /** Why the last change was refused, and what it was about. */
  refusal = $state.raw<{ fields: Field[]; fault: Fault } | null>(null);

  readonly draft = $derived.by((): TaskDraft | null => {
    const task = this.detail.data?.task;
    return task ? { ...draftOf(task), ...this.#pending } : null;
  });

  readonly #store: TaskStore;

  constructor(app: App, id: TaskId) {
    this.id = id;
    this.#store = taskStoreOf(app);
    this.detail = new Resource(() => app.backend.task(id));
  }

  get saving(): boolean {
    return Object.keys(this.#pending).length > 0;
  }

  /** Why what it waits for could not be changed, in the backend's words. */
  get dependencyFault(): Fault | null {
    const { refusal } = this;
    return refusal && refusal.fields.includes("depends_on") && ABOUT_DEPENDENCIES.has(refusal.fault.code)
      ? refusal.fault
      : null;
  }

  /** Writes a change; `seen` is what stood there when the person began, where that was some time ago. */
  async change(change: Partial<TaskDraft>, seen?: Partial<TaskDraft>): Promise<void> {
    const base = this.detail.data;
    if (base === null) {
      return;
    }
    this.refusal = null;
    this.#pending = { ...this.#pending, ...change };
    try {
      const saved = await this.#store.edit(this.id, { ...base.task, ...seen }, change, base);
      if (saved) {
        this.detail.set(saved);
      }
    } catch (thrown) {
      this.refusal = { fields: Object.keys(change) as Field[], fault: faultOf(thrown) };
    } finally {
      const fields = Object.keys(change);
      this.#pending = Object.fromEntries(Object.entries(this.#pending).filter(([field]) => !fields.includes(field)));
    }
  }
}

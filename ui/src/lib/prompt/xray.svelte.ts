import type { App } from "$lib/app/app.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { ItemChoice, PromptChoice, PromptItem, PromptPreview, TaskId } from "$lib/backend/types";

import { choicesOf, isFixed, sameChoices, withChoice } from "./rules";

/** The next prompt of a task, with choices that are not kept yet. Each choice is answered by the engine with new sizes. */
export class NextPrompt {
  readonly preview: Resource<PromptPreview>;
  /** Choices of the person since the prompt was opened; none as long as nothing was chosen. */
  #choices = $state.raw<PromptChoice[] | null>(null);
  #kept = $state.raw<PromptChoice[]>([]);

  readonly #app: App;
  readonly #task: TaskId;

  constructor(app: App, task: TaskId) {
    this.#app = app;
    this.#task = task;
    this.preview = new Resource(async () => {
      const preview = await app.backend.previewPrompt(task, this.#choices);
      if (this.#choices === null) {
        this.#kept = choicesOf(preview.items);
      }
      return preview;
    });
  }

  get choices(): PromptChoice[] {
    return this.#choices ?? this.#kept;
  }

  /** Something was chosen that is not kept yet. */
  get changed(): boolean {
    return !sameChoices(this.choices, this.#kept);
  }

  /** Takes an item out, or puts it in. */
  async toggle(item: PromptItem): Promise<void> {
    if (!isFixed(item)) {
      await this.#choose(item, item.state === "out" ? "in" : "out");
    }
  }

  /** Pins an item, or lets the engine decide about it again. */
  async pin(item: PromptItem): Promise<void> {
    if (!isFixed(item)) {
      await this.#choose(item, item.choice === "pinned" ? null : "pinned");
    }
  }

  /** The engine decides about every item again. */
  async reset(): Promise<void> {
    this.#choices = [];
    await this.preview.refresh();
  }

  /** Remembers the choices for the task. */
  async keep(): Promise<boolean> {
    const { choices } = this;
    const kept = await this.#app.attempt("keep_prompt_choices", () =>
      this.#app.backend.keepPromptChoices(this.#task, choices),
    );
    if (kept === undefined) {
      return false;
    }
    this.#kept = choices;
    this.#choices = null;
    this.preview.set(kept);
    return true;
  }

  async #choose({ key }: PromptItem, choice: ItemChoice | null): Promise<void> {
    this.#choices = withChoice(this.choices, key, choice);
    await this.preview.refresh();
  }
}

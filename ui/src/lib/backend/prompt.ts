import type { IterationId, PromptChoice, PromptPreview, TaskId } from "./types";

/** What prompts are made of. */
export interface PromptBackend {
  /** The next prompt of a task: with these choices, or with those that are kept for it. Nothing is kept. */
  previewPrompt(task: TaskId, choices: PromptChoice[] | null): Promise<PromptPreview>;
  /** Remembers choices for a task's prompts in place of earlier ones. */
  keepPromptChoices(task: TaskId, choices: PromptChoice[]): Promise<PromptPreview>;
  /** The prompt an iteration was asked with; `null` where it was not taken down item by item. */
  promptOf(iteration: IterationId): Promise<PromptPreview | null>;
}

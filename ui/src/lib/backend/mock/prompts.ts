import type { PromptBackend } from "../prompt";
import type { PromptChoice, TaskId } from "../types";

import { amountOf } from "./memory-data";
import type { MockParts } from "./parts";
import { promptData } from "./prompt-data";

/** Prompts, taken apart, in memory. */
export function createPromptsMock({ scenario, guarded, world, tasks }: MockParts): PromptBackend {
  const amount = amountOf(scenario);
  const kept = new Map<TaskId, PromptChoice[]>();

  return {
    previewPrompt: (task, choices) =>
      guarded("previewPrompt", { task, choices }, () =>
        promptData(amount, tasks.find(task).id, choices ?? kept.get(task) ?? [], false),
      ),
    keepPromptChoices: (task, choices) =>
      guarded("keepPromptChoices", { task, choices }, () => {
        kept.set(task, choices);
        return promptData(amount, task, choices, false);
      }),
    promptOf: (iteration) =>
      guarded("promptOf", iteration, () => {
        const found = world.iteration(iteration);
        const task = found?.iteration.task ?? null;
        return amount === "none" || task === null ? null : { ...promptData(amount, task, [], true), iteration };
      }),
  };
}

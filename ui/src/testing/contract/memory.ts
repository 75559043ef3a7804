import type { Backend } from "$lib/backend/backend";

import { given, holds, on, refused, same } from "./suite";

const UNKNOWN = 9_999;

/** A solution for a failure that was met. */
async function solution(backend: Backend) {
  const { pattern } = given((await backend.failurePatterns(null))[0], "pattern of failures");
  return { pattern, title: "Warm the pot first", text: "Pour hot water in, wait, pour it out.", files: [] };
}

const LEARNING = {
  category: "gotcha" as const,
  title: "The kettle is slow",
  when: "before the first pot",
  text: "Give it four minutes.",
  scope: "project" as const,
  pattern: null,
};

/** Failures, solutions, learnings, figures and prompts. */
export const MEMORY = [
  ...on("sample", {
    "a learning is kept, found, edited and removed": async (backend) => {
      const made = await backend.saveLearning(null, LEARNING);
      same([made.title, made.when, made.scope], [LEARNING.title, LEARNING.when, "project"]);
      same(
        (await backend.learnings("kettle")).map(({ id }) => id),
        [made.id],
        "what is found",
      );
      const edited = await backend.saveLearning(made.id, { ...LEARNING, text: "Give it five." });
      same([edited.id, edited.text], [made.id, "Give it five."]);
      await backend.removeLearning(made.id);
      same((await backend.learnings("kettle")).length, 0, "what is left");
      await refused("learning.not_found", backend.removeLearning(made.id));
    },
    "a learning needs words, and to be there": async (backend) => {
      await refused("usage.invalid", backend.saveLearning(null, { ...LEARNING, text: " " }));
      await refused("learning.not_found", backend.saveLearning(UNKNOWN, LEARNING));
    },
    "the next prompt of a task keeps what was chosen for it": async (backend) => {
      const preview = await backend.previewPrompt(1, null);
      same([preview.task, preview.iteration], [1, null]);
      holds(preview.prompt !== "" && preview.items.length > 0, "it is made of something");
      const item = given(
        preview.items.find(({ state }) => state === "in"),
        "item that is in",
      );
      const choices = [{ key: item.key, choice: "pinned" as const }];
      const tried = await backend.previewPrompt(1, choices);
      same(tried.items.find(({ key }) => key === item.key)?.choice, "pinned", "a choice that is tried");
      same((await backend.previewPrompt(1, null)).items.find(({ key }) => key === item.key)?.choice, null, "before");
      await backend.keepPromptChoices(1, choices);
      same((await backend.previewPrompt(1, null)).items.find(({ key }) => key === item.key)?.choice, "pinned", "after");
      await backend.keepPromptChoices(1, []);
      same(
        (await backend.previewPrompt(1, null)).items.find(({ key }) => key === item.key)?.choice,
        null,
        "in the end",
      );
      await refused("task.not_found", backend.previewPrompt(UNKNOWN, null));
    },
  }),
  ...on("review", {
    "a solution is kept on trial, edited, retired and taken back": async (backend) => {
      const draft = await solution(backend);
      const made = await backend.saveSolution(null, draft);
      same([made.title, made.state, made.origin], [draft.title, "trial", "person"]);
      same((await backend.solution(made.id)).text, draft.text, "what is kept");
      const edited = await backend.saveSolution(made.id, { ...draft, text: "Shorter." });
      same([edited.id, edited.text, edited.history[0]?.reason], [made.id, "Shorter.", "edited"]);
      same((await backend.retireSolution(made.id, true)).state, "retired", "the state");
      holds(
        (await backend.solutions()).some(({ id }) => id === made.id),
        "retired ones are listed too",
      );
      const back = await backend.retireSolution(made.id, false);
      holds(back.state !== "retired", "it is back in use");
      same((await backend.refreshSolution(made.id)).history[0]?.reason, "refreshed", "what was done last");
    },
    "a solution needs words, and to be there": async (backend) => {
      const draft = await solution(backend);
      await refused("usage.invalid", backend.saveSolution(null, { ...draft, text: " " }));
      await refused("pattern.not_found", backend.saveSolution(null, { ...draft, pattern: "nobody-met" }));
      await refused("solution.not_found", backend.solution(UNKNOWN));
      await refused("solution.not_found", backend.saveSolution(UNKNOWN, draft));
      await refused("solution.not_found", backend.retireSolution(UNKNOWN, true));
    },
    "failures are told newest first, by the patterns they belong to": async (backend) => {
      const patterns = await backend.failurePatterns(null);
      const failures = await backend.failures(null, 100);
      holds(failures.length > 0 && patterns.length > 0, "something failed");
      const times = failures.map(({ at }) => -Date.parse(at));
      same(
        times,
        [...times].sort((left, right) => left - right),
        "their order",
      );
      for (const { pattern } of patterns.slice(0, 3)) {
        const own = await backend.failures(pattern, 100);
        holds(own.length > 0 && own.every((failure) => failure.pattern === pattern), `those of ${pattern} are its own`);
      }
      same((await backend.failures(null, 1)).length, 1, "how many are told when one is asked for");
    },
  }),
];

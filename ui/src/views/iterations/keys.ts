import type { Command } from "$lib/app/commands.svelte";

import { TEXTS } from "./texts";

/** The keys of the list as people are told of them. */
export const ITERATION_KEYS: Command[] = [
  {
    id: "iteration_open",
    title: "Open the iteration",
    hint: "Open",
    section: TEXTS.title,
    shortcuts: [{ key: "Enter" }],
  },
  {
    id: "iteration_pick",
    title: "Select it to compare",
    hint: "Select",
    section: TEXTS.title,
    shortcuts: [{ key: " " }],
  },
];

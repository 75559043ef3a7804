import type { Command } from "$lib/app/commands.svelte";

/** The keys of a diff, which hears them itself. */
export const DIFF_KEYS: Command[] = [
  {
    id: "diff_next",
    title: "Next change",
    section: "Changes",
    shortcuts: [{ key: "n" }],
    hint: "Change",
    hintKeys: ["N", "P"],
  },
  { id: "diff_previous", title: "Previous change", section: "Changes", shortcuts: [{ key: "p" }] },
  { id: "diff_viewed", title: "Mark the file as viewed", section: "Changes", shortcuts: [{ key: "v" }] },
];

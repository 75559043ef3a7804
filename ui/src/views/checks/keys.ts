import type { Command } from "$lib/app/commands.svelte";
import type { Shortcut } from "$lib/app/shortcuts";

import { TEXTS } from "./texts";

/** The keys of the list as people are told of them. */
export const CHECK_KEYS: Command[] = (
  [
    ["check_open", "Open the check", [{ key: "Enter" }], "Open"],
    ["check_edit", "Edit the check", [{ key: "e" }], "Edit"],
    ["check_up", "Move the check up", [{ key: "ArrowUp", alt: true }], "Reorder"],
    ["check_down", "Move the check down", [{ key: "ArrowDown", alt: true }]],
  ] satisfies [string, string, Shortcut[], string?][]
).map(([id, title, shortcuts, hint]) => ({ id, title, section: TEXTS.title, shortcuts, ...(hint ? { hint } : {}) }));

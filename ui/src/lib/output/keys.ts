import type { Command } from "$lib/app/commands.svelte";

/** What a key means while the output has the focus. */
export type KeyAction =
  | { kind: "move"; by: number; extend: boolean }
  | { kind: "ends"; end: boolean; extend: boolean }
  | { kind: "error"; backwards: boolean }
  | { kind: "fold"; open: boolean }
  | { kind: "whole" | "copy" | "follow" | "wrap" | "fold_all" | "leave" };

/** The meaning of a key; `undefined` for one that means nothing here. */
export function keyActionOf(event: KeyboardEvent): KeyAction | undefined {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return undefined;
  }
  const extend = event.shiftKey;
  switch (event.key) {
    case "ArrowDown":
      return { kind: "move", by: 1, extend };
    case "ArrowUp":
      return { kind: "move", by: -1, extend };
    case "ArrowRight":
      return { kind: "fold", open: true };
    case "ArrowLeft":
      return { kind: "fold", open: false };
    case "Home":
      return { kind: "ends", end: false, extend };
    case "End":
      return { kind: "ends", end: true, extend };
    case "Enter":
      return { kind: "whole" };
    case "Escape":
      return { kind: "leave" };
    default:
      return letterAction(event.key.toLowerCase(), event.shiftKey);
  }
}

function letterAction(letter: string, shift: boolean): KeyAction | undefined {
  if (letter === "e") {
    return { kind: "error", backwards: shift };
  }
  if (shift) {
    return undefined;
  }
  const letters: Record<string, KeyAction> = {
    c: { kind: "copy" },
    f: { kind: "follow" },
    o: { kind: "fold_all" },
    w: { kind: "wrap" },
  };
  return letters[letter];
}

/** The keys of the output as people are told of them. */
export const OUTPUT_KEYS: Command[] = (
  [
    ["output_find", "Find in the output", { key: "f", mod: true }],
    ["output_whole", "Show an entry whole", { key: "Enter" }],
    ["output_error", "Next error", { key: "e" }],
    ["output_follow", "Follow the end", { key: "f" }],
    ["output_fold", "Open or fold all", { key: "o" }],
    ["output_wrap", "Wrap lines", { key: "w" }],
    ["output_copy", "Copy", { key: "c" }],
  ] as const
).map(([id, title, shortcut]) => ({ id, title, section: "Output", shortcuts: [shortcut] }));

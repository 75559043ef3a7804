import type { Command as CommandEntry } from "$lib/app/commands.svelte";
import type { Shortcut } from "$lib/app/shortcuts";
import type { Direction } from "$lib/graph/walk";

/** The keys of the graph as people are told of them. */
export const GRAPH_KEYS: CommandEntry[] = (
  [
    ["graph_open", "Open the task", [{ key: "Enter" }], "Open"],
    ["graph_fit", "Show the whole graph", [{ key: "f" }], "Fit"],
    ["graph_larger", "Larger", [{ key: "+" }]],
    ["graph_smaller", "Smaller", [{ key: "-" }]],
    ["graph_actual", "Actual size", [{ key: "0" }]],
  ] satisfies [string, string, Shortcut[], string?][]
).map(([id, title, shortcuts, hint]) => ({ id, title, section: "Graph", shortcuts, ...(hint ? { hint } : {}) }));

/** What a key does in the graph. */
export type Command =
  | { kind: "step"; to: Direction }
  | { kind: "end"; last: boolean }
  | { kind: "pan"; x: number; y: number }
  | { kind: "open" | "close" | "fit" }
  | { kind: "zoom"; by: -1 | 0 | 1 };

const COMMANDS: Record<string, Command> = {
  ArrowLeft: { kind: "step", to: "left" },
  ArrowRight: { kind: "step", to: "right" },
  ArrowUp: { kind: "step", to: "up" },
  ArrowDown: { kind: "step", to: "down" },
  Home: { kind: "end", last: false },
  End: { kind: "end", last: true },
  Enter: { kind: "open" },
  " ": { kind: "open" },
  Escape: { kind: "close" },
  "+": { kind: "zoom", by: 1 },
  "=": { kind: "zoom", by: 1 },
  "-": { kind: "zoom", by: -1 },
  "0": { kind: "zoom", by: 0 },
  f: { kind: "fit" },
  F: { kind: "fit" },
};

/** With Shift, arrows move the view instead: the other way, as the paper under it would. */
const PANS: Record<string, Command> = {
  ArrowLeft: { kind: "pan", x: 1, y: 0 },
  ArrowRight: { kind: "pan", x: -1, y: 0 },
  ArrowUp: { kind: "pan", x: 0, y: 1 },
  ArrowDown: { kind: "pan", x: 0, y: -1 },
};

/** What a key is meant to do; none where it belongs to somebody else. */
export function commandOf(
  event: Pick<KeyboardEvent, "key" | "shiftKey" | "ctrlKey" | "metaKey" | "altKey">,
): Command | null {
  if (event.ctrlKey || event.metaKey || event.altKey) {
    return null;
  }
  return (event.shiftKey ? PANS[event.key] : undefined) ?? COMMANDS[event.key] ?? null;
}

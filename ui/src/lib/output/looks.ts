/** How single entries look: by their tool, and by what sort of trouble they tell of. */
import Bot from "@lucide/svelte/icons/bot";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CircleQuestionMark from "@lucide/svelte/icons/circle-question-mark";
import CircleX from "@lucide/svelte/icons/circle-x";
import FilePen from "@lucide/svelte/icons/file-pen";
import FileText from "@lucide/svelte/icons/file-text";
import Gauge from "@lucide/svelte/icons/gauge";
import GitCommit from "@lucide/svelte/icons/git-commit-horizontal";
import Globe from "@lucide/svelte/icons/globe";
import Hourglass from "@lucide/svelte/icons/hourglass";
import ListTodo from "@lucide/svelte/icons/list-todo";
import LoaderCircle from "@lucide/svelte/icons/loader-circle";
import Plug from "@lucide/svelte/icons/plug";
import RotateCw from "@lucide/svelte/icons/rotate-cw";
import Search from "@lucide/svelte/icons/search";
import ShieldX from "@lucide/svelte/icons/shield-x";
import Terminal from "@lucide/svelte/icons/terminal";

import type { Entry, EntryKind } from "$lib/backend/types";
import { problemWords } from "$lib/format/agents";
import type { IconType } from "$lib/ui/Icon.svelte";

import { KINDS, passed } from "./kinds";

/** The pictures of entries by their names: one for each kind, and some that tell more than the kind does. */
export const PICTURES = {
  ...(Object.fromEntries(Object.entries(KINDS).map(([kind, look]) => [kind, look.icon])) as Record<
    EntryKind,
    IconType
  >),
  passed: CircleCheck,
  failed: CircleX,
  running: LoaderCircle,
  read: FileText,
  edit: FilePen,
  shell: Terminal,
  find: Search,
  web: Globe,
  helper: Bot,
  plan: ListTodo,
  server: Plug,
  retry: RotateCw,
  denied: ShieldX,
  limit: Hourglass,
  usage: Gauge,
  session: Bot,
  commit: GitCommit,
  unknown: CircleQuestionMark,
};

export type Picture = keyof typeof PICTURES;

/** Tools of all agents by what they do. What a server of tools offers is told by its name. */
const TOOLS: [RegExp, Picture][] = [
  [/^mcp|__/, "server"],
  [/todo|plan/, "plan"],
  [/web|fetch|browse|url|http/, "web"],
  [/bash|shell|exec|command|terminal|run/, "shell"],
  [/edit|write|patch|replace|create|delete/, "edit"],
  [/grep|glob|search|find|^ls$|list/, "find"],
  [/read|view|open|cat/, "read"],
  [/task|agent/, "helper"],
];

const tools = new Map<string, Picture>();

function toolPicture(name: string): Picture {
  let picture = tools.get(name);
  if (picture === undefined) {
    const lower = name.toLowerCase();
    picture = TOOLS.find(([pattern]) => pattern.test(lower))?.[1] ?? "tool_call";
    tools.set(name, picture);
  }
  return picture;
}

/** The notes that are known by their names. Any other is a line nobody understood. */
const NOTES: Record<string, Picture> = {
  session: "session",
  usage: "usage",
  limit: "limit",
  commit: "commit",
  "left out": "note",
};

/** Whether an agent's line was kept without being understood. */
export function isUnknown(entry: Entry): boolean {
  return entry.kind === "note" && (entry.name === null || !Object.hasOwn(NOTES, entry.name)) && entry.text !== "";
}

/** Whether it tells that something takes longer, and that nothing is wrong yet. */
export function isWait(entry: Entry): boolean {
  return (entry.kind === "error" && entry.name === "retry") || (entry.kind === "note" && entry.name === "limit");
}

/** Whether it is the answer that a tool was not allowed, by itself. */
function isDenied(entry: Entry): boolean {
  return entry.kind === "error" && entry.name === "denied";
}

/** The name of an entry's picture: failure and success look different, not only in colour. */
export function pictureOf(entry: Entry): Picture {
  if (passed(entry)) {
    return "passed";
  }
  if (isDenied(entry)) {
    return "denied";
  }
  if (isWait(entry)) {
    return entry.kind === "error" ? "retry" : "limit";
  }
  if (entry.kind === "tool_call") {
    return toolPicture(entry.name ?? "");
  }
  if (entry.kind === "note") {
    return isUnknown(entry) ? "unknown" : (NOTES[entry.name ?? ""] ?? "note");
  }
  return entry.failed && entry.kind !== "error" ? "failed" : entry.kind;
}

/** What stands before an entry's text: the tool, the check, or what sort of trouble it is. */
export function chipOf(entry: Entry): string | null {
  if (entry.name === null) {
    return isUnknown(entry) ? "unread line" : null;
  }
  if (entry.kind === "error") {
    return CHIPS[entry.name] ?? problemWords(entry.name)?.label ?? entry.name;
  }
  return entry.name;
}

const CHIPS: Record<string, string> = { retry: "Tries again", denied: "Not allowed" };

/** What to do about an error; nothing for what needs nobody. */
export function adviceOf(entry: Entry): string | null {
  if (entry.kind !== "error" || entry.name === null || entry.name === "retry") {
    return null;
  }
  return isDenied(entry) ? DENIED_ADVICE : entry.failed ? (problemWords(entry.name)?.advice ?? null) : null;
}

/** What to do where a tool was not allowed. */
export const DENIED_ADVICE =
  "Give the agent more room with the run's automation, or allow the tool in its own settings.";

/** How an entry is shown before a person opens it. */
export interface Fold {
  lines: number;
  characters: number;
  /** One line that ends where the room does. */
  single: boolean;
}

/** However few lines there are, more characters are never shown unasked. */
const CHARACTERS = 2000;
export const ONE_LINE: Fold = { lines: 1, characters: 300, single: true };
const NOTHING: Fold = { lines: 0, characters: 0, single: true };
const FOLDS = Object.fromEntries(
  Object.entries(KINDS).map(([kind, { lines }]) => [kind, { lines, characters: CHARACTERS, single: false }]),
) as Record<EntryKind, Fold>;

/** Thoughts and answers of tools are one line; what failed tells more, and what is not understood nothing. */
export function foldOf(entry: Entry): Fold {
  switch (entry.kind) {
    case "aside":
      return ONE_LINE;
    case "tool_result":
      return entry.failed ? FOLDS.tool_result : ONE_LINE;
    case "note":
      return isUnknown(entry) ? NOTHING : FOLDS.note;
    default:
      return FOLDS[entry.kind];
  }
}

import type { TaskBoard, TaskKind, TaskStatus } from "$lib/backend/types";
import { TASK_STATUS_LABELS, TASK_STATUS_ORDER } from "$lib/format/status";
import { KIND_LABELS, KINDS } from "$lib/task/words";
import type { Suggestion } from "$lib/ui/FilterField.svelte";

import { type Filter, NO_FILTER } from "./filter";
import { TEXTS } from "./texts";

/** The words before a colon that say what of a task is meant; everything else is looked for in its texts. */
export const KEYS = ["tag", "status", "kind", "wave"] as const;
type Key = (typeof KEYS)[number];

/** A word of the query: up to the next blank, unless it is quoted. */
const WORD = /(?:[^\s"]|"[^"]*"?)+/g;

/** How a value is written after its colon. */
const written = (value: string): string => (/\s/.test(value) ? `"${value}"` : value);
const unquoted = (text: string): string => text.replaceAll('"', "");
const tokenOf = (label: string): string => label.toLowerCase().replaceAll(/\s+/g, "-");

const STATUSES = new Map<string, TaskStatus>(
  TASK_STATUS_ORDER.map((status) => [tokenOf(TASK_STATUS_LABELS[status]), status]),
);
const KIND_TOKENS = new Map<string, TaskKind>(KINDS.map((kind) => [tokenOf(KIND_LABELS[kind]), kind]));

function split(word: string): [Key, string] | null {
  const at = word.indexOf(":");
  const key = KEYS.find((each) => each === word.slice(0, at).toLowerCase());
  return key === undefined ? null : [key, unquoted(word.slice(at + 1))];
}

/**
 * What a person wrote into the filter field. Several values of one key mean any of them; different keys have to hold
 * together. A key without a value yet says nothing; a value that nothing has lets nothing through.
 */
export function parseQuery(query: string): Filter {
  const filter = {
    ...NO_FILTER,
    statuses: [] as TaskStatus[],
    tags: [] as string[],
    kinds: [] as TaskKind[],
    waves: [] as number[],
  };
  const words: string[] = [];
  let impossible = false;
  for (const word of query.match(WORD) ?? []) {
    const token = split(word);
    if (token === null) {
      words.push(unquoted(word));
      continue;
    }
    const [key, value] = token;
    const lower = value.toLowerCase();
    const status = STATUSES.get(lower);
    const kind = KIND_TOKENS.get(lower);
    if (value === "") {
      continue;
    } else if (key === "tag") {
      filter.tags.push(lower);
    } else if (key === "status" && status) {
      filter.statuses.push(status);
    } else if (key === "kind" && kind) {
      filter.kinds.push(kind);
    } else if (key === "wave" && /^\d+$/.test(value)) {
      filter.waves.push(Number(value));
    } else {
      impossible = true;
    }
  }
  return { ...filter, text: words.join(" "), impossible };
}

/** The values a key can have, as they are written. */
function valuesOf(key: Key, board: TaskBoard): [string, string][] {
  switch (key) {
    case "tag":
      return board.tags.map((tag) => [written(tag), tag]);
    case "status":
      return [...STATUSES].map(([token, status]) => [token, TASK_STATUS_LABELS[status]]);
    case "kind":
      return [...KIND_TOKENS].map(([token, kind]) => [token, KIND_LABELS[kind]]);
    case "wave":
      return board.waves.map(({ number }) => [String(number), TEXTS.wave(number)]);
  }
}

/** How what is being written can go on: with a key, or with a value of the key that is written already. */
export function suggestionsFor(query: string, board: TaskBoard): Suggestion[] {
  const last = /(?:[^\s"]|"[^"]*"?)*$/.exec(query)?.[0] ?? "";
  const before = query.slice(0, query.length - last.length);
  const token = split(last);
  if (token === null) {
    return KEYS.filter((key) => key.startsWith(last.toLowerCase()) && valuesOf(key, board).length > 0).map((key) => ({
      value: `${before}${key}:`,
      label: `${key}:`,
      hint: TEXTS.keys[key],
    }));
  }
  const [key, begun] = token;
  return valuesOf(key, board)
    .filter(([value, label]) => {
      const wanted = begun.toLowerCase();
      return [unquoted(value), label].some((each) => each.toLowerCase().startsWith(wanted));
    })
    .map(([value, label]) => ({ value: `${before}${key}:${value} `, label }));
}

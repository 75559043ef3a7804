import type { Entry } from "$lib/backend/types";

import { KINDS, type TextStyle } from "./kinds";
import { adviceOf, foldOf } from "./looks";
import { beginning } from "./segments";

/** An open entry shows so much; the rest is for the dialog. */
export const OPEN_CHARACTERS = 12_000;
/** What is this short shows all of itself in one line. */
export const SHORT = 56;

/** What a person did to an entry. */
export interface Asked {
  opened: boolean;
  /** The keyboard is at it. */
  active: boolean;
  searched: string;
  /** The entry with all of its text, where it is open and was sent cut. */
  whole: Entry | undefined;
}

/** What is shown of an entry. */
export interface EntryView {
  open: boolean;
  /** Whether it has a handle to open and fold it. */
  foldable: boolean;
  /** One line that ends where the room does. */
  single: boolean;
  style: TextStyle;
  text: string;
  /** How many lines are not shown. */
  hiddenLines: number;
  /** What is offered below the text: more of it here, all of it in a dialog, or less of it. */
  offer: "more" | "whole" | "less" | null;
  advice: string | null;
}

/** What is shown of an entry, folded or open. For uses of tools see `toolViewOf`. */
export function viewOf(entry: Entry, asked: Asked): EntryView {
  const fold = foldOf(entry);
  const folded = beginning(entry.text, fold.lines, fold.characters);
  // What was found must be seen, also where it is folded away.
  const wanted = asked.opened || (asked.active && isHiddenMatch(entry.text, folded, asked.searched));
  // What shows all of itself has nothing to open.
  const folds = entry.cut || folded.length < entry.text.length || (fold.single && folded.length > SHORT);
  const open = wanted && folds;
  const all = open ? (asked.whole ?? entry).text : entry.text;
  const text = open ? beginning(all, Number.POSITIVE_INFINITY, OPEN_CHARACTERS) : folded;
  const hidden = all.length - text.length;
  const single = fold.single && !open;
  const style = KINDS[entry.kind].text;
  return {
    open,
    foldable: fold.single && folds,
    single,
    style: single && style === "markdown" ? "words" : style,
    text,
    hiddenLines: hidden > 0 && !open ? all.slice(text.length).split("\n").length - 1 : 0,
    offer: offerOf(fold.single, open, hidden, entry.cut && asked.whole === undefined),
    advice: adviceOf(entry),
  };
}

/** What is one line is opened and folded by its handle; any other by what stands below it. */
function offerOf(single: boolean, open: boolean, hidden: number, cut: boolean): EntryView["offer"] {
  if (open && hidden > 0) {
    return "whole";
  }
  if (single) {
    return null;
  }
  return open ? "less" : hidden > 0 || cut ? "more" : null;
}

/** Whether a text has what is searched for, and what is shown of it has not. */
function isHiddenMatch(text: string, shown: string, searched: string): boolean {
  return searched !== "" && !holds(shown, searched) && holds(text, searched);
}

/** Whether a text has what is searched for, whatever its case. */
export function holds(text: string, searched: string): boolean {
  return text.toLowerCase().includes(searched.toLowerCase());
}

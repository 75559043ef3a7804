import { numberText } from "$lib/format/locale";
import type { Entry, ToolAnswer } from "$lib/backend/types";
import { plural } from "$lib/format/text";

import { isCut } from "./kinds";
import { DENIED_ADVICE, ONE_LINE } from "./looks";
import { beginning } from "./segments";
import { type Asked, holds, OPEN_CHARACTERS, SHORT } from "./view";

/** How far a tool has come. Each has the picture of its name. */
export type ToolState = "running" | "passed" | "failed" | "denied";

/** What a tool was asked for, or what it answered. */
export interface ToolPart {
  label: "Input" | "Output";
  /** As much of it as is shown. */
  text: string;
  /** All of it that is there. */
  all: string;
}

/** What is shown of the use of a tool. */
export interface ToolView {
  open: boolean;
  foldable: boolean;
  /** What it was asked for, in one line. */
  brief: string;
  /** How far it has come; `null` where nobody has said. */
  state: ToolState | null;
  /** The same in a few words. */
  words: string;
  /** While it is folded, the line of the answer that tells most: that of a failure, or the only one. */
  said: string;
  parts: ToolPart[];
  /** Whether more is to be seen in the dialog. */
  more: boolean;
  advice: string | null;
}

/** What is shown of the use of a tool, folded or open. `running` says whether its answer is still waited for. */
export function toolViewOf(entry: Entry, asked: Asked, running: boolean): ToolView {
  const { answer } = entry;
  const brief = beginning(entry.text, ONE_LINE.lines, ONE_LINE.characters);
  const state = stateOf(entry, running);
  const said = answer === null ? "" : saidBy(answer, state);
  const foldable = isCut(entry) || brief.length < entry.text.length || brief.length > SHORT || (answer?.lines ?? 0) > 0;
  const shown = `${entry.name ?? ""}\n${brief}\n${said}`;
  const open = foldable && (asked.opened || (asked.active && hides(entry, shown, asked.searched)));
  const parts = open ? partsOf(asked.whole ?? entry, OPEN_CHARACTERS) : [];
  return {
    open,
    foldable,
    brief,
    state,
    words: state === null ? "" : wordsOf(state, answer),
    said: open ? "" : said,
    parts,
    more: parts.some(({ text, all }) => text.length < all.length),
    advice: open && state === "denied" ? DENIED_ADVICE : null,
  };
}

/** Whether what was found is not seen. What was sent cut may have it in the part that is not here. */
function hides(entry: Entry, shown: string, searched: string): boolean {
  const all = `${entry.text}\n${entry.answer?.text ?? ""}`;
  return searched !== "" && !holds(shown, searched) && (isCut(entry) || holds(all, searched));
}

/** What a tool was asked for and what it answered, each up to so many characters; what is empty is left out. */
export function partsOf({ text, answer }: Entry, characters: number): ToolPart[] {
  const part = (label: ToolPart["label"], all: string): ToolPart => ({
    label,
    text: beginning(all, Number.POSITIVE_INFINITY, characters),
    all,
  });
  return [part("Input", text), part("Output", answer?.text ?? "")].filter(({ all }) => all !== "");
}

function stateOf({ answer, failed }: Entry, running: boolean): ToolState | null {
  if (answer === null) {
    return running ? "running" : null;
  }
  return answer.denied ? "denied" : failed ? "failed" : "passed";
}

function saidBy({ text, lines }: ToolAnswer, state: ToolState | null): string {
  const tells = state !== "passed" || lines === 1;
  return tells ? beginning(text.trimStart(), ONE_LINE.lines, ONE_LINE.characters) : "";
}

function wordsOf(state: ToolState, answer: ToolAnswer | null): string {
  const lines = answer?.lines ?? 0;
  const count = lines < 2 ? "" : answer?.clipped ? `${numberText(lines)}+ lines` : plural(lines, "line");
  switch (state) {
    case "running":
      return "Running";
    case "denied":
      return "Not allowed";
    case "failed":
      return count === "" ? "Failed" : `Failed, ${count}`;
    case "passed":
      return lines === 0 ? "No output" : count;
  }
}

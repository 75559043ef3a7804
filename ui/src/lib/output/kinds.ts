import CircleAlert from "@lucide/svelte/icons/circle-alert";
import CornerDownRight from "@lucide/svelte/icons/corner-down-right";
import Info from "@lucide/svelte/icons/info";
import Lightbulb from "@lucide/svelte/icons/lightbulb";
import ListChecks from "@lucide/svelte/icons/list-checks";
import MessageSquare from "@lucide/svelte/icons/message-square";
import TextAlignStart from "@lucide/svelte/icons/text-align-start";
import Wrench from "@lucide/svelte/icons/wrench";

import type { Entry, EntryKind, OutputSource } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

/** How a text is to be read: as markdown, as words, or as output, letter by letter. */
export type TextStyle = "markdown" | "words" | "mono";

interface KindLook {
  /** One of it, and many of them. */
  one: string;
  many: string;
  icon: IconType;
  text: TextStyle;
  /** How many lines are shown before a person asks for all. */
  lines: number;
}

/** How each kind is named and shown, in the order of the filters. */
export const KINDS: Record<EntryKind, KindLook> = {
  message: { one: "Message", many: "Messages", icon: MessageSquare, text: "markdown", lines: 16 },
  aside: { one: "Thought", many: "Thoughts", icon: Lightbulb, text: "markdown", lines: 1 },
  tool_call: { one: "Tool", many: "Tools", icon: Wrench, text: "mono", lines: 1 },
  tool_result: { one: "Result", many: "Results", icon: CornerDownRight, text: "mono", lines: 6 },
  error: { one: "Error", many: "Errors", icon: CircleAlert, text: "mono", lines: 8 },
  check: { one: "Check", many: "Checks", icon: ListChecks, text: "mono", lines: 3 },
  note: { one: "Note", many: "Notes", icon: Info, text: "words", lines: 2 },
  line: { one: "Line", many: "Lines", icon: TextAlignStart, text: "mono", lines: 40 },
};

/** The kinds of a transcript, in the order of the filters. */
export const TRANSCRIPT_KINDS = (Object.keys(KINDS) as EntryKind[]).filter((kind) => kind !== "line");

/** What names one entry, in words. */
export function labelOf(entry: Entry): string {
  return `${KINDS[entry.kind].one}${entry.name === null ? "" : ` ${entry.name}`}`;
}

/** What one entry is, and whether it went wrong, in words. */
export function titleOf(entry: Entry): string {
  if (entry.answer?.denied) {
    return `${labelOf(entry)}, not allowed`;
  }
  return `${labelOf(entry)}${entry.failed && entry.kind !== "error" ? ", failed" : ""}`;
}

/** Whether not all of its text is there. */
export function isCut(entry: Entry): boolean {
  return entry.cut || entry.answer?.cut === true;
}

/** Whether a check says that it passed: one that has begun, or was skipped, says something else. */
export function passed(entry: Entry): boolean {
  return entry.kind === "check" && !entry.failed && entry.text.startsWith("passed");
}

/** The entry as one copies it: what it is, then what it says, and what a tool answered below. */
export function plainText(entry: Entry): string {
  if (entry.kind === "line" || (entry.kind === "message" && entry.name === null)) {
    return entry.text;
  }
  const said = `[${titleOf(entry).toLowerCase()}] ${entry.text}`;
  return entry.answer === null ? said : `${said}\n[output] ${entry.answer.text}`;
}

interface SourceChoice {
  value: OutputSource["kind"];
  label: string;
}

const OF_AGENT: SourceChoice[] = [
  { value: "transcript", label: "Transcript" },
  { value: "stdout", label: "Output" },
  { value: "stderr", label: "Error output" },
];
const OF_CHECK: SourceChoice[] = [
  { value: "check_stdout", label: "Output" },
  { value: "check_stderr", label: "Error output" },
];

/** The files one can switch between: those of the agent, or those of the same check. */
export function sourcesBeside(source: OutputSource): SourceChoice[] {
  return "position" in source ? OF_CHECK : OF_AGENT;
}

/** The file of the other kind beside a file. */
export function sourceBeside(source: OutputSource, kind: OutputSource["kind"]): OutputSource {
  if (kind === "check_stdout" || kind === "check_stderr") {
    return { kind, position: "position" in source ? source.position : 0 };
  }
  return { kind };
}

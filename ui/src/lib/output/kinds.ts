import CircleAlert from "@lucide/svelte/icons/circle-alert";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CircleX from "@lucide/svelte/icons/circle-x";
import CornerDownRight from "@lucide/svelte/icons/corner-down-right";
import Info from "@lucide/svelte/icons/info";
import Lightbulb from "@lucide/svelte/icons/lightbulb";
import ListChecks from "@lucide/svelte/icons/list-checks";
import MessageSquare from "@lucide/svelte/icons/message-square";
import TextAlignStart from "@lucide/svelte/icons/text-align-start";
import Wrench from "@lucide/svelte/icons/wrench";

import type { Entry, EntryKind, OutputSource } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

interface KindLook {
  /** One of it, and many of them. */
  one: string;
  many: string;
  icon: IconType;
  /** Whether its text is output to be read letter by letter, or words. */
  mono: boolean;
  /** How many lines are shown before a person asks for all. */
  lines: number;
}

/** How each kind is named and shown, in the order of the filters. */
export const KINDS: Record<EntryKind, KindLook> = {
  message: { one: "Message", many: "Messages", icon: MessageSquare, mono: false, lines: 16 },
  aside: { one: "Thought", many: "Thoughts", icon: Lightbulb, mono: false, lines: 3 },
  tool_call: { one: "Tool", many: "Tools", icon: Wrench, mono: true, lines: 2 },
  tool_result: { one: "Result", many: "Results", icon: CornerDownRight, mono: true, lines: 3 },
  error: { one: "Error", many: "Errors", icon: CircleAlert, mono: true, lines: 8 },
  check: { one: "Check", many: "Checks", icon: ListChecks, mono: true, lines: 3 },
  note: { one: "Note", many: "Notes", icon: Info, mono: false, lines: 2 },
  line: { one: "Line", many: "Lines", icon: TextAlignStart, mono: true, lines: 40 },
};

/** The kinds of a transcript, in the order of the filters. */
export const TRANSCRIPT_KINDS = (Object.keys(KINDS) as EntryKind[]).filter((kind) => kind !== "line");

/** The pictures of entries by their names: there is one for each kind, and two for how something came out. */
export const PICTURES = {
  ...(Object.fromEntries(Object.entries(KINDS).map(([kind, look]) => [kind, look.icon])) as Record<
    EntryKind,
    IconType
  >),
  passed: CircleCheck,
  failed: CircleX,
};

/** The name of an entry's picture: failure and success look different, not only in colour. */
export function pictureOf(entry: Entry): keyof typeof PICTURES {
  if (passed(entry)) {
    return "passed";
  }
  return entry.failed && entry.kind !== "error" ? "failed" : entry.kind;
}

/** What one entry is, in words. */
export function titleOf(entry: Entry): string {
  const failed = entry.failed && entry.kind !== "error" ? ", failed" : "";
  return `${KINDS[entry.kind].one}${entry.name === null ? "" : ` ${entry.name}`}${failed}`;
}

/** Whether a check says that it passed: one that has begun, or was skipped, says something else. */
export function passed(entry: Entry): boolean {
  return entry.kind === "check" && !entry.failed && entry.text.startsWith("passed");
}

/** The entry as one copies it: what it is, then what it says. */
export function plainText(entry: Entry): string {
  if (entry.kind === "line" || (entry.kind === "message" && entry.name === null)) {
    return entry.text;
  }
  return `[${titleOf(entry).toLowerCase()}] ${entry.text}`;
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

import type { CheckDraft, CheckResult } from "$lib/backend/types";
import { CHECK_WORDS } from "$lib/format/check";
import { listText, numberText } from "$lib/format/locale";
import { durationText } from "$lib/format/measure";
import { plural } from "$lib/format/text";

/** The texts of the view. */
export const TEXTS = {
  title: "Checks",
  table: "Checks in the order they run in",
  columns: {
    move: "Move",
    state: "State",
    name: "Check",
    command: "Command",
    on: "On",
    trend: "Last 30",
    result: "Result",
    took: "Took",
  },
  check: "The check",
  lead: "Check",
  add: "Add check",
  runAll: "Run all",
  stop: "Stop",
  run: "Run",
  edit: "Edit",
  remove: "Remove…",
  earlier: "Earlier",
  later: "Later",
  showIteration: "Show the iteration",
  optional: "optional",
  builtIn: "built in",
  noEdits: "no edits",
  off: "Off",
  running: "Running",
  queued: "Waiting",
  neverRun: "Never run",
  justNow: "just now",
  failures: "Failures",
  output: "Output",
  silent: "It passed and printed nothing.",
  about: "About",
  copyCommand: "Copy the command",
  switchOn: (name: string) => `${name} is switched on`,
  move: (name: string) => `Move ${name}. Alt with Up or Down moves it.`,
  moved: (name: string, to: number, count: number) =>
    `${name} is now number ${numberText(to)} of ${numberText(count)}.`,
  broken: "This check cannot be shown.",
  trustFirst: "Trust the folder first",
  runWorks: "A run is working and runs the checks itself",
  fixConfiguration: "Fix the configuration first",
  switchOnFirst: "Switch it on to run it",
  live: "A run is working. It runs the checks itself; results appear here.",
  empty: {
    title: "No checks yet",
    text: "A check is a command that passes or fails. Without one, nothing can tell whether work is good.",
  },
  unreadable: "The checks could not be read",
  removeTitle: (name: string) => `Remove ${name}?`,
  removeText: "It is taken out of .loopwright/config.toml. To keep it for later, switch it off instead.",
  removeYes: "Remove",
  order: (count: number, time: number) =>
    time > 0
      ? `${plural(count, "check")} after every attempt, in this order, ${durationText(time)} a round`
      : `${plural(count, "check")} after every attempt, in this order`,
  suggested: (more: boolean) => (more ? "Also detected" : "Suggested checks"),
  suggestedText: (sources: readonly string[]) =>
    `In ${listText(sources)}. Switching one on adds it to the configuration and runs it once.`,
  switchOnAll: (count: number) => `Switch on all ${numberText(count)}`,
  switchOnOne: "Switch on",
} as const;

/** How a check ended: "Failed, 3 issues". */
export function endingText({ status, issues }: CheckResult): string {
  return issues.length > 0 && status !== "passed"
    ? `${CHECK_WORDS[status]}, ${plural(issues.length, "issue")}`
    : CHECK_WORDS[status];
}

/** What a check is and how it is run, a line each. */
export function factsOf(draft: CheckDraft): string[] {
  return [
    draft.required ? "Required: its failure fails the attempt" : "Optional: its failure is only reported",
    draft.builtin === null ? `In ${draft.dir ?? "the project folder"}` : null,
    `At most ${draft.timeout ?? "10m"}`,
    draft.edits ? null : "Fails when it changes files",
    draft.builtin === null && draft.parser ? `Output read as ${draft.parser}` : null,
  ].filter((fact) => fact !== null);
}

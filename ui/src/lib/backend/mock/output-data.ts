/** A long session of an agent, made up entry by entry where it is looked at: a million of them take no room. */
import type { Entry, EntryKind, ToolAnswer } from "../types";

import { HOSTILE_TEXTS } from "./hostile";

/** Entries of one file, by their number. */
export interface Log {
  readonly total: number;
  kindAt(n: number): EntryKind;
  at(n: number): Entry;
}

/** What is told in one entry; for a tool, what it answered as well. */
export type Part = [kind: EntryKind, name: string | null, text: string, more?: { failed?: boolean; answer?: Answer }];

/** What a tool answers, and whether that was something else than an answer. */
type Answer = [text: string, instead?: "failed" | "denied"];

const DIFF = [
  "@@ -12,7 +12,9 @@ fn price(tea: &Tea) -> Option<u32> {",
  "-    tea.price",
  "+    // A tea without a price is listed, but never billed.",
  "+    tea.price.filter(|cents| *cents > 0)",
  " }",
].join("\n");

const COMPILER = [
  "error[E0308]: mismatched types",
  "  --> src/order.rs:118:24",
  "    |",
  "118 |         total += tea.price;",
  "    |                  ^^^^^^^^^ expected `u32`, found `Option<u32>`",
  "",
  "For more information about this error, try `rustc --explain E0308`.",
  "error: could not compile `teas` (bin) due to 1 previous error",
].join("\n");

const SUMMARY = [
  "## All teas have a price now",
  "",
  "Three things to know:",
  "",
  "1. **Blends** are priced by their parts, weighted by share.",
  "2. Two white teas have no market price; they are listed without one, see `docs/teas.md`.",
  "3. The parser refuses a comma in a price and says which line it was:",
  "",
  "```text",
  "teas.txt:19: a price is a whole number of cents",
  "```",
  "",
  "| Tea | Price | From |",
  "|---|---:|---|",
  "| Sencha | 420 | market |",
  "| Blend 7 | 385 | its parts |",
  "",
  "The reasoning is written down at https://example.org/teas/prices?year=2026 (section 4).",
].join("\n");

const LOG = "a81d003 Price the oolongs\n9c2f771 Split a line that held two names\n42 teas.txt";

/** The use of a tool. */
export function tool(name: string, input: string, answer: Answer): Part {
  return ["tool_call", name, input, { answer, failed: answer[1] !== undefined }];
}

/** One round of the session, which is then told over and over again. */
const ROUND: Part[] = [
  ["note", "session", "claude-sonnet-4-5, 7d1f0c3e-52aa-4c19"],
  ["message", null, "I will read the specification and the list of teas first, then price what is missing."],
  tool("Read", "SPEC.md", ["# Tea timer\n\nA tea has a name, a steeping time in seconds and a temperature."]),
  tool("Bash", "git log --oneline -3 && wc -l teas.txt", [LOG]),
  ["aside", null, "The blends depend on the others, so they come last. Start with the greens."],
  tool("Edit", "src/order.rs", [DIFF]),
  tool("Bash", "cargo test --quiet --package teas -- --nocapture price", [COMPILER, "failed"]),
  ["message", null, "The order still adds prices as if every tea had one. I will count a missing price as nothing."],
  tool("Edit", "src/order.rs", ["1 line changed"]),
  tool("Bash", "cargo test --quiet --package teas", [
    "running 24 tests\n........................\ntest result: ok. 24 passed; 0 failed",
  ]),
  tool("Bash", "mkdir -p docs/prices", [""]),
  ["error", "retry", "The model is overloaded, status 529, try 2 of 10, in 20.0s"],
  ["note", "stream_event", '{"type":"stream_event","event":{"type":"ping"}}'],
  tool("WebFetch", "https://example.org/market/teas.json", [
    "The agent may not use the network in this project.",
    "denied",
  ]),
  ["tool_result", "Task", "Compared the prices of 38 shops.\nThree of them have no white tea."],
  ["aside", null, "Then the prices of last year have to do; the file says where they are from."],
  ["message", null, SUMMARY],
  ["check", "teas are well formed", "started"],
  ["check", "teas are well formed", "passed in 0.2 s: 42 teas, all well formed"],
  ["check", "no markers left", "failed in 0.1 s: docs/teas.md:7: the last blend has no price", { failed: true }],
  ["note", "usage", "61,240 tokens so far, $0.21"],
];

const NOTHING: Part = ["note", null, ""];
const LONG = "A line that goes on: ".repeat(400);

/** An entry with its place among all. */
export function entry(n: number, [kind, name, text, { failed = false, answer } = {}]: Part): Entry {
  return { n, kind, name, text, failed, cut: false, answer: answer ? answered(answer) : null };
}

function answered([text, instead]: Answer): ToolAnswer {
  const lines = text === "" ? 0 : text.split("\n").length;
  return { text, lines, denied: instead === "denied", cut: false, clipped: false };
}

/** An entry as it is while it is the last one: a tool that was called is at work. */
function unanswered(made: Entry): Entry {
  return made.kind === "tool_call" ? { ...made, failed: false, answer: null } : made;
}

/** A log that goes on. */
export function growing(log: Log): Log {
  return { ...log, at: (n) => (n === log.total - 1 ? unanswered(log.at(n)) : log.at(n)) };
}

/** The session, as often as there are entries. Every thousandth has a text too long to be sent whole. */
export function session(total: number, hostile = false): Log {
  const parts: Part[] = hostile ? ROUND.map(hostilePart) : ROUND;
  const partAt = (n: number): Part => parts[n % parts.length] ?? NOTHING;
  return {
    total,
    kindAt: (n) => partAt(n)[0],
    at: (n) => {
      const made = entry(n, partAt(n));
      return n % 1000 === 333 ? { ...made, text: `${made.text}\n${LONG.slice(0, 3800)}`, cut: true } : made;
    },
  };
}

function hostilePart([kind, , , more]: Part, at: number): Part {
  const text = (index: number) => HOSTILE_TEXTS[index % HOSTILE_TEXTS.length] ?? "";
  const name = kind === "message" || kind === "aside" || kind === "note" ? null : text(at + 3);
  const said = `${text(at)} ${at % 3 === 0 ? "https://example.invalid/<b>?q=1" : text(at + 1)}`;
  const answer: Answer | undefined = more?.answer && [`${text(at + 2)}\n${said}`, more.answer[1]];
  return [kind, name, said, { ...more, ...(answer && { answer }) }];
}

/** What stands where the text of an entry is cut. */
export function wholeOf(made: Entry): Entry {
  return made.cut ? { ...made, text: `${made.text}\n${LONG}`, cut: false } : made;
}

/** A raw file: a line per entry. */
export function rawLines(total: number, text: (n: number) => string): Log {
  return { total, kindAt: () => "line", at: (n) => entry(n, ["line", null, text(n)]) };
}

/** Entries that are there already. */
export function listed(entries: readonly Entry[]): Log {
  const at = (n: number): Entry => entries[n] ?? entry(n, NOTHING);
  return { total: entries.length, kindAt: (n) => at(n).kind, at };
}

/** One log after the other. */
export function joined(before: Log, after: Log): Log {
  return {
    total: before.total + after.total,
    kindAt: (n) => (n < before.total ? before.kindAt(n) : after.kindAt(n - before.total)),
    at: (n) => (n < before.total ? before.at(n) : { ...after.at(n - before.total), n }),
  };
}

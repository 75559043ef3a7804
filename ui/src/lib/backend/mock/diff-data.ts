/** The changes that the mock's iterations made, one file of every sort. */
import type { DiffFile, DiffLine, DiffReport, FileDiff, Hunk } from "../types";

import { HOSTILE_TEXTS } from "./hostile";
import type { Scenario } from "./scenarios";

const FILE_MODE = "100644";

/** Lines as `git diff` writes them: their first character says what they are; `\` ends a file without a line break. */
function hunk(old_start: number, new_start: number, section: string, written: readonly string[]): Hunk {
  const lines: DiffLine[] = [];
  let [before, after] = [old_start, new_start];
  for (const entry of written) {
    const [sign, text] = [entry.charAt(0), entry.slice(1)];
    const last = lines.at(-1);
    if (sign === "\\" && last) {
      last.no_line_break = true;
    } else if (sign === "+") {
      lines.push({ kind: "added", old: null, new: after++, text, no_line_break: false });
    } else if (sign === "-") {
      lines.push({ kind: "removed", old: before++, new: null, text, no_line_break: false });
    } else {
      lines.push({ kind: "context", old: before++, new: after++, text, no_line_break: false });
    }
  }
  return { old_start, new_start, section, lines };
}

function changed(path: string, hunks: Hunk[], rest: Partial<DiffFile> = {}, cut = false): FileDiff {
  const count = (kind: DiffLine["kind"]) =>
    hunks.reduce((sum, { lines }) => sum + lines.filter((line) => line.kind === kind).length, 0);
  const file: DiffFile = {
    path,
    old_path: null,
    status: "modified",
    added: count("added"),
    removed: count("removed"),
    folded: null,
    old_mode: rest.status === "added" ? null : FILE_MODE,
    new_mode: rest.status === "deleted" ? null : FILE_MODE,
    ...rest,
  };
  return { file, hunks, cut };
}

const PARSER = changed("src/parse.rs", [
  hunk(1, 1, "", [
    " //! Reads teas, one per line.",
    " ",
    " use std::fmt;",
    "+use std::num::ParseIntError;",
    " ",
    "-/// A tea: name, seconds, celsius.",
    "+/// A tea: name, seconds, celsius, and what 100 g of it cost in cents.",
    " #[derive(Debug, Clone, PartialEq)]",
    " pub struct Tea {",
    "     pub name: String,",
    "     pub seconds: u32,",
    "     pub celsius: u8,",
    "+    pub cents: Option<u32>,",
    " }",
  ]),
  hunk(38, 41, "impl Tea", [
    "     /// Reads one line of `teas.txt`.",
    "     pub fn parse(line: &str) -> Result<Self, Malformed> {",
    "-        let fields: Vec<&str> = line.split(';').collect();",
    "-        if fields.len() != 3 {",
    '-            return Err(Malformed::new(line, "expected name;seconds;celsius"));',
    "+        let mut fields = line.split(';').map(str::trim);",
    "+        let name = fields.next().unwrap_or_default();",
    "+        if name.is_empty() {",
    '+            return Err(Malformed::new(line, "expected name;seconds;celsius;cents"));',
    "         }",
    "         Ok(Self {",
    "-            name: fields[0].to_owned(),",
    "-            seconds: fields[1].parse()?,",
    "-            celsius: fields[2].parse()?,",
    "+            name: name.to_owned(),",
    "+            seconds: number(fields.next())?,",
    "+            celsius: number(fields.next())?,",
    "+            cents: fields.next().map(str::parse).transpose()?, // no price is fine",
    "         })",
    "     }",
  ]),
]);

const TEAS = changed("teas.txt", [
  hunk(1, 1, "", [
    " # name;seconds;celsius;cents",
    "-assam;240;95",
    "-bancha;120;80",
    "+assam;240;95;420",
    "+bancha;120;80;610",
    "+ceylon;210;95;390",
    " ",
    "-chamomile;300;95",
    "+chamomile;300;95;280",
    "\\",
  ]),
]);

const NOTES = changed("docs/teas.md", [
  hunk(1, 1, "", [
    " # The teas we know",
    " ",
    "-Every tea has **three** fields.",
    "+Every tea has **four** fields; the price is in cents per 100 g (see `teas.txt`).",
    " ",
    "+## Without a price",
    "+",
    "+- Silver needle: [no market price](docs/market.md)",
    "+- 白牡丹 is sold by auction only",
    "+",
    " > Steep gently.",
  ]),
]);

const TIMER = changed(
  "src/ui/timer.ts",
  [
    hunk(0, 1, "", [
      '+import { bell } from "./bell";',
      "+",
      "+/** Counts down, once a second. */",
      "+export async function countDown(seconds: number, quiet = false): Promise<void> {",
      "+  for (let left = seconds; left > 0; left--) {",
      "+    console.log(`${left} s`);",
      "+    await new Promise((resolve) => setTimeout(resolve, 1_000));",
      "+  }",
      "+  if (!quiet) {",
      "+\tbell(); ",
      "+  }",
      "+}",
    ]),
  ],
  { status: "added" },
);

const PRICES = changed(
  "src/prices/market.py",
  [
    hunk(3, 3, "def price_of(tea):", [
      " def price_of(tea):",
      '     """The price of 100 g, in cents."""',
      "-    return PRICES[tea]",
      "+    return PRICES.get(tea)  # none: sold by auction",
      " ",
    ]),
  ],
  { status: "renamed", old_path: "src/market_prices.py" },
);

const REST: FileDiff[] = [
  changed(
    "tests/test_three_fields.py",
    [hunk(1, 0, "", ["-import pytest", "-", "-def test_three_fields():", "-    assert len(fields()) == 3"])],
    { status: "deleted" },
  ),
  changed("LICENSE.md", [], { status: "renamed", old_path: "LICENSE" }),
  changed("assets/leaf.png", [], { folded: "binary" }),
  changed("scripts/brew.sh", [hunk(1, 1, "", ["-../bin/brew", "\\", "+#!/bin/sh", '+exec tea-timer "$@"'])], {
    status: "type_changed",
    old_mode: "120000",
    new_mode: "100755",
  }),
  changed(
    "package-lock.json",
    [hunk(12, 12, "", ['     "bell": {', '-      "version": "1.0.2"', '+      "version": "1.1.0"', "     }"])],
    { folded: "lock" },
  ),
  changed("dist/app.min.js", [hunk(1, 1, "", [`-${"a=1;".repeat(300)}`, `+${"a=2;".repeat(300)}`])], {
    folded: "generated",
  }),
];

/** So many lines that nobody reads them. */
function allTeas(): FileDiff {
  const lines = Array.from({ length: 6_000 }, (_, index) => `+tea ${index};${60 + (index % 300)};${70 + (index % 30)}`);
  return changed(
    "data/all-teas.csv",
    [hunk(0, 1, "", lines)],
    { status: "added", folded: "huge", added: 48_211 },
    true,
  );
}

function manyFiles(): FileDiff[] {
  return Array.from({ length: 2_500 }, (_, index) =>
    changed(`packages/part-${index % 50}/src/module_${index}.ts`, [
      hunk(1, 1, "", [" // generated for a test", `-export const n = ${index};`, `+export const n = ${index + 1};`]),
    ]),
  );
}

function hostileFiles(): FileDiff[] {
  return HOSTILE_TEXTS.map((text, index) =>
    changed(`src/${text}`, [hunk(1, 1, text, [` ${text}`, `-${text} before`, `+${text} after`])], {
      status: index % 2 === 0 ? "modified" : "renamed",
      old_path: index % 2 === 0 ? null : `old/${text}`,
    }),
  );
}

/** Everything that differs after an iteration that changed something. */
export function changesFor(scenario: Scenario): FileDiff[] {
  if (scenario === "hostile") {
    return hostileFiles();
  }
  const common = [PARSER, TEAS, NOTES, TIMER, PRICES, ...REST, allTeas()];
  return scenario === "large" ? [...common, ...manyFiles()] : common;
}

export function reportOf(changes: readonly FileDiff[]): DiffReport {
  const files = changes.map((each) => each.file).sort((left, right) => (left.path < right.path ? -1 : 1));
  const sum = (count: (file: DiffFile) => number) => files.reduce((total, file) => total + count(file), 0);
  return {
    files: files.slice(0, 2_000),
    total: files.length,
    added: sum((file) => file.added),
    removed: sum((file) => file.removed),
  };
}

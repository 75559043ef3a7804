import type { DiffLine, FileDiff } from "$lib/backend/types";

/** Both sides one below the other, or beside each other. */
export type Layout = "unified" | "split";

/** A line of a diff and where it is. */
export interface PlacedLine {
  hunk: number;
  index: number;
  line: DiffLine;
  /** The same line on the other side, when it was changed and not just added or removed. */
  twin: DiffLine | null;
}

/** What is shown in one row of a diff. In the unified layout only one side is there, whichever it is. */
export type DiffRow =
  { kind: "hunk"; hunk: number } | { kind: "line"; left: PlacedLine | null; right: PlacedLine | null };

/** The rows of a file, and which of them begin a change. */
export interface DiffRows {
  rows: DiffRow[];
  changes: number[];
}

/** Lays the lines of a file out. */
export function rowsOf(diff: FileDiff, layout: Layout): DiffRows {
  const rows: DiffRow[] = [];
  const changes: number[] = [];
  for (const [hunk, { lines }] of diff.hunks.entries()) {
    rows.push({ kind: "hunk", hunk });
    for (const block of blocksOf(hunk, lines)) {
      if (block.removed.length + block.added.length > 0) {
        changes.push(rows.length);
      }
      rows.push(...(layout === "split" ? beside(block) : below(block)));
    }
  }
  return { rows, changes };
}

/** Lines that are the same, or that were changed together. */
interface Block {
  same: PlacedLine[];
  removed: PlacedLine[];
  added: PlacedLine[];
}

function blocksOf(hunk: number, lines: readonly DiffLine[]): Block[] {
  const blocks: Block[] = [];
  const fresh = (): Block => {
    const block: Block = { same: [], removed: [], added: [] };
    blocks.push(block);
    return block;
  };
  let block: Block | null = null;
  for (const [index, line] of lines.entries()) {
    const placed = { hunk, index, line, twin: null };
    if (line.kind === "context") {
      block = block && block.removed.length + block.added.length === 0 ? block : fresh();
      block.same.push(placed);
    } else {
      // A removed line after an added one begins another change.
      const fits: boolean =
        block !== null && block.same.length === 0 && !(line.kind === "removed" && block.added.length > 0);
      block = fits && block ? block : fresh();
      block[line.kind].push(placed);
    }
  }
  blocks.forEach(pair);
  return blocks;
}

/** The first removed line became the first added one, and so on. */
function pair({ removed, added }: Block): void {
  for (const [index, old] of removed.entries()) {
    const fresh = added[index];
    if (fresh) {
      old.twin = fresh.line;
      fresh.twin = old.line;
    }
  }
}

function below({ same, removed, added }: Block): DiffRow[] {
  return [
    ...removed.map((left): DiffRow => ({ kind: "line", left, right: null })),
    ...[...same, ...added].map((right): DiffRow => ({ kind: "line", left: null, right })),
  ];
}

function beside({ same, removed, added }: Block): DiffRow[] {
  const rows = same.map((line): DiffRow => ({ kind: "line", left: line, right: line }));
  for (let index = 0; index < Math.max(removed.length, added.length); index++) {
    rows.push({ kind: "line", left: removed[index] ?? null, right: added[index] ?? null });
  }
  return rows;
}

const TAB = 4;

/** How wide the longest line is, in characters of a fixed width. */
export function longestLine(diff: FileDiff): number {
  let longest = 0;
  for (const { lines } of diff.hunks) {
    for (const { text } of lines) {
      longest = Math.max(longest, columnsOf(text));
    }
  }
  return longest;
}

function columnsOf(text: string): number {
  const tabs = text.split("\t").length - 1;
  const wide = text.match(
    /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6]/g,
  );
  return text.length + tabs * (TAB - 1) + (wide?.length ?? 0);
}

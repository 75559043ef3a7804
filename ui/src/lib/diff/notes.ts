import type { Snippet } from "svelte";

import type { DiffRow, DiffRows, PlacedLine } from "./rows";

/** Where something is said about a change: at a line, counted from 1, or about the whole file. */
export interface LinePlace {
  path: string;
  line: number | null;
  /** Whether the line is on the older side. */
  old: boolean;
  /** The line itself. */
  text: string;
}

/** What people write beside a diff. */
export interface DiffNotes {
  /** Whether anything stands at a place. */
  has: (place: LinePlace) => boolean;
  /** Begins to write at a place; none where nothing can be added any more. */
  begin: ((place: LinePlace) => void) | null;
  /** What stands at a place. */
  below: Snippet<[LinePlace]>;
}

/** The place of a line: where it is now, or where it was when it is gone. */
export function placeOf(path: string, { line }: PlacedLine): LinePlace {
  const old = line.kind === "removed";
  return { path, line: old ? line.old : line.new, old, text: line.text };
}

/** The places of a row: one, or two where an older line stands beside a newer one. */
export function placesOf(path: string, row: DiffRow | undefined): LinePlace[] {
  if (row?.kind !== "line") {
    return [];
  }
  const left = row.left && row.left.line.kind !== "context" ? [placeOf(path, row.left)] : [];
  return [...(row.right ? [placeOf(path, row.right)] : []), ...left];
}

/** The row that shows a line. Older lines are looked for first when they are what is meant. */
export function rowAt({ rows }: DiffRows, line: number, older: boolean): number | null {
  const shows = (kinds: readonly string[]) =>
    rows.findIndex((row) => {
      const sides = row.kind === "line" ? [row.left?.line, row.right?.line] : [];
      return sides.some(
        (side) => side && kinds.includes(side.kind) && (side.kind === "removed" ? side.old : side.new) === line,
      );
    });
  const order = older ? [["removed"], ["added"], ["context"]] : [["added"], ["context"], ["removed"]];
  return order.map(shows).find((row) => row >= 0) ?? null;
}

/** The next line in a direction; headings of hunks are passed over. */
export function lineBeside({ rows }: DiffRows, from: number, by: 1 | -1): number {
  for (let row = from + by; row >= 0 && row < rows.length; row += by) {
    if (rows[row]?.kind === "line") {
      return row;
    }
  }
  return from;
}

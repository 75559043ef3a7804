import type { Snippet } from "svelte";

export interface Column<Row> {
  id: string;
  /** The head of the column; not drawn when `bare`, but still read out. */
  title: string;
  bare?: boolean;
  /** What it means, where its title is short. */
  hint?: string;
  /** In pixels. For the column that grows, the least. */
  width: number;
  /** Takes the room that the others leave. One column of a table does. */
  grow?: boolean;
  /** Figures line up at the right. */
  numeric?: boolean;
  /** Whether the rows can be sorted by it. */
  sort?: boolean;
  /** Left out when the table is narrower than this, in pixels. */
  hideBelow?: number;
  cell: Snippet<[row: Row, index: number]>;
}

export interface Sort {
  column: string;
  descending: boolean;
}

/** A line between the rows that heads those after it. The keyboard's cursor passes over it. */
export class Group<Head> {
  constructor(readonly head: Head) {}
}

/** What a table shows: an array, or anything that knows its length and has rows when they are asked for. */
export interface Rows<Row, Head = never> {
  readonly length: number;
  /** Nothing while the row is being read. */
  at(index: number): Row | Group<Head> | undefined;
}

export type Widths = Readonly<Record<string, number>>;

const LEAST = 28;
const MOST = 640;

/** The columns that a table of this width shows. A width of 0 is not measured yet. */
export function shownColumns<Row>(columns: readonly Column<Row>[], width: number): Column<Row>[] {
  return columns.filter(({ hideBelow = 0 }) => width === 0 || width >= hideBelow);
}

/** The value of `grid-template-columns`. */
export function templateOf<Row>(columns: readonly Column<Row>[], widths: Widths): string {
  return columns
    .map(({ id, width, grow }) => (grow ? `minmax(${width}px, 1fr)` : `${widths[id] ?? width}px`))
    .join(" ");
}

export function widthWithin(wanted: number): number {
  return Math.round(Math.min(MOST, Math.max(LEAST, wanted)));
}

/** Columns after the one that grows are moved at their left edge: their right edge cannot move. */
export function movesAtStart<Row>(columns: readonly Column<Row>[], index: number): boolean {
  const growing = columns.findIndex(({ grow }) => grow);
  return growing !== -1 && index > growing;
}

/** The widths that were kept under this name; whatever else is stored there counts for nothing. */
export function readWidths(text: string | null): Widths {
  try {
    const stored: unknown = JSON.parse(text ?? "{}");
    return Object.fromEntries(
      Object.entries(stored ?? {}).flatMap(([id, width]) =>
        typeof width === "number" && Number.isFinite(width) ? [[id, widthWithin(width)]] : [],
      ),
    );
  } catch {
    return {};
  }
}

/** The next row in a direction that is no group's head; `from` when there is none. */
export function stepFrom<Row, Head>(rows: Rows<Row, Head>, from: number, by: number): number {
  const last = rows.length - 1;
  const way = by < 0 ? -1 : 1;
  const to = Math.max(0, Math.min(last, from + by));
  // Where only heads are left, the nearest row lies the other way.
  for (const direction of [way, -way]) {
    for (let at = to; at >= 0 && at <= last; at += direction) {
      if (!(rows.at(at) instanceof Group)) {
        return at;
      }
    }
  }
  return from;
}

import { Heights } from "./heights";

/**
 * The tallest content a scroller gets. Browsers lose precision, and at some height the content itself, long before a
 * million rows fit; beyond this the scroll bar stands for the list on a smaller scale.
 */
export const TALLEST = 1_000_000;
/** Rows rendered beyond what is seen, on either side. */
const SPARE = 6;
/** The same above a view that is held at the end of a growing list: nobody scrolls there, and much comes and goes. */
const SPARE_AT_END = 2;
/** A scroll by more than so many views at once is a jump with the scroll bar, not a movement. */
const JUMP = 3;

/** What is held in place when rows come, go, or turn out to be taller: an edge of a row against the same edge of the view. */
export interface Anchor {
  row: number;
  edge: "top" | "bottom";
  /** How far below that edge of the view the row's edge lies, in pixels. */
  below: number;
}

/** Rows from the first up to, not including, the last. */
export interface RowRange {
  first: number;
  last: number;
}

const BEGINNING: Anchor = { row: 0, edge: "top", below: 0 };

/**
 * Where a long list stands in its view. Not the scroller is the truth about this but one row and its distance from an
 * edge of the view, so that nothing jumps, whatever happens elsewhere in the list. The scroller is only told where its
 * bar should be, and asked how far a person has moved it.
 */
export class Track {
  readonly heights: Heights;
  #view = 0;
  #anchor: Anchor = BEGINNING;
  #scroll = 0;

  constructor(estimate: number) {
    this.heights = new Heights(estimate);
  }

  get view(): number {
    return this.#view;
  }

  /** How tall the scroller's content is to be. */
  get extent(): number {
    return Math.min(this.heights.total, TALLEST);
  }

  /** What part of the list lies above the view, in pixels. */
  get top(): number {
    const { row, edge, below } = this.#anchor;
    const place = this.heights.offsetOf(row) - below;
    const top = edge === "top" ? place : place + this.heights.of(row) - this.#view;
    return Math.max(0, Math.min(top, this.#furthest));
  }

  get atEnd(): boolean {
    return this.#furthest - this.top < 2;
  }

  /** Where the scroller should stand. */
  get scroll(): number {
    return Math.round(this.top / this.#scale);
  }

  /** Where the scroller was when it was last told or asked. */
  get known(): number {
    return this.#scroll;
  }

  /** The rows to render. */
  get rows(): RowRange {
    if (this.heights.count === 0) {
      return { first: 0, last: 0 };
    }
    const top = this.top;
    return {
      first: Math.max(0, this.heights.rowAt(top) - SPARE),
      last: Math.min(this.heights.count, this.heights.rowAt(top + this.#view) + 1 + SPARE),
    };
  }

  /**
   * The rows to render at the end of the list when those that were never measured are likely to be as tall as this.
   * Taken for as low as the estimate, far more of them would be rendered than are ever seen.
   */
  lastRows(tall: number): RowRange {
    const { count } = this.heights;
    const furthest = this.rows.first;
    let [first, room] = [count, this.#view];
    while (first > furthest && room > 0) {
      first--;
      room -= this.heights.measured(first) ?? tall;
    }
    return { first: Math.max(furthest, first - SPARE_AT_END), last: count };
  }

  /** The first and the last row of which anything is seen. */
  get seen(): { first: number; last: number } {
    const top = this.top;
    return { first: this.heights.rowAt(top), last: this.heights.rowAt(top + this.#view - 1) };
  }

  /** Where a row is to be put in the scroller's content. */
  shiftOf(row: number): number {
    return this.#scroll + this.heights.offsetOf(row) - this.top;
  }

  /** Whether these rows, rendered for an earlier view, still do: all that is seen is among them, and not too much else. */
  covered({ first, last }: RowRange): boolean {
    const { count } = this.heights;
    const [seen, rows] = [this.seen, this.rows];
    const enough = first <= Math.max(0, seen.first - 1) && last >= Math.min(count, seen.last + 2);
    return enough && last <= count && last - first <= rows.last - rows.first + 2 * SPARE;
  }

  setView(height: number): void {
    this.#view = height;
  }

  setCount(count: number): void {
    if (this.#anchor.edge === "top") {
      // At the end of the list the anchor may ask for more than there is. What comes now must not fulfil it.
      this.#hold(this.top);
    }
    this.heights.resize(count);
    if (this.#anchor.row >= count) {
      this.#anchor = count === 0 ? BEGINNING : { row: count - 1, edge: "bottom", below: 0 };
    }
  }

  /**
   * Rows gave way to others. What is below them stays in place when they reach over the upper edge of the view, else what
   * is above them does.
   */
  splice(at: number, removed: number, added: number): void {
    const top = this.top;
    const first = this.heights.rowAt(top);
    const next = at + removed;
    const within = first >= at && first < next && next < this.heights.count;
    const below = this.heights.offsetOf(next) - top;
    this.#hold(top);
    const held = this.#anchor;
    this.heights.splice(at, removed, added);
    if (within && below < this.#view) {
      this.#anchor = { row: at + added, edge: "top", below };
    } else if (held.row >= next) {
      this.#anchor = { ...held, row: held.row - removed + added };
    }
  }

  /** Holds the last row at the end of the view. */
  toEnd(): void {
    this.#anchor = { row: Math.max(0, this.heights.count - 1), edge: "bottom", below: 0 };
  }

  toStart(): void {
    this.#anchor = BEGINNING;
  }

  /** Brings a row to the upper edge of the view. */
  toTop(row: number): void {
    this.#anchor = { row, edge: "top", below: 0 };
  }

  /**
   * Brings a row into the view: by the shortest way, or to its upper third when it is far. Something may lie over the
   * upper `inset` pixels of the view.
   */
  reveal(row: number, inset = 0): void {
    const above = this.heights.offsetOf(row) - this.top;
    const under = above + this.heights.of(row) - this.#view;
    if (above < -this.#view || under > this.#view) {
      this.#anchor = { row, edge: "top", below: this.#view / 3 };
    } else if (above < inset || (under > 0 && this.heights.of(row) > this.#view)) {
      this.#anchor = { row, edge: "top", below: inset };
    } else if (under > 0) {
      this.#anchor = { row, edge: "bottom", below: 0 };
    } else {
      this.#anchor = { row, edge: "top", below: above };
    }
  }

  /** The scroller was told to stand here. */
  told(scroll: number): void {
    this.#scroll = scroll;
  }

  /**
   * The scroller stands elsewhere: a person moved it. Movements are taken pixel by pixel; only what cannot be one, a
   * jump with the bar, is taken as a place in the whole.
   */
  moved(scroll: number): void {
    const by = scroll - this.#scroll;
    const top = Math.abs(by) > this.#view * JUMP ? scroll * this.#scale : this.top + by;
    this.#scroll = scroll;
    this.#hold(Math.max(0, Math.min(top, this.#furthest)));
  }

  /** Whether the scroller has come to its edge where the list has not: then its bar must be put right at once. */
  get stuck(): boolean {
    const end = this.extent - this.#view;
    return (this.#scroll <= 0 && this.top > 0) || (this.#scroll >= end - 1 && !this.atEnd);
  }

  get #furthest(): number {
    return Math.max(0, this.heights.total - this.#view);
  }

  /** How many pixels of the list one pixel of the scroller stands for. */
  get #scale(): number {
    const range = this.extent - this.#view;
    return range > 0 ? Math.max(1, this.#furthest / range) : 1;
  }

  #hold(top: number): void {
    const row = this.heights.rowAt(top);
    this.#anchor = { row, edge: "top", below: this.heights.offsetOf(row) - top };
  }
}

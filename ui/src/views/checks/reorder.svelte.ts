/**
 * Moving a row of a list with the pointer. Pointer events are used rather than the system's drag and drop: they work in
 * every webview, and nothing can be dropped outside.
 */
export class Reorder {
  /** The row that is being moved, by its index. */
  from = $state<number | null>(null);
  /** Where it would come to stand. */
  to = $state<number | null>(null);

  readonly #move: (from: number, to: number) => void;
  #list: HTMLElement | undefined;

  constructor(move: (from: number, to: number) => void) {
    this.#move = move;
  }

  /** Begins when a handle is pressed. */
  start(event: PointerEvent, index: number, list: HTMLElement | undefined): void {
    if (event.button !== 0 || list === undefined) {
      return;
    }
    event.preventDefault();
    const handle = event.currentTarget as HTMLElement;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    this.#list = list;
    this.from = index;
    this.to = index;
  }

  over(event: PointerEvent): void {
    if (this.from === null || this.#list === undefined) {
      return;
    }
    const from = this.from;
    // Its own place does not count: the others are passed when their middle is.
    const middles = [...this.#list.children].map((row) => {
      const box = row.getBoundingClientRect();
      return box.top + box.height / 2;
    });
    this.to = middles.filter((middle, index) => index !== from && middle < event.clientY).length;
  }

  end(): void {
    const { from, to } = this;
    this.cancel();
    if (from !== null && to !== null && from !== to) {
      this.#move(from, to);
    }
  }

  cancel(): void {
    this.from = null;
    this.to = null;
  }

  /** Where a row shows the line that the moved one would come to: above it, below it, or nowhere. */
  mark(index: number): "above" | "below" | null {
    if (this.from === null || this.to === null || this.to === this.from || this.to !== index) {
      return null;
    }
    return this.to < this.from ? "above" : "below";
  }
}

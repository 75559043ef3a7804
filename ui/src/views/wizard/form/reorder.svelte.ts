import type { Attachment } from "svelte/attachments";

/**
 * Moving the items of a list by their handles: with a pointer, or with Alt and the arrows. An item is the nearest element
 * with `data-item`. Pointer events rather than the browser's drag and drop, which the desktop keeps for files.
 */
export class Reorder {
  dragged = $state<string | null>(null);
  /** The item that it would come before; `null` is the end. */
  before = $state<string | null>(null);

  readonly #ids: () => string[];
  readonly #move: (id: string, before: string | null) => void;

  constructor(ids: () => string[], move: (id: string, before: string | null) => void) {
    this.#ids = ids;
    this.#move = move;
  }

  /** Makes a button the handle of an item. */
  handle(id: string): Attachment<HTMLElement> {
    return (button) => {
      const listeners: [string, (event: never) => void][] = [
        ["pointerdown", (event: PointerEvent) => this.#start(button, id, event)],
        ["pointermove", (event: PointerEvent) => this.#over(event)],
        ["pointerup", () => this.drop()],
        ["pointercancel", () => this.cancel()],
        ["keydown", (event: KeyboardEvent) => this.#key(id, event)],
      ];
      listeners.forEach(([name, listener]) => button.addEventListener(name, listener as EventListener));
      return () => listeners.forEach(([name, listener]) => button.removeEventListener(name, listener as EventListener));
    };
  }

  #start(button: HTMLElement, id: string, event: PointerEvent): void {
    if (event.button === 0) {
      event.preventDefault();
      button.focus();
      button.setPointerCapture(event.pointerId);
      this.dragged = id;
      this.before = id;
    }
  }

  /** The pointer is over an item: above its middle the dragged one would come before it, else after. */
  #over(event: PointerEvent): void {
    const ids = this.#ids();
    const over = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>("[data-item]");
    const id = over?.dataset.item;
    if (this.dragged === null || over === null || over === undefined || id === undefined || !ids.includes(id)) {
      return;
    }
    const box = over.getBoundingClientRect();
    this.before = event.clientY < box.top + box.height / 2 ? id : (ids[ids.indexOf(id) + 1] ?? null);
  }

  #key(id: string, event: KeyboardEvent): void {
    if (event.key === "Escape" && this.dragged !== null) {
      event.preventDefault();
      event.stopPropagation();
      this.cancel();
    } else if (event.altKey && (event.key === "ArrowUp" || event.key === "ArrowDown")) {
      event.preventDefault();
      event.stopPropagation();
      this.step(id, event.key === "ArrowUp" ? -1 : 1);
    }
  }

  drop(): void {
    const { dragged, before } = this;
    const ids = this.#ids();
    this.cancel();
    if (dragged !== null && dragged !== before && (ids[ids.indexOf(dragged) + 1] ?? null) !== before) {
      this.#move(dragged, before);
    }
  }

  cancel(): void {
    this.dragged = null;
    this.before = null;
  }

  /** Moves an item by one place. */
  step(id: string, by: -1 | 1): void {
    const ids = this.#ids();
    const to = ids.indexOf(id) + by;
    if (ids.includes(id) && to >= 0 && to < ids.length) {
      this.#move(id, ids[by < 0 ? to : to + 1] ?? null);
    }
  }
}

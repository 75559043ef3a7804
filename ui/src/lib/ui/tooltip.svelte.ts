import type { Attachment } from "svelte/attachments";

/** How long a pointer rests before the tooltip comes, and how long the way from the control to the tooltip may take. */
const REST = 450;
const GRACE = 120;

export const TOOLTIP_ID = "tooltip";

/**
 * The one tooltip of the window. Controls register with {@link tooltip}; {@link TooltipHost} shows it. It comes when a
 * pointer rests on a control or the keyboard reaches it, stays while the pointer is on either, and goes with Escape.
 */
class TooltipState {
  shown = $state.raw<{ anchor: HTMLElement; text: string } | null>(null);
  #timer: ReturnType<typeof setTimeout> | undefined;

  show(anchor: HTMLElement, text: string, delay: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#describe(null);
      // What went away meanwhile has no place any more.
      this.shown = anchor.isConnected ? { anchor, text } : null;
      this.#describe(this.shown && anchor);
    }, delay);
  }

  /** Keeps it, because the pointer went from the control onto the tooltip. */
  keep(): void {
    clearTimeout(this.#timer);
  }

  /** Never at once: a control that is taken out of the page loses its focus in the middle of an update. */
  hide(delay = 0): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#describe(null);
      this.shown = null;
    }, delay);
  }

  /** Hides it if it belongs to a control that goes away. */
  forget(anchor: HTMLElement): void {
    if (this.shown?.anchor === anchor) {
      this.hide();
    }
  }

  /** A text that says more than the control's own name is read out as its description. */
  #describe(anchor: HTMLElement | null): void {
    if (anchor === null) {
      this.shown?.anchor.removeAttribute("aria-describedby");
    } else if (this.shown && anchor.getAttribute("aria-label") !== this.shown.text) {
      anchor.setAttribute("aria-describedby", TOOLTIP_ID);
    }
  }
}

export const tooltips = new TooltipState();

/** Where a `title` is kept once it was taken over. */
const TAKEN = "data-title";

/**
 * Takes over the `title` of an element, so that the window's own tooltip shows it, also to those who come by keyboard,
 * and the system's does not. It stays the element's name where it has no other.
 */
export function takeTitle(target: EventTarget | null): { anchor: HTMLElement; text: string } | null {
  const anchor = target instanceof Element ? target.closest<HTMLElement>(`[title], [${TAKEN}]`) : null;
  if (anchor === null) {
    return null;
  }
  const title = anchor.getAttribute("title");
  if (title !== null) {
    anchor.setAttribute(TAKEN, title);
    anchor.removeAttribute("title");
    if (title !== "" && !anchor.textContent?.trim() && !anchor.hasAttribute("aria-label")) {
      anchor.setAttribute("aria-label", title);
    }
  }
  const text = anchor.getAttribute(TAKEN) ?? "";
  return text === "" ? null : { anchor, text };
}

/** A pointer came onto something, or the keyboard reached it: its title is shown. */
export function showTitle(event: PointerEvent | FocusEvent): void {
  const byKeyboard = event.type === "focusin";
  const found = takeTitle(event.target);
  if (found && (!byKeyboard || (event.target as Element).matches(":focus-visible"))) {
    tooltips.show(found.anchor, found.text, byKeyboard ? 0 : REST);
  }
}

/** A pointer or the keyboard left something whose title is shown. */
export function leaveTitle(event: PointerEvent | FocusEvent): void {
  const left = event.target instanceof Element ? event.target.closest(`[${TAKEN}]`) : null;
  const goesOn = event.relatedTarget instanceof Node && left?.contains(event.relatedTarget);
  if (left && !goesOn) {
    tooltips.hide(event.type === "focusout" ? 0 : GRACE);
  }
}

/** Gives a control a tooltip: `{@attach tooltip(() => label)}`. */
export function tooltip(text: () => string): Attachment<HTMLElement> {
  return (anchor) => {
    const listeners: [string, (event: Event) => void][] = [
      ["pointerenter", () => tooltips.show(anchor, text(), REST)],
      ["pointerleave", () => tooltips.hide(GRACE)],
      ["pointerdown", () => tooltips.hide()],
      ["focus", () => anchor.matches(":focus-visible") && tooltips.show(anchor, text(), 0)],
      ["blur", () => tooltips.hide()],
    ];
    for (const [name, listener] of listeners) {
      anchor.addEventListener(name, listener);
    }
    return () => {
      tooltips.forget(anchor);
      for (const [name, listener] of listeners) {
        anchor.removeEventListener(name, listener);
      }
    };
  };
}

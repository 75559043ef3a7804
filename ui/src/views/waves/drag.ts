import type { Attachment } from "svelte/attachments";

/** A press that moves less than this is a click. */
const CLICK = 4;

/**
 * Lets a person drag what is in an element, with the first or the middle button. A press that did not move stays the
 * click it is; after one that did, the click is swallowed.
 */
export function dragging(onmove: (x: number, y: number) => void): Attachment<HTMLElement> {
  return (element) => {
    let at: { x: number; y: number; pointer: number } | null = null;
    let moved = false;
    const listeners: { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void } = {
      pointerdown: (event) => {
        moved = false;
        if (event.button === 0 || event.button === 1) {
          at = { x: event.clientX, y: event.clientY, pointer: event.pointerId };
        }
      },
      pointermove: (event) => {
        if (at === null || event.pointerId !== at.pointer) {
          return;
        }
        const [x, y] = [event.clientX - at.x, event.clientY - at.y];
        if (!moved && Math.hypot(x, y) < CLICK) {
          return;
        }
        if (!moved) {
          moved = true;
          // Only now: whoever captures a press takes the click away from the button under it.
          element.setPointerCapture(event.pointerId);
        }
        at = { ...at, x: event.clientX, y: event.clientY };
        onmove(x, y);
      },
      pointerup: () => (at = null),
      pointercancel: () => (at = null),
    };
    const swallow = (event: MouseEvent): void => {
      if (moved) {
        event.stopPropagation();
        moved = false;
      }
    };
    for (const [name, listener] of Object.entries(listeners)) {
      element.addEventListener(name, listener as EventListener);
    }
    element.addEventListener("click", swallow, { capture: true });
    return () => {
      for (const [name, listener] of Object.entries(listeners)) {
        element.removeEventListener(name, listener as EventListener);
      }
      element.removeEventListener("click", swallow, { capture: true });
    };
  };
}

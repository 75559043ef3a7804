import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";

import { leaveTitle, showTitle, takeTitle, tooltips } from "./tooltip.svelte";

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  tooltips.hide();
  vi.runAllTimers();
  vi.useRealTimers();
  document.body.replaceChildren();
});

function place(html: string): HTMLElement {
  document.body.innerHTML = html;
  return document.body.firstElementChild as HTMLElement;
}

function tell(target: Element, type: string, listener: (event: never) => void): void {
  target.addEventListener(type, listener as EventListener, { once: true });
  target.dispatchEvent(new Event(type, { bubbles: true }));
}

describe("a title", () => {
  it("is shown by the window's own tooltip, and the system's has none to show", () => {
    const path = place('<code title="/home/ada/tea"><b>tea</b></code>');
    tell(path.querySelector("b") as Element, "pointerover", showTitle);
    vi.runAllTimers();
    expect(tooltips.shown).toMatchObject({ anchor: path, text: "/home/ada/tea" });
    expect(path.hasAttribute("title")).toBe(false);
    tell(path, "pointerout", leaveTitle);
    vi.runAllTimers();
    expect(tooltips.shown).toBeNull();
  });

  it("is not shown of what is gone when its time comes", () => {
    const row = place('<span title="one">x</span>');
    tell(row, "pointerover", showTitle);
    row.remove();
    vi.runAllTimers();
    expect(tooltips.shown).toBeNull();
  });

  it("follows a change, and an empty one shows nothing", () => {
    const cell = place('<span title="one">x</span>');
    expect(takeTitle(cell)?.text).toBe("one");
    cell.title = "two";
    expect(takeTitle(cell)?.text).toBe("two");
    cell.title = "";
    expect(takeTitle(cell)).toBeNull();
  });

  it("stays the name of a control without text", () => {
    const button = place('<button title="Close"></button>');
    takeTitle(button);
    expect(button.getAttribute("aria-label")).toBe("Close");
    const named = place('<button title="More about it">About</button>');
    takeTitle(named);
    expect(named.hasAttribute("aria-label")).toBe(false);
  });
});

/** A key to press, with Ctrl (⌘ on a Mac) when `mod` is set and with Alt when `alt` is. */
export interface Shortcut {
  key: string;
  mod?: boolean;
  alt?: boolean;
}

/** Whether the keyboard event is this shortcut. Shift is not looked at: on some layouts "/" and digits need it. */
export function matches(event: KeyboardEvent, shortcut: Shortcut, mac: boolean): boolean {
  const mod = mac ? event.metaKey && !event.ctrlKey : event.ctrlKey && !event.metaKey;
  const anyMod = event.ctrlKey || event.metaKey;
  if (event.altKey !== (shortcut.alt ?? false) || (shortcut.mod ? !mod : anyMod)) {
    return false;
  }
  return event.key.toLowerCase() === shortcut.key.toLowerCase() || event.code === `Digit${shortcut.key}`;
}

const KEY_NAMES: Record<string, string> = {
  ArrowLeft: "←",
  ArrowRight: "→",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  " ": "Space",
};

/** The keys' names as they are printed on this platform's keyboards. */
export function keyNames(shortcut: Shortcut, mac: boolean): string[] {
  const key = KEY_NAMES[shortcut.key] ?? (shortcut.key.length === 1 ? shortcut.key.toUpperCase() : shortcut.key);
  return [...(shortcut.mod ? [mac ? "⌘" : "Ctrl"] : []), ...(shortcut.alt ? [mac ? "⌥" : "Alt"] : []), key];
}

/** What text can be typed into. A radio button or a box to tick takes none. */
const TEXT_FIELDS = 'input:not([type="radio"], [type="checkbox"]), textarea, select';

/** Whether a plain key typed here is meant as text. Within a shadow root the part that has the focus counts. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) {
    return false;
  }
  const inner = target.shadowRoot?.activeElement;
  return inner ? isTyping(inner) : target.isContentEditable || target.matches(TEXT_FIELDS);
}

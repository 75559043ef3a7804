/** Where the keyboard works in a view: its list, its graph or its output. */
const KEYBOARD = ["grid", "application", "listbox"].map((role) => `[role="${role}"][tabindex="0"]`).join();
/** Content that takes longer than this comes as a surprise to whoever has begun to do something else. */
const PATIENCE = 15_000;

/**
 * Gives the focus to a view that was just shown: to what its keys work on, as soon as that is there, and to the view
 * itself until then. Whoever puts the focus elsewhere meanwhile keeps it. Ends early when the returned function is called.
 */
export function focusView(view: HTMLElement): () => void {
  const free = () => document.activeElement === view || document.activeElement === document.body;
  const focus = () => {
    const target = view.querySelector<HTMLElement>(KEYBOARD);
    target?.focus({ preventScroll: true });
    return target !== null;
  };
  const within = document.activeElement !== view && view.contains(document.activeElement);
  if (within || focus()) {
    return () => undefined;
  }
  view.focus({ preventScroll: true });
  const observer = new MutationObserver(() => {
    if (!free() || focus()) {
      end();
    }
  });
  const timer = setTimeout(end, PATIENCE);
  observer.observe(view, { childList: true, subtree: true });
  function end(): void {
    observer.disconnect();
    clearTimeout(timer);
  }
  return end;
}

/**
 * Watches for the page's focus to get lost because what had it is gone, and tells of it: the next key would work
 * nowhere. Nothing is lost while `held`: an open dialog sees to the focus itself.
 */
export function onFocusLost(lost: () => void, held: () => boolean): () => void {
  let last: EventTarget | null = null;
  const remember = (event: FocusEvent) => (last = event.target);
  const observer = new MutationObserver(() => {
    if (last instanceof Node && !last.isConnected && document.activeElement === document.body && !held()) {
      last = null;
      lost();
    }
  });
  document.addEventListener("focusin", remember);
  observer.observe(document.body, { childList: true, subtree: true });
  return () => {
    document.removeEventListener("focusin", remember);
    observer.disconnect();
  };
}

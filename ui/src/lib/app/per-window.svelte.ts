import type { App } from "./app.svelte";

/**
 * State that lives as long as its window, made when it is first asked for.
 *
 * It is made in a root of its own. What is derived within a component belongs to that component and never changes again
 * once the component is gone; the state of a view outlives the view.
 */
export function perWindow<T>(make: (app: App) => T): (app: App) => T {
  const kept = new WeakMap<App, { state: T }>();
  return (app) => {
    let entry = kept.get(app);
    if (entry === undefined) {
      entry = made(app, make);
      kept.set(app, entry);
    }
    return entry.state;
  };
}

function made<T>(app: App, make: (app: App) => T): { state: T } {
  let entry: { state: T } | undefined;
  $effect.root(() => {
    entry = { state: make(app) };
  });
  if (entry === undefined) {
    throw new Error("The root did not run.");
  }
  return entry;
}

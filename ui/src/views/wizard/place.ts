import type { App } from "$lib/app/app.svelte";
import type { WizardId } from "$lib/backend/types";

/** Where the window remembers which plan it shows, so that it is at the same place when it is opened again. */
function keyOf(app: App): string {
  return `loopwright.wizard.${app.context.kind === "project" ? app.context.path : "start"}`;
}

export function remember(app: App, id: WizardId | null): void {
  if (id === null) {
    localStorage.removeItem(keyOf(app));
  } else {
    localStorage.setItem(keyOf(app), id);
  }
}

/** The plan that was shown when the window was closed. */
export function remembered(app: App): WizardId | null {
  return localStorage.getItem(keyOf(app));
}

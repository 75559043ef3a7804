import type { App } from "$lib/app/app.svelte";

/** What takes files that are dropped now: what the view asks for, else the spec of a project; none in other windows. */
export function takerOf(app: App): App["takeFiles"] {
  if (app.takeFiles) {
    return app.takeFiles;
  }
  return app.inProject && !app.occupied
    ? {
        title: "Drop documents to import them",
        text: "Markdown, text, Word or PDF. What would change is shown first.",
        take: (files) => (app.overlay = { kind: "import", what: "spec", files }),
      }
    : null;
}

/** Files were dropped on the window. */
export function dropped(app: App, paths: string[]): void {
  app.filesOver = false;
  if (paths.length > 0) {
    takerOf(app)?.take(paths);
  }
}

import { SvelteSet } from "svelte/reactivity";

import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import type { SectionId, SpecHit, SpecView } from "$lib/backend/types";

import { SectionDesk } from "./desk.svelte";
import { Drafts } from "./drafts";

/** A search begins so long after the last key, in milliseconds. */
const TYPING_PAUSE = 150;

/** What the view remembers of a window while another view is shown. */
export class SpecState {
  readonly view: Resource<SpecView>;
  /** The section that is read and written. */
  readonly desk: SectionDesk;
  mode = $state<"write" | "read">("write");
  /** Sections that were folded or unfolded by hand. */
  readonly toggled = new SvelteSet<SectionId>();
  searched = $state("");
  /** What the search found; none while nothing is searched for. */
  hits = $state.raw<SpecHit[] | null>(null);

  readonly #app: App;
  #searches = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App) {
    this.#app = app;
    this.view = new Resource(() => app.backend.specView());
    const project = app.context.kind === "project" ? app.context.path : "";
    this.desk = new SectionDesk(app, new Drafts(project), () => void this.view.refresh());
  }

  /** Reads the tree and the section that is shown. */
  refresh(): void {
    void this.view.refresh();
    void this.desk.refresh();
  }

  search(text: string): void {
    this.searched = text;
    clearTimeout(this.#timer);
    const search = ++this.#searches;
    if (text.trim() === "") {
      this.hits = null;
      return;
    }
    this.#timer = setTimeout(() => {
      void this.#app.attempt(`search spec ${search}`, async () => {
        const hits = await this.#app.backend.searchSpec(text);
        this.hits = search === this.#searches ? hits : this.hits;
      });
    }, TYPING_PAUSE);
  }

  toggle(id: SectionId): void {
    if (!this.toggled.delete(id)) {
      this.toggled.add(id);
    }
  }
}

/** The spec of a window. */
export const specOf = perWindow((app) => new SpecState(app));

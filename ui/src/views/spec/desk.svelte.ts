import type { App } from "$lib/app/app.svelte";
import { faultOf } from "$lib/backend/backend";
import type { Fault, SectionDetail, SectionId, SectionQuality, SectionRevision } from "$lib/backend/types";

import type { Drafts } from "./drafts";

/** Quality is looked at, and a draft is kept, so long after the last key, in milliseconds. */
const JUDGED_AFTER = 300;
const KEPT_AFTER = 400;

/** One section on the desk: what is saved, what was written since, and how good that is. */
export class SectionDesk {
  id = $state<SectionId | null>(null);
  /** As it was last read. */
  detail = $state.raw<SectionDetail | null>(null);
  fault = $state.raw<Fault | null>(null);
  title = $state("");
  content = $state.raw("");
  quality = $state.raw<SectionQuality | null>(null);
  /** What it said before, the newest first. */
  history = $state.raw<SectionRevision[]>([]);
  saving = $state(false);
  /** When a draft of an earlier time was brought back. */
  restored = $state<string | null>(null);

  /** The version that what is written was begun from. */
  #base = $state("");
  readonly #app: App;
  readonly #drafts: Drafts;
  readonly #changed: () => void;
  #reads = 0;
  #judgements = 0;
  #keeping: ReturnType<typeof setTimeout> | undefined;
  #judging: ReturnType<typeof setTimeout> | undefined;

  constructor(app: App, drafts: Drafts, changed: () => void) {
    this.#app = app;
    this.#drafts = drafts;
    this.#changed = changed;
    addEventListener("pagehide", () => this.#keep());
  }

  readonly dirty = $derived.by(
    () =>
      this.detail !== null &&
      (this.title !== this.detail.section.title || this.content !== this.detail.section.content),
  );

  /** Somebody else changed the section since it was begun to write. */
  readonly conflict = $derived.by(() => this.dirty && this.detail !== null && this.detail.version !== this.#base);

  /** Puts another section on the desk. What was written in the one before is kept. */
  async open(id: SectionId | null): Promise<void> {
    if (id === this.id) {
      return;
    }
    this.#keep();
    this.id = id;
    this.detail = null;
    this.fault = null;
    this.quality = null;
    this.history = [];
    this.restored = null;
    await this.refresh();
  }

  /** Reads the section again. What is written stays. */
  async refresh(): Promise<void> {
    const { id } = this;
    const read = ++this.#reads;
    if (id === null) {
      return;
    }
    try {
      const [detail, history] = await Promise.all([
        this.#app.backend.specSection(id),
        this.#app.backend.sectionHistory(id),
      ]);
      if (read === this.#reads) {
        this.#show(detail);
        this.history = history;
      }
    } catch (thrown) {
      if (read === this.#reads) {
        this.fault = faultOf(thrown);
      }
    }
  }

  edit(text: { title?: string; content?: string }): void {
    this.title = text.title ?? this.title;
    this.content = text.content ?? this.content;
    clearTimeout(this.#keeping);
    this.#keeping = setTimeout(() => this.#keep(), KEPT_AFTER);
    if (text.content !== undefined) {
      clearTimeout(this.#judging);
      this.#judging = setTimeout(() => void this.#judge(), JUDGED_AFTER);
    }
  }

  /** Saves what is written. When somebody changed the section meanwhile nothing is saved, and both versions stay. */
  async save(over = false): Promise<boolean> {
    const { id, detail } = this;
    if (id === null || detail === null || this.saving || !this.dirty) {
      return false;
    }
    this.saving = true;
    const written = { title: this.title, content: this.content };
    try {
      const saved = await this.#app.backend.saveSection(id, over ? detail.version : this.#base, written);
      if (this.id === id) {
        const untouched = this.title === written.title && this.content === written.content;
        this.#base = saved.version;
        if (untouched) {
          this.#drafts.remove(id);
          this.#take(saved);
        } else {
          this.detail = saved;
        }
      }
      this.#changed();
      void this.refresh();
      return true;
    } catch (thrown) {
      const fault = faultOf(thrown);
      if (fault.code === "section.changed") {
        await this.refresh();
      } else {
        this.#app.notify.fault(fault);
      }
      return false;
    } finally {
      this.saving = false;
    }
  }

  /** Throws away what was written since the section was saved. */
  discard(): void {
    if (this.id !== null && this.detail !== null) {
      this.#drafts.remove(this.id);
      this.#take(this.detail);
    }
  }

  #show(detail: SectionDetail): void {
    const first = this.detail === null;
    const draft = first ? this.#drafts.get(detail.section.id) : null;
    const clean = !this.dirty;
    this.fault = null;
    if (first && draft && (draft.title !== detail.section.title || draft.content !== detail.section.content)) {
      this.detail = detail;
      this.title = draft.title;
      this.content = draft.content;
      this.#base = draft.base;
      this.restored = draft.at;
      void this.#judge();
    } else if (first || clean) {
      this.#take(detail);
    } else {
      this.detail = detail;
    }
  }

  /** Shows a section as it is saved. */
  #take(detail: SectionDetail): void {
    clearTimeout(this.#keeping);
    this.detail = detail;
    this.title = detail.section.title;
    this.content = detail.section.content;
    this.quality = detail.quality;
    this.#base = detail.version;
    this.restored = null;
    this.#judgements++;
  }

  #keep(): void {
    clearTimeout(this.#keeping);
    if (this.id === null || this.detail === null) {
      return;
    }
    if (!this.dirty) {
      this.#drafts.remove(this.id);
      return;
    }
    this.#drafts.put(this.id, { title: this.title, content: this.content, base: this.#base });
  }

  async #judge(): Promise<void> {
    const { id } = this;
    const judgement = ++this.#judgements;
    if (id === null) {
      return;
    }
    try {
      const quality = await this.#app.backend.judgeSection(id, this.content);
      if (judgement === this.#judgements && this.id === id) {
        this.quality = quality;
      }
    } catch {
      // The findings stay those of before; saving tells what is wrong.
    }
  }
}

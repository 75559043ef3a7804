import { SvelteMap } from "svelte/reactivity";

import { perWindow } from "$lib/app/per-window.svelte";
import type { Setting, SettingScope } from "$lib/backend/types";

/** What was entered for a setting and is not saved. */
export interface SettingDraft {
  /** The new value; `null` while the stored one is shown, also when that changes elsewhere. */
  value: string | null;
  /** An item that is typed and not yet in the list. */
  item: string;
  /** The file it is to be saved in, when the person chose one. */
  scope: SettingScope | null;
}

const NO_DRAFT: SettingDraft = { value: null, item: "", scope: null };

/** The drafts of a window's settings, by key. They stay until they are saved or discarded, whatever view is shown. */
export class SettingDrafts {
  readonly #drafts = new SvelteMap<string, SettingDraft>();

  of(key: string): SettingDraft {
    return this.#drafts.get(key) ?? NO_DRAFT;
  }

  /** The settings that have a draft. */
  keys(): string[] {
    return [...this.#drafts.keys()];
  }

  change(key: string, to: Partial<SettingDraft>): void {
    this.#drafts.set(key, { ...this.of(key), ...to });
  }

  discard(key: string): void {
    this.#drafts.delete(key);
  }

  /** Whether saving would change the value. */
  isChanged({ key, value }: Pick<Setting, "key" | "value">): boolean {
    const draft = this.of(key).value;
    return draft !== null && draft !== value;
  }

  /** Whether something was entered that would be lost without the draft. */
  isUnsaved(setting: Pick<Setting, "key" | "value">): boolean {
    return this.isChanged(setting) || this.of(setting.key).item.trim() !== "";
  }
}

export const draftsOf = perWindow(() => new SettingDrafts());

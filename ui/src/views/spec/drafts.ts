import type { SectionId, SectionText } from "$lib/backend/types";

/** What somebody wrote in a section and did not save. */
export interface SectionDraft extends SectionText {
  /** The version of the section that it was begun from. */
  base: string;
  /** When it was last written in, RFC 3339. */
  at: string;
}

/**
 * Drafts of a project's sections. They are kept on this computer until they are saved or discarded, so that neither
 * closing the window nor a crash loses what was written.
 */
export class Drafts {
  readonly #prefix: string;
  /** Also in memory: storage may be full or forbidden. */
  readonly #kept = new Map<SectionId, SectionDraft>();

  constructor(project: string) {
    this.#prefix = `loopwright.spec-draft.${project}.`;
  }

  get(id: SectionId): SectionDraft | null {
    const kept = this.#kept.get(id);
    if (kept) {
      return kept;
    }
    try {
      const draft: unknown = JSON.parse(localStorage.getItem(this.#prefix + String(id)) ?? "null");
      return isDraft(draft) ? draft : null;
    } catch {
      return null;
    }
  }

  /** Keeps a draft; false when it is only in memory, because this computer does not store it. */
  put(id: SectionId, written: Omit<SectionDraft, "at">): boolean {
    const draft = { ...written, at: new Date().toISOString() };
    this.#kept.set(id, draft);
    try {
      localStorage.setItem(this.#prefix + String(id), JSON.stringify(draft));
      return true;
    } catch {
      return false;
    }
  }

  remove(id: SectionId): void {
    this.#kept.delete(id);
    localStorage.removeItem(this.#prefix + String(id));
  }
}

function isDraft(value: unknown): value is SectionDraft {
  const fields = ["title", "content", "base", "at"];
  return (
    typeof value === "object" &&
    value !== null &&
    fields.every((field) => typeof Reflect.get(value, field) === "string")
  );
}

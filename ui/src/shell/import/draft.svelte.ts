import { type Backend, faultOf } from "$lib/backend/backend";
import type { Fault } from "$lib/backend/types";

/** A line of what an import changes. */
export interface PreviewLine {
  key: string;
  kind: "added" | "updated" | "removed";
  /** Its number; none for what is new. */
  number: string | null;
  title: string;
}

/** What an import changes, for tasks and for the spec alike. */
export interface Preview {
  added: number;
  updated: number;
  unchanged: number;
  lines: PreviewLine[];
  /** What was left out, and what stays as it is, in sentences. */
  notes: string[];
}

/** What somebody is about to import, and what that would change. */
export class ImportDraft {
  /** One path; several documents of the spec with commas between them. */
  path = $state("");
  tag = $state("");
  replace = $state(false);
  preview = $state.raw<Preview | null>(null);
  fault = $state.raw<Fault | null>(null);
  looking = $state(false);
  working = $state(false);

  readonly #backend: Backend;
  readonly #what: "tasks" | "spec";
  /** The newest look: answers of earlier ones are late. */
  #looks = 0;

  constructor(backend: Backend, what: "tasks" | "spec") {
    this.#backend = backend;
    this.#what = what;
  }

  get changes(): number {
    return this.preview?.lines.length ?? 0;
  }

  get #files(): string[] {
    const paths = this.#what === "tasks" ? [this.path] : this.path.split(", ");
    return paths.map((path) => path.trim()).filter(Boolean);
  }

  /** Says what would change. Nothing is written. */
  async look(): Promise<void> {
    const look = ++this.#looks;
    this.fault = null;
    this.preview = null;
    this.looking = this.#files.length > 0;
    if (!this.looking) {
      return;
    }
    try {
      const preview = await this.#ask(true);
      this.preview = look === this.#looks ? preview : this.preview;
    } catch (thrown) {
      this.fault = look === this.#looks ? faultOf(thrown) : this.fault;
    } finally {
      this.looking = look === this.#looks ? false : this.looking;
    }
  }

  /** Imports what was looked at; none when it was refused. */
  async carryOut(): Promise<Preview | null> {
    if (this.preview === null || this.working) {
      return null;
    }
    this.working = true;
    try {
      return await this.#ask(false);
    } catch (thrown) {
      this.fault = faultOf(thrown);
      return null;
    } finally {
      this.working = false;
    }
  }

  async #ask(dry_run: boolean): Promise<Preview> {
    const [file = ""] = this.#files;
    return this.#what === "tasks" ? this.#tasks(file, dry_run) : this.#spec(dry_run);
  }

  async #tasks(file: string, dry_run: boolean): Promise<Preview> {
    const report = await this.#backend.importTasks({ file, tag: this.tag.trim() || null, dry_run });
    const missing = report.missing.map((id) => `#${id} is no longer in the file. It stays.`);
    return {
      ...report,
      lines: report.changes.map(({ task, title }, index) => ({
        key: `${index}`,
        kind: task === null ? "added" : "updated",
        number: task === null ? null : `#${task}`,
        title,
      })),
      notes: [...report.notes, ...missing],
    };
  }

  async #spec(dry_run: boolean): Promise<Preview> {
    const { replace } = this;
    const report = await this.#backend.importSpec({ files: this.#files, replace, dry_run });
    return {
      ...report,
      lines: [
        ...report.changes.map(({ section, number, title }, index) => ({
          key: `${index}`,
          kind: section === null ? ("added" as const) : ("updated" as const),
          number,
          title,
        })),
        ...report.removed.map(({ id, number, title }) => ({ key: `§${id}`, kind: "removed" as const, number, title })),
      ],
      notes: report.kept.map((id) => `You edited §${id}. It stays as you wrote it.`),
    };
  }
}

import type { StreamParser } from "@codemirror/streamparser";

import { faultOf } from "$lib/backend/backend";
import type { DiffFile, Fault, FileDiff, Folded } from "$lib/backend/types";

import { type DiffRow, type DiffRows, type Layout, longestLine, rowsOf } from "./rows";
import type { DiffSource } from "./source";
import { modeOf } from "./syntax/languages";
import { HunkColours } from "./syntax/tokens";

/** How many unchanged lines stand around a change, one click after the other; the last is every line of a file. */
const CONTEXTS = [3, 25, 1_000_000] as const;

/** One file of a diff: its lines as far as they were read, and how it is shown. */
export class FileChanges {
  readonly file: DiffFile;
  diff = $state.raw<FileDiff | null>(null);
  fault = $state.raw<Fault | null>(null);
  loading = $state(false);
  /** Whether only its name is shown. */
  collapsed = $state(false);
  /** Whether a person asked for the lines of a file that is not shown unasked. */
  asked = $state(false);
  mode = $state.raw<StreamParser<unknown> | null>(null);
  #context = $state(0);

  readonly #layout: () => Layout;
  readonly laid: DiffRows | null = $derived.by(() => this.diff && rowsOf(this.diff, this.#layout()));
  readonly colours = $derived(this.mode && this.diff && new HunkColours(this.mode, this.diff.hunks));
  readonly longest = $derived(this.diff ? longestLine(this.diff) : 0);

  constructor(file: DiffFile, layout: () => Layout) {
    this.file = file;
    this.#layout = layout;
  }

  /** Why its lines are not shown unasked. */
  get folded(): Folded | null {
    return this.asked ? null : this.file.folded;
  }

  /** Whether its lines are wanted and not there. */
  get missing(): boolean {
    return !this.collapsed && this.folded === null && this.diff === null && !this.loading && this.fault === null;
  }

  /** The rows below its head: one that says how it stands while there are no lines. */
  get below(): number {
    if (this.collapsed) {
      return 0;
    }
    const lines = this.folded === null ? (this.laid?.rows.length ?? 0) : 0;
    return lines === 0 ? 1 : lines + (this.diff?.cut ? 1 : 0);
  }

  get context(): number {
    return CONTEXTS[this.#context] ?? CONTEXTS[0];
  }

  /** Whether there can be unchanged lines that are not shown. */
  get canExpand(): boolean {
    const whole = this.file.status === "added" || this.file.status === "deleted";
    return !whole && this.diff?.cut === false && this.#context < CONTEXTS.length - 1;
  }

  widen(): void {
    this.#context = Math.min(this.#context + 1, CONTEXTS.length - 1);
  }
}

/** What one row of a diff over several files shows. */
export type StreamRow =
  | { kind: "head"; of: FileChanges }
  | { kind: "state"; of: FileChanges }
  | { kind: "cut"; of: FileChanges }
  | { kind: "row"; of: FileChanges; row: number; entry: DiffRow };

/** A row of the lines of a file. */
export interface LineAt {
  of: FileChanges;
  row: number;
}

/** Told that rows gave way to others, before they do. */
export type Spliced = (at: number, removed: number, added: number) => void;

/** All changed files one below the other. Their lines are read when they come into sight. */
export class DiffStream {
  readonly files: readonly FileChanges[];
  readonly #source: DiffSource;
  onspliced: Spliced = () => undefined;

  /** Before which row each file begins, and after which the last one ends. */
  readonly #starts: number[] = $derived.by(() => {
    const starts = [0];
    for (const { below } of this.files) {
      starts.push((starts.at(-1) ?? 0) + 1 + below);
    }
    return starts;
  });
  readonly longest = $derived.by(() => this.files.reduce((most, file) => Math.max(most, file.longest), 0));

  constructor(source: DiffSource, files: readonly DiffFile[], layout: () => Layout) {
    this.#source = source;
    this.files = files.map((file) => new FileChanges(file, layout));
  }

  get count(): number {
    return this.#starts.at(-1) ?? 0;
  }

  find(path: string): FileChanges | null {
    return this.files.find(({ file }) => file.path === path) ?? null;
  }

  startOf(file: FileChanges): number {
    return this.#starts[this.files.indexOf(file)] ?? 0;
  }

  indexOf({ of, row }: LineAt): number {
    return this.startOf(of) + 1 + row;
  }

  at(index: number): StreamRow | null {
    const of = this.fileAt(index);
    if (of === null) {
      return null;
    }
    const row = index - this.startOf(of) - 1;
    if (row < 0) {
      return { kind: "head", of };
    }
    const rows = of.folded === null ? (of.laid?.rows ?? []) : [];
    const entry = rows[row];
    if (entry) {
      return { kind: "row", of, row, entry };
    }
    return { kind: rows.length > 0 ? "cut" : "state", of };
  }

  fileAt(index: number): FileChanges | null {
    const starts = this.#starts;
    let [low, high] = [0, this.files.length - 1];
    while (low < high) {
      const middle = Math.ceil((low + high) / 2);
      if ((starts[middle] ?? 0) <= index) {
        low = middle;
      } else {
        high = middle - 1;
      }
    }
    return this.files[low] ?? null;
  }

  /** Reads what is missing of the files in these rows. */
  need(first: number, last: number): void {
    const to = this.fileAt(last - 1);
    for (let at = this.files.indexOf(this.fileAt(first) as FileChanges); at >= 0 && at < this.files.length; at++) {
      const file = this.files[at] as FileChanges;
      if (file.missing) {
        void this.read(file);
      }
      if (file === to) {
        return;
      }
    }
  }

  /** Reads the lines of a file, also again. */
  async read(file: FileChanges): Promise<void> {
    if (file.loading) {
      return;
    }
    file.loading = true;
    file.fault = null;
    void modeOf(file.file.path).then((mode) => (file.mode = mode));
    try {
      const diff = await this.#source.file(file.file.path, file.context);
      this.change(file, () => (file.diff = diff));
    } catch (thrown) {
      file.fault = faultOf(thrown);
    } finally {
      file.loading = false;
    }
  }

  async expand(file: FileChanges): Promise<void> {
    file.widen();
    await this.read(file);
  }

  collapse(file: FileChanges, collapsed: boolean): void {
    this.change(file, () => (file.collapsed = collapsed));
    if (file.missing) {
      void this.read(file);
    }
  }

  /** Shows the lines of a file, whatever hides them. */
  async show(file: FileChanges): Promise<void> {
    this.change(file, () => {
      file.collapsed = false;
      file.asked = true;
    });
    if (file.missing) {
      await this.read(file);
    }
  }

  /** The next or the previous file with lines to show. */
  beside(file: FileChanges, by: 1 | -1): FileChanges | null {
    for (let at = this.files.indexOf(file) + by; ; at += by) {
      const next = this.files[at];
      if (!next || (!next.collapsed && next.folded === null)) {
        return next ?? null;
      }
    }
  }

  /** Changes how many rows a file has without moving what a person looks at. */
  change(file: FileChanges, work: () => void): void {
    const [start, before] = [this.startOf(file), file.below];
    work();
    if (file.below !== before) {
      this.onspliced(start + 1, before, file.below);
    }
  }
}

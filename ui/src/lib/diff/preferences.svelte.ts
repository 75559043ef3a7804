import type { Layout } from "./rows";

const STORAGE_KEY = "loopwright.diff";

interface Stored {
  layout?: unknown;
  blanks?: unknown;
  wrap?: unknown;
  tree?: unknown;
}

/** How a person likes to read diffs. It is remembered on this computer. */
export class DiffPreferences {
  #layout = $state<Layout>("unified");
  #blanks = $state(false);
  #wrap = $state(false);
  #tree = $state(true);

  constructor() {
    const stored = read();
    this.#layout = stored.layout === "split" ? "split" : "unified";
    this.#blanks = stored.blanks === true;
    this.#wrap = stored.wrap === true;
    this.#tree = stored.tree !== false;
  }

  get layout(): Layout {
    return this.#layout;
  }

  set layout(layout: Layout) {
    this.#layout = layout;
    this.#store();
  }

  /** Whether spaces and tabs are made visible. */
  get blanks(): boolean {
    return this.#blanks;
  }

  set blanks(blanks: boolean) {
    this.#blanks = blanks;
    this.#store();
  }

  /** Whether long lines are broken instead of moved sideways. */
  get wrap(): boolean {
    return this.#wrap;
  }

  set wrap(wrap: boolean) {
    this.#wrap = wrap;
    this.#store();
  }

  /** Whether the tree of files is shown. */
  get tree(): boolean {
    return this.#tree;
  }

  set tree(tree: boolean) {
    this.#tree = tree;
    this.#store();
  }

  #store(): void {
    localStorage.setItem(
      STORAGE_KEY,
      JSON.stringify({
        layout: this.#layout,
        blanks: this.#blanks,
        wrap: this.#wrap,
        tree: this.#tree,
      } satisfies Stored),
    );
  }
}

function read(): Stored {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? "{}");
    return typeof stored === "object" && stored !== null ? stored : {};
  } catch {
    return {};
  }
}

import { Resource } from "$lib/app/resource.svelte";
import type { RunBackend } from "$lib/backend/runs";
import type { RunId, RunSummary } from "$lib/backend/types";

/** How many runs are asked for at once. */
const PAGE = 20;

/** The runs of a project, the newest first; older ones are fetched when asked for. */
export class RunHistory {
  readonly newest: Resource<RunSummary[]>;
  /** Whether there are still older ones. */
  more = $state(false);
  loadingMore = $state(false);

  readonly #backend: Pick<RunBackend, "runs">;
  #older = $state.raw<RunSummary[]>([]);

  constructor(backend: Pick<RunBackend, "runs">) {
    this.#backend = backend;
    this.newest = new Resource(async () => {
      const runs = await backend.runs(null, PAGE);
      if (this.#older.length === 0) {
        this.more = runs.length === PAGE;
      }
      return runs;
    });
  }

  get runs(): RunSummary[] {
    const newest = this.newest.data ?? [];
    return [...newest, ...this.#older.filter((run) => newest.every((each) => each.id !== run.id))];
  }

  find(id: RunId | null): RunSummary | null {
    return (id === null ? this.runs[0] : this.runs.find((run) => run.id === id)) ?? null;
  }

  /** Fetches the next ones. Throws what the backend throws. */
  async loadMore(): Promise<void> {
    const last = this.runs.at(-1);
    if (!last || this.loadingMore) {
      return;
    }
    this.loadingMore = true;
    try {
      const older = await this.#backend.runs(last.id, PAGE);
      this.#older = [...this.#older, ...older];
      this.more = older.length === PAGE;
    } finally {
      this.loadingMore = false;
    }
  }
}

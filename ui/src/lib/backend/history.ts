import type {
  Comparison,
  DiffReport,
  FileDiff,
  IterationDetail,
  IterationId,
  IterationPage,
  IterationSort,
  RestorePreview,
  RunId,
  TreeOf,
  TreeRestored,
} from "./types";

/** Iterations, their changes, and going back to one. */
export interface HistoryBackend {
  /** At most 500 rows; of the newest run without an id. */
  iterations(run: RunId | null, sort: IterationSort, offset: number, limit: number): Promise<IterationPage>;
  iteration(id: IterationId): Promise<IterationDetail>;
  diffFiles(comparison: Comparison): Promise<DiffReport>;
  diffFile(comparison: Comparison, path: string, context: number | null): Promise<FileDiff>;
  previewRestore(tree: TreeOf): Promise<RestorePreview>;
  /** Refused when the tree is no longer the one that was shown. */
  restoreTree(tree: TreeOf, now: string): Promise<TreeRestored>;
  /** Takes a restore back: with the `safety` and the `now` it answered. */
  undoRestore(safety: string, now: string): Promise<TreeRestored>;
  /** Opens a file of the project in the person's editor. */
  openFile(path: string, line: number | null): Promise<void>;
  /** Asks in a native dialog, then opens the browser. Only http and https. */
  openLink(url: string): Promise<void>;
}

import type { HistoryBackend } from "../history";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** Iterations in memory. */
export function createHistoryMock({ guarded }: MockParts): HistoryBackend {
  const missing = (): never => {
    throw refusal("run.not_found", "There is no such iteration.");
  };
  return {
    iterations: (run, sort, offset, limit) =>
      guarded("iterations", { run, sort, offset, limit }, () => ({ total: 0, rows: [] })),
    iteration: (id) => guarded("iteration", id, missing),
    diffFiles: (comparison) => guarded("diffFiles", comparison, missing),
    diffFile: (comparison, path) => guarded("diffFile", { comparison, path }, missing),
    previewRestore: (tree) => guarded("previewRestore", tree, missing),
    restoreTree: (tree, now) => guarded("restoreTree", { tree, now }, missing),
    undoRestore: (safety, now) => guarded("undoRestore", { safety, now }, missing),
    openFile: (path, line) => guarded("openFile", { path, line }, () => undefined),
    openLink: (url) => guarded("openLink", url, () => undefined),
  };
}

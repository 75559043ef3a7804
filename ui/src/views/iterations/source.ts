import type { HistoryBackend } from "$lib/backend/history";
import type { Comparison } from "$lib/backend/types";
import type { DiffSource } from "$lib/diff/source";

/** The difference between two trees that iterations have left. */
export function sourceOf(backend: Pick<HistoryBackend, "diffFiles" | "diffFile">, comparison: Comparison): DiffSource {
  return {
    files: () => backend.diffFiles(comparison),
    file: (path) => backend.diffFile(comparison, path),
  };
}

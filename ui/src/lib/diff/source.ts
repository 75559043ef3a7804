import type { HistoryBackend } from "$lib/backend/history";
import type { Comparison, DiffReport, FileDiff } from "$lib/backend/types";

/** Where a diff comes from: its files at once, their lines one file at a time. */
export interface DiffSource {
  files(): Promise<DiffReport>;
  /** The lines of one file, with so many unchanged ones around each change. */
  file(path: string, context: number): Promise<FileDiff>;
}

/** The difference between two trees that iterations have left. */
export function sourceOf(backend: Pick<HistoryBackend, "diffFiles" | "diffFile">, comparison: Comparison): DiffSource {
  return {
    files: () => backend.diffFiles(comparison),
    file: (path, context) => backend.diffFile(comparison, path, context),
  };
}

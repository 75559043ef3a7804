import type { HistoryBackend } from "$lib/backend/history";
import type { Comparison, DiffReport, FileDiff } from "$lib/backend/types";

/** Where a diff comes from: its files at once, their lines one file at a time. */
export interface DiffSource {
  files(): Promise<DiffReport>;
  file(path: string): Promise<FileDiff>;
}

/** Where to go in a file: to its first or last change, or to a line, which may be one of the older side. */
export type Entrance = "first" | "last" | { line: number; older: boolean };

/** The difference between two trees that iterations have left. */
export function sourceOf(backend: Pick<HistoryBackend, "diffFiles" | "diffFile">, comparison: Comparison): DiffSource {
  return {
    files: () => backend.diffFiles(comparison),
    file: (path) => backend.diffFile(comparison, path),
  };
}

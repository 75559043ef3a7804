import type { DiffReport, FileDiff } from "$lib/backend/types";

/** Where a diff comes from: its files at once, their lines one file at a time. */
export interface DiffSource {
  files(): Promise<DiffReport>;
  file(path: string): Promise<FileDiff>;
}

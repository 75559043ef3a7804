import type { FilePurpose, ImportReport, ImportSpec, ImportTasks, SpecImport } from "./types";

/** Importing tasks and documents of the spec. With `dry_run` nothing is written: the answer is what would change. */
export interface ImportBackend {
  /** Shows the native file dialog; empty when the person closed it. */
  chooseFiles(purpose: FilePurpose): Promise<string[]>;
  importTasks(request: ImportTasks): Promise<ImportReport>;
  importSpec(request: ImportSpec): Promise<SpecImport>;
}

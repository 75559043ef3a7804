import type { CheckDraft, CheckResult, ChecksReport, CheckUpdate } from "./types";

/** The checks of this window's project. */
export interface ChecksBackend {
  checks(): Promise<ChecksReport>;
  /** Runs checks now: the ones named, or all that are on. */
  runChecks(names: string[], update: (update: CheckUpdate) => void): Promise<CheckResult[]>;
  stopChecks(): Promise<void>;
  /** Adds a check, or changes the one named `old`. A command line is asked about in a native dialog. */
  saveCheck(old: string | null, draft: CheckDraft): Promise<ChecksReport>;
  addSuggestedChecks(names: string[]): Promise<ChecksReport>;
  removeCheck(name: string): Promise<ChecksReport>;
  enableCheck(name: string, enabled: boolean): Promise<ChecksReport>;
  /** `to` is the new place in the order, counted from 0. */
  moveCheck(name: string, to: number): Promise<ChecksReport>;
}

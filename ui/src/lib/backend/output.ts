import type { Entry, OutputFilter, OutputInfo, OutputMatches, OutputPage, OutputTarget } from "./types";

/** What agents and checks printed, paged from disk. */
export interface OutputBackend {
  outputInfo(target: OutputTarget): Promise<OutputInfo>;
  /** At most 500 entries. `first` counts only what the filter lets through. */
  outputPage(target: OutputTarget, filter: OutputFilter, first: number, count: number): Promise<OutputPage>;
  /** One entry with all of its text. `n` is its place among all entries. */
  outputEntry(target: OutputTarget, n: number): Promise<Entry>;
  /** Where a text is found, whatever its case; places count only what the filter lets through. */
  searchOutput(target: OutputTarget, filter: OutputFilter, text: string): Promise<OutputMatches>;
  /** The next error after a place, or the one before it; without a place the first, or the last. */
  findError(
    target: OutputTarget,
    filter: OutputFilter,
    from: number | null,
    backwards: boolean,
  ): Promise<number | null>;
}

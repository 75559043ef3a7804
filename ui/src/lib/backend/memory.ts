import type {
  Failure,
  HealthReport,
  Learning,
  LearningDraft,
  Metrics,
  MetricsFormat,
  PatternMetrics,
  SolutionDetail,
  SolutionDraft,
} from "./types";

/** What failed, what fixed it, what was learned, and what it all costs. */
export interface MemoryBackend {
  /** Patterns that were met within so many days, or ever; the most frequent first. */
  failurePatterns(days: number | null): Promise<PatternMetrics[]>;
  /** The newest first. */
  failures(pattern: string | null, limit: number): Promise<Failure[]>;

  /** All that are kept, retired ones too, the most trusted first. Their histories are in {@link solution}. */
  solutions(): Promise<SolutionDetail[]>;
  solution(id: number): Promise<SolutionDetail>;
  /** Adds one without an id. */
  saveSolution(id: number | null, draft: SolutionDraft): Promise<SolutionDetail>;
  /** Takes one out of use, or back into it. */
  retireSolution(id: number, retired: boolean): Promise<SolutionDetail>;
  /** Says that it still holds: it is no longer idle. */
  refreshSolution(id: number): Promise<SolutionDetail>;
  /** Asks for a file in a native dialog; `null` when the person closed it, else where it was written. */
  exportSolutions(): Promise<string | null>;
  /** Asks for a file in a native dialog; `null` when the person closed it, else how many came in, all on trial. */
  importSolutions(): Promise<number | null>;

  /** Those with these words, or all; the best first. */
  learnings(search: string): Promise<Learning[]>;
  saveLearning(id: number | null, draft: LearningDraft): Promise<Learning>;
  removeLearning(id: number): Promise<void>;

  /** Over so many days, or ever. */
  metrics(days: number | null): Promise<Metrics>;
  health(): Promise<HealthReport>;
  /** Asks for a file in a native dialog; `null` when the person closed it, else where it was written. */
  exportMetrics(days: number | null, format: MetricsFormat): Promise<string | null>;
}

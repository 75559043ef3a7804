/** The words for what is remembered, the same in Memory, Metrics, the Prompt X-ray and an iteration's page. */
import type {
  FailureCategory,
  LearningCategory,
  LearningScope,
  MemoryOrigin,
  PatternStatus,
  SolutionState,
} from "$lib/backend/types";

export const CATEGORY_WORDS: Record<FailureCategory, string> = {
  import: "Import",
  syntax: "Syntax",
  runtime: "Runtime",
  test: "Test",
  build: "Build",
  environment: "Environment",
  unknown: "Unsorted",
};

export const LEARNING_WORDS: Record<LearningCategory, string> = {
  build: "Build",
  test: "Test",
  setup: "Setup",
  gotcha: "Gotcha",
  pattern: "Pattern",
  tool: "Tool",
  other: "Other",
};

export const SCOPE_WORDS: Record<LearningScope, string> = {
  project: "This project",
  stack: "This stack",
  everywhere: "Everywhere",
};

export const STATE_WORDS: Record<SolutionState, string> = {
  trial: "On trial",
  trusted: "Trusted",
  sinking: "Sinking",
  retired: "Retired",
};

export const STATUS_WORDS: Record<PatternStatus, string> = {
  suggested: "suggested pattern",
  confirmed: "confirmed pattern",
  trusted: "trusted pattern",
  built_in: "built-in pattern",
};

export const ORIGIN_WORDS: Record<MemoryOrigin, string> = {
  loop: "Made by the loop",
  agent: "Recorded by an agent",
  distilled: "Distilled by an agent",
  person: "Written by a person",
  learning: "Made from a learning",
  import: "Imported",
};

/** The name of a pattern for people: `time_zone_mismatch` becomes "Time zone mismatch". */
export function patternTitle(name: string): string {
  const words = name.replace(/[_-]+/g, " ").trim();
  return words === "" ? name : words.charAt(0).toUpperCase() + words.slice(1);
}

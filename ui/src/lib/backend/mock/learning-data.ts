/** What was learned in the mock. */
import type { Learning, LearningCategory } from "../types";

import { iterationIdOf } from "./iteration-data";

type LearningSeed = [
  LearningCategory,
  title: string,
  when: string,
  text: string,
  pattern: string | null,
  included: number,
];

const LEARNINGS: LearningSeed[] = [
  [
    "test",
    "Tests need TZ=UTC, or the night of 25 October fails",
    "when a test compares times of day",
    "Set the zone in the check’s command. The machine’s own zone is not the house’s.",
    "time_zone_mismatch",
    6,
  ],
  [
    "gotcha",
    "Opening hours carry their own zone, do not read the server’s",
    "when opening hours are shown or compared",
    "Take the zone from the house. process.env.TZ is the server’s.",
    "time_zone_mismatch",
    4,
  ],
  [
    "pattern",
    "zonedToday() is the only place that may call Date.now()",
    "when the current day is needed",
    "Everything else takes the day as an argument.",
    "time_zone_mismatch",
    2,
  ],
  [
    "build",
    "The image pipeline needs libvips 8.15",
    "when a tea photo is added",
    "Older versions write no AVIF.",
    null,
    3,
  ],
  [
    "setup",
    "npm ci before the first check of a worktree",
    "when a worktree is new",
    "Worktrees share no node_modules.",
    "module_not_found",
    5,
  ],
  ["tool", "vitest watches the wrong folder in worktrees", "when tests hang", "Pass --root .", "test_timeout", 0],
  ["other", "Names of teas are case-sensitive in the import", "", "“Sencha” and “sencha” become two teas.", null, 1],
];

function learningOf(
  [category, title, when, text, pattern, included]: LearningSeed,
  index: number,
  now: number,
): Learning {
  return {
    id: index + 1,
    category,
    title,
    when,
    text,
    scope: index === 4 ? "stack" : "project",
    stack: index === 4 ? "node" : null,
    pattern,
    origin: index === 3 ? "person" : index === 6 ? "loop" : "agent",
    task: index === 3 ? null : index + 2,
    iteration: index === 3 ? null : iterationIdOf(1, index),
    at: new Date(now - (3 + index * 9) * 86_400_000).toISOString(),
    learned: index === 0 ? 3 : 1,
    included,
    passed: Math.floor(included * 0.8),
  };
}

/** So many learnings; more than there are different ones are numbered. */
export function learningData(count = LEARNINGS.length, now = Date.now()): Learning[] {
  return Array.from({ length: count }, (_, index) => {
    const place = index % LEARNINGS.length;
    const learning = learningOf(LEARNINGS[place] as LearningSeed, place, now);
    return count <= LEARNINGS.length
      ? learning
      : { ...learning, id: index + 1, title: `Learning number ${index + 1} about what to do in the kitchen` };
  });
}

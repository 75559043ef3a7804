import type { PatternMetrics, SolutionDetail } from "$lib/backend/types";
import { rank } from "$lib/format/match";
import { patternTitle } from "$lib/memory/words";

/** How many of the newest parts of a trend are compared with those before them. */
const NEWEST = 3;

/** Whether a pattern gets worse: it is met more often than before, and not all of it was solved. */
export function isRising({
  trend,
  failures,
  resolved,
}: Pick<PatternMetrics, "trend" | "failures" | "resolved">): boolean {
  const sum = (part: number[]) => part.reduce((total, count) => total + count, 0);
  const newest = sum(trend.slice(-NEWEST));
  const before = sum(trend.slice(-2 * NEWEST, -NEWEST));
  return resolved < failures && newest >= 2 && newest > before;
}

/** The patterns in which every word of the search is found. */
export function searchPatterns(patterns: readonly PatternMetrics[], search: string): PatternMetrics[] {
  return rank(patterns, search, ({ pattern, about, category }) => `${patternTitle(pattern)} ${category} ${about}`);
}

/** The solutions in which every word of the search is found. */
export function searchSolutions(solutions: readonly SolutionDetail[], search: string): SolutionDetail[] {
  return rank(solutions, search, ({ title, text, pattern }) => `${title} ${patternTitle(pattern)} ${text}`);
}

/** In use first, then by trust; equals stay in the order in which they were made. */
export function byTrust(solutions: readonly SolutionDetail[]): SolutionDetail[] {
  const retired = ({ state }: SolutionDetail) => Number(state === "retired");
  return solutions.toSorted(
    (left, right) => retired(left) - retired(right) || right.trust - left.trust || left.id - right.id,
  );
}

/** The neighbour of an entry of a list, without going around. */
export function neighbour<T>(list: readonly T[], current: T | undefined, step: 1 | -1): T | undefined {
  const at = current === undefined ? -1 : list.indexOf(current);
  return at < 0 ? list[0] : (list[at + step] ?? list[at]);
}

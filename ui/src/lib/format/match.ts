/**
 * How well `text` answers `query`: 0 for not at all, more for better. Every word of the query must be found, at the
 * start of a word for most, anywhere for some. The order of the words does not matter.
 */
export function matchScore(text: string, query: string): number {
  const haystack = text.toLowerCase();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let score = 1;
  for (const word of words) {
    const at = haystack.indexOf(word);
    if (at < 0) {
      return 0;
    }
    const atWordStart = at === 0 || /[^\p{L}\p{N}]/u.test(haystack.charAt(at - 1));
    score += (at === 0 ? 3 : atWordStart ? 2 : 1) + word.length / haystack.length;
  }
  return score;
}

/** Those items that match, best first; equals keep their order. An empty query keeps all as they are. */
export function rank<T>(items: readonly T[], query: string, textOf: (item: T) => string): T[] {
  if (query.trim() === "") {
    return [...items];
  }
  return items
    .map((item) => ({ item, score: matchScore(textOf(item), query) }))
    .filter((entry) => entry.score > 0)
    .sort((left, right) => right.score - left.score)
    .map((entry) => entry.item);
}

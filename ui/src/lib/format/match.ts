/**
 * How well `text` answers `query`: 0 for not at all, more for better. Every word of the query must be found, at the
 * start of a word for most, anywhere for some, or by the first letters of its words for the least. The order of the words does not matter.
 */
export function matchScore(text: string, query: string): number {
  const haystack = text.toLowerCase();
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  let score = 1;
  for (const word of words) {
    const at = haystack.indexOf(word);
    if (at < 0) {
      if (!startsOf(haystack, word)) {
        return 0;
      }
      score += word.length / haystack.length;
      continue;
    }
    const atWordStart = at === 0 || /[^\p{L}\p{N}]/u.test(haystack.charAt(at - 1));
    score += (at === 0 ? 3 : atWordStart ? 2 : 1) + word.length / haystack.length;
  }
  return score;
}

/** Whether the letters of a word begin words of the text, or go on in them, in order: "gts" is in "go to settings". */
function startsOf(haystack: string, word: string): boolean {
  const [first = "", ...rest] = haystack.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const from = (text: string, more: string[], letters: string): boolean => {
    if (letters === "") {
      return true;
    }
    let taken = 0;
    while (taken < letters.length && text[taken] === letters[taken]) {
      taken++;
    }
    const [next, ...others] = more;
    for (let use = taken; use >= 0 && next !== undefined; use--) {
      if (from(next, others, letters.slice(use))) {
        return true;
      }
    }
    return taken === letters.length;
  };
  return word.length > 1 && from(first, rest, word);
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

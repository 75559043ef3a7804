/** A word or phrase that is underlined wherever it stands, in any case. */
export interface Mark {
  words: string;
  kind: "finding" | "term";
  /** What is said about it. */
  title: string;
}

export interface MarkPattern {
  expression: RegExp;
  markOf(found: string): Mark | undefined;
}

/** More phrases than these are not looked for. */
const MOST = 500;

/** Phrases are compared by their words: what stands between these does not matter. */
function folded(text: string): string {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .join(" ");
}

/** How to find marked words in a text; `null` when there are none. Longer phrases win. */
export function markPattern(marks: readonly Mark[]): MarkPattern | null {
  const byWords = new Map<string, Mark>();
  for (const mark of marks.slice(0, MOST)) {
    const words = folded(mark.words);
    if (words !== "" && (byWords.get(words)?.kind ?? "term") === "term") {
      byWords.set(words, mark);
    }
  }
  if (byWords.size === 0) {
    return null;
  }
  const phrases = [...byWords.keys()]
    .sort((left, right) => right.length - left.length)
    .map((words) => words.replaceAll(" ", "[^\\p{L}\\p{N}\\n]+"));
  return {
    expression: new RegExp(`(?<![\\p{L}\\p{N}])(?:${phrases.join("|")})(?![\\p{L}\\p{N}])`, "giu"),
    markOf: (found) => byWords.get(folded(found)),
  };
}

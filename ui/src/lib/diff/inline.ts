/** A piece of two versions of a text, shown as one. */
export interface InlinePiece {
  kind: "same" | "added" | "removed";
  text: string;
}

const WORD = /[\p{L}\p{N}_]+|\n|[^\S\n]+|[^\p{L}\p{N}_\s]/gu;
/** More words than this in the part that differs are not compared one by one. */
const COMPARED = 1_500;
/** Texts that have less than this in common are two texts and no two versions of one. */
const ALIKE = 0.3;

/** Two versions of a text as one, with the words that were removed and added. Both texts can be put together again. */
export function inlineDiff(before: string, after: string): InlinePiece[] {
  const old = before.match(WORD) ?? [];
  const fresh = after.match(WORD) ?? [];
  let start = 0;
  while (start < old.length && start < fresh.length && old[start] === fresh[start]) {
    start++;
  }
  let end = 0;
  while (
    end < old.length - start &&
    end < fresh.length - start &&
    old[old.length - 1 - end] === fresh[fresh.length - 1 - end]
  ) {
    end++;
  }
  const pieces: InlinePiece[] = [];
  push(pieces, "same", old.slice(0, start));
  middle(pieces, old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  push(pieces, "same", end > 0 ? old.slice(-end) : []);
  return pieces;
}

/** What lies between the common beginning and end. */
function middle(pieces: InlinePiece[], old: string[], fresh: string[]): void {
  const compared = old.length > COMPARED || fresh.length > COMPARED ? [] : compare(old, fresh);
  const letters = (text: string) => text.replace(/[^\p{L}\p{N}]+/gu, "").length;
  const kept = compared.reduce((sum, { kind, text }) => sum + (kind === "same" ? letters(text) : 0), 0);
  if (kept < ALIKE * Math.min(letters(old.join("")), letters(fresh.join("")))) {
    push(pieces, "removed", old);
    push(pieces, "added", fresh);
  } else {
    compared.forEach(({ kind, text }) => push(pieces, kind, [text]));
  }
}

function compare(old: string[], fresh: string[]): InlinePiece[] {
  const pieces: InlinePiece[] = [];
  const width = fresh.length + 1;
  // The longest common sequence from each pair of places to the ends.
  const longest = new Uint16Array((old.length + 1) * width);
  for (let left = old.length - 1; left >= 0; left--) {
    for (let right = fresh.length - 1; right >= 0; right--) {
      longest[left * width + right] =
        old[left] === fresh[right]
          ? (longest[(left + 1) * width + right + 1] ?? 0) + 1
          : Math.max(longest[(left + 1) * width + right] ?? 0, longest[left * width + right + 1] ?? 0);
    }
  }
  let left = 0;
  let right = 0;
  while (left < old.length || right < fresh.length) {
    const oldWord = old[left];
    const newWord = fresh[right];
    if (oldWord !== undefined && oldWord === newWord) {
      push(pieces, "same", [oldWord]);
      left++;
      right++;
    } else if (
      oldWord !== undefined &&
      (newWord === undefined || (longest[(left + 1) * width + right] ?? 0) >= (longest[left * width + right + 1] ?? 0))
    ) {
      push(pieces, "removed", [oldWord]);
      left++;
    } else if (newWord !== undefined) {
      push(pieces, "added", [newWord]);
      right++;
    }
  }
  return pieces;
}

function push(pieces: InlinePiece[], kind: InlinePiece["kind"], words: string[]): void {
  const text = words.join("");
  const last = pieces.at(-1);
  if (text === "") {
    return;
  }
  if (last?.kind === kind) {
    last.text += text;
  } else {
    pieces.push({ kind, text });
  }
}

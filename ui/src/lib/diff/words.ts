/** A part of a line, from its first place up to the place after its last. */
export interface Range {
  from: number;
  to: number;
}

/** What differs between two versions of a line. */
export interface WordChanges {
  old: Range[];
  new: Range[];
}

const WORD = /[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu;
/** More words than this are not compared one by one. */
const COMPARED = 160;
/** Lines that have less than this in common are two lines and no two versions of one. */
const ALIKE = 0.3;
/** Lines longer than this are not compared: nobody would see the words in them. */
const LONGEST = 4_000;

/** The words that differ between two versions of a line; nothing where the lines have too little in common. */
export function changedWords(before: string, after: string): WordChanges {
  const nothing = { old: [], new: [] };
  if (before === after || before.length > LONGEST || after.length > LONGEST) {
    return nothing;
  }
  const old = before.match(WORD) ?? [];
  const fresh = after.match(WORD) ?? [];
  const start = commonStart(old, fresh);
  const end = commonEnd(old, fresh, start);
  const middle = commonWords(old.slice(start, old.length - end), fresh.slice(start, fresh.length - end));
  const oldKept = old.map((_, index) => index < start || index >= old.length - end);
  const newKept = fresh.map((_, index) => index < start || index >= fresh.length - end);
  for (const [left, right] of middle) {
    oldKept[start + left] = true;
    newKept[start + right] = true;
  }
  const kept = old.reduce((sum, word, index) => sum + (oldKept[index] ? word.trim().length : 0), 0);
  if (kept < ALIKE * Math.max(before.trim().length, after.trim().length)) {
    return nothing;
  }
  return { old: ranges(old, oldKept), new: ranges(fresh, newKept) };
}

function commonStart(left: readonly string[], right: readonly string[]): number {
  let count = 0;
  while (count < left.length && count < right.length && left[count] === right[count]) {
    count++;
  }
  return count;
}

function commonEnd(left: readonly string[], right: readonly string[], from: number): number {
  let count = 0;
  while (
    count < left.length - from &&
    count < right.length - from &&
    left[left.length - 1 - count] === right[right.length - 1 - count]
  ) {
    count++;
  }
  return count;
}

/** The places of a longest common subsequence; none when there are too many words to look for it. */
function commonWords(left: readonly string[], right: readonly string[]): [number, number][] {
  if (left.length > COMPARED || right.length > COMPARED) {
    return [];
  }
  const width = right.length + 1;
  const lengths = new Uint16Array((left.length + 1) * width);
  const at = (row: number, column: number): number => lengths[row * width + column] ?? 0;
  for (let row = left.length - 1; row >= 0; row--) {
    for (let column = right.length - 1; column >= 0; column--) {
      lengths[row * width + column] =
        left[row] === right[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  }
  const pairs: [number, number][] = [];
  let row = 0;
  let column = 0;
  while (row < left.length && column < right.length) {
    if (left[row] === right[column]) {
      pairs.push([row++, column++]);
    } else if (at(row + 1, column) >= at(row, column + 1)) {
      row++;
    } else {
      column++;
    }
  }
  return pairs;
}

/** The places of the words that were not kept. Neighbours, and those with only blanks between them, are one. */
function ranges(words: readonly string[], kept: readonly boolean[]): Range[] {
  const found: Range[] = [];
  let place = 0;
  let blank = true;
  for (const [index, word] of words.entries()) {
    const to = place + word.length;
    const last = found.at(-1);
    if (kept[index]) {
      blank = blank && word.trim() === "";
    } else if (last && blank) {
      last.to = to;
    } else {
      found.push({ from: place, to });
      blank = true;
    }
    place = to;
  }
  return found;
}

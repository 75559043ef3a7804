import type { Token } from "./syntax/tokens";
import type { Range } from "./words";

/** A part of a line that looks the same from its first to its last character. */
export interface Segment {
  text: string;
  classes: string;
}

const BLANKS = /\t| +|[^\t ]+/g;

/**
 * Cuts a line where its looks change: by syntax, by what differs from the other side and, when asked for, at spaces
 * and tabs. The segments together are the line.
 */
export function segmentsOf(
  text: string,
  tokens: readonly Token[],
  marks: readonly Range[],
  showBlanks: boolean,
): Segment[] {
  const segments: Segment[] = [];
  const trailing = text.trimEnd().length;
  for (const { from, to } of cuts(text, tokens, marks)) {
    const kind = tokens.find((each) => each.from <= from && each.to >= to)?.kind ?? "";
    const mark = marks.some((each) => each.from <= from && each.to >= to) ? "mark" : "";
    const part = text.slice(from, to);
    if (showBlanks) {
      segments.push(...withBlanks(part, from, trailing, kind, mark));
    } else {
      segments.push({ text: part, classes: join(kind, mark) });
    }
  }
  return segments;
}

function cuts(text: string, tokens: readonly Token[], marks: readonly Range[]): Range[] {
  const places = new Set([0, text.length]);
  for (const { from, to } of [...tokens, ...marks]) {
    places.add(Math.min(from, text.length));
    places.add(Math.min(to, text.length));
  }
  const inOrder = [...places].sort((left, right) => left - right);
  return inOrder.slice(1).map((to, index) => ({ from: inOrder[index] ?? 0, to }));
}

function withBlanks(text: string, start: number, trailing: number, ...looks: string[]): Segment[] {
  return [...text.matchAll(BLANKS)].map(({ 0: part, index }) => {
    const blank = part === "\t" ? "tab" : part.startsWith(" ") ? "space" : "";
    const late = blank !== "" && start + index >= trailing ? "trailing" : "";
    return { text: part, classes: join(...looks, blank, late) };
  });
}

function join(...classes: string[]): string {
  return classes.filter(Boolean).join(" ");
}

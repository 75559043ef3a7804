/** A part of a text: plain, an address that can be opened, or found by a search. */
export interface Segment {
  text: string;
  /** The address it is a part of. */
  link?: string;
  found?: boolean;
}

const ADDRESS = /https?:\/\/[^\s<>"'`\\^{}|\u2028-\u202e\u2066-\u2069]+/gi;
/** What follows an address in a sentence and is no part of it. */
const AFTER_ADDRESS = /[.,;:!?…]+$/;

interface Span {
  from: number;
  to: number;
}

/** Where addresses stand in a text. Brackets belong to one only when they were opened in it. */
export function addressesIn(text: string): Span[] {
  return [...text.matchAll(ADDRESS)]
    .map((match) => ({ from: match.index, to: match.index + withoutEnd(match[0]).length }))
    .filter(({ from, to }) => isAddress(text.slice(from, to)));
}

function withoutEnd(address: string): string {
  let kept = address.replace(AFTER_ADDRESS, "");
  for (const [open, close] of ["()", "[]"]) {
    while (open && close && kept.endsWith(close) && kept.split(close).length > kept.split(open).length) {
      kept = kept.slice(0, -1).replace(AFTER_ADDRESS, "");
    }
  }
  return kept;
}

function isAddress(text: string): boolean {
  try {
    return new URL(text).hostname !== "";
  } catch {
    return false;
  }
}

/** Where a searched text is found, whatever its case. */
export function foundIn(text: string, searched: string): Span[] {
  const [where, what] = [text.toLowerCase(), searched.toLowerCase()];
  // Some letters change their length with their case: then places in one are none in the other.
  if (what === "" || where.length !== text.length) {
    return [];
  }
  const spans: Span[] = [];
  for (let at = where.indexOf(what); at >= 0; at = where.indexOf(what, at + what.length)) {
    spans.push({ from: at, to: at + what.length });
  }
  return spans;
}

/** The text in parts, none lost: put together they are the text again. */
export function segmentsOf(text: string, searched = ""): Segment[] {
  const links = text.includes("://") ? addressesIn(text) : [];
  const found = foundIn(text, searched);
  if (links.length === 0 && found.length === 0) {
    return [{ text }];
  }
  const edges = [...links, ...found].flatMap(({ from, to }) => [from, to]);
  const cuts = [...new Set([0, ...edges, text.length])].sort((a, b) => a - b);
  return cuts.slice(0, -1).map((from, index) => {
    const to = cuts[index + 1] ?? text.length;
    const link = links.find((span) => span.from <= from && to <= span.to);
    return {
      text: text.slice(from, to),
      ...(link && { link: text.slice(link.from, link.to) }),
      ...(found.some((span) => span.from <= from && to <= span.to) && { found: true }),
    };
  });
}

/** The first lines of a text, within a number of characters; the text itself when it is shorter. */
export function beginning(text: string, lines: number, characters: number): string {
  if (lines <= 0) {
    return "";
  }
  let end = -1;
  for (let line = 0; line < lines; line++) {
    end = text.indexOf("\n", end + 1);
    if (end < 0) {
      end = text.length;
      break;
    }
  }
  if (end <= characters) {
    return text.slice(0, end);
  }
  // Never between the two halves of one character.
  const cut = /[\uD800-\uDBFF]/.test(text.charAt(characters - 1)) ? characters - 1 : characters;
  return text.slice(0, cut);
}

/** A piece of a text, and whether it is what was searched for. */
export interface Piece {
  text: string;
  found: boolean;
}

/** Without case and accents, and as long as it was, so that places stay the same. */
function plain(text: string): string {
  return [...text]
    .map((letter) => {
      const bare = letter.normalize("NFD").replace(/\p{M}/gu, "").toLowerCase();
      return bare.length === letter.length ? bare : letter;
    })
    .join("");
}

/** The text cut where words begin with one that was searched for. Case and accents do not matter, as in the search. */
export function highlighted(text: string, searched: string): Piece[] {
  const words = [...new Set(plain(searched).split(/[^\p{L}\p{N}]+/u))].filter(Boolean);
  if (words.length === 0) {
    return [{ text, found: false }];
  }
  const expression = new RegExp(`(?<![\\p{L}\\p{N}])(?:${words.sort((a, b) => b.length - a.length).join("|")})`, "gu");
  const pieces: Piece[] = [];
  let at = 0;
  for (const match of plain(text).matchAll(expression)) {
    pieces.push({ text: text.slice(at, match.index), found: false });
    at = match.index + match[0].length;
    pieces.push({ text: text.slice(match.index, at), found: true });
  }
  pieces.push({ text: text.slice(at), found: false });
  return pieces.filter((piece) => piece.text !== "");
}

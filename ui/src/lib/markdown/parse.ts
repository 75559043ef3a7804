import { parseRoute, ROUTE_SCHEME } from "$lib/app/route";
import { Marked, type Token, type Tokens } from "marked";

/** A part of a line. There is no markup among them: what cannot be one of these is shown as it was written. */
export type Span =
  | { kind: "text" | "code"; text: string }
  | { kind: "strong" | "em" | "del"; spans: Span[] }
  | { kind: "link"; address: string; spans: Span[] }
  | { kind: "image"; text: string; address: string | null }
  | { kind: "break" };

export interface ListItem {
  /** Whether it is ticked off; `null` for one that cannot be. */
  checked: boolean | null;
  blocks: Block[];
}

export type Align = "start" | "center" | "end";

/** A part of a text, one below the other. */
export type Block =
  | { kind: "paragraph"; spans: Span[] }
  | { kind: "heading"; depth: number; spans: Span[] }
  | { kind: "code"; text: string; language: string }
  | { kind: "list"; ordered: boolean; start: number; items: ListItem[] }
  | { kind: "quote"; blocks: Block[] }
  | { kind: "table"; align: Align[]; head: Span[][]; rows: Span[][][] }
  | { kind: "rule" };

/** Longer texts are shown as they were written: reading them would hold the window up. */
const LONGEST = 40_000;
/** Whatever lies deeper in one another is shown as it was written. */
const DEEPEST = 10;
/** So many texts are remembered: those in sight, and those one may scroll back to. */
const KEPT = 256;
const KEPT_LENGTH = 8_000;

const marked = new Marked({ gfm: true, breaks: true });
const known = new Map<string, Block[]>();

/** What can only be words: most messages are, and need not be read twice. */
const MARKS = /[*_`#|[\]<>~\\&]|:\/\/|^\s*(?:[-+]|\d+[.)])\s|^\s*-{3}|\n/m;

/** Whether a text may hold anything that looks different from plain words. */
export function hasMarks(text: string): boolean {
  return MARKS.test(text);
}

/** A text in blocks. Anything that is no markdown, raw HTML first of all, stays the text it is. */
export function parseMarkdown(text: string): Block[] {
  const seen = known.get(text);
  if (seen) {
    return seen;
  }
  const blocks = read(text);
  if (text.length <= KEPT_LENGTH) {
    known.set(text, blocks);
    const oldest = known.keys().next();
    if (known.size > KEPT && !oldest.done) {
      known.delete(oldest.value);
    }
  }
  return blocks;
}

function read(text: string): Block[] {
  if (text.length > LONGEST) {
    return [plain(text)];
  }
  try {
    return blocksOf(marked.lexer(text), 0);
  } catch {
    // Texts nested thousands of levels deep exhaust the parser. They are no less readable as they are.
    return [plain(text)];
  }
}

function plain(text: string): Block {
  return { kind: "paragraph", spans: [{ kind: "text", text }] };
}

function blocksOf(tokens: readonly Token[], depth: number): Block[] {
  return tokens.flatMap((token) => blockOf(token, depth) ?? []);
}

function blockOf(token: Token, depth: number): Block | null {
  if (depth > DEEPEST) {
    return plain(token.raw);
  }
  switch (token.type) {
    case "space":
    case "checkbox":
      return null;
    case "heading":
      return { kind: "heading", depth: (token as Tokens.Heading).depth, spans: spansOf(token.tokens, depth) };
    case "code": {
      const { text, lang } = token as Tokens.Code;
      return { kind: "code", text, language: /^[\w+#.-]{1,24}/.exec(lang ?? "")?.[0] ?? "" };
    }
    case "list":
      return listOf(token as Tokens.List, depth);
    case "blockquote":
      return { kind: "quote", blocks: blocksOf(token.tokens ?? [], depth + 1) };
    case "table":
      return tableOf(token as Tokens.Table, depth);
    case "hr":
      return { kind: "rule" };
    case "paragraph":
    case "text":
      return { kind: "paragraph", spans: token.tokens ? spansOf(token.tokens, depth) : [textOf(token)] };
    default:
      return plain(token.raw.replace(/\n+$/, ""));
  }
}

function listOf(list: Tokens.List, depth: number): Block {
  const items = list.items.map((item) => ({
    checked: item.task ? item.checked === true : null,
    blocks: blocksOf(item.tokens, depth + 1),
  }));
  return { kind: "list", ordered: list.ordered, start: typeof list.start === "number" ? list.start : 1, items };
}

function tableOf(table: Tokens.Table, depth: number): Block {
  const ALIGNS: Record<string, Align> = { left: "start", center: "center", right: "end" };
  const cells = (row: Tokens.TableCell[]) => row.map((cell) => spansOf(cell.tokens, depth));
  return {
    kind: "table",
    align: table.align.map((align) => ALIGNS[align ?? "left"] ?? "start"),
    head: cells(table.header),
    rows: table.rows.map(cells),
  };
}

function spansOf(tokens: readonly Token[] | undefined, depth: number): Span[] {
  return (tokens ?? []).map((token) => spanOf(token, depth + 1)).filter((span) => span !== null);
}

function spanOf(token: Token, depth: number): Span | null {
  if (depth > DEEPEST) {
    return { kind: "text", text: token.raw };
  }
  switch (token.type) {
    case "checkbox":
      return null;
    case "codespan":
      return { kind: "code", text: (token as Tokens.Codespan).text };
    case "strong":
    case "em":
    case "del":
      return { kind: token.type, spans: spansOf(token.tokens, depth) };
    case "br":
      return { kind: "break" };
    case "link":
      return linkOf(token as Tokens.Link, depth);
    case "image": {
      const { href, text } = token as Tokens.Image;
      return { kind: "image", text: text || "picture", address: addressOf(href) };
    }
    case "text":
      return token.tokens ? { kind: "em", spans: spansOf(token.tokens, depth) } : textOf(token);
    case "escape":
      return textOf(token);
    default:
      return { kind: "text", text: token.raw };
  }
}

/** A link to a page on the web or to a place in this window. Any other, such as one that would run a script, stays the text it was written as. */
function linkOf(link: Tokens.Link, depth: number): Span {
  const address = addressOf(link.href);
  return address === null
    ? { kind: "text", text: link.raw }
    : { kind: "link", address, spans: spansOf(link.tokens, depth) };
}

function addressOf(href: string): string | null {
  try {
    const address = decoded(href);
    if (address.startsWith(ROUTE_SCHEME)) {
      return parseRoute(address.slice(ROUTE_SCHEME.length)) === null ? null : address;
    }
    const { protocol, hostname } = new URL(address);
    return (protocol === "https:" || protocol === "http:") && hostname !== "" ? address : null;
  } catch {
    return null;
  }
}

function textOf(token: Token): Span {
  return { kind: "text", text: decoded("text" in token ? String(token.text) : token.raw) };
}

const NAMED: Record<string, string> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: "\u00a0" };

/** Characters that were written by their names: the parser leaves these as they are. What they make is text again. */
function decoded(text: string): string {
  return text.includes("&") ? text.replace(/&([a-z]{2,6});/g, (written, name) => NAMED[name] ?? written) : text;
}

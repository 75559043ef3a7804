import { type StreamParser, StringStream } from "@codemirror/streamparser";

import type { Hunk } from "$lib/backend/types";

/** What a part of a line is, in the few kinds that have a colour of their own. */
export type TokenKind = "keyword" | "string" | "number" | "comment" | "type" | "name" | "tag" | "meta" | "heading";

export interface Token {
  from: number;
  to: number;
  kind: TokenKind;
}

const TAB = 4;
const INDENT = 2;
/** Lines longer than this stay plain: they were written by programs. */
const LONGEST = 2_000;
/** A hunk with more lines than this stays plain. */
const MOST_LINES = 20_000;

/** The kinds by the names that stream modes give them; what is not here stays plain. */
const KINDS: Record<string, TokenKind> = {
  keyword: "keyword",
  modifier: "keyword",
  operatorKeyword: "keyword",
  controlKeyword: "keyword",
  self: "keyword",
  string: "string",
  character: "string",
  regexp: "string",
  url: "string",
  link: "string",
  inserted: "string",
  number: "number",
  atom: "number",
  bool: "number",
  null: "number",
  unit: "number",
  color: "number",
  comment: "comment",
  quote: "comment",
  typeName: "type",
  type: "type",
  className: "type",
  namespace: "type",
  builtin: "type",
  def: "name",
  propertyName: "name",
  property: "name",
  attributeName: "name",
  labelName: "name",
  tagName: "tag",
  tag: "tag",
  deleted: "tag",
  meta: "meta",
  macroName: "meta",
  annotation: "meta",
  processingInstruction: "meta",
  documentMeta: "meta",
  heading: "heading",
  header: "heading",
  strong: "heading",
};

/** The kind behind a mode's name for a token, such as `string.special` or `variableName.definition`. */
export function kindOf(style: string | null): TokenKind | null {
  for (const name of style?.split(" ") ?? []) {
    const [first = "", ...modifiers] = name.split(".");
    const kind = KINDS[first] ?? (modifiers.includes("definition") || modifiers.includes("function") ? "name" : null);
    if (kind) {
      return kind;
    }
  }
  return null;
}

/** Reads lines one after another, as one side of a hunk holds them. */
export class LineReader {
  readonly #mode: StreamParser<unknown>;
  readonly #state: unknown;

  constructor(mode: StreamParser<unknown>) {
    this.#mode = mode;
    this.#state = mode.startState?.(INDENT) ?? {};
  }

  read(text: string): Token[] {
    if (text === "") {
      this.#mode.blankLine?.(this.#state, INDENT);
      return [];
    }
    if (text.length > LONGEST) {
      return [];
    }
    const stream = new StringStream(text, TAB, INDENT);
    const tokens: Token[] = [];
    for (let idle = 0; !stream.eol();) {
      stream.start = stream.pos;
      const kind = kindOf(this.#mode.token(stream, this.#state));
      if (stream.pos > stream.start) {
        idle = 0;
        add(tokens, stream.start, stream.pos, kind);
      } else if (++idle > 10) {
        // A mode that does not move on is confused: the rest of the line stays plain.
        break;
      }
    }
    return tokens;
  }
}

function add(tokens: Token[], from: number, to: number, kind: TokenKind | null): void {
  const last = tokens.at(-1);
  if (kind === null) {
    return;
  }
  if (last?.kind === kind && last.to === from) {
    last.to = to;
  } else {
    tokens.push({ from, to, kind });
  }
}

/** The tokens of every line of a hunk. Each side is read for itself: removed lines do not confuse the newer ones. */
export function tokensOfHunk(mode: StreamParser<unknown>, hunk: Hunk): Token[][] {
  if (hunk.lines.length > MOST_LINES) {
    return [];
  }
  const tokens: Token[][] = [];
  try {
    const [old, fresh] = [new LineReader(mode), new LineReader(mode)];
    for (const { kind, text } of hunk.lines) {
      const ofOld = kind === "added" ? [] : old.read(text);
      tokens.push(kind === "removed" ? ofOld : fresh.read(text));
    }
  } catch {
    // Modes are made for whole files and may stumble over a part of one. Lines without colours are still readable.
    return tokens;
  }
  return tokens;
}

/** The colours of a file, read hunk by hunk when they are first asked for. */
export class HunkColours {
  readonly #mode: StreamParser<unknown>;
  readonly #hunks: readonly Hunk[];
  readonly #read = new Map<number, Token[][]>();

  constructor(mode: StreamParser<unknown>, hunks: readonly Hunk[]) {
    this.#mode = mode;
    this.#hunks = hunks;
  }

  /** The tokens of a line. */
  of(hunk: number, index: number): readonly Token[] {
    let tokens = this.#read.get(hunk);
    if (!tokens) {
      const lines = this.#hunks[hunk];
      tokens = lines ? tokensOfHunk(this.#mode, lines) : [];
      this.#read.set(hunk, tokens);
    }
    return tokens[index] ?? [];
  }
}

/** CodeMirror, set up for Markdown. Only this file knows of it; it is loaded when an editor is first shown. */
import { defaultKeymap, history, historyKeymap } from "@codemirror/commands";
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language";
import { highlightSelectionMatches, search, searchKeymap } from "@codemirror/search";
import { EditorState, type Extension, StateEffect, StateField, Transaction } from "@codemirror/state";
import {
  Decoration,
  type DecorationSet,
  drawSelection,
  EditorView,
  keymap,
  placeholder,
  ViewPlugin,
  type ViewUpdate,
} from "@codemirror/view";
import { tags } from "@lezer/highlight";
import { parser } from "@lezer/markdown";

import { type Mark, markPattern } from "./marks";

export interface EditorOptions {
  parent: HTMLElement;
  text: string;
  label: string;
  placeholder: string;
  onchange: (text: string) => void;
}

/** An editor that is shown. */
export interface Editor {
  readonly text: string;
  /** Puts in another text; what was there can be brought back by undoing. */
  replace(text: string): void;
  /** What is underlined wherever it stands. */
  mark(marks: readonly Mark[]): void;
  focus(): void;
  /** Shows the place of the first such word and selects it. */
  reveal(word: string): void;
  destroy(): void;
}

/** Markdown without the languages that may stand in its code blocks: they would weigh more than all the rest. */
const markdown = new Language(defineLanguageFacet(), parser, [], "markdown");

const setMarks = StateEffect.define<readonly Mark[]>();

const marksField = StateField.define<readonly Mark[]>({
  create: () => [],
  update: (marks, transaction) =>
    transaction.effects.reduce((kept, effect) => (effect.is(setMarks) ? effect.value : kept), marks),
});

/** Underlines marked words where they can be seen. A long text is never searched as a whole. */
const underlined = ViewPlugin.fromClass(
  class {
    decorations: DecorationSet;

    constructor(view: EditorView) {
      this.decorations = decorate(view);
    }

    update(update: ViewUpdate): void {
      if (
        update.docChanged ||
        update.viewportChanged ||
        update.startState.field(marksField) !== update.state.field(marksField)
      ) {
        this.decorations = decorate(update.view);
      }
    }
  },
  { decorations: (plugin) => plugin.decorations },
);

function decorate(view: EditorView): DecorationSet {
  const pattern = markPattern(view.state.field(marksField));
  if (pattern === null) {
    return Decoration.none;
  }
  const found = [];
  for (const { from, to } of view.visibleRanges) {
    for (const match of view.state.sliceDoc(from, to).matchAll(pattern.expression)) {
      const mark = pattern.markOf(match[0]);
      const start = from + match.index;
      if (mark) {
        const attributes = { title: mark.title, "data-testid": `mark-${mark.kind}` };
        found.push(Decoration.mark({ class: `lw-${mark.kind}`, attributes }).range(start, start + match[0].length));
      }
    }
  }
  return Decoration.set(found, true);
}

const colours = HighlightStyle.define([
  { tag: tags.heading1, fontSize: "var(--text-lg)", fontWeight: "600", lineHeight: "2" },
  { tag: tags.heading2, fontSize: "1.0625rem", fontWeight: "600", lineHeight: "1.9" },
  { tag: [tags.heading3, tags.heading4, tags.heading5, tags.heading6], fontWeight: "600" },
  { tag: tags.strong, fontWeight: "600" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.processingInstruction, tags.contentSeparator], color: "var(--ink-3)", fontWeight: "400" },
  { tag: [tags.link, tags.url], color: "var(--accent-ink)" },
  { tag: tags.monospace, fontFamily: "var(--font-mono)", fontSize: "0.9em" },
  { tag: tags.quote, color: "var(--ink-2)" },
]);

const look = EditorView.theme({
  "&": { height: "100%", color: "var(--ink)", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": {
    fontFamily: "var(--font-sans)",
    fontSize: "var(--text-md)",
    lineHeight: "1.6",
    overflow: "auto",
    scrollbarWidth: "thin",
  },
  ".cm-content": {
    maxWidth: "42rem",
    padding: "0 var(--space-8) var(--space-12)",
    caretColor: "var(--focus)",
  },
  ".cm-line": { padding: "0" },
  ".cm-cursor": { borderLeftColor: "var(--focus)", borderLeftWidth: "2px" },
  ".cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground": {
    background: "var(--selection)",
  },
  ".cm-selectionMatch": { background: "var(--tint-2)" },
  ".cm-placeholder": { color: "var(--ink-3)" },
  ".lw-finding": { textDecoration: "underline wavy var(--warn)", textUnderlineOffset: "4px" },
  ".lw-term": { textDecoration: "underline dotted var(--ink-3)", textUnderlineOffset: "4px" },
  ".cm-panels": {
    background: "var(--sunken)",
    color: "var(--ink)",
    borderTop: "1px solid var(--line)",
    fontSize: "var(--text-xs)",
  },
  ".cm-textfield, .cm-button": {
    border: "1px solid var(--line-control)",
    borderRadius: "var(--radius-sm)",
    background: "var(--stage)",
    color: "var(--ink)",
    backgroundImage: "none",
  },
  ".cm-searchMatch": { background: "var(--warn-soft)" },
  ".cm-searchMatch-selected": { background: "var(--add-strong)" },
});

function extensions({ label, placeholder: hint, onchange }: EditorOptions): Extension[] {
  return [
    history(),
    drawSelection(),
    EditorView.lineWrapping,
    EditorState.tabSize.of(2),
    markdown,
    syntaxHighlighting(colours),
    highlightSelectionMatches({ minSelectionLength: 3 }),
    search({ top: false }),
    marksField,
    underlined,
    look,
    placeholder(hint),
    // Tab leaves the editor, as it leaves every other field.
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    EditorView.contentAttributes.of({
      "aria-label": label,
      spellcheck: "true",
      autocapitalize: "sentences",
      "data-testid": "editor-text",
    }),
    EditorView.updateListener.of((update) => {
      if (update.docChanged && !update.transactions.some((one) => one.annotation(Transaction.remote) === true)) {
        onchange(update.state.doc.toString());
      }
    }),
  ];
}

/**
 * Shows an editor. It lives in a shadow root, where its styles are adopted as a sheet: the window's policy allows no
 * style elements.
 */
export function createEditor(options: EditorOptions): Editor {
  const root = options.parent.shadowRoot ?? options.parent.attachShadow({ mode: "open" });
  const place = document.createElement("div");
  place.style.height = "100%";
  root.replaceChildren(place);
  // What the owner knows: a long text is not put together again for each key only to compare it.
  let told = options.text;
  const onchange = (text: string) => {
    told = text;
    options.onchange(text);
  };
  const state = EditorState.create({ doc: options.text, extensions: extensions({ ...options, onchange }) });
  const view = new EditorView({ state, parent: place, root });
  const text = () => view.state.doc.toString();
  return {
    get text() {
      return text();
    },
    replace(next) {
      if (next !== told && next !== text()) {
        told = next;
        view.dispatch({
          changes: { from: 0, to: view.state.doc.length, insert: next },
          annotations: Transaction.remote.of(true),
        });
      }
    },
    mark: (marks) => view.dispatch({ effects: setMarks.of(marks) }),
    focus: () => view.focus(),
    reveal(word) {
      const at = text().toLowerCase().indexOf(word.toLowerCase());
      if (at >= 0) {
        view.dispatch({ selection: { anchor: at, head: at + word.length }, scrollIntoView: true });
        view.focus();
      }
    },
    destroy: () => view.destroy(),
  };
}

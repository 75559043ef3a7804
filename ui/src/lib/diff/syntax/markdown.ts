import type { StreamParser } from "@codemirror/streamparser";

interface State {
  /** The mark that will end the code block, when there is one. */
  fence: string | null;
}

/** Markdown, as far as colours help to read it: headings, code, quotes, links and what is strong. */
export const markdown: StreamParser<State> = {
  name: "markdown",
  startState: () => ({ fence: null }),
  token(stream, state) {
    if (stream.sol()) {
      const fence = stream.match(/^\s*(`{3,}|~{3,}).*$/);
      if (typeof fence === "object" && fence !== null) {
        const mark = fence[1] ?? "";
        state.fence = state.fence === null ? mark : mark.startsWith(state.fence) ? null : state.fence;
        return "meta";
      }
      if (state.fence !== null) {
        stream.skipToEnd();
        return "string";
      }
      if (stream.match(/^#{1,6}\s.*$/)) {
        return "heading";
      }
      if (stream.match(/^\s*>.*$/)) {
        return "comment";
      }
      if (stream.match(/^\s*(?:[-*+]|\d+[.)])\s/)) {
        return "keyword";
      }
    }
    if (stream.match(/^`[^`]*`/)) {
      return "string";
    }
    if (stream.match(/^\*\*[^*]+\*\*/) || stream.match(/^__[^_]+__/)) {
      return "strong";
    }
    if (stream.match(/^!?\[[^\]]*\]\([^)]*\)/) || stream.match(/^<https?:[^>]*>/)) {
      return "link";
    }
    stream.next();
    stream.eatWhile(/[^`*_![<]/);
    return null;
  },
};

import { numberText, pluralForm } from "./locale";

/** "1 task", "2 tasks"; the second form is given where adding an s is not enough. */
export function plural(count: number, one: string, many = `${one}s`): string {
  return `${numberText(count)} ${pluralForm(count, one, many)}`;
}

/**
 * A fault's text as a sentence of its own: with a capital letter, unless it begins with a name or a path, and with a
 * full stop. The command line writes the same text after a colon.
 */
export function asSentence(text: string): string {
  const begun = /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
  return /[.!?…:]$/.test(begun) ? begun : `${begun}.`;
}

/** A path split into its last part and what leads there; both kinds of separator are understood. */
export function splitPath(path: string): { parent: string; name: string } {
  const trimmed = path.replace(/[\\/]+$/, "");
  const at = Math.max(trimmed.lastIndexOf("/"), trimmed.lastIndexOf("\\"));
  return at < 0 ? { parent: "", name: trimmed } : { parent: trimmed.slice(0, at), name: trimmed.slice(at + 1) };
}

/** What a person reads for the `mode` setting. */
export function modeText(mode: string): { title: string; text: string } {
  const every = /^review_every:(\d+)$/.exec(mode)?.[1];
  if (every !== undefined) {
    return {
      title: `Review every ${every}`,
      text: `Pauses for you after every ${plural(Number(every), "finished task")}.`,
    };
  }
  if (mode === "review_each") {
    return { title: "Review each", text: "You approve every commit." };
  }
  if (mode === "autonomous") {
    return { title: "Autonomous", text: "Commits by itself when the required checks pass." };
  }
  return { title: mode, text: "" };
}

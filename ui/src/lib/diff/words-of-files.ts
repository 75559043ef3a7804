import type { DiffFile, FileStatus, Folded } from "$lib/backend/types";
import { plural } from "$lib/format/text";

/** The letter git users know, and the same in words. */
export const STATUS: Record<FileStatus, { letter: string; text: string }> = {
  added: { letter: "A", text: "New" },
  modified: { letter: "M", text: "Changed" },
  deleted: { letter: "D", text: "Deleted" },
  renamed: { letter: "R", text: "Renamed" },
  type_changed: { letter: "T", text: "Another kind of file now" },
};

/** Why a file's lines are not shown unasked. */
export function foldedText(file: DiffFile, folded: Folded): { title: string; text: string } {
  const lines = plural(file.added + file.removed, "line");
  switch (folded) {
    case "lock":
      return { title: "A lock file", text: `A package manager wrote it. ${lines} changed.` };
    case "generated":
      return { title: "A generated file", text: `A program wrote it, not a person. ${lines} changed.` };
    case "huge":
      return { title: "A very large change", text: `${lines} changed: more than anybody reads at once.` };
    case "binary":
      return { title: "Not a text", text: "There are no lines to show. Open the file to look at it." };
  }
}

/** What a file is, by git's name for its mode. */
const KINDS: Record<string, string> = {
  "100644": "a plain file",
  "100755": "executable",
  "120000": "a link",
  "160000": "a submodule",
};

/** What a file is now and was not before; nothing when that did not change. */
export function modeText({ old_mode, new_mode }: DiffFile): string {
  if (old_mode === null || new_mode === null || old_mode === new_mode) {
    return "";
  }
  if (old_mode === "100755" && new_mode === "100644") {
    return "no longer executable";
  }
  const before = old_mode === "100644" ? "" : `, was ${KINDS[old_mode] ?? old_mode}`;
  return `now ${KINDS[new_mode] ?? new_mode}${before}`;
}

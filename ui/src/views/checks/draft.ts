import type { CheckDraft } from "$lib/backend/types";

/** A check nobody has written yet. */
export function newDraft(): CheckDraft {
  return {
    name: "",
    command: "",
    builtin: null,
    required: true,
    enabled: true,
    edits: true,
    timeout: null,
    dir: null,
    parser: null,
    pattern: null,
    issues: null,
  };
}

export type DraftErrors = Partial<Record<keyof CheckDraft, string>>;

/** As the backend reads a length of time: "90s", "10 m", "1h 30m". */
const TIME = /^(\s*\d+(\.\d+)?\s*[a-zµ]+\s*,?)+$/i;

/** What is plainly wrong with a draft. The backend has the last word; this is said while it is being written. */
export function draftErrors(draft: CheckDraft, old: string | null, names: string[]): DraftErrors {
  const errors: DraftErrors = {};
  const name = draft.name.trim();
  if (name === "") {
    errors.name = "Give it a name.";
  } else if (name !== old && names.includes(name)) {
    errors.name = "Another check has this name.";
  }
  if (draft.builtin === null && draft.command.trim() === "") {
    errors.command = "Write the command that decides.";
  } else if (draft.builtin === null && hasOpenQuote(draft.command)) {
    errors.command = "Close every quote.";
  }
  if (draft.timeout?.trim() && !TIME.test(draft.timeout)) {
    errors.timeout = "Write a length of time, like 90s or 10m.";
  }
  if (draft.dir?.trim() && (/^([/\\]|[a-z]:)/i.test(draft.dir.trim()) || draft.dir.split(/[/\\]/).includes(".."))) {
    errors.dir = "It must be a folder inside the project.";
  }
  if (draft.builtin === null && draft.parser === "regex" && !draft.pattern) {
    errors.pattern = "Write the pattern that finds an issue.";
  }
  return errors;
}

/** Whether a command has shell syntax in it, which would be passed on as it is. */
export function looksLikeShell(command: string): boolean {
  const bare = command.replace(/'[^']*'|"(\\.|[^"\\])*"/g, "");
  return /&&|\|\||[|;<>]|\$\(|`|\$\w/.test(bare);
}

function hasOpenQuote(command: string): boolean {
  let open: string | null = null;
  for (let index = 0; index < command.length; index++) {
    const character = command[index];
    if (character === "\\" && open !== "'") {
      index++;
    } else if (open === null && (character === "'" || character === '"')) {
      open = character;
    } else if (character === open) {
      open = null;
    }
  }
  return open !== null;
}

/** A draft as it is sent: nothing in it that does not go with the rest. */
export function tidied(draft: CheckDraft): CheckDraft {
  const text = (value: string | null) => value?.trim() || null;
  const command = draft.builtin === null;
  return {
    name: draft.name.trim(),
    command: command ? draft.command.trim() : "",
    builtin: draft.builtin,
    required: draft.required,
    enabled: draft.enabled,
    edits: draft.edits || !command,
    timeout: text(draft.timeout),
    dir: command ? text(draft.dir) : null,
    parser: command && draft.parser !== "text" ? draft.parser : null,
    pattern: command && draft.parser === "regex" ? draft.pattern || null : null,
    issues: command && draft.parser === "json" ? text(draft.issues) : null,
  };
}

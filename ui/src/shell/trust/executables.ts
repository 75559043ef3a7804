import type { Executable } from "$lib/backend/types";

export interface ExecutableGroup {
  title: string;
  when: string;
  items: Executable[];
}

const KINDS: Record<string, Omit<ExecutableGroup, "items">> = {
  check: { title: "Checks", when: "run after every attempt" },
  agent: { title: "Agents", when: "started to work on a task" },
  "rehearsal scenario": { title: "Script of the rehearsal agent", when: "played when it takes a task" },
  "git hook": { title: "Git hooks", when: "run by git when work is committed" },
};

/** What would be executed, by kind; kinds this version does not know come last under their own name. */
export function groupExecutables(executables: readonly Executable[]): ExecutableGroup[] {
  const kinds = new Set([...Object.keys(KINDS), ...executables.map((item) => item.kind)]);
  return [...kinds]
    .map((kind) => ({
      ...(KINDS[kind] ?? { title: kind, when: "" }),
      items: executables.filter((item) => item.kind === kind),
    }))
    .filter((group) => group.items.length > 0);
}

import type { Command } from "$lib/app/commands.svelte";
import type { Shortcut } from "$lib/app/shortcuts";
import type { Field } from "$lib/task/edit";

import type { TasksState } from "./state.svelte";

/** The keys of the list as people are told of them. */
export const TASK_KEYS: Command[] = (
  [
    ["task_open", "Open the task", [{ key: "Enter" }], "Open"],
    ["task_select", "Select the task", [{ key: " " }], "Select"],
    ["task_select_all", "Select all tasks", [{ key: "a", mod: true }]],
    ["task_rename", "Change the title", [{ key: "e" }, { key: "F2" }], "Edit"],
    ["task_tag", "Change the tag", [{ key: "t" }]],
    ["task_up", "Move the task up", [{ key: "ArrowUp", alt: true }], "Reorder"],
    ["task_down", "Move the task down", [{ key: "ArrowDown", alt: true }]],
  ] satisfies [string, string, Shortcut[], string?][]
).map(([id, title, shortcuts, hint]) => ({ id, title, section: "Tasks", shortcuts, ...(hint ? { hint } : {}) }));

/** What a key does besides walking, opening and selecting; `false` when it does nothing here. */
export function tableKeys(event: KeyboardEvent, view: TasksState, shift: (by: -1 | 1) => void): boolean {
  const { key } = event;
  if (event.altKey) {
    const by = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
    if (by !== 0) {
      shift(by);
    }
    return by !== 0;
  }
  if (event.ctrlKey || event.metaKey) {
    return false;
  }
  if (key === "Escape") {
    return letGo(view);
  }
  const { active } = view;
  const fields: Record<string, Field> = { F2: "title", e: "title", t: "tag" };
  const field = fields[key.length === 1 ? key.toLowerCase() : key];
  if (field === undefined || active === null) {
    return false;
  }
  view.editing = { id: active, field };
  return true;
}

/** Lets go of the selection, then of the task that is shown in full; `false` when there is neither. */
function letGo(view: TasksState): boolean {
  if (view.selected.size > 0) {
    view.clearSelection();
    return true;
  }
  const open = view.opened !== null;
  view.opened = null;
  return open;
}

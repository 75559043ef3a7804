import type { Command } from "$lib/app/commands.svelte";
import type { Shortcut } from "$lib/app/shortcuts";

import type { TasksState } from "./state.svelte";

const SCREENFUL = 20;

/** The keys of the list as people are told of them. */
export const TASK_KEYS: Command[] = (
  [
    ["task_open", "Open the task", [{ key: "Enter" }]],
    ["task_select", "Select the task", [{ key: " " }]],
    ["task_select_all", "Select all tasks", [{ key: "a", mod: true }]],
    ["task_rename", "Change the title", [{ key: "e" }, { key: "F2" }]],
    ["task_priority", "Change the priority", [{ key: "p" }]],
    ["task_tag", "Change the tag", [{ key: "t" }]],
    ["task_up", "Move the task up", [{ key: "ArrowUp", alt: true }]],
    ["task_down", "Move the task down", [{ key: "ArrowDown", alt: true }]],
  ] satisfies [string, string, Shortcut[]][]
).map(([id, title, shortcuts]) => ({ id, title, section: "Tasks", shortcuts }));

/** What a key does while the list has the focus; `false` when it does nothing there. */
export function tableKeys(event: KeyboardEvent, view: TasksState, shift: (by: -1 | 1) => void): boolean {
  const { key } = event;
  const mod = event.ctrlKey || event.metaKey;
  if (event.altKey) {
    const by = key === "ArrowUp" ? -1 : key === "ArrowDown" ? 1 : 0;
    if (by !== 0) {
      shift(by);
    }
    return by !== 0;
  }
  if (mod) {
    if (key.toLowerCase() === "a") {
      view.selectAll();
      return true;
    }
    return false;
  }
  return walk(event, view) || act(key, view);
}

function walk({ key, shiftKey }: KeyboardEvent, view: TasksState): boolean {
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: SCREENFUL,
    PageUp: -SCREENFUL,
    Home: -Infinity,
    End: Infinity,
  };
  const by = steps[key];
  if (by === undefined) {
    return false;
  }
  const from = view.active;
  if (shiftKey && from !== null && view.selected.size === 0) {
    view.toggle(from);
  }
  view.step(by);
  if (shiftKey && view.active !== null) {
    view.extendTo(view.active);
  }
  return true;
}

function act(key: string, view: TasksState): boolean {
  const { active } = view;
  if (key === "Escape") {
    const busy = view.selected.size > 0 || view.opened !== null;
    if (view.selected.size > 0) {
      view.clearSelection();
    } else {
      view.opened = null;
    }
    return busy;
  }
  const keys: Record<string, (id: number) => void> = {
    Enter: (id) => (view.opened = id),
    " ": (id) => view.toggle(id),
    F2: (id) => (view.editing = { id, field: "title" }),
    e: (id) => (view.editing = { id, field: "title" }),
    p: (id) => (view.editing = { id, field: "priority" }),
    t: (id) => (view.editing = { id, field: "tag" }),
  };
  const work = keys[key.length === 1 ? key.toLowerCase() : key];
  if (work && active !== null) {
    work(active);
    return true;
  }
  return false;
}

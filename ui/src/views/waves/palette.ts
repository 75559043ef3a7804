import type { TaskRow, TaskStatus } from "$lib/backend/types";
import { TASK_STATUS_ORDER } from "$lib/format/status";
import type { Palette } from "$lib/graph/paint";

const TOKENS: Record<TaskStatus, string> = {
  done: "--ok",
  awaiting_approval: "--waiting",
  in_progress: "--ok",
  blocked: "--danger",
  pending: "--line-strong",
  cancelled: "--line",
};

/** The theme's colours as a canvas takes them. A tone is a status' place in {@link TASK_STATUS_ORDER}. */
export function readPalette(element: Element): Palette {
  const styles = getComputedStyle(element);
  const token = (name: string): string => styles.getPropertyValue(name).trim();
  return {
    tones: TASK_STATUS_ORDER.map((status) => token(TOKENS[status])),
    surface: token("--stage"),
    line: token("--line-strong"),
    edge: token("--line-strong"),
    chain: token("--ok"),
    chosen: token("--focus"),
    ink: token("--ink-2"),
    font: styles.fontFamily,
  };
}

/** The tone of each task. */
export function tonesOf(rows: readonly TaskRow[]): Uint8Array {
  const places = new Map(TASK_STATUS_ORDER.map((status, place) => [status, place]));
  return Uint8Array.from(rows, (row) => places.get(row.status) ?? 0);
}

import { numberText } from "$lib/format/locale";
import type { TaskBoard, TaskId, TaskRow, TaskStatus, WaveSummary } from "$lib/backend/types";
import { TASK_STATUS_LABELS } from "$lib/format/status";
import { plural } from "$lib/format/text";

/** How far a wave is. */
export type WaveStage = "complete" | "current" | "held" | "waiting";

export const WAVE_STAGE_LABELS: Record<WaveStage, string> = {
  complete: "Complete",
  current: "In progress",
  held: "Waiting",
  waiting: "Pending",
};

/** The wave a run is in, or would go on with; else the first that is not finished. */
export function currentWave({ waves, tasks, current, next }: TaskBoard): WaveSummary | null {
  const number = tasks.find((row) => row.id === (current ?? next))?.wave;
  return waves.find((wave) => (number ? wave.number === number : wave.done < wave.total)) ?? null;
}

/** `stands` says of a task that it cannot go on. */
export function stageOf(wave: WaveSummary, current: WaveSummary | null, stands: (id: TaskId) => boolean): WaveStage {
  if (wave.done >= wave.total) {
    return "complete";
  }
  if (wave.number === current?.number) {
    return "current";
  }
  return wave.tasks.filter(stands).length === wave.total - wave.done ? "held" : "waiting";
}

/** Where the plan stands: "Wave 2 of 4". */
export function placeText(board: TaskBoard): string {
  const { waves } = board;
  const current = currentWave(board);
  if (current !== null) {
    return `Wave ${current.number} of ${waves.at(-1)?.number ?? waves.length}`;
  }
  if (waves.length === 0) {
    return "Nothing to do";
  }
  return waves.length === 1 ? "The only wave is done" : `All ${waves.length} waves are done`;
}

/** How much of it is done: "3 of 12 tasks done". */
export function doneText({ waves }: TaskBoard): string {
  const done = waves.reduce((sum, wave) => sum + wave.done, 0);
  const total = waves.reduce((sum, wave) => sum + wave.total, 0);
  return `${numberText(done)} of ${plural(total, "task")} done`;
}

/** "#3", "#3 and #4", "#3, #4 and 2 more". */
function names(ids: readonly TaskId[]): string {
  const shown = ids.slice(0, ids.length > 3 ? 2 : 3).map((id) => `#${id}`);
  const last = ids.length > 3 ? `${ids.length - 2} more` : shown.pop();
  return [shown.join(", "), last].filter(Boolean).join(" and ");
}

/** Why a task cannot start: "Waits for #3, which is blocked". */
export function heldText(by: readonly TaskId[], statusOf: (id: TaskId) => TaskStatus | undefined): string {
  const statuses = [...new Set(by.map(statusOf))].map((status) =>
    status === undefined ? "missing" : TASK_STATUS_LABELS[status].toLowerCase(),
  );
  return `Waiting for ${names(by)}, which ${by.length === 1 ? "is" : "are"} ${statuses.join(" or ")}`;
}

/** A circle as people follow it: "#1 → #2 → #1". Each waits for the next. */
export function circleText(cycle: readonly TaskId[]): string {
  return [...cycle, ...cycle.slice(0, 1)].map((id) => `#${id}`).join(" → ");
}

/** How often a task was tried: "3 attempts, 2 failed". */
export function attemptsText({ attempts, failures }: Pick<TaskRow, "attempts" | "failures">): string {
  return failures > 0 ? `${plural(attempts, "attempt")}, ${failures} failed` : plural(attempts, "attempt");
}

/** A task as it is read aloud: what it is, where it stands, what it hangs together with. */
export function spokenTask(row: TaskRow, before: number, after: number): string {
  return [
    `#${row.id} ${row.title}`,
    TASK_STATUS_LABELS[row.status],
    row.wave === null ? "in no wave" : `wave ${row.wave}`,
    before > 0 ? `after ${before}` : null,
    after > 0 ? `${after} ${after === 1 ? "waits" : "wait"} for it` : null,
  ]
    .filter(Boolean)
    .join(", ");
}

import { listText, numberText, pluralForm } from "$lib/format/locale";
import type { TaskBoard, TaskId, TaskRow, TaskStatus, WaveSummary } from "$lib/backend/types";
import { TASK_STATUS_LABELS } from "$lib/format/status";
import { plural } from "$lib/format/text";

/** The texts of the view. */
export const TEXTS = {
  title: "Waves",
  show: "What is shown",
  graph: "Graph",
  bars: "Bars",
  graphLabel: "Graph of the tasks",
  graphKeys:
    "Left and right go along dependencies, up and down within the wave. Enter opens the task, plus, minus and zero zoom, F shows all.",
  task: "The task",
  openInTasks: "Open in Tasks",
  working: "Working",
  yours: "You are working on it",
  needsReview: "Needs review",
  next: "Next",
  by: (agent: string, elapsed: string) => `${agent}, ${elapsed}`,
  after: (ids: string) => `after ${ids}`,
  waitingFor: (ids: string) => `waiting for ${ids}`,
  empty: {
    title: "No tasks yet",
    text: "Tasks that come after nothing are the first wave, those that come after them the second. Add tasks to see them here.",
    action: "Go to Tasks",
  },
  unreadable: "The tasks could not be read",
  wave: (number: number) => `Wave ${number}`,
  lookAt: (number: number) => `Look at wave ${number}`,
  inACircle: "In a circle",
  cancelled: "Cancelled",
  blocked: "Blocked",
  waiting: "Waiting",
  current: "Current task",
  nextTask: "Next task",
  stages: { agent: "Working", checks: "Checks", commit: "Committing" },
  complexity: (complexity: number) => `Complexity ${complexity}`,
  failed: (failures: number) => `${numberText(failures)} failed`,
  blockedCount: (count: number) => `${numberText(count)} blocked`,
  commit: (commit: string, tasks: number) => `Commit ${commit} holds ${plural(tasks, "task")}`,
  earlier: (shown: number, all: number) => `Show ${numberText(shown)} of ${numberText(all)} earlier`,
  later: (shown: number, all: number) => `Show ${numberText(shown)} of ${numberText(all)} later`,
  more: (shown: number, all: number) => `Show ${numberText(shown)} of ${numberText(all)} more`,
} as const;

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

/** Why a task cannot start: "Waiting for #3, which is blocked". */
export function heldText(by: readonly TaskId[], statusOf: (id: TaskId) => TaskStatus | undefined): string {
  const statuses = [...new Set(by.map(statusOf))].map((status) =>
    status === undefined ? "missing" : TASK_STATUS_LABELS[status].toLowerCase(),
  );
  const names = listText(
    by.length > 3 ? [...by.slice(0, 2).map((id) => `#${id}`), `${by.length - 2} more`] : by.map((id) => `#${id}`),
  );
  return pluralForm(
    by.length,
    `Waiting for ${names}, which is ${statuses.join(" or ")}`,
    `Waiting for ${names}, which are ${statuses.join(" or ")}`,
  );
}

/** What a node says below its title: why it is not under way, or who works on it. What is done says nothing. */
export function nodeNote(
  row: TaskRow,
  facts: { held: readonly TaskId[]; unfinished: readonly TaskId[]; next: boolean; byHand: boolean },
): string | null {
  switch (row.status) {
    case "in_progress":
      return facts.byHand ? TEXTS.yours : TEXTS.working;
    case "awaiting_approval":
      return TEXTS.needsReview;
    case "blocked":
      return row.blocked?.reason || TASK_STATUS_LABELS.blocked;
    case "pending":
      if (facts.held.length > 0) {
        return TEXTS.waitingFor(listText(facts.held.map(String)));
      }
      return facts.unfinished.length > 0
        ? TEXTS.after(listText(facts.unfinished.map(String)))
        : facts.next
          ? TEXTS.next
          : null;
    default:
      return null;
  }
}

/** What is shown, in a few words. */
export function scopeText({ tasks, critical_path }: TaskBoard, critical: boolean): string {
  const count = plural(tasks.length, "task");
  const most = 6;
  const path = critical_path.slice(0, most).join(" – ");
  return critical && critical_path.length > 1
    ? `${count}, critical path ${critical_path.length > most ? `${path} …` : path}`
    : count;
}

/** A task as it is read aloud: what it is, where it stands, what it hangs together with. */
export function spokenTask(row: TaskRow, before: number, after: number): string {
  return [
    `#${row.id} ${row.title}`,
    TASK_STATUS_LABELS[row.status],
    row.wave === null ? "in no wave" : `wave ${row.wave}`,
    before > 0 ? `after ${before}` : null,
    after > 0 ? `before ${after}` : null,
  ]
    .filter(Boolean)
    .join(", ");
}

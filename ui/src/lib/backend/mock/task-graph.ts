/** How tasks hang together, by the rules of the domain crate: waves, circles, what is held and what comes next. */
import type { HeldTask, Task, TaskBoard, TaskId, TaskRow, WaveSummary } from "../types";

export interface Layout {
  /** The tasks of each wave, the first wave first, in the order they are taken. */
  waves: Task[][];
  waveOf: ReadonlyMap<TaskId, number>;
  /** Each task waits for the next, and the last for the first; empty when there is no circle. */
  cycle: TaskId[];
}

const sooner = (left: Task, right: Task): number => left.priority - right.priority || left.id - right.id;

/** Lays all tasks but the cancelled out in waves: by dependencies, then priority, then id. What is not there holds nothing back. */
export function layOut(all: readonly Task[]): Layout {
  const tasks = all.filter(({ status }) => status !== "cancelled");
  const byId = new Map(tasks.map((task) => [task.id, task]));
  const waiting = new Map<TaskId, number>();
  const dependants = dependantsOf(tasks);
  for (const task of tasks) {
    waiting.set(task.id, task.depends_on.filter((id) => byId.has(id)).length);
  }
  const waves: Task[][] = [];
  const waveOf = new Map<TaskId, number>();
  let ready = tasks.filter((task) => waiting.get(task.id) === 0);
  while (ready.length > 0) {
    const wave = [...ready].sort(sooner);
    waves.push(wave);
    ready = [];
    for (const task of wave) {
      waveOf.set(task.id, waves.length);
      for (const dependant of dependants.get(task.id) ?? []) {
        const left = (waiting.get(dependant) ?? 0) - 1;
        waiting.set(dependant, left);
        const found = byId.get(dependant);
        if (left === 0 && found) {
          ready.push(found);
        }
      }
    }
  }
  return { waves, waveOf, cycle: waveOf.size === tasks.length ? [] : circle(byId, waveOf) };
}

/** Who waits for each task. */
export function dependantsOf(tasks: readonly Task[]): Map<TaskId, TaskId[]> {
  const dependants = new Map<TaskId, TaskId[]>();
  for (const task of tasks) {
    for (const before of task.depends_on) {
      const known = dependants.get(before);
      if (known) {
        known.push(task.id);
      } else {
        dependants.set(before, [task.id]);
      }
    }
  }
  return dependants;
}

function circle(byId: ReadonlyMap<TaskId, Task>, placed: ReadonlyMap<TaskId, number>): TaskId[] {
  const stuck = [...byId.keys()].filter((id) => !placed.has(id));
  const trail: TaskId[] = [];
  let current: TaskId | undefined = Math.min(...stuck);
  while (current !== undefined && !trail.includes(current)) {
    trail.push(current);
    current = byId.get(current)?.depends_on.find((id) => stuck.includes(id));
  }
  return current === undefined ? trail : trail.slice(trail.indexOf(current));
}

export function summariesOf({ waves }: Layout): WaveSummary[] {
  return waves.map((tasks, index) => ({
    number: index + 1,
    total: tasks.length,
    done: tasks.filter(({ status }) => status === "done").length,
    blocked: tasks.filter(({ status }) => status === "blocked").length,
    tasks: tasks.map(({ id }) => id),
  }));
}

/** Pending tasks that wait for blocked or cancelled ones, directly or through others. */
function heldOf(tasks: readonly Task[], { waves }: Layout): HeldTask[] {
  const inTheWay = new Map(
    tasks.filter(({ status }) => status === "cancelled" || status === "blocked").map(({ id }) => [id, [id]]),
  );
  const held: HeldTask[] = [];
  for (const task of waves.flat()) {
    const by = new Set<TaskId>();
    for (const before of task.depends_on) {
      inTheWay.get(before)?.forEach((id) => by.add(id));
    }
    const ways = [...by].sort((left, right) => left - right);
    if (task.status === "pending" && ways.length > 0) {
      held.push({ task: task.id, by: ways });
    }
    if (task.status !== "blocked" && task.status !== "done" && ways.length > 0) {
      inTheWay.set(task.id, ways);
    }
  }
  return held;
}

/** The longest chain of unfinished work, weighed by complexity. */
function criticalPath({ waves }: Layout): TaskId[] {
  const longest = new Map<TaskId, { weight: number; before: TaskId | null }>();
  let end: TaskId | null = null;
  for (const task of waves.flat().filter(({ status }) => status !== "done")) {
    let before: TaskId | null = null;
    let weight = 0;
    for (const id of task.depends_on) {
      const known = longest.get(id);
      if (known && known.weight > weight) {
        [before, weight] = [id, known.weight];
      }
    }
    longest.set(task.id, { weight: weight + Math.max(1, task.complexity), before });
    if (end === null || (longest.get(task.id)?.weight ?? 0) > (longest.get(end)?.weight ?? 0)) {
      end = task.id;
    }
  }
  const path: TaskId[] = [];
  for (let at = end; at !== null; at = longest.get(at)?.before ?? null) {
    path.unshift(at);
  }
  return path;
}

/** A wave goes on as long as one of its tasks can start, is worked on or waits for approval. */
function nextOf(tasks: readonly Task[], layout: Layout): TaskId | null {
  const statuses = new Map(tasks.map(({ id, status }) => [id, status]));
  const ready = (task: Task) =>
    task.status === "pending" && task.depends_on.every((id) => (statuses.get(id) ?? "done") === "done");
  const goesOn = (task: Task) => ready(task) || task.status === "in_progress" || task.status === "awaiting_approval";
  return layout.waves.find((wave) => wave.some(goesOn))?.find(ready)?.id ?? null;
}

export function rowOf(task: Task, wave: number | null): TaskRow {
  const { id, title, status, priority, size, complexity, kind, tag, depends_on } = task;
  const { blocked, attempts, failures, commit, external, updated_at } = task;
  const told = { blocked, attempts, failures, commit, external, wave, updated_at };
  return { id, title, status, priority, size, complexity, kind, tag, depends_on, ...told };
}

/** All that is told of tasks together. */
export function boardOf(tasks: readonly Task[], more: Pick<TaskBoard, "wave_commits" | "by_hand">): TaskBoard {
  const layout = layOut(tasks);
  const placed = layout.waves.flat();
  const stuck = tasks.filter(({ id }) => !layout.waveOf.has(id)).sort(sooner);
  const tags = new Set(tasks.map(({ tag }) => tag).filter((tag) => tag !== null));
  return {
    tasks: [...placed, ...stuck].map((task) => rowOf(task, layout.waveOf.get(task.id) ?? null)),
    waves: summariesOf(layout),
    cycle: layout.cycle,
    critical_path: criticalPath(layout),
    next: nextOf(tasks, layout),
    current: tasks.find(({ status }) => status === "in_progress")?.id ?? null,
    held: heldOf(tasks, layout),
    tags: [...tags].sort(),
    ...more,
  };
}

import { numberText } from "$lib/format/locale";
import type { Overview, Task, TaskId, TaskStatus } from "$lib/backend/types";
import { plural } from "$lib/format/text";

export interface PlanWave {
  number: number;
  /** In the order they are taken. */
  tasks: Task[];
  total: number;
  done: number;
  blocked: number;
  finished: boolean;
}

export interface Plan {
  waves: PlanWave[];
  byId: ReadonlyMap<TaskId, Task>;
  total: number;
  done: number;
  /** The statuses of all tasks, wave by wave, the cancelled last. */
  statuses: TaskStatus[];
}

/**
 * The overview's tasks, laid out for showing. Tasks that wait in a circle are in no wave and not lost: they come as a wave
 * of their own. The cancelled ones are only counted.
 */
export function planOf(overview: Pick<Overview, "tasks" | "waves">): Plan {
  const byId = new Map(overview.tasks.map((task) => [task.id, task]));
  const placed = new Set<TaskId>();
  const waves = overview.waves.map((wave): PlanWave => {
    const tasks = wave.tasks.map((id) => byId.get(id)).filter((task) => task !== undefined);
    tasks.forEach((task) => placed.add(task.id));
    const { number, total, done, blocked } = wave;
    return { number, tasks, total, done, blocked, finished: done === total };
  });
  const unplaced = overview.tasks.filter((task) => !placed.has(task.id));
  const left = unplaced.filter((task) => task.status !== "cancelled");
  const cancelled = unplaced.filter((task) => task.status === "cancelled");
  if (left.length > 0) {
    waves.push(countWave(waves.length + 1, left));
  }
  return {
    waves,
    byId,
    total: waves.reduce((sum, wave) => sum + wave.total, 0),
    done: waves.reduce((sum, wave) => sum + wave.done, 0),
    statuses: [...waves.flatMap((wave) => wave.tasks), ...cancelled].map((task) => task.status),
  };
}

function countWave(number: number, tasks: Task[]): PlanWave {
  const count = (status: TaskStatus) => tasks.filter((task) => task.status === status).length;
  const total = tasks.length - count("cancelled");
  const done = count("done");
  return { number, tasks, total, done, blocked: count("blocked"), finished: done === total };
}

/** Above this many tasks only the first unfinished wave is open at first. */
const SMALL_PLAN = 60;

/** Whether a wave shows its tasks before anyone asked. */
export function opensAtFirst(plan: Plan, wave: PlanWave): boolean {
  if (plan.statuses.length <= SMALL_PLAN) {
    return !wave.finished || plan.waves.every((each) => each.finished);
  }
  return wave === (plan.waves.find((each) => !each.finished) ?? plan.waves[0]);
}

/** The plan in one line: "7 tasks in 3 waves, 2 done". */
export function planSummary(plan: Plan): string {
  if (plan.statuses.length === 0) {
    return "No tasks yet";
  }
  const size = `${plural(plan.total, "task")} in ${plural(plan.waves.length, "wave")}`;
  if (plan.done === 0) {
    return `${size}, ${begun(plan) ? "none done yet" : "not started"}`;
  }
  return plan.done === plan.total ? `${size}, all done` : `${size}, ${numberText(plan.done)} done`;
}

function begun(plan: Plan): boolean {
  return plan.statuses.some((status) => status !== "pending" && status !== "cancelled");
}

/** The tasks that come next, the ready ones first, and what each waits for; blocked ones come last. */
export function nextOf(plan: Plan, current: TaskId | null, most: number): { task: Task; after: TaskId[] }[] {
  const left = plan.waves
    .flatMap((wave) => wave.tasks)
    .filter(({ id, status }) => id !== current && (status === "pending" || status === "blocked"))
    .map((task) => ({
      task,
      after: task.depends_on.filter((id) => plan.byId.get(id)?.status !== "done"),
    }));
  const rank = ({ task, after }: { task: Task; after: TaskId[] }) =>
    task.status === "blocked" ? 2 : after.length > 0 ? 1 : 0;
  return left.toSorted((one, other) => rank(one) - rank(other)).slice(0, most);
}

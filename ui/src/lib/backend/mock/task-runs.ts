/** What a run over tasks does to the tasks, by the rules of the real thing: one at a time, wave by wave. */
import type { Iteration, RunSummary, Task } from "../types";

import type { Fate } from "./iteration-data";
import type { MockParts } from "./parts";
import type { RecordedRun } from "./run-data";

const MOST_ATTEMPTS = 3;

/** How a run over tasks is over. */
export interface TasksOver {
  status: RunSummary["status"];
  reason: RunSummary["reason"];
  message: string;
}

/** The tasks that a run works on. */
export class TaskRuns {
  readonly #parts: MockParts;

  constructor(parts: MockParts) {
    this.#parts = parts;
  }

  /** Takes the next task up; none when nothing can be done any more. */
  take(run: RecordedRun): Pick<Iteration, "task" | "wave"> | null {
    const { tasks, note } = this.#parts;
    const { board } = tasks;
    const chosen = run.options.tasks;
    const row = board.tasks.find(({ id, tag, wave, status }) =>
      chosen?.task
        ? id === chosen.task && status === "pending"
        : id === board.next && (!chosen?.tag || tag === chosen.tag) && (!chosen?.wave || wave === chosen.wave),
    );
    if (!row) {
      return null;
    }
    tasks.setStatus(row.id, "in_progress", {}, note);
    return { task: row.id, wave: row.wave };
  }

  /** Whether a person looks at every task of this run. */
  asks(run: RecordedRun): boolean {
    return (run.mode ?? this.#parts.overview().mode) === "review_each";
  }

  /** Puts a task where its iteration leaves it. */
  settle(iteration: Iteration, fate: Fate, reason: string | null = null): void {
    const { tasks, note } = this.#parts;
    if (iteration.task === null) {
      return;
    }
    const task = tasks.find(iteration.task);
    const about = { iteration: iteration.id };
    if (fate === "interrupted") {
      tasks.setStatus(task.id, "pending", about, note);
      return;
    }
    const failed = fate !== "good";
    tasks.change(task.id, { attempts: task.attempts + 1, failures: task.failures + Number(failed) });
    if (!failed) {
      tasks.setStatus(task.id, "done", about, note);
    } else if (fate === "skipped" || task.failures + 1 >= MOST_ATTEMPTS) {
      const why =
        fate === "skipped" ? `Put aside: ${reason}` : `${MOST_ATTEMPTS} attempts failed. ${iteration.message ?? ""}`;
      tasks.setStatus(task.id, "blocked", { ...about, reason: why.trim() }, note);
    } else {
      tasks.setStatus(task.id, "pending", { ...about, reason: iteration.message }, note);
    }
  }

  over(): TasksOver {
    const left = this.#parts.tasks.list.filter(({ status }) => status !== "done" && status !== "cancelled");
    if (left.length === 0) {
      return { status: "completed", reason: "finished", message: "Every task is done." };
    }
    return { status: "aborted", reason: "blocked", message: blockedText(left) };
  }
}

function blockedText(left: readonly Task[]): string {
  const blocked = left.filter(({ status }) => status === "blocked");
  const held = left.length - blocked.length;
  const first = blocked.map(({ id }) => `#${id}`).join(", ");
  return `Blocked: ${first}.${held > 0 ? ` ${held} more wait for them.` : ""}`;
}

import type { Blocked, GateId, HandWork, Section, Task, TaskBoard, TaskDraft, TaskId, TaskStatus } from "../types";

import { refusal } from "./faults";
import type { MockParts } from "./parts";
import type { Scenario } from "./scenarios";
import { sectionsFor, tasksFor } from "./task-data";
import { boardOf, dependantsOf, layOut } from "./task-graph";

const LONGEST_TITLE = 500;
const COMPLEXITIES = [0, 1, 2, 3, 5, 8, 13, 21, 34, 55, 89];

/** Why a task's status changed, for its history. */
interface Why {
  reason?: string | null;
  iteration?: string | null;
  /** None when a run did it. */
  origin?: "app" | "cli" | null;
}

/** The project's tasks and spec, as they are now. Every part of the mock that tells of tasks asks here. */
export class TaskWorld {
  readonly sections: Section[];
  /** What a person works on by hand. */
  byHand: HandWork | null = null;
  /** The gate that a task waits at. */
  readonly gates = new Map<TaskId, GateId>();
  #tasks: Map<TaskId, Task>;
  #board: TaskBoard | null = null;
  #dependants: Map<TaskId, TaskId[]> | null = null;
  /** No two changes have the same time. */
  #clock = 0;

  constructor(scenario: Scenario) {
    this.sections = sectionsFor(scenario);
    this.#tasks = new Map(tasksFor(scenario).map((task) => [task.id, task]));
  }

  /** All of them, by id. */
  get list(): Task[] {
    return [...this.#tasks.values()];
  }

  get board(): TaskBoard {
    return (this.#board ??= boardOf(this.list, { wave_commits: [], by_hand: this.byHand }));
  }

  find(id: TaskId): Task {
    const task = this.#tasks.get(id);
    if (!task) {
      throw refusal("task.not_found", `there is no task #${id}`);
    }
    return task;
  }

  dependants(id: TaskId): TaskId[] {
    return (this.#dependants ??= dependantsOf(this.list)).get(id) ?? [];
  }

  add(draft: TaskDraft): Task {
    const id = Math.max(0, ...this.#tasks.keys()) + 1;
    this.check(id, draft);
    const at = this.#now();
    const counted = {
      status: "pending" as const,
      blocked: null,
      attempts: 0,
      failures: 0,
      commit: null,
      external: null,
    };
    const task: Task = { id, ...draft, title: draft.title.trim(), ...counted, created_at: at, updated_at: at };
    this.#put(task);
    return task;
  }

  /** Changes a task; what is told to its readers is newer afterwards. */
  change(id: TaskId, to: Partial<Task>): Task {
    const task = { ...this.find(id), ...to, updated_at: this.#now() };
    this.#put(task);
    return task;
  }

  /** Puts a task elsewhere and writes it down. */
  setStatus(id: TaskId, to: TaskStatus, why: Why, note: MockParts["note"]): Task {
    const { status: from, failures } = this.find(id);
    const reason = why.reason ?? null;
    const blocked: Blocked | null =
      to === "blocked" ? { reason: reason ?? "", attempts: failures, at: new Date().toISOString() } : null;
    const commit = to === "done" && why.iteration ? "5e1f0c2a9b7d4e6f8a3b1c5d7e9f0a2b4c6d8e0f" : null;
    const task = this.change(id, { status: to, blocked, commit });
    note({
      type: "task.status",
      task: id,
      from,
      to,
      reason,
      iteration: why.iteration ?? null,
      origin: why.origin ?? null,
    });
    return task;
  }

  /** Refuses what cannot be a task, in the words of the real thing. */
  check(id: TaskId, draft: TaskDraft): void {
    const title = draft.title.trim();
    if (title === "") {
      throw refusal("task.invalid", "a task needs a title");
    }
    if (title.length > LONGEST_TITLE || /[\n\r]/.test(title)) {
      throw refusal("task.invalid", "a title is one line of at most 500 characters");
    }
    if (!COMPLEXITIES.includes(draft.complexity)) {
      throw refusal("task.invalid", `a complexity is one of ${COMPLEXITIES.join(", ")}`);
    }
    if (draft.depends_on.includes(id)) {
      throw refusal("task.invalid", `task #${id} cannot wait for itself`);
    }
    const unknown = draft.depends_on.find((before) => !this.#tasks.has(before));
    if (unknown !== undefined) {
      throw refusal("task.not_found", `there is no task #${unknown}`);
    }
    const known = this.#tasks.get(id);
    if (known && draft.depends_on.some((before) => !known.depends_on.includes(before))) {
      const { cycle } = layOut(this.list.map((task) => (task.id === id ? { ...task, ...draft } : task)));
      if (cycle.length > 0) {
        const circle = [...cycle, ...cycle.slice(0, 1)].map((each) => `#${each}`).join(" → ");
        throw refusal("task.cycle", `tasks depend on each other in a circle: ${circle}`);
      }
    }
  }

  /** What is read next is read anew. */
  touched(): void {
    this.#board = null;
    this.#dependants = null;
  }

  #put(task: Task): void {
    this.#tasks.set(task.id, task);
    this.touched();
  }

  #now(): string {
    this.#clock = Math.max(this.#clock + 1, Date.now());
    return new Date(this.#clock).toISOString();
  }
}

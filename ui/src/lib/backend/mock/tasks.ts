import type { TasksBackend } from "../tasks";
import type {
  BulkEdit,
  Finished,
  HeldTask,
  Iteration,
  Task,
  TaskDetail,
  TaskDraft,
  TaskId,
  TaskMove,
  TaskStatus,
} from "../types";

import { refusal } from "./faults";
import { iterationRow } from "./history";
import { iterationIdOf } from "./iteration-data";
import type { MockParts } from "./parts";
import { sectionRow } from "./task-data";

const FIELDS: (keyof TaskDraft)[] = [
  "title",
  "description",
  "acceptance",
  "test_strategy",
  "priority",
  "size",
  "complexity",
  "kind",
  "tag",
  "sections",
  "depends_on",
  "notes",
];

/** Where a move leads. */
const TARGETS: Record<TaskMove["kind"], TaskStatus> = {
  done: "done",
  block: "blocked",
  unblock: "pending",
  cancel: "cancelled",
  reopen: "pending",
};

/** What is worked on or waits at a gate is moved by that; what is over is reopened first. */
function isAllowed(move: TaskMove["kind"], from: TaskStatus): boolean {
  const over = from === "done" || from === "cancelled";
  return from === "pending" || from === "blocked" || (over && (move === "reopen" || TARGETS[move] === from));
}

/** What a test can do that an agent or another terminal could do. */
export interface TaskControls {
  /** Somebody else changes a task. */
  editElsewhere(id: TaskId, to: Partial<Task>): void;
}

/** Tasks in memory. */
export function createTasksMock(parts: MockParts): TasksBackend & { taskControls: TaskControls } {
  const { tasks, world, guarded, note, announce, journal } = parts;

  function attemptsOf(id: TaskId): Iteration[] {
    return world.runs
      .flatMap((run) => (run.summary.kind === "run" ? run.iterations.toReversed() : []))
      .filter(({ task }) => task === id);
  }

  function detail(id: TaskId): TaskDetail {
    const task = tasks.find(id);
    return {
      task,
      wave: tasks.board.tasks.find((row) => row.id === id)?.wave ?? null,
      dependants: tasks.dependants(id),
      sections: tasks.sections.filter((section) => task.sections.includes(section.id)),
      attempts: attemptsOf(id).map(iterationRow),
      gate: tasks.gates.get(id) ?? null,
      journal: journal.filter(({ event }) => "task" in event && event.task === id),
    };
  }

  function edited(id: TaskId, draft: TaskDraft): boolean {
    const before = tasks.find(id);
    const fields = FIELDS.filter((field) => JSON.stringify(before[field]) !== JSON.stringify(draft[field]));
    if (fields.length > 0) {
      tasks.change(id, { ...draft, title: draft.title.trim() });
      note({ type: "task.edited", task: id, fields, origin: "app" });
    }
    return fields.length > 0;
  }

  /** Who waits for these and cannot start any more. */
  function heldBy(ids: readonly TaskId[]): HeldTask[] {
    return tasks.board.held.filter(({ by }) => by.some((id) => ids.includes(id)));
  }

  function move(ids: TaskId[], to: TaskMove): void {
    const status = TARGETS[to.kind];
    const reason = to.kind === "block" ? to.reason.trim() : null;
    if (reason === "") {
      throw refusal("task.invalid", "a task is blocked for a reason of 1 to 2000 characters");
    }
    for (const id of ids) {
      const task = tasks.find(id);
      if (!isAllowed(to.kind, task.status)) {
        throw refusal("task.status", `task #${id} is ${task.status.replace("_", " ")}, so this cannot be done`);
      }
    }
    ids
      .filter((id) => tasks.find(id).status !== status)
      .forEach((id) => tasks.setStatus(id, status, { reason, origin: "app" }, note));
  }

  /** Gives new priorities to as few tasks of a wave as its new order needs. */
  function place(id: TaskId, before: TaskId | null): TaskId[] {
    const row = tasks.board.tasks.find((each) => each.id === tasks.find(id).id);
    const wave = tasks.board.tasks.filter((each) => each.wave === row?.wave).map((each) => tasks.find(each.id));
    const others = wave.filter((task) => task.id !== id);
    const at = before === null ? others.length : others.findIndex((task) => task.id === before);
    if (at < 0) {
      throw refusal(
        "task.invalid",
        `tasks #${id} and #${before} are in different waves`,
        "Change what it waits for instead.",
      );
    }
    const order = others.toSpliced(at, 0, tasks.find(id));
    const changed: TaskId[] = [];
    let last = { priority: 0, id: 0 };
    for (const task of order) {
      const least = last.priority + (task.id > last.id ? 0 : 1);
      const priority = task.id === id ? least : Math.max(task.priority, least);
      if (priority !== task.priority) {
        tasks.change(task.id, { priority });
        changed.push(task.id);
      }
      last = { priority, id: task.id };
    }
    return changed;
  }

  function bulk(ids: TaskId[], edit: BulkEdit): TaskId[] {
    const to = Object.fromEntries(Object.entries(edit).filter(([, value]) => value !== null)) as Partial<TaskDraft>;
    const change = to.tag === "" ? { ...to, tag: null } : to;
    return ids.filter((id) => edited(id, { ...tasks.find(id), ...change }));
  }

  function finish(how: Finished): Finished {
    const work = tasks.byHand;
    if (work === null) {
      throw refusal("task.status", "you work on no task");
    }
    if (how.kind !== "checks_failed") {
      tasks.byHand = null;
      tasks.setStatus(work.task, how.kind === "done" ? "done" : "pending", { iteration: work.iteration }, note);
    }
    announce();
    return how;
  }

  return {
    taskBoard: () => guarded("taskBoard", null, () => tasks.board),
    task: (id) => guarded("task", id, () => detail(id)),
    addTask: (draft) =>
      guarded("addTask", draft, () => {
        const { id, title } = tasks.add(draft);
        note({ type: "task.added", task: id, title });
        announce();
        return id;
      }),
    editTask: (id, seen, draft) =>
      guarded("editTask", { id, seen, draft }, () => {
        if (tasks.find(id).updated_at !== seen) {
          throw refusal("task.changed", `task #${id} was changed since you read it`, "Look at it as it is now.");
        }
        tasks.check(id, draft);
        if (edited(id, draft)) {
          announce();
        }
        return detail(id);
      }),
    editTasks: (ids, edit) =>
      guarded("editTasks", { ids, edit }, () => {
        ids.forEach((id) => tasks.find(id));
        const changed = bulk(ids, edit);
        announce();
        return { changed, held: [] };
      }),
    moveTasks: (ids, to) =>
      guarded("moveTasks", { ids, to }, () => {
        move(ids, to);
        announce();
        return { changed: ids, held: to.kind === "cancel" ? heldBy(ids) : [] };
      }),
    placeTask: (id, before) =>
      guarded("placeTask", { id, before }, () => {
        const changed = place(id, before);
        announce();
        return { changed, held: [] };
      }),
    beginTask: (id) =>
      guarded("beginTask", id, () => {
        const task = tasks.find(id);
        if (tasks.byHand !== null) {
          throw refusal("run.locked", `you work on task #${tasks.byHand.task} by hand`, "Finish it, or give it up.");
        }
        if (task.status !== "pending") {
          throw refusal("task.status", `task #${id} is ${task.status.replace("_", " ")}, so it cannot be begun`);
        }
        const iteration = iterationIdOf(900 + id, 0);
        const prompt_file = `.loopwright/run/${iteration}/prompt.md`;
        tasks.byHand = { task: id, iteration, prompt_file, started_at: new Date().toISOString() };
        tasks.setStatus(id, "in_progress", { iteration }, note);
        announce();
        return tasks.byHand;
      }),
    finishTask: (summary) =>
      guarded("finishTask", summary, () =>
        finish(
          summary.includes("fail")
            ? { kind: "checks_failed", checks: ["teas are well formed"] }
            : { kind: "done", commit: "9f2c11d04a6b8e7735c0d1a2b3c4d5e6f7a8b9c0" },
        ),
      ),
    giveUpTask: () =>
      guarded("giveUpTask", null, () =>
        finish({ kind: "given_up", kept: `refs/loopwright/attempts/${tasks.byHand?.iteration ?? ""}` }),
      ),
    sections: () => guarded("sections", null, () => tasks.sections.map(sectionRow)),
    taskControls: {
      editElsewhere: (id, to) => {
        tasks.change(id, to);
        note({ type: "task.edited", task: id, fields: Object.keys(to), origin: "cli" });
        announce();
      },
    },
  };
}

import type { Backend } from "$lib/backend/backend";
import type { Task, TaskDraft, TaskId } from "$lib/backend/types";
import { emptyDraft } from "$lib/task/words";

import { announced, given, holds, on, refused, same, types, written } from "./suite";

const UNKNOWN: TaskId = 999;
/** The last task of the sample. */
const SAMPLE: TaskId = 7;

/** A task of a case's own, so that cases do not meet in the plan. */
async function fresh(backend: Backend, more: Partial<TaskDraft> = {}): Promise<TaskId> {
  return backend.addTask({ ...emptyDraft("A task of the contract"), ...more });
}

async function statusOf(backend: Backend, id: TaskId): Promise<Task["status"]> {
  return (await backend.task(id)).task.status;
}

async function draftOf(backend: Backend, id: TaskId): Promise<{ seen: string; draft: TaskDraft }> {
  const { task } = await backend.task(id);
  const { title, description, acceptance, test_strategy, priority, size } = task;
  const { complexity, kind, tag, sections, depends_on, notes } = task;
  const first = { title, description, acceptance, test_strategy, priority, size };
  return { seen: task.updated_at, draft: { ...first, complexity, kind, tag, sections, depends_on, notes } };
}

/** The board, tasks one by one, editing, moving and work by hand. */
export const TASKS = on("sample", {
  "the sample has seven tasks in three waves": async (backend) => {
    const { waves, cycle, next, by_hand } = await backend.taskBoard();
    const ofSample = ({ tasks }: { tasks: TaskId[] }) => tasks.filter((id) => id <= SAMPLE).sort((a, b) => a - b);
    same(
      waves.map(ofSample),
      [
        [1, 2],
        [3, 4, 5],
        [6, 7],
      ],
      "the waves",
    );
    same([cycle, next, by_hand], [[], 1, null], "the cycle, what is next, and work by hand");
  },
  "the board lists waves, and in a wave what comes first": async (backend) => {
    const { tasks, waves } = await backend.taskBoard();
    const order = (wave: number | null) => tasks.filter((task) => task.wave === wave);
    same(
      tasks.map(({ wave }) => wave),
      waves.flatMap(({ tasks: ids }, index) => ids.map(() => index + 1)),
      "waves",
    );
    for (const wave of [1, 2, 3]) {
      const places = order(wave).map(({ priority, id }) => priority * 1000 + id);
      same(
        places,
        [...places].sort((left, right) => left - right),
        `the order in wave ${wave}`,
      );
    }
  },
  "the overview tells of the same tasks and waves": async (backend) => {
    const [overview, board] = [await backend.overview(), await backend.taskBoard()];
    same(overview.waves, board.waves, "the waves");
    const ids = (tasks: readonly { id: TaskId }[]) => tasks.map(({ id }) => id).sort((a, b) => a - b);
    same(ids(overview.tasks), ids(board.tasks), "the tasks");
  },
  "a task tells what it waits for, who waits for it, and its history": async (backend) => {
    const { task, wave, dependants, gate, attempts, journal } = await backend.task(3);
    same([task.id, task.status, wave, gate, attempts], [3, "pending", 2, null, []]);
    holds(task.depends_on.length > 0 && dependants.length > 0, "it stands between others");
    same(journal[0]?.event.type, "task.added", "how its history begins");
  },
  "a task that is not there is refused": async (backend) => {
    await refused("task.not_found", backend.task(UNKNOWN));
    await refused("task.not_found", backend.moveTasks([UNKNOWN], { kind: "done" }));
    await refused("task.not_found", backend.beginTask(UNKNOWN));
    await refused("task.not_found", backend.placeTask(UNKNOWN, null));
  },
  "a new task gets the next number and is told of": async (backend) => {
    const { tasks } = await backend.taskBoard();
    const next = Math.max(...tasks.map(({ id }) => id)) + 1;
    const told = await written(backend, () =>
      announced(backend, async () => same(await fresh(backend, { title: "  Sweep the yard " }), next, "its number")),
    );
    same(told, [{ type: "task.added", task: next, title: "Sweep the yard" }], "what is written");
    const { task } = await backend.task(next);
    same([task.title, task.status, task.attempts, task.failures], ["Sweep the yard", "pending", 0, 0]);
  },
  "what cannot be a task is refused, and nothing is written": async (backend) => {
    same(
      await types(backend, async () => {
        for (const wrong of [{ title: " " }, { title: "two\nlines" }, { title: "x".repeat(501) }, { complexity: 4 }]) {
          await refused("task.invalid", fresh(backend, wrong));
        }
        await refused("task.not_found", fresh(backend, { depends_on: [UNKNOWN] }));
      }),
      [],
      "what is written",
    );
  },
  "an edit tells which fields changed; one that changes nothing is no edit": async (backend) => {
    const id = await fresh(backend);
    const { seen, draft } = await draftOf(backend, id);
    same(await types(backend, () => backend.editTask(id, seen, draft)), [], "what an unchanged draft writes");
    const told = await written(backend, () =>
      announced(backend, async () => {
        const { task } = await backend.editTask(id, seen, { ...draft, notes: "Ask Ada.", priority: 2 });
        same([task.notes, task.priority], ["Ask Ada.", 2], "the answer");
      }),
    );
    same(
      told.map((event) => (event.type === "task.edited" ? [...event.fields].sort() : event.type)),
      [["notes", "priority"]],
    );
  },
  "an edit of what somebody else changed is refused": async (backend) => {
    const id = await fresh(backend);
    const { seen, draft } = await draftOf(backend, id);
    await backend.editTask(id, seen, { ...draft, notes: "First." });
    await refused("task.changed", backend.editTask(id, seen, { ...draft, notes: "Second." }));
    same((await backend.task(id)).task.notes, "First.", "the notes");
  },
  "a task waits neither for itself nor in a circle": async (backend) => {
    const first = await fresh(backend);
    const second = await fresh(backend, { depends_on: [first] });
    const { seen, draft } = await draftOf(backend, first);
    await refused("task.invalid", backend.editTask(first, seen, { ...draft, depends_on: [first] }));
    await refused("task.cycle", backend.editTask(first, seen, { ...draft, depends_on: [second] }));
  },
  "several tasks are edited together, or none": async (backend) => {
    const ids = [await fresh(backend), await fresh(backend)];
    const edit = { priority: null, tag: "yard", kind: null, size: null };
    await refused("task.not_found", backend.editTasks([...ids, UNKNOWN], edit));
    same((await backend.task(ids[0] ?? 0)).task.tag, null, "the tag after a refusal");
    same((await backend.editTasks(ids, edit)).changed, ids, "what changed");
    same((await backend.editTasks(ids, edit)).changed, [], "what changed the second time");
    holds((await backend.taskBoard()).tags.includes("yard"), "the board lists the tag");
    await backend.editTasks(ids, { ...edit, tag: "" });
    same((await backend.task(ids[0] ?? 0)).task.tag, null, "an empty tag is none");
  },
  "a cancelled task holds those that wait for it, and can be reopened": async (backend) => {
    const first = await fresh(backend);
    const second = await fresh(backend, { depends_on: [first] });
    const told = await written(backend, async () => {
      const { changed, held } = await backend.moveTasks([first], { kind: "cancel" });
      same([changed, held], [[first], [{ task: second, by: [first] }]], "the answer");
    });
    same(
      told.map((event) => (event.type === "task.status" ? [event.task, event.from, event.to, event.origin] : event)),
      [[first, "pending", "cancelled", "app"]],
      "what is written",
    );
    same(
      (await backend.taskBoard()).held.some(({ task }) => task === second),
      true,
      "that the board tells of it",
    );
    await backend.moveTasks([first], { kind: "reopen" });
    same(await statusOf(backend, first), "pending", "the status in the end");
  },
  "a task is blocked with a reason, which a reader sees": async (backend) => {
    const id = await fresh(backend);
    await refused("task.invalid", backend.moveTasks([id], { kind: "block", reason: "  " }));
    await backend.moveTasks([id], { kind: "block", reason: " No key yet. " });
    same((await backend.task(id)).task.blocked?.reason, "No key yet.", "the reason");
    await backend.moveTasks([id], { kind: "unblock" });
    const { task } = await backend.task(id);
    same([task.status, task.blocked], ["pending", null], "the task afterwards");
  },
  "tasks are moved together, or none": async (backend) => {
    const id = await fresh(backend);
    await refused("task.not_found", backend.moveTasks([id, UNKNOWN], { kind: "done" }));
    same(await statusOf(backend, id), "pending", "the status");
  },
  "what is over is reopened before anything else": async (backend) => {
    const id = await fresh(backend);
    await backend.moveTasks([id], { kind: "done" });
    await refused("task.status", backend.moveTasks([id], { kind: "block", reason: "Too late." }));
    same(await types(backend, () => backend.moveTasks([id], { kind: "done" })), [], "what a second time writes");
    await backend.moveTasks([id], { kind: "reopen" });
    same(await statusOf(backend, id), "pending", "the status in the end");
  },
  "a task is placed among those of its wave only": async (backend) => {
    const wave = async () => (await backend.taskBoard()).tasks.filter(({ wave }) => wave === 2).map(({ id }) => id);
    const before = await wave();
    const [first, last] = [given(before[0], "task"), given(before.at(-1), "task")];
    await backend.placeTask(last, first);
    same(await wave(), [last, ...before.slice(0, -1)], "the order");
    same((await backend.placeTask(last, first)).changed, [], "what a second time changes");
    await refused("task.invalid", backend.placeTask(last, 1));
  },
  "work by hand: one task at a time, given up without a trace in the plan": async (backend) => {
    await refused("task.status", backend.giveUpTask());
    await refused("task.status", backend.finishTask("Nothing."));
    const [first, second] = [await fresh(backend), await fresh(backend)];
    const work = await backend.beginTask(first);
    same((await backend.taskBoard()).by_hand, work, "what the board says");
    same([work.task, await statusOf(backend, first)], [first, "in_progress"], "the task");
    await refused("run.locked", backend.beginTask(second));
    await refused("task.status", backend.moveTasks([first], { kind: "done" }));
    same((await backend.giveUpTask()).kind, "given_up", "how it ended");
    same([(await backend.taskBoard()).by_hand, await statusOf(backend, first)], [null, "pending"], "in the end");
  },
  "the sections of the spec are listed in their order": async (backend) => {
    const sections = await backend.sections();
    holds(sections.length > 1, "there are some");
    const linked = (await backend.task(3)).sections;
    holds(
      linked.every(({ id }) => sections.some((section) => section.id === id)),
      "a task's sections are among them",
    );
  },
  "tasks of a file that is not there are not imported": async (backend) => {
    await refused("usage.invalid", backend.importTasks({ file: "missing.json", tag: null, dry_run: true }));
  },
});

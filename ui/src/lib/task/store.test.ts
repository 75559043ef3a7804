import { describe, expect, it } from "vitest";

import { App } from "$lib/app/app.svelte";
import { createMockBackend } from "$lib/backend/mock";

import { callsOf } from "../../testing/window";
import { tasksOf } from "../../views/tasks/state.svelte";
import { stateOf as wavesOf } from "../../views/waves/state.svelte";
import { taskStoreOf } from "./store.svelte";

describe("the tasks of a window", () => {
  it("are read once and are the same in every view", async () => {
    const backend = createMockBackend({ window: "project", scenario: "tasks" });
    const app = new App(backend);
    const [tasks, waves] = [tasksOf(app), wavesOf(app)];
    await tasks.board.refresh();
    expect(callsOf(backend, "taskBoard")).toHaveLength(1);
    expect(waves.board.data).toBe(tasks.board.data);
    expect(waves.rows.get(2)).toBe(tasks.byId.get(2));
    await waves.moves.carryOut({ kind: "done" }, tasks.all.filter(({ status }) => status === "pending").slice(0, 1));
    await taskStoreOf(app).board.refresh();
    expect(tasks.board.data).toBe(waves.board.data);
  });
});

import { describe, expect, it } from "vitest";

import { createMockBackend } from "$lib/backend/mock";

import { draftOf, saveEdit } from "./edit";

describe("an edit of a task", () => {
  it("is written over what it was when the person began", async () => {
    const backend = createMockBackend();
    const { task } = await backend.task(1);
    const saved = await saveEdit(backend, 1, task, { title: "Describe two teas" }, task);
    expect(saved).toMatchObject({ kind: "saved", detail: { task: { title: "Describe two teas" } } });
  });

  it("goes together with what somebody else changed elsewhere in the task", async () => {
    const backend = createMockBackend();
    const { task } = await backend.task(1);
    backend.controls.tasks.editElsewhere(1, { notes: "from the terminal" });
    const saved = await saveEdit(backend, 1, task, { title: "Describe two teas" }, task);
    expect(saved).toMatchObject({
      kind: "saved",
      detail: { task: { title: "Describe two teas", notes: "from the terminal" } },
    });
  });

  it("waits for the person when somebody else changed the same, and writes nothing", async () => {
    const backend = createMockBackend();
    const { task } = await backend.task(1);
    backend.controls.tasks.editElsewhere(1, { title: "Describe green tea" });
    const saved = await saveEdit(backend, 1, task, { title: "Describe two teas" }, task);
    expect(saved).toMatchObject({
      kind: "conflict",
      conflict: { fields: ["title"], theirs: { task: { title: "Describe green tea" } } },
    });
    expect((await backend.task(1)).task.title).toBe("Describe green tea");
  });

  it("is no conflict when both wrote the same", async () => {
    const backend = createMockBackend();
    const { task } = await backend.task(1);
    backend.controls.tasks.editElsewhere(1, { priority: 2 });
    const saved = await saveEdit(backend, 1, task, { priority: 2 }, task);
    expect(saved).toMatchObject({ kind: "saved", detail: { task: { priority: 2 } } });
  });

  it("is refused in the backend's words: itself, nothing, a circle", async () => {
    const backend = createMockBackend();
    const { task } = await backend.task(1);
    const depend = (depends_on: number[]) => saveEdit(backend, 1, task, { depends_on }, task);
    await expect(depend([1])).rejects.toMatchObject({ fault: { code: "task.invalid" } });
    await expect(depend([99])).rejects.toMatchObject({ fault: { code: "task.not_found" } });
    await expect(depend([6])).rejects.toMatchObject({
      fault: { code: "task.cycle", message: expect.stringContaining("→") },
    });
    expect(draftOf((await backend.task(1)).task)).toEqual(draftOf(task));
  });
});

import { describe, expect, it } from "vitest";

import { standing } from "./texts";

const tasks = { total: 9, done: 4, working: 0, waiting: 0, blocked: 0 };

describe("how a project stands", () => {
  it.each([
    [{ ...tasks, waiting: 1, blocked: 2 }, "waiting", "1 task for you to review"],
    [{ ...tasks, working: 1, blocked: 2 }, "blocked", "2 tasks blocked"],
    [{ ...tasks, working: 1 }, "running", "1 task begun"],
    [tasks, "pending", "Ready to continue"],
    [{ ...tasks, done: 0 }, "pending", "Not started"],
    [{ ...tasks, done: 9 }, "done", "Finished"],
    [{ ...tasks, total: 0, done: 0 }, null, "No tasks yet"],
    [null, null, ""],
  ])("tells what asks for somebody first", (counts, shape, text) => {
    expect(standing({ exists: true, tasks: counts })).toMatchObject({ shape, text });
  });

  it("is unknown where the folder is gone", () => {
    expect(standing({ exists: false, tasks }).text).toBe("Folder not found");
  });

  it("counts what is done", () => {
    expect(standing({ exists: true, tasks }).below).toBe("4 of 9 tasks done");
    expect(standing({ exists: true, tasks: { ...tasks, done: 9 } }).below).toBe("All 9 tasks done");
  });
});

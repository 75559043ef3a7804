import { describe, expect, it } from "vitest";

import { overviewFor } from "$lib/backend/mock/projects";
import type { TaskStatus } from "$lib/backend/types";

import { opensAtFirst, planOf, planSummary } from "./plan";

const withStatus = (status: TaskStatus) => {
  const overview = overviewFor("sample");
  const tasks = overview.tasks.map((task) => ({ ...task, status }));
  const done = status === "done";
  return planOf({ tasks, waves: overview.waves.map((wave) => ({ ...wave, done: done ? wave.total : 0 })) });
};

describe("planOf", () => {
  it("keeps the order the waves give", () => {
    const plan = planOf(overviewFor("sample"));
    expect(plan.waves.map((wave) => wave.tasks.map((task) => task.id))).toEqual([
      [1, 2],
      [3, 4, 5],
      [6, 7],
    ]);
    expect([plan.total, plan.done]).toEqual([7, 0]);
  });

  it("loses no task that is in no wave and minds no id that is in no task", () => {
    const { tasks } = overviewFor("sample");
    const plan = planOf({ tasks, waves: [{ number: 1, total: 1, done: 0, blocked: 0, tasks: [1, 99] }] });
    expect(plan.waves.map((wave) => wave.tasks.length)).toEqual([1, 6]);
  });
});

describe("planSummary", () => {
  it.each([
    [planOf(overviewFor("empty")), "No tasks yet"],
    [planOf(overviewFor("sample")), "7 tasks in 3 waves, not started"],
    [withStatus("in_progress"), "7 tasks in 3 waves, none done yet"],
    [planOf(overviewFor("progress")), "6 tasks in 3 waves, 2 done"],
    [withStatus("done"), "7 tasks in 3 waves, all done"],
  ])("says how far it is", (plan, text) => {
    expect(planSummary(plan)).toBe(text);
  });
});

describe("opensAtFirst", () => {
  const open = (scenario: "progress" | "large") => {
    const plan = planOf(overviewFor(scenario));
    return plan.waves.filter((wave) => opensAtFirst(plan, wave)).map((wave) => wave.number);
  };

  it("shows what is unfinished in a small plan and the first unfinished wave in a large one", () => {
    expect(open("progress")).toEqual([2, 3]);
    expect(open("large")).toEqual([2]);
  });

  it("shows everything when all is done", () => {
    const plan = withStatus("done");
    expect(plan.waves.every((wave) => opensAtFirst(plan, wave))).toBe(true);
  });
});

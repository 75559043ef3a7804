import { fireEvent, render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import type { Component } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { App } from "$lib/app/app.svelte";
import { createMockBackend, type MockBackend } from "$lib/backend/mock";
import { mockTask } from "$lib/backend/mock/task-data";
import { boardOf } from "$lib/backend/mock/task-graph";
import type { Task, TaskBoard, TaskDetail } from "$lib/backend/types";

import AppHost from "../../testing/AppHost.svelte";
import { callsOf } from "../../testing/window";
import { stateOf } from "./state.svelte";
import WavesView from "./WavesView.svelte";

beforeEach(() => {
  vi.spyOn(Element.prototype, "clientWidth", "get").mockReturnValue(1600);
  vi.spyOn(Element.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLCanvasElement.prototype, "getContext").mockReturnValue(null);
});

function open(backend: MockBackend) {
  const app = new App(backend);
  render(AppHost, { app, part: WavesView as unknown as Component<Record<string, unknown>>, given: {} });
  return { app, backend, view: stateOf(app), user: userEvent.setup() };
}

/** The view over these tasks, which can be exchanged. */
function openTasks(tasks: Task[], more: Partial<TaskBoard> = {}) {
  const shown = { tasks, more };
  const backend = createMockBackend({ window: "project" });
  const taskBoard = () =>
    Promise.resolve({ ...boardOf(shown.tasks, { wave_commits: [], by_hand: null }), ...shown.more });
  const task = async (id: number): Promise<TaskDetail> => {
    const found = shown.tasks.find((each) => each.id === id) as Task;
    const dependants = shown.tasks.filter(({ depends_on }) => depends_on.includes(id)).map((each) => each.id);
    return { task: found, wave: null, dependants, sections: [], attempts: [], gate: null, journal: [] };
  };
  return { shown, ...open({ ...backend, taskBoard, task }) };
}

/** Eight tasks in four waves: 1 and 2, then 3, 4 and 5, then 6 and 7, then 8. */
function eight(): Task[] {
  return [
    mockTask(1, "Boil the water", { status: "done", complexity: 2 }),
    mockTask(2, "Choose a cup", { status: "done" }),
    mockTask(3, "Pour it", { depends_on: [1, 2], status: "in_progress", complexity: 5, attempts: 1, failures: 1 }),
    mockTask(4, "Weigh the leaves", {
      depends_on: [1],
      status: "blocked",
      blocked: { reason: "the scales are broken", attempts: 3, at: new Date().toISOString() },
    }),
    mockTask(5, "Set the clock", { depends_on: [2] }),
    mockTask(6, "Steep", { depends_on: [3, 4], complexity: 8 }),
    mockTask(7, "Ring", { depends_on: [5] }),
    mockTask(8, "Drink", { depends_on: [6, 7] }),
  ];
}

const cards = () => screen.queryAllByTestId("wave-task");
const card = (id: number) => cards().find((each) => each.dataset.task === String(id));
const showBars = async () => userEvent.click(await screen.findByTestId("show-bars"));
const graph = () => screen.getByTestId("graph");

describe("the waves of a plan", () => {
  it("say so when there are no tasks, and where to add some", async () => {
    const { app, user } = openTasks([]);
    await screen.findByTestId("waves-empty");
    await user.click(screen.getByRole("button", { name: "Go to Tasks" }));
    expect(app.view).toBe("tasks");
  });

  it("show a single task", async () => {
    openTasks([mockTask(1, "Boil the water")]);
    await waitFor(() => expect(cards()).toHaveLength(1));
    await showBars();
    expect(screen.getByText("Wave 1 of 1")).toBeTruthy();
    expect(screen.getByTestId("waves-done").textContent).toBe("0 of 1 task done");
    expect(screen.getByRole("region", { name: "Next task" })).toBeTruthy();
    expect(screen.queryByTestId("minimap")).toBeNull();
  });

  it("show each wave with its bar, the task at hand, and what stands still and why", async () => {
    const { view } = openTasks(eight(), {
      wave_commits: [
        { run: "r", wave: 1, commit: "0123456789abcdef", at: new Date().toISOString(), tasks: [1, 2] },
        { run: "q", wave: 1, commit: "fedcba9876543210", at: "2026-01-01T00:00:00Z", tasks: [1] },
      ],
    });
    await waitFor(() => expect(cards()).toHaveLength(8));
    expect(card(3)?.textContent).toContain("Working");
    expect(card(4)?.textContent).toContain("the scales are broken");
    expect(card(6)?.textContent).toContain("waiting for 4");
    expect(card(7)?.textContent).toContain("after 5");
    await showBars();
    const waves = screen.getAllByTestId("wave-row");
    expect(waves.map((row) => row.dataset.stage)).toEqual(["complete", "current", "waiting", "held"]);
    expect(screen.getByText("Wave 2 of 4")).toBeTruthy();
    expect(screen.getByTestId("waves-done").textContent).toBe("2 of 8 tasks done");
    expect(within(waves[0] as HTMLElement).getByText("0123456")).toBeTruthy();
    expect(
      within(waves[1] as HTMLElement).getByRole("img", { name: "Wave 2: 1 in progress, 1 blocked, 1 pending" }),
    ).toBeTruthy();
    const now = screen.getByTestId("now").textContent;
    expect(screen.getByRole("region", { name: "Current task" })).toBeTruthy();
    expect(now).toContain("3 Pour it");
    expect(now).toContain("Complexity 5");
    expect(screen.getByTestId("blocked-tasks").textContent).toContain("the scales are broken");
    const held = screen.getByTestId("held-tasks").textContent;
    expect(held).toContain("6 Steep Waiting for #4, which is blocked");
    expect(held).toContain("8 Drink");
    expect(view.chain.size).toBeGreaterThan(0);
  });

  it("warn of tasks that wait for each other", async () => {
    const circle = [
      mockTask(1, "Boil"),
      mockTask(2, "Hen", { depends_on: [3] }),
      mockTask(3, "Egg", { depends_on: [2] }),
    ];
    openTasks(circle);
    const alert = await screen.findByTestId("circle");
    expect(alert.textContent).toContain("#2 → #3 → #2");
    expect(cards()).toHaveLength(3);
    await userEvent.click(within(alert).getByRole("button", { name: "Show 2" }));
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("2");
  });

  it("are those of one tag when that is chosen, and of all when another task is asked for", async () => {
    const tagged = eight().map((task) => ({ ...task, tag: [4, 6].includes(task.id) ? "scales" : null }));
    const { view, user } = openTasks(tagged);
    await waitFor(() => expect(cards()).toHaveLength(8));
    expect(screen.getByTestId("waves-tag").textContent).toContain("All tags");
    view.narrow("scales");
    await waitFor(() => expect(cards().map((each) => each.dataset.task)).toEqual(["4", "6"]));
    await showBars();
    expect(screen.getByTestId("waves-done").textContent).toBe("0 of 2 tasks done");
    expect(screen.getAllByTestId("wave-row")).toHaveLength(2);
    expect(screen.getByText("Wave 2 of 3")).toBeTruthy();
    await user.click(screen.getByTestId("show-graph"));
    await waitFor(() => expect(card(6)).toBeTruthy());
    await user.click(card(6) as HTMLElement);
    const panel = await screen.findByTestId("task-panel");
    await user.click(await within(panel).findByText("Drink"));
    await waitFor(() => expect(cards()).toHaveLength(8));
    expect([view.tag, view.chosen]).toEqual([null, 8]);
  });

  it("say what went wrong when the tasks cannot be read", async () => {
    open(createMockBackend({ window: "project", scenario: "failing" }));
    expect(await screen.findByTestId("error-state")).toBeTruthy();
  });
});

describe("a task of the graph", () => {
  it("is shown in short when it is clicked, with what it hangs together with", async () => {
    const { app, user } = openTasks(eight());
    await waitFor(() => expect(cards()).toHaveLength(8));
    await user.click(card(6) as HTMLElement);
    const panel = await screen.findByTestId("task-panel");
    expect((await within(panel).findByTestId("held-note")).textContent).toBe("It cannot start: #4 is blocked.");
    expect(within(panel).getByTestId("dependencies").textContent).toMatch(/#3 Pour it.*#4 Weigh the leaves/);
    expect(within(panel).getByTestId("task-before").textContent).toContain("#8 Drink");
    await user.click(within(panel).getByText("Weigh the leaves"));
    await waitFor(() => expect(screen.getByTestId("task-panel").dataset.task).toBe("4"));
    expect((await screen.findByTestId("blocked-note")).textContent).toBe("The scales are broken.");
    await user.click(screen.getByTestId("wave-open"));
    expect([app.view, app.task]).toEqual(["tasks", 4]);
  });

  it("is unblocked in place", async () => {
    const { backend, user } = open(createMockBackend({ window: "project", scenario: "tasks" }));
    await waitFor(() => expect(card(9)).toBeTruthy());
    await user.click(card(9) as HTMLElement);
    await user.click(await screen.findByTestId("unblock"));
    await waitFor(() => expect(card(9)?.dataset.status).toBe("pending"));
    expect(callsOf(backend, "moveTasks")).toHaveLength(1);
    expect(screen.queryByTestId("blocked-tasks")).toBeNull();
  });

  it("stays where it lies while only its status changes", async () => {
    const { shown, view } = openTasks(eight());
    await waitFor(() => expect(cards()).toHaveLength(8));
    const { picture } = view;
    shown.tasks = eight().map((task) => (task.id === 3 ? { ...task, status: "done" } : task));
    await view.board.refresh();
    await waitFor(() => expect(card(3)?.dataset.status).toBe("done"));
    expect(view.picture).toBe(picture);
    shown.tasks = [...eight(), mockTask(9, "Wash up", { depends_on: [8] })];
    await view.board.refresh();
    await waitFor(() => expect(cards()).toHaveLength(9));
    expect(view.picture).not.toBe(picture);
  });
});

describe("the keyboard in the graph", () => {
  const active = () => graph().getAttribute("aria-activedescendant");
  const press = (key: string, more: object = {}) => fireEvent.keyDown(graph(), { key, ...more });

  async function ready() {
    const opened = openTasks(eight());
    await waitFor(() => expect(cards()).toHaveLength(8));
    return opened;
  }

  it("begins at the task at hand and goes along dependencies and within a wave", async () => {
    const { view } = await ready();
    await press("ArrowRight");
    expect(view.chosen).toBe(3);
    expect(active()).toBe(card(3)?.id);
    await press("ArrowRight");
    expect(view.chosen).toBe(6);
    await press("ArrowRight");
    expect(view.chosen).toBe(8);
    await press("ArrowRight");
    expect(view.chosen).toBe(8);
    await press("ArrowLeft");
    await press("ArrowLeft");
    expect([3, 4, 5]).toContain(view.chosen);
    const before = view.chosen;
    await press(view.picture?.layout.order[1]?.[0] === view.picture?.nodes.get(before ?? 0) ? "ArrowDown" : "ArrowUp");
    expect([3, 4, 5].filter((id) => id !== before)).toContain(view.chosen);
    await press("Home");
    expect([1, 2]).toContain(view.chosen);
    await press("End");
    expect(view.chosen).toBe(8);
  });

  it("opens with Enter, closes and lets go with Escape", async () => {
    const { view } = await ready();
    await press("Enter");
    expect(view.chosen).toBe(3);
    expect(screen.queryByTestId("task-panel")).toBeNull();
    await press("Enter");
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("3");
    await press("ArrowRight");
    await waitFor(() => expect(screen.getByTestId("task-panel").dataset.task).toBe("6"));
    await press("Escape");
    expect(screen.queryByTestId("task-panel")).toBeNull();
    expect(view.chosen).toBe(6);
    await press("Escape");
    expect(view.chosen).toBeNull();
    expect(await press("Escape")).toBe(true);
  });

  it("zooms, fits and moves", async () => {
    const { view } = await ready();
    view.viewport.zoom(1);
    await press("+");
    expect(view.viewport.scale).toBe(1.25);
    await press("0");
    expect(view.viewport.scale).toBe(1);
    await press("-");
    expect(view.viewport.scale).toBe(0.8);
    const { x } = view.viewport;
    await press("ArrowRight", { shiftKey: true });
    expect(view.viewport.x).toBeLessThan(x);
    expect(view.chosen).toBeNull();
    await press("f");
    expect(view.viewport.seen.x).toBeLessThan(0);
    // What has Ctrl or ⌘ with it belongs to the window.
    expect(await press("0", { ctrlKey: true })).toBe(true);
  });
});

describe("10,000 tasks with 50,000 dependencies", () => {
  it("have few of them in the page: cards near the task at hand, a portion of the bars", async () => {
    const { view, user } = open(createMockBackend({ window: "project", scenario: "tasks-large" }));
    await waitFor(() => expect(cards().length).toBeGreaterThan(5));
    expect(view.rows.size).toBe(10_000);
    expect(cards().length).toBeLessThanOrEqual(300);
    await showBars();
    expect(screen.getAllByTestId("wave-row").length).toBeLessThanOrEqual(40);
    await user.click(screen.getByTestId("show-graph"));
    await waitFor(() => expect(card(view.focus ?? 0)).toBeTruthy());
    await user.click(screen.getByTestId("zoom-fit"));
    expect(screen.getByTestId("graph-drawing").dataset.detail).toBe("boxes");
    expect(cards()).toHaveLength(0);
    await fireEvent.keyDown(graph(), { key: "ArrowRight" });
    expect(view.chosen).toBe(view.focus);
    expect(document.getElementById(graph().getAttribute("aria-activedescendant") ?? "")).toBeTruthy();
  });

  it("in as many waves show only those around the one at hand", async () => {
    const chain = Array.from({ length: 3000 }, (_, index) =>
      mockTask(index + 1, `Step ${index + 1}`, {
        depends_on: index === 0 ? [] : [index],
        status: index < 1000 ? "done" : "pending",
      }),
    );
    const { user } = openTasks(chain);
    await showBars();
    await waitFor(() => expect(screen.getAllByTestId("wave-row")).toHaveLength(40));
    expect(screen.getByText("Wave 1001 of 3000")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: /earlier$/ }));
    expect(screen.getAllByTestId("wave-row")).toHaveLength(80);
    expect(screen.getAllByTestId("wave-row")[0]?.dataset.wave).toBe("951");
  });
});

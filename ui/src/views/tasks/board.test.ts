// The view is loaded on demand. Loading it here keeps the time that takes out of the tests.
import "./TasksView.svelte";

import { fireEvent, waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { Scenario } from "$lib/backend/mock";
import type { TaskId, TaskStatus } from "$lib/backend/types";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

/** What lies under the pointer, which jsdom cannot tell. */
let under: Element | null = null;

async function openBoard(scenario: Scenario): Promise<TestWindow> {
  const window = await openWindow({ scenario });
  window.app.show("tasks");
  await window.user.click(await screen.findByTestId("layout-board"));
  await screen.findAllByTestId("board-card");
  return window;
}

function column(status: TaskStatus): HTMLElement {
  const found = screen.getAllByTestId("board-column").find((each) => each.dataset.column === status);
  if (!found) {
    throw new Error(`There is no column for ${status}.`);
  }
  return found;
}

const cards = (status: TaskStatus) =>
  within(column(status))
    .queryAllByTestId("board-card")
    .map((card) => Number(card.dataset.task));

function card(id: TaskId): HTMLElement {
  const found = screen.getAllByTestId("board-card").find((each) => each.dataset.task === String(id));
  if (!found) {
    throw new Error(`Task ${id} is not in sight.`);
  }
  return found;
}

async function drag(id: TaskId, to: Element): Promise<void> {
  await fireEvent.pointerDown(card(id), { button: 0, clientX: 10, clientY: 10 });
  under = to;
  await fireEvent.pointerMove(window, { clientX: 300, clientY: 60 });
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  document.elementFromPoint = () => under;
});

describe("the board", () => {
  it("has a column for every status, and few nodes for ten thousand tasks", async () => {
    await openBoard("tasks-large");
    expect(screen.getAllByTestId("board-column").map((each) => each.dataset.column)).toEqual([
      "pending",
      "in_progress",
      "awaiting_approval",
      "blocked",
      "done",
      "cancelled",
    ]);
    expect(column("done").textContent).toContain("900");
    expect(document.querySelectorAll("*").length).toBeLessThan(2_000);
  });

  it("moves a task to another status by dragging, and asks why it is blocked", async () => {
    const { backend, user } = await openBoard("sample");
    await drag(2, column("done"));
    expect(column("done").className).toContain("target");
    await fireEvent.pointerUp(window);
    await waitFor(() => expect(cards("done")).toEqual([2]));
    await drag(3, column("blocked"));
    await fireEvent.pointerUp(window);
    await user.type(await screen.findByTestId("block-reason"), "No kettle");
    await user.click(screen.getByTestId("block-confirm"));
    await waitFor(() => expect(cards("blocked")).toEqual([3]));
    expect(callsOf(backend, "moveTasks")).toEqual([
      { ids: [2], to: { kind: "done" } },
      { ids: [3], to: { kind: "block", reason: "No kettle" } },
    ]);
  });

  it("changes the order by dragging within a column, and does nothing where only work leads", async () => {
    const { backend } = await openBoard("sample");
    await drag(5, card(3));
    await fireEvent.pointerUp(window);
    await waitFor(() => expect(callsOf(backend, "placeTask")).toHaveLength(1));
    await drag(4, column("in_progress"));
    expect(screen.getByTestId("drop-refused").textContent).toContain("Work moves tasks here");
    await fireEvent.pointerUp(window);
    expect(callsOf(backend, "moveTasks")).toEqual([]);
  });

  it("is walked and worked by keys", async () => {
    const { app, backend, user } = await openBoard("tasks");
    within(column("pending")).getByRole("listbox").focus();
    await user.keyboard("{ArrowDown}{Alt>}{ArrowDown}{/Alt}");
    await waitFor(() => expect(callsOf(backend, "placeTask")).toEqual([{ id: 10, before: null }]));
    await user.keyboard("{Enter}");
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("10");
    await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
    await screen.findByTestId("block-dialog");
    expect(app.view).toBe("tasks");
  });
});

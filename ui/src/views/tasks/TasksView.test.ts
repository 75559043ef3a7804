// The view is loaded on demand. Loading it here keeps the time that takes out of the tests.
import "./TasksView.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { Scenario } from "$lib/backend/mock";
import { HOSTILE_TEXTS } from "$lib/backend/mock";
import type { TaskId } from "$lib/backend/types";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";
import { tasksOf } from "./state.svelte";

/** As many nodes as a page of this view may have, however much there is to show. */
const MOST_NODES = 2_000;

async function openTasks(scenario: Scenario): Promise<TestWindow> {
  const window = await openWindow({ scenario });
  window.app.show("tasks");
  return window;
}

const rowsShown = () => screen.findAllByTestId("task-row");
const idsShown = async () => (await rowsShown()).map((row) => Number(row.dataset.task));

async function row(id: TaskId): Promise<HTMLElement> {
  const found = (await rowsShown()).find((each) => each.dataset.task === String(id));
  if (!found) {
    throw new Error(`Task ${id} is not in sight.`);
  }
  return found;
}

async function part(id: TaskId, testid: string): Promise<HTMLElement> {
  return within(await row(id)).getByTestId(testid);
}

async function openTask({ user }: TestWindow, id: TaskId): Promise<HTMLElement> {
  await user.click(await part(id, "cell-title"));
  const panel = await screen.findByTestId("task-panel");
  await within(panel).findByTestId("field-title");
  return panel;
}

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
});

describe("the list of tasks", () => {
  it("begins empty, and takes a first task from a line", async () => {
    const { backend, user } = await openTasks("empty");
    await screen.findByTestId("tasks-empty");
    await user.type(screen.getByTestId("quick-add"), "Boil water{Enter}");
    expect(await idsShown()).toEqual([1]);
    expect(screen.getByTestId("tasks-summary").textContent).toContain("0 of 1 task done");
    expect(callsOf(backend, "addTask")).toMatchObject([{ title: "Boil water", priority: 5, depends_on: [] }]);
    expect(document.activeElement).toBe(screen.getByTestId("quick-add"));
    await user.keyboard("Warm the cup{Enter}");
    await waitFor(async () => expect(await idsShown()).toEqual([1, 2]));
  });

  it("takes an eighth task, with all there is to say, from the dialog", async () => {
    const { backend, user } = await openTasks("sample");
    await user.click(await screen.findByTestId("task-add"));
    await user.type(await screen.findByTestId("draft-title"), "Warm the cup");
    await user.click(screen.getByTestId("line-add"));
    await user.type(await screen.findByTestId("line"), "The cup is warm");
    await user.type(screen.getByTestId("task-picker"), "ring");
    await user.keyboard("{Enter}");
    await user.click(screen.getByTestId("draft-add"));
    await waitFor(() =>
      expect(callsOf(backend, "addTask")).toMatchObject([
        { title: "Warm the cup", acceptance: ["The cup is warm"], depends_on: [5] },
      ]),
    );
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("8");
    expect(await idsShown()).toContain(8);
  });

  it("shows ten thousand with few nodes, and any of them at a key", async () => {
    const { user } = await openTasks("tasks-large");
    await rowsShown();
    expect(screen.getByTestId("tasks-summary").textContent).toContain("900 of 9,909 tasks done");
    expect(document.querySelectorAll("*").length).toBeLessThan(MOST_NODES);
    screen.getByTestId("task-table").focus();
    await user.keyboard("{End}");
    await waitFor(async () => expect((await rowsShown()).at(-1)?.dataset.status).toBe("cancelled"));
    await user.keyboard("{Control>}a{/Control}");
    expect((await screen.findByTestId("bulk-bar")).textContent).toContain("10,000 tasks selected");
    expect(document.querySelectorAll("*").length).toBeLessThan(MOST_NODES);
  });

  it("filters by status, and by words that only the backend knows", async () => {
    const { user } = await openTasks("tasks");
    await user.type(await screen.findByTestId("task-search"), "sta");
    expect(screen.getAllByTestId("suggestion").map((each) => each.textContent)).toEqual([
      expect.stringContaining("status:"),
    ]);
    await user.keyboard("{Tab}bl{Tab}");
    expect(screen.getByTestId<HTMLInputElement>("task-search").value).toBe("status:blocked ");
    await waitFor(async () => expect(await idsShown()).toEqual([9]));
    await user.click(screen.getByTestId("task-search-clear"));
    await user.type(screen.getByTestId("task-search"), "goes back");
    await waitFor(async () => expect(await idsShown()).toEqual([8]));
    await user.type(screen.getByTestId("task-search"), " nowhere");
    await screen.findByTestId("tasks-none");
  });

  it("is sorted by a column at a click or a key, up, down and back", async () => {
    const { app, backend, user } = await openTasks("tasks");
    const run = await idsShown();
    const view = tasksOf(app);
    view.grouped = false;
    const head = await screen.findByTestId("sort-id");
    const direction = () => head.closest("[role=columnheader]")?.getAttribute("aria-sort");
    expect(direction()).toBe("none");
    await user.click(head);
    const up = await idsShown();
    expect(up).toEqual([...up].sort((a, b) => a - b));
    expect(direction()).toBe("ascending");
    head.focus();
    await user.keyboard("{Enter}");
    expect(direction()).toBe("descending");
    expect(await idsShown()).toEqual([...up].reverse());
    // What is sorted otherwise cannot be moved: it would not come to stand there.
    screen.getByTestId("task-table").focus();
    await user.keyboard("{ArrowDown}{Alt>}{ArrowDown}{/Alt}");
    expect(callsOf(backend, "placeTask")).toEqual([]);
    await user.click(head);
    expect(direction()).toBe("none");
    view.grouped = true;
    await waitFor(async () => expect(await idsShown()).toEqual(run));
  });

  it("says what is wrong when it cannot be read", async () => {
    await openTasks("failing");
    expect((await screen.findByTestId("error-state")).textContent).toContain("store.read_only");
  });

  it("shows text as text", async () => {
    const window = await openTasks("hostile");
    const panel = await openTask(window, 2);
    expect(panel.textContent).toContain(HOSTILE_TEXTS[2]);
    expect(document.querySelector("img, iframe, script, [onerror], [onload], main b")).toBeNull();
  });
});

describe("editing in place", () => {
  it("takes a title with Enter, and lets it be with Escape", async () => {
    const { backend, user } = await openTasks("sample");
    await rowsShown();
    screen.getByTestId("task-table").focus();
    await user.keyboard("{ArrowDown}{F2}");
    await user.type(await screen.findByTestId("cell-editor"), "{Control>}a{/Control}Describe two teas{Enter}");
    await waitFor(async () => expect((await row(1)).textContent).toContain("Describe two teas"));
    expect(document.activeElement).toBe(screen.getByTestId("task-table"));
    await user.keyboard("e");
    await user.type(await screen.findByTestId("cell-editor"), "no{Escape}");
    expect(callsOf(backend, "editTask")).toHaveLength(1);
  });

  it("takes the tag in its cell, size and kind from menus, the priority in the task's panel", async () => {
    const window = await openTasks("sample");
    const { backend, user } = window;
    const priority = within(await openTask(window, 2)).getByTestId("field-priority");
    await user.clear(priority);
    await user.type(priority, "1{Enter}");
    await waitFor(async () => expect((await idsShown()).slice(0, 2)).toEqual([2, 1]));
    await user.click(await part(2, "cell-tag"));
    await user.type(await screen.findByTestId("cell-editor"), "core{Enter}");
    await waitFor(async () => expect((await row(2)).textContent).toContain("core"));
    await user.click(await part(2, "cell-kind"));
    await user.click(await screen.findByTestId("menu-fix"));
    await waitFor(async () => expect((await row(2)).textContent).toContain("Fix"));
    expect(callsOf(backend, "editTask")).toHaveLength(3);
  });

  it("shows what somebody else wrote meanwhile, and can keep mine", async () => {
    const window = await openTasks("sample");
    const panel = await openTask(window, 1);
    const title = within(panel).getByTestId<HTMLInputElement>("field-title");
    await window.user.type(title, " and milk");
    window.backend.controls.tasks.editElsewhere(1, { title: "Describe coffee" });
    await window.user.keyboard("{Enter}");
    const dialog = await screen.findByTestId("conflict-dialog");
    expect(within(dialog).getByTestId("conflict-theirs").textContent).toBe("Describe coffee");
    expect(within(dialog).getByTestId("conflict-mine").textContent).toBe("Describe a tea and milk");
    await window.user.click(within(dialog).getByTestId("keep-mine"));
    await waitFor(async () => expect((await row(1)).textContent).toContain("Describe a tea and milk"));
    expect(screen.queryByTestId("conflict-dialog")).toBeNull();
  });
});

describe("the order", () => {
  it("changes within a wave by Alt with the arrow keys", async () => {
    const { backend, user } = await openTasks("sample");
    await rowsShown();
    screen.getByTestId("task-table").focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    await waitFor(async () => expect(await idsShown()).toEqual([1, 2, 4, 3, 5, 6, 7]));
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    await waitFor(async () => expect(await idsShown()).toEqual([1, 2, 4, 5, 3, 6, 7]));
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    expect(callsOf(backend, "placeTask")).toEqual([
      { id: 3, before: 5 },
      { id: 3, before: null },
    ]);
  });
});

describe("many tasks at once", () => {
  it("are selected by box, Shift and key, and changed together", async () => {
    const { backend, user } = await openTasks("sample");
    await user.click(await part(3, "task-pick"));
    await user.keyboard("{Shift>}");
    await user.click(await part(5, "task-pick"));
    await user.keyboard("{/Shift}");
    await user.click(screen.getByTestId("bulk-priority"));
    await user.click(await screen.findByTestId("menu-2"));
    await waitFor(() =>
      expect(callsOf(backend, "editTasks")).toEqual([
        { ids: [3, 4, 5], edit: { priority: 2, tag: null, kind: null, size: null } },
      ]),
    );
    await user.click(screen.getByTestId("bulk-status"));
    await user.click(await screen.findByTestId("menu-block"));
    expect(screen.getByTestId<HTMLButtonElement>("block-confirm").disabled).toBe(true);
    await user.type(screen.getByTestId("block-reason"), "No kettle");
    await user.click(screen.getByTestId("block-confirm"));
    await waitFor(async () => expect((await row(4)).dataset.status).toBe("blocked"));
    expect(callsOf(backend, "moveTasks")).toEqual([{ ids: [3, 4, 5], to: { kind: "block", reason: "No kettle" } }]);
  });

  it("say what depends on them before they are cancelled", async () => {
    const { backend, user } = await openTasks("sample");
    await user.click(await part(4, "cell-status"));
    await user.click(await screen.findByTestId("menu-cancel"));
    const dialog = await screen.findByTestId("cancel-task-dialog");
    expect(dialog.textContent).toContain("2 tasks come after it");
    expect(dialog.textContent).toContain("Write the manual page");
    await user.click(within(dialog).getByTestId("cancel-confirm"));
    await waitFor(async () => expect((await row(4)).dataset.status).toBe("cancelled"));
    expect(callsOf(backend, "moveTasks")).toEqual([{ ids: [4], to: { kind: "cancel" } }]);
  });
});

describe("one task in full", () => {
  it("refuses to wait in a circle, in the backend's words", async () => {
    const window = await openTasks("sample");
    const panel = await openTask(window, 1);
    await window.user.type(within(panel).getByTestId("task-picker"), "manual");
    await window.user.keyboard("{Enter}");
    const refused = await within(panel).findByTestId("dependency-refused");
    expect(refused.textContent).toMatch(/circle: #1 → .*#7.* → #1/);
    expect(within(within(panel).getByTestId("dependencies")).queryByTestId("task-link")).toBeNull();
  });

  it("is not offered to itself as something to wait for", async () => {
    const window = await openTasks("sample");
    const panel = await openTask(window, 1);
    await window.user.type(within(panel).getByTestId("task-picker"), "#1");
    await window.user.keyboard("{Enter}");
    expect(callsOf(window.backend, "editTask")).toEqual([]);
    expect(within(panel).queryByTestId("dependency-refused")).toBeNull();
  });

  it("closes with Escape, after what is half written", async () => {
    const window = await openTasks("sample");
    const panel = await openTask(window, 1);
    await window.user.type(within(panel).getByTestId("field-title"), "!{Escape}");
    expect(within(panel).getByTestId<HTMLInputElement>("field-title").value).toBe("Describe a tea");
    await window.user.keyboard("{Escape}");
    expect(screen.queryByTestId("task-panel")).toBeNull();
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("task-table")));
    expect(callsOf(window.backend, "editTask")).toEqual([]);
  });

  it("shows attempts, and why it is blocked", async () => {
    const window = await openTasks("tasks");
    const panel = await openTask(window, 9);
    expect(within(panel).getByTestId("blocked-note").textContent).toContain("no key for the weather service");
    const attempts = within(panel).getAllByTestId("task-attempt");
    expect(attempts.map((attempt) => attempt.textContent)).toHaveLength(3);
    await window.user.click(within(panel).getByTestId("unblock"));
    await waitFor(async () => expect((await row(9)).dataset.status).toBe("pending"));
    await window.user.click(attempts[0] as HTMLElement);
    expect(window.app.view).toBe("iterations");
  });

  it("can be worked on by hand: begun, checked in vain, finished", async () => {
    const window = await openTasks("sample");
    const panel = await openTask(window, 1);
    await window.user.click(within(panel).getByTestId("hand-begin"));
    const work = await within(panel).findByTestId("hand-work");
    await window.user.type(within(work).getByTestId("hand-summary"), "will fail");
    await window.user.click(within(work).getByTestId("hand-finish"));
    expect((await within(panel).findByTestId("hand-result")).textContent).toContain("teas are well formed fails");
    await window.user.clear(within(work).getByTestId("hand-summary"));
    await window.user.click(within(work).getByTestId("hand-finish"));
    await waitFor(() =>
      expect(within(panel).getByTestId("hand-result").textContent).toContain("Done, as commit 9f2c11d"),
    );
    expect((await row(1)).dataset.status).toBe("done");
  });

  it("is opened from the palette, wherever it is", async () => {
    const { user } = await openWindow({ scenario: "tasks" });
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "the command line");
    await waitFor(() => expect(screen.getAllByTestId("palette-item")[0]?.textContent).toContain("Set up"));
    await user.keyboard("{Enter}");
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("3");
    expect(await row(3)).toBeTruthy();
  });
});

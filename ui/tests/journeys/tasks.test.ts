import type { Browser, Locator } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function open(scenario: string): Promise<Visit> {
  const visit = await Visit.open(browser, `?window=project&scenario=${scenario}`);
  await visit.get("nav-tasks").click();
  await visit.get("task-row").first().waitFor();
  return visit;
}

const row = (visit: Visit, id: number): Locator =>
  visit.page.locator(`[data-testid="task-row"][data-task="${id}"], [data-testid="board-card"][data-task="${id}"]`);

const order = (visit: Visit, testid: string): Promise<(string | null)[]> =>
  visit.get(testid).evaluateAll((rows) => rows.map((each) => each.getAttribute("data-task")));

/** Drags with the mouse, in steps as a hand does. */
async function drag(visit: Visit, from: Locator, to: Locator, part: number): Promise<void> {
  const start = await from.boundingBox();
  const end = await to.boundingBox();
  if (!start || !end) {
    throw new Error("There is nothing to drag.");
  }
  const { mouse } = visit.page;
  await mouse.move(start.x + start.width / 2, start.y + start.height / 2);
  await mouse.down();
  await mouse.move(end.x + Math.min(60, end.width / 2), end.y + end.height * part, { steps: 8 });
  await mouse.up();
}

describe("tasks", () => {
  it("stay in sight when one is opened, which leaves less room for the table", async () => {
    const visit = await open("tasks");
    await visit.page.setViewportSize({ width: 1100, height: 720 });
    await row(visit, 9).getByTestId("cell-title").click();
    await visit.get("field-title").waitFor();
    await expect
      .poll(() =>
        row(visit, 9).evaluate((line) => {
          const [own, list] = [line, line.closest(".list")].map((each) => each?.getBoundingClientRect());
          return own !== undefined && list !== undefined && own.top >= list.top && own.bottom <= list.bottom + 1;
        }),
      )
      .toBe(true);
    await visit.close();
  });

  it("are reordered with the mouse and with keys, and keep their place", async () => {
    const visit = await open("sample");
    await row(visit, 5).hover();
    await drag(visit, row(visit, 5).getByTestId("task-grip"), row(visit, 3), 0.25);
    await expect.poll(() => order(visit, "task-row")).toEqual(["1", "2", "5", "3", "4", "6", "7"]);
    await visit.get("task-table").focus();
    await visit.press("Alt+ArrowDown");
    await expect.poll(() => order(visit, "task-row")).toEqual(["1", "2", "3", "5", "4", "6", "7"]);
    expect(await visit.calls("placeTask")).toEqual([
      { id: 5, before: 3 },
      { id: 5, before: 4 },
    ]);
    await visit.close();
  });

  it("go from column to column of the board", async () => {
    const visit = await open("tasks");
    await visit.get("layout-board").check({ force: true });
    const column = (status: string) => visit.page.locator(`[data-column="${status}"]`);
    await drag(visit, row(visit, 10), column("blocked"), 0.8);
    await visit.get("block-reason").fill("The bell is broken.");
    await visit.get("block-confirm").click();
    await column("blocked").locator('[data-task="10"]').waitFor();
    await drag(visit, column("blocked").locator('[data-task="9"]'), column("pending"), 0.8);
    await column("pending").locator('[data-task="9"]').waitFor();
    expect(await visit.calls("moveTasks")).toEqual([
      { ids: [10], to: { kind: "block", reason: "The bell is broken." } },
      { ids: [9], to: { kind: "unblock" } },
    ]);
    await visit.close();
  });

  it("are added and described without the mouse", async () => {
    const visit = await open("sample");
    await visit.get("task-table").focus();
    await visit.press("n");
    await visit.get("draft-title").fill("Warm the cup");
    await visit.press("Enter");
    await visit.get("task-panel").waitFor();
    await visit.get("field-description").fill("Pour hot water in and out again.");
    await visit.get("field-notes").focus();
    await expect
      .poll(() => visit.calls("editTask"))
      .toMatchObject([{ id: 8, draft: { description: "Pour hot water in and out again." } }]);
    await visit.get("task-picker").fill("count");
    await visit.press("Enter");
    await visit.get("dependencies").locator('[data-task="2"]').waitFor();
    await visit.close();
  });

  it("stay fluid when there are ten thousand", async () => {
    const visit = await open("tasks-large");
    const longest = await visit.page.evaluate(async () => {
      const list = document.querySelector("[data-testid=task-table] .rows");
      let worst = 0;
      for (let step = 0; list && step < 25; step++) {
        const before = performance.now();
        list.scrollTop += 1_700;
        await new Promise((resolve) => requestAnimationFrame(resolve));
        worst = Math.max(worst, performance.now() - before);
      }
      return worst;
    });
    // Generous: a busy machine without a graphics device. What is held is that no step takes seconds.
    expect(longest).toBeLessThan(1_500);
    expect(await visit.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2_000);
    await visit.get("task-search").fill("(7777)");
    await row(visit, 7777).waitFor();
    await visit.close();
  });
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";
import { planTo } from "./wizard-steps";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe("a plan from an idea", () => {
  it("goes from the start page to a started run", async () => {
    const visit = await Visit.open(browser, "?");
    await planTo(visit, "launch");
    await expect.poll(() => visit.get("launch-card").textContent()).toContain("Ready to build Quiet Kettle");
    await visit.press("Control+Enter");
    await expect.poll(() => visit.page.url()).toContain("window=project");
    await visit.close();
  });

  it("draws a dependency in the graph, cuts it, and moves a task with the pointer", async () => {
    const visit = await Visit.open(browser, "?");
    await planTo(visit, "task_review");
    const nodes = visit.get("graph-node");
    const from = await nodes.nth(3).boundingBox();
    const to = await nodes.nth(4).boundingBox();
    if (!from || !to) {
      throw new Error("The graph shows no tasks.");
    }
    await visit.page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
    await visit.page.mouse.down();
    await visit.page.mouse.move(to.x + to.width / 2, to.y + to.height / 2, { steps: 5 });
    await visit.page.mouse.up();
    await expect.poll(async () => (await visit.calls("editWizard")).at(-1)).toMatchObject({ do: "depend" });
    await visit.get("graph-edge").first().locator(".wide").dispatchEvent("click");
    await expect.poll(async () => (await visit.calls("editWizard")).at(-1)).toMatchObject({ do: "undepend" });
    const handles = visit.get("task-handle");
    const first = await handles.nth(0).boundingBox();
    const third = await visit.get("wizard-task").nth(2).boundingBox();
    if (!first || !third) {
      throw new Error("The list shows no tasks.");
    }
    await visit.page.mouse.move(first.x + 4, first.y + 4);
    await visit.page.mouse.down();
    await visit.page.mouse.move(third.x + 40, third.y + third.height - 2, { steps: 5 });
    await visit.page.mouse.up();
    await expect.poll(async () => (await visit.calls("editWizard")).at(-1)).toMatchObject({ do: "reorder_task" });
    await visit.close();
  });
});

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
  await visit.get("nav-waves").click();
  await visit.get("graph").waitFor();
  return visit;
}

const task = (visit: Visit, id: number): Locator => visit.page.locator(`[data-testid=wave-task][data-task='${id}']`);

async function middle(of: Locator): Promise<{ x: number; y: number }> {
  const box = await of.boundingBox();
  return { x: (box?.x ?? 0) + (box?.width ?? 0) / 2, y: (box?.y ?? 0) + (box?.height ?? 0) / 2 };
}

describe("the graph by pointer", () => {
  it("is dragged, also by a card, and a click is still a click", async () => {
    const visit = await open("tasks");
    const before = await middle(task(visit, 8));
    await visit.page.mouse.move(before.x, before.y);
    await visit.page.mouse.down();
    await visit.page.mouse.move(before.x + 60, before.y - 40, { steps: 4 });
    await visit.page.mouse.up();
    const after = await middle(task(visit, 8));
    expect(after.x - before.x).toBeCloseTo(60, 0);
    expect(after.y - before.y).toBeCloseTo(-40, 0);
    expect(await visit.get("task-panel").count()).toBe(0);
    await visit.page.mouse.click(after.x, after.y);
    await visit.get("task-panel").waitFor();
    expect(await visit.get("task-panel").getAttribute("data-task")).toBe("8");
    await visit.close();
  });

  it("is enlarged where the pointer is, and moved by the wheel and on the map", async () => {
    const visit = await open("tasks");
    const { x, y } = await middle(task(visit, 8));
    await visit.page.mouse.move(x, y);
    await visit.page.keyboard.down("Control");
    await visit.page.mouse.wheel(0, -100);
    await visit.page.keyboard.up("Control");
    await expect.poll(() => visit.get("zoom-scale").textContent()).not.toContain("85%");
    const larger = await middle(task(visit, 8));
    expect(Math.abs(larger.x - x) + Math.abs(larger.y - y)).toBeLessThan(3);
    await visit.page.mouse.wheel(40, 30);
    await expect.poll(async () => Math.round((await middle(task(visit, 8))).x - larger.x)).toBe(-40);
    const map = await visit.get("minimap").boundingBox();
    await visit.page.mouse.click((map?.x ?? 0) + (map?.width ?? 0) - 14, (map?.y ?? 0) + (map?.height ?? 0) / 2);
    await task(visit, 24).waitFor();
    await visit.close();
  });

  it("leads from a bar to its wave and from a blocked task to all about it, which unblocks it", async () => {
    const visit = await open("tasks");
    await visit.get("show-bars").check({ force: true });
    await visit.page.locator("[data-testid=wave-row][data-wave='6'] button").click();
    await task(visit, 24).waitFor();
    await visit.get("show-bars").check({ force: true });
    await visit.get("blocked-tasks").getByText("Ask the weather").click();
    await visit.get("unblock").click();
    await visit.get("unblock").waitFor({ state: "detached" });
    await visit.get("task-panel-close").click();
    await visit.get("wave-bars").waitFor();
    expect(await visit.get("blocked-tasks").count()).toBe(0);
    await visit.close();
  });
});

describe("the graph by keyboard", () => {
  it("is walked through, opened, zoomed and left", async () => {
    const visit = await open("tasks");
    const panel = visit.get("task-panel");
    await visit.get("graph").focus();
    await visit.press("ArrowRight");
    await visit.press("Enter");
    await panel.waitFor();
    expect(await panel.getAttribute("data-task")).toBe("8");
    await visit.press("ArrowLeft");
    await expect.poll(() => panel.getAttribute("data-task")).toBe("2");
    await visit.press("ArrowDown");
    await expect.poll(() => panel.getAttribute("data-task")).not.toBe("2");
    await visit.press("f");
    await expect.poll(() => visit.get("graph-drawing").getAttribute("data-detail")).toBe("labels");
    await visit.press("0");
    await expect.poll(() => visit.get("zoom-scale").textContent()).toContain("100%");
    await visit.press("Tab");
    await visit.press("Escape");
    await panel.waitFor({ state: "detached" });
    expect(await visit.page.evaluate(() => document.activeElement?.getAttribute("data-testid"))).toBe("graph");
    await visit.close();
  });
});

describe("while a run works", () => {
  it("bars fill and the task at hand moves on", async () => {
    const visit = await open("tasks");
    await visit.get("show-bars").check({ force: true });
    expect(await visit.get("now").getAttribute("data-task")).toBe("8");
    const bar = visit.page.locator("[data-testid=wave-row][data-wave='2'] [role=img]");
    expect(await bar.getAttribute("aria-label")).toContain("1 in progress");
    await visit.run("finishIteration", "good");
    await expect.poll(() => bar.getAttribute("aria-label")).toContain("1 needs review");
    await visit.get("show-graph").check({ force: true });
    await expect.poll(() => task(visit, 8).getAttribute("data-status")).toBe("awaiting_approval");
    await task(visit, 8).click();
    await visit.get("to-gate").click();
    await visit.get("view-review").waitFor();
    await visit.close();
  });
});

describe("10,000 tasks", () => {
  it("are there at once, and few of them in the page", async () => {
    const visit = await open("tasks-large");
    await visit.get("wave-task").first().waitFor();
    expect(await visit.get("wave-task").count()).toBeLessThanOrEqual(300);
    await visit.get("zoom-fit").click();
    await expect.poll(() => visit.get("graph-drawing").getAttribute("data-detail")).toBe("boxes");
    const { x, y } = await middle(visit.get("graph"));
    await visit.page.mouse.click(x, y);
    await visit.get("task-panel").waitFor();
    expect(await visit.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2000);
    await visit.close();
  });
});

describe("a narrow window", () => {
  it("shows graph or bars, and a task over them", async () => {
    const visit = await open("tasks");
    await visit.page.setViewportSize({ width: 720, height: 640 });
    await visit.get("graph").waitFor();
    await visit.get("show-bars").check({ force: true });
    await visit.get("wave-bars").waitFor();
    await visit.get("now").click();
    await visit.get("task-panel").waitFor();
    await visit.close();
  });
});

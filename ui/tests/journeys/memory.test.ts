import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function open(view: string, scenario = "tasks"): Promise<Visit> {
  const visit = await Visit.open(browser, `?window=project&scenario=${scenario}`);
  await visit.get(`nav-${view}`).click();
  return visit;
}

/** Whether anything in the view is wider than the window. */
const overflows = (visit: Visit): Promise<boolean> =>
  visit.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);

describe("memory", () => {
  it("leads from a failure to what fixed it, and the solution is changed by keys", async () => {
    const visit = await open("memory");
    await visit.get("solution-history").waitFor();
    await visit.press("j");
    await visit.get("pattern-detail").getByRole("heading", { name: "Typescript error" }).waitFor();
    await visit.press("k");
    await visit.press("ArrowDown");
    await visit.get("solution-inspector").getByRole("heading", { name: "Set TZ=UTC for every check" }).waitFor();
    await visit.press("e");
    await visit.get("draft-title").fill("Set the zone in every check");
    await visit.press("Control+Enter");
    await visit.get("solution-inspector").getByText("Edited").waitFor();
    expect(await visit.calls("saveSolution")).toMatchObject([
      { id: 2, draft: { title: "Set the zone in every check" } },
    ]);
    await visit.close();
  });

  it("holds ten thousand learnings and finds one", async () => {
    const visit = await open("memory", "large");
    await visit.get("tab-learnings").click();
    await visit.get("learning-row").first().waitFor();
    expect(await visit.get("learning-row").count()).toBeLessThan(200);
    await visit.press("/");
    await visit.page.keyboard.type("number 7777 ");
    await visit.get("learning-row").filter({ hasText: "7777" }).waitFor();
    await visit.close();
  });

  it("shows text from outside as text, within its bounds", async () => {
    const visit = await open("memory", "hostile");
    await visit.get("recent-failures").waitFor();
    expect(await overflows(visit)).toBe(false);
    expect(await visit.page.evaluate(() => (globalThis as { __pwned?: boolean }).__pwned)).toBeUndefined();
    await visit.close();
  });

  it("fits into a small window", async () => {
    const visit = await open("memory");
    await visit.page.setViewportSize({ width: 1100, height: 720 });
    await visit.get("solution-history").waitFor();
    expect(await overflows(visit)).toBe(false);
    await visit.close();
  });
});

describe("metrics", () => {
  it("draws its charts, and tells them as tables", async () => {
    const visit = await open("metrics");
    await visit.page.locator(".uplot canvas").first().waitFor();
    expect(await visit.page.locator(".uplot").count()).toBe(5);
    const drawn = await visit.page.evaluate(() =>
      [...document.querySelectorAll<HTMLCanvasElement>(".uplot canvas")].map((canvas) => {
        const data = canvas.getContext("2d")?.getImageData(0, 0, canvas.width, canvas.height).data ?? [];
        return data.some((value) => value > 0);
      }),
    );
    expect(drawn).toEqual([true, true, true, true, true]);
    await visit.page.getByRole("button", { name: "Show Iterations as a table" }).click();
    await visit.page.getByRole("group", { name: "Iterations as a table" }).getByRole("columnheader").nth(1).waitFor();
    await visit.close();
  });

  it("draws again in another theme and another size", async () => {
    const visit = await open("metrics");
    const chart = visit.page.locator(".uplot").first();
    await chart.waitFor();
    const before = await chart.screenshot();
    await visit.systemTheme("dark");
    await expect.poll(async () => (await chart.screenshot()).equals(before)).toBe(false);
    await visit.page.setViewportSize({ width: 1100, height: 720 });
    await expect.poll(async () => ((await chart.boundingBox())?.width ?? 999) < 340).toBe(true);
    expect(await overflows(visit)).toBe(false);
    await visit.close();
  });
});

describe("the next prompt of a task", () => {
  it("changes with each choice, which is kept", async () => {
    const visit = await open("tasks");
    await visit.get("task-row").first().waitFor();
    await visit.page.locator('[data-testid="task-row"][data-task="12"]').click();
    await visit.press("x");
    await visit.get("prompt-item").first().waitFor();
    await visit.get("prompt-items").focus();
    for (const key of ["ArrowDown", "ArrowDown", "ArrowDown", "Space"]) {
      await visit.press(key);
    }
    await visit.get("prompt-sum").getByText("4,089 tokens").waitFor();
    await visit.press("Control+s");
    await visit.page.getByText("Kept for every further prompt of this task").waitFor();
    expect(await visit.calls("keepPromptChoices")).toEqual([
      { task: 12, choices: [{ key: "section:3", choice: "out" }] },
    ]);
    await visit.close();
  });
});

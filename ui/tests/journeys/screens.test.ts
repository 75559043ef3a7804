import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, type Theme, Visit } from "./browser";
import { planTo } from "./wizard-steps";

/** The pictures of the documentation, which are also what the window is compared with. `npm run screens` makes them. */
const SCREENS = fileURLToPath(new URL("../../../docs/screens", import.meta.url));
const MAKING = process.env.MAKE_SCREENS === "1";

/** How much of a picture may differ: edges of letters do from one version of a browser to the next. */
const TOLERANCE = 0.005;
/** By how much a colour has to differ to count, of 255. */
const NOTICEABLE = 40;

const show = (view: string) => (visit: Visit) => visit.get(`nav-${view}`).click();

const VIEWS: { name: string; query: string; ready: string; open?: (visit: Visit) => Promise<void> }[] = [
  { name: "start", query: "?", ready: "recent-item" },
  { name: "overview", query: "?window=project&scenario=tasks", ready: "current-task" },
  { name: "overview-idle", query: "?window=project&scenario=progress", ready: "plan-summary" },
  { name: "waves", query: "?window=project&scenario=tasks", ready: "wave-task", open: show("waves") },
  { name: "tasks", query: "?window=project&scenario=tasks", ready: "task-row", open: show("tasks") },
  {
    name: "tasks-board",
    query: "?window=project&scenario=tasks",
    ready: "board-card",
    open: async (visit) => {
      await show("tasks")(visit);
      await visit.get("layout-board").check({ force: true });
    },
  },
  { name: "iterations", query: "?window=project&scenario=tasks", ready: "iteration-row", open: show("iterations") },
  {
    name: "iteration",
    query: "?window=project&scenario=completed",
    ready: "output-entry",
    open: async (visit) => {
      await show("iterations")(visit);
      await visit.get("iteration-row").nth(1).click();
    },
  },
  {
    name: "review",
    query: "?window=project&scenario=review",
    ready: "diff-line",
    open: async (visit) => {
      await show("review")(visit);
      await visit.get("gate-item").nth(1).click();
    },
  },
  {
    name: "spec",
    query: "?window=project&scenario=tasks",
    ready: "spec-title",
    open: async (visit) => {
      await show("spec")(visit);
      await visit.page.locator("[data-testid=spec-editor][data-ready]").waitFor();
    },
  },
  { name: "wizard", query: "?", ready: "wizard-actions", open: (visit) => planTo(visit, "functionality") },
  { name: "wizard-tasks", query: "?", ready: "wizard-actions", open: (visit) => planTo(visit, "task_review") },
  { name: "wizard-launch", query: "?", ready: "wizard-actions", open: (visit) => planTo(visit, "launch") },
  { name: "checks", query: "?window=project&scenario=tasks", ready: "check-row", open: show("checks") },
  { name: "memory", query: "?window=project&scenario=tasks", ready: "solution-history", open: show("memory") },
  { name: "metrics", query: "?window=project&scenario=tasks", ready: "agents-metrics", open: show("metrics") },
  {
    name: "prompt",
    query: "?window=project&scenario=tasks",
    ready: "prompt-inspector",
    open: async (visit) => {
      await show("iterations")(visit);
      await visit.get("iteration-row").nth(1).click();
      await visit.page.getByRole("tab", { name: "Prompt" }).click();
      await visit.page.locator('[data-key="solution:1"]').click();
    },
  },
  { name: "settings", query: "?window=project", ready: "finding", open: show("settings") },
  {
    name: "agents",
    query: "?window=project&scenario=running",
    ready: "agent-tile",
    open: async (visit) => {
      await show("settings")(visit);
      await visit.get("section-agent").click();
    },
  },
];

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** The part of the pixels of two pictures that differ; all of them when the sizes do. */
function difference(page: Page, pictures: [string, string]): Promise<number> {
  return page.evaluate(
    async ([left, right, noticeable]) => {
      const pixels = async (base64: string) => {
        const bytes = Uint8Array.from(atob(base64), (each) => each.charCodeAt(0));
        const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const canvas = new OffscreenCanvas(image.width, image.height);
        const context = canvas.getContext("2d") as OffscreenCanvasRenderingContext2D;
        context.drawImage(image, 0, 0);
        return context.getImageData(0, 0, image.width, image.height);
      };
      const [one, other] = [await pixels(left), await pixels(right)];
      if (one.width !== other.width || one.height !== other.height) {
        return 1;
      }
      let differing = 0;
      for (let at = 0; at < one.data.length; at += 4) {
        const by = [0, 1, 2].map((channel) =>
          Math.abs((one.data[at + channel] ?? 0) - (other.data[at + channel] ?? 0)),
        );
        differing += Math.max(...by) > noticeable ? 1 : 0;
      }
      return differing / (one.data.length / 4);
    },
    [...pictures, NOTICEABLE] as const,
  );
}

describe("the screens look as they are documented", () => {
  const cases = VIEWS.flatMap((view) => (["light", "dark"] as Theme[]).map((theme) => ({ ...view, theme })));
  it.each(cases)("$name, $theme", async ({ name, query, ready, open, theme }) => {
    const visit = await Visit.still(browser, query, theme);
    await open?.(visit);
    await visit.get(ready).first().waitFor();
    const picture = await visit.still();
    const path = join(SCREENS, `${name}-${theme}.png`);
    if (MAKING) {
      mkdirSync(SCREENS, { recursive: true });
      writeFileSync(path, picture);
    } else {
      expect(existsSync(path), `${path} is missing: run npm run screens`).toBe(true);
      await visit.screenshot(`screen-${name}-${theme}`);
      const pictures: [string, string] = [readFileSync(path).toString("base64"), picture.toString("base64")];
      expect(await difference(visit.page, pictures)).toBeLessThan(TOLERANCE);
    }
    await visit.close();
  });
});

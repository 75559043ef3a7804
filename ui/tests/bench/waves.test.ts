import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { loadavg } from "node:os";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "../journeys/browser";

/** Added to the file that this variable names; printed as one line of JSON without it. */
const FIGURES_FILE = "LOOPWRIGHT_UI_FIGURES";
const SECONDS = 3;
/** The graph of this many tasks and five times as many dependencies. */
const QUERY = "?window=project&scenario=tasks-large";

const figures: Record<string, unknown> = { load: loadavg()[0] };
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  const file = process.env[FIGURES_FILE];
  if (file) {
    const others = existsSync(file) ? (JSON.parse(readFileSync(file, "utf8")) as object) : {};
    writeFileSync(file, JSON.stringify({ ...others, waves: figures }));
  } else {
    process.stdout.write(`${JSON.stringify({ waves: figures })}\n`);
  }
});

async function openGraph(): Promise<Visit> {
  const visit = await Visit.open(browser, QUERY);
  await visit.get("nav-waves").click();
  await visit.get("wave-task").first().waitFor();
  return visit;
}

/** Moves the view a little in every frame and watches the frames meanwhile, in milliseconds. */
function pan(visit: Visit, seconds: number) {
  return visit.page.evaluate(async (length) => {
    const graph = document.querySelector("[data-testid=graph]");
    const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));
    const gaps: number[] = [];
    let elements = 0;
    const begin = performance.now();
    let before = await frame();
    for (let count = 0; performance.now() - begin < length * 1000; count++) {
      const way = Math.floor(count / 40) % 2 === 0 ? 1 : -1;
      graph?.dispatchEvent(new WheelEvent("wheel", { deltaX: 24 * way, deltaY: 16 * way, cancelable: true }));
      const now = await frame();
      gaps.push(now - before);
      before = now;
      elements = Math.max(elements, count % 20 === 0 ? document.querySelectorAll("*").length : 0);
    }
    gaps.sort((a, b) => a - b);
    const part = (share: number): number =>
      Math.round((gaps[Math.min(gaps.length - 1, Math.floor(gaps.length * share))] ?? 0) * 10) / 10;
    return {
      frame_gap_p50: part(0.5),
      frame_gap_p95: part(0.95),
      frame_gap_max: part(1),
      frames: gaps.length,
      elements,
    };
  }, seconds);
}

describe("the graph of 10,000 tasks, measured", () => {
  it("when it is opened, for the first time and again", async () => {
    const visit = await Visit.open(browser, QUERY);
    await visit.get("plan-summary").waitFor();
    const open = () =>
      visit.page.evaluate(async () => {
        const since = performance.now();
        document.querySelector<HTMLElement>("[data-testid=nav-waves]")?.click();
        while (document.querySelector("[data-testid=wave-task]") === null) {
          await new Promise(requestAnimationFrame);
        }
        await new Promise(requestAnimationFrame);
        return Math.round(performance.now() - since);
      });
    figures.open_first = await open();
    await visit.get("nav-overview").click();
    await visit.get("plan-summary").waitFor();
    figures.open_again = await open();
    await visit.close();
  });

  it("while one looks around among cards", async () => {
    const visit = await openGraph();
    figures.pan_cards = await pan(visit, SECONDS);
    await visit.close();
  });

  it("while one looks around among labels, and at all of it", async () => {
    const visit = await openGraph();
    await visit.get("zoom-fit").click();
    await expect.poll(() => visit.get("graph-drawing").getAttribute("data-detail")).toBe("boxes");
    figures.pan_boxes = await pan(visit, SECONDS);
    while ((await visit.get("graph-drawing").getAttribute("data-detail")) === "boxes") {
      await visit.get("zoom-in").click();
    }
    figures.pan_labels = await pan(visit, SECONDS);
    await visit.close();
  });
});

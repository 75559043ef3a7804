import { writeFileSync } from "node:fs";
import { loadavg } from "node:os";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { OutputBench } from "../../src/gallery/output-bench";
import { launch, Visit } from "../journeys/browser";

/** Written to the file that this variable names; printed as one line of JSON without it. */
const FIGURES_FILE = "LOOPWRIGHT_UI_FIGURES";
const OPENINGS = 5;

declare global {
  interface Window {
    loopwrightBench?: OutputBench;
  }
}

const figures: Record<string, unknown> = { load: loadavg()[0] };
let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  const text = JSON.stringify(figures);
  const file = process.env[FIGURES_FILE];
  if (file) {
    writeFileSync(file, text);
  } else {
    process.stdout.write(`${text}\n`);
  }
});

async function stage(query: string): Promise<Visit> {
  const visit = await Visit.open(browser, `?stage=output&${query}`);
  await visit.page.locator("[data-testid=output-entry][data-kind]").first().waitFor();
  return visit;
}

function median(values: number[]): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}

describe("the output, measured", () => {
  it("while 10,000 entries are printed each second", async () => {
    const visit = await stage("scenario=running&live");
    figures.stream = await visit.page.evaluate(() => window.loopwrightBench?.stream(10_000, 5));
    expect(await visit.get("output-follow").getAttribute("aria-pressed")).toBe("true");
    await visit.close();
  });

  it("while it is printed and one looks at something earlier", async () => {
    const visit = await stage("scenario=running&live");
    await visit.page.evaluate(() => window.loopwrightBench?.stream(1000, 1));
    await visit.get("output-list").click();
    await visit.press("Home");
    const seen = () => visit.page.locator("[data-testid=output-entry][data-place='3']").boundingBox();
    const before = await seen();
    figures.stream_scrolled_up = await visit.page.evaluate(() => window.loopwrightBench?.stream(10_000, 5));
    expect(await seen()).toEqual(before);
    await visit.close();
  });

  it("when a log of a million entries is opened, and gone through", async () => {
    const visit = await stage("scenario=large");
    const openings: number[] = [];
    for (let count = 0; count < OPENINGS; count++) {
      openings.push((await visit.page.evaluate(() => window.loopwrightBench?.open())) ?? 0);
    }
    const jumps: number[] = [];
    for (const part of [0.5, 1, 0.123, 0]) {
      jumps.push((await visit.page.evaluate((where) => window.loopwrightBench?.jump(where), part)) ?? 0);
    }
    figures.million = { open_median: median(openings), jump_median: median(jumps) };
    await visit.close();
  });
});

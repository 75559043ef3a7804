import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** What has the focus, by its test name. */
const focused = (visit: Visit) =>
  visit.page.evaluate(() => (document.activeElement as HTMLElement | null)?.dataset.testid);

/** Presses Tab until the wanted thing has the focus. */
async function tabTo(visit: Visit, testid: string): Promise<void> {
  for (let presses = 0; presses < 60; presses++) {
    if ((await focused(visit)) === testid) {
      return;
    }
    await visit.press("Tab");
  }
  throw new Error(`${testid} cannot be reached with Tab`);
}

describe("with the keyboard alone", () => {
  it("goes from the start page through the sample and its trust to the settings", async () => {
    const visit = await Visit.open(browser, "?scenario=untrusted");
    await visit.get("recent-item").first().waitFor();
    await tabTo(visit, "try-sample");
    await visit.press("Enter");
    await visit.get("plan-summary").waitFor();

    await tabTo(visit, "trust-review");
    await visit.press("Enter");
    await visit.get("trust-confirm").waitFor();
    await tabTo(visit, "trust-confirm");
    await visit.press("Space");
    await visit.get("trust-banner").waitFor({ state: "detached" });

    await visit.press("Control+,");
    await visit.get("theme-control").waitFor();
    await tabTo(visit, "theme-system");
    await visit.press("ArrowRight");
    await visit.press("ArrowRight");
    expect(await visit.theme()).toBe("dark");

    await visit.press("Control+1");
    await visit.get("plan-summary").waitFor();
    await visit.close();
  });

  it("keeps the focus in a dialog and gives it back", async () => {
    const visit = await Visit.open(browser, "?");
    await visit.get("recent-item").first().waitFor();
    await tabTo(visit, "new-project");
    await visit.press("Enter");
    await visit.get("new-project-dialog").waitFor();
    await expect.poll(() => focused(visit)).toBe("new-project-path");
    for (let presses = 0; presses < 12; presses++) {
      await visit.press("Tab");
      expect(await visit.page.evaluate(() => document.activeElement?.closest('[role="dialog"]') !== null)).toBe(true);
    }
    await visit.press("Escape");
    await visit.get("new-project-dialog").waitFor({ state: "detached" });
    await expect.poll(() => focused(visit)).toBe("new-project");
    await visit.close();
  });

  it("does everything from the palette", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("plan-summary").waitFor();
    for (const [words, theme] of [
      ["theme dark", "dark"],
      ["theme light", "light"],
    ]) {
      await visit.press("Control+k");
      await expect.poll(() => focused(visit)).toBe("palette-input");
      await visit.page.keyboard.type(words ?? "");
      await visit.press("Enter");
      await expect.poll(() => visit.theme()).toBe(theme);
    }
    await visit.press("Control+k");
    await visit.get("palette-input").fill("shortcuts");
    await visit.press("Enter");
    await visit.get("shortcuts-dialog").waitFor();
    await visit.press("Escape");
    await visit.get("shortcuts-dialog").waitFor({ state: "detached" });
    await visit.press("?");
    await visit.get("shortcuts-dialog").waitFor();
    await visit.close();
  });

  it("shows where the focus is", async () => {
    const visit = await Visit.open(browser, "?");
    await visit.get("recent-item").first().waitFor();
    for (let presses = 0; presses < 14; presses++) {
      await visit.press("Tab");
      const visible = await visit.page.evaluate(() => {
        const style = getComputedStyle(document.activeElement ?? document.body);
        return style.outlineStyle !== "none" && parseFloat(style.outlineWidth) >= 2;
      });
      expect(visible, await visit.page.evaluate(() => document.activeElement?.outerHTML.slice(0, 120))).toBe(true);
    }
    await visit.close();
  });
});

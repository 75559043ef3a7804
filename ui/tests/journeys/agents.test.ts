import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe("agents", () => {
  it("are looked at, asked and chosen in the settings", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("nav-settings").click();
    await visit.get("section-agent").click();
    const claude = visit.page.locator("[data-agent=claude]");
    await claude.getByTestId("agent-ask").click();
    await expect.poll(() => claude.getByTestId("trial").textContent()).toContain("It answered");
    await claude.getByTestId("agent-choose").click();
    await claude.getByTestId("agent-chosen").waitFor();
    expect(await visit.calls("setSetting")).toEqual([{ scope: "project", key: "default_harness", value: "claude" }]);
    await visit.close();
  });

  it("rest at a limit while the time to go on is counted down, until a person resumes", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=waiting");
    const left = visit.get("limit-left");
    const first = await left.textContent();
    await expect.poll(() => left.textContent()).not.toBe(first);
    await visit.get("nav-tasks").click();
    await visit.get("limit-strip").waitFor();
    await visit.get("strip-resume").click();
    await expect.poll(() => visit.get("limit-strip").count()).toBe(0);
    expect(await visit.calls("resumeRun")).toHaveLength(1);
    await visit.close();
  });

  it("are seen to wait for a tool, and what it answered is in the same line", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=running");
    const last = visit.page.locator("[data-testid=output-entry][data-place='6']");
    await expect.poll(() => last.getByTestId("tool-state").getAttribute("data-state")).toBe("running");
    const height = (await last.boundingBox())?.height;
    await visit.print(1);
    await expect.poll(() => last.getByTestId("tool-state").getAttribute("data-state")).toBe("passed");
    expect(await last.textContent()).toContain("42");
    expect((await last.boundingBox())?.height).toBe(height);
    await visit.close();
  });

  it("are read in a transcript with the keyboard alone", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=running");
    await visit.get("output-entry").first().waitFor();
    await visit.print(28);
    const list = visit.get("output-list");
    await list.focus();
    await visit.press("Home");
    for (let step = 0; step < 3; step++) {
      await visit.press("ArrowDown");
    }
    const row = visit.page.locator("[data-testid=output-entry][data-place='3']");
    const cell = row.getByRole("gridcell").first();
    expect(await cell.getAttribute("aria-expanded")).toBe("false");
    const before = await row.boundingBox();
    await visit.press("ArrowRight");
    await expect.poll(async () => (await row.boundingBox())?.height ?? 0).toBeGreaterThan(before?.height ?? 0);
    expect(await cell.getAttribute("aria-expanded")).toBe("true");
    expect(await row.getByRole("group", { name: "Input" }).textContent()).toContain("teas.txt");
    expect(await row.getByRole("group", { name: "Output" }).textContent()).toContain("assam;240;95");
    await visit.press("End");
    await visit.get("markdown").first().waitFor();
    expect(await visit.page.locator("[data-testid=output-list] :is(img, a, iframe)").count()).toBe(0);
    await visit.close();
  });
});

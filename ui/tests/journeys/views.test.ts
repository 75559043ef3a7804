import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe("from the start page", () => {
  it("opens the sample and shows its plan", async () => {
    const visit = await Visit.open(browser, "?");
    await visit.get("try-sample").click();
    await visit.get("plan-summary").waitFor();
    expect(await visit.get("project-name").textContent()).toBe("Tea timer");
    expect(await visit.get("wave").count()).toBe(3);
    expect(await visit.get("task").count()).toBe(7);
    await visit.close();
  });

  it("makes a project of a typed folder with one chosen check", async () => {
    const visit = await Visit.open(browser, "?");
    await visit.get("new-project").click();
    await visit.get("new-project-path").fill("/home/ada/code/swift");
    await visit.page.getByLabel("lint").check();
    await visit.get("new-project-name").press("Enter");
    await visit.get("plan-summary").waitFor();
    await visit.close();
  });

  it("forgets a folder that is gone", async () => {
    const visit = await Visit.open(browser, "?");
    const gone = visit.get("recent-item").filter({ hasText: "old-engine" });
    await gone.getByText("Folder not found").waitFor();
    await gone.getByTestId("recent-forget").click();
    await gone.waitFor({ state: "detached" });
    expect(await visit.calls("forgetRecent")).toEqual(["/media/ada/backup/old-engine"]);
    await visit.close();
  });
});

describe("in a project", () => {
  it("trusts what was read", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=untrusted");
    await visit.get("trust-review").click();
    await visit.get("trust-confirm").waitFor();
    expect(await visit.get("executable").count()).toBe(4);
    await visit.get("trust-confirm").click();
    await visit.get("trust-banner").waitFor({ state: "detached" });
    expect(await visit.get("trust-badge").count()).toBe(0);
    await visit.page.getByText("This folder is trusted").waitFor();
    await visit.close();
  });

  it("asks again when the commands change while they are read", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=untrusted");
    await visit.get("trust-review").click();
    await visit.get("trust-confirm").waitFor();
    await visit.outside("changeCommands");
    await visit.get("trust-outdated").waitFor();
    expect(await visit.get("trust-confirm").isDisabled()).toBe(true);
    expect(await visit.calls("trustProject")).toEqual([]);
    await visit.close();
  });

  it("shows a change from outside without being asked", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("plan-summary").waitFor();
    await visit.outside("changeProject");
    await visit.page.getByText("Changed from outside.").waitFor();
    await visit.close();
  });

  it("brings a task found in the palette into sight", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=large");
    await visit.get("plan-summary").waitFor();
    await visit.press("Control+k");
    await visit.get("palette-input").fill("number 7777");
    await visit.page.getByText("Task number 7777").waitFor();
    await visit.press("Enter");
    await visit.page.locator('[data-testid="task-panel"][data-task="7777"]').waitFor();
    await visit.page.locator('[data-testid="task-row"][data-task="7777"]').waitFor();
    await visit.close();
  });

  it("keeps the window small with ten thousand tasks", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=large");
    await visit.get("plan-summary").waitFor();
    expect(await visit.page.evaluate(() => document.querySelectorAll("*").length)).toBeLessThan(2000);
    await visit.close();
  });

  it("recovers with a retry, and says what is wrong until then", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=failing");
    expect(await visit.get("error-state").textContent()).toContain("store.read_only");
    await visit.get("retry").click();
    await visit.get("error-state").waitFor();
    await visit.get("project-switch").click();
    await visit.get("menu-reveal-project").click();
    await visit.page
      .getByLabel(/Notifications/)
      .getByText("Check the permissions")
      .waitFor();
    await visit.close();
  });
});

describe("settings", () => {
  it("change a choice for all projects and reset it", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("nav-settings").click();
    await visit.get("scope-mode").click();
    await visit.page.getByRole("option", { name: "This project" }).click();
    await visit.get("value-mode").click();
    await visit.page.getByRole("option", { name: "Autonomous" }).click();
    await visit.get("origin-mode").getByText("from project").waitFor();
    await visit.get("reset-mode").click();
    await visit.get("origin-mode").getByText("default").waitFor();
    expect(await visit.calls("setSetting")).toEqual([
      { scope: "project", key: "mode", value: "autonomous" },
      { scope: "project", key: "mode", value: null },
    ]);
    await visit.close();
  });

  it("keep what is half typed until it is saved, discarded or replaced by a choice", async () => {
    const visit = await Visit.open(browser, "?window=project");
    const leaveAndComeBack = async () => {
      await visit.press("Control+1");
      await visit.get("plan-summary").waitFor();
      await visit.get("nav-settings").click();
      await visit.get("value-name").waitFor();
    };
    await visit.get("nav-settings").click();
    await visit.get("value-mode").click();
    await visit.page.getByRole("option", { name: "Review every few tasks" }).click();
    await visit.get("value-mode-count").fill("12");
    await visit.get("value-name").fill("Kettle");
    await leaveAndComeBack();
    expect(await visit.get("value-name").inputValue()).toBe("Kettle");
    expect(await visit.get("value-mode-count").inputValue()).toBe("12");
    await visit.get("settings-unsaved").getByText("2 unsaved changes").waitFor();
    await visit.get("value-mode").click();
    await visit.page.getByRole("option", { name: "Autonomous" }).click();
    await visit.get("value-mode-count").waitFor({ state: "detached" });
    await visit.get("settings-unsaved").getByText("1 unsaved change").waitFor();
    await visit.get("discard-unsaved").click();
    await visit.get("settings-unsaved").waitFor({ state: "detached" });
    expect(await visit.get("value-name").inputValue()).toBe("Tea timer");
    expect(await visit.calls("setSetting")).toMatchObject([
      { key: "mode", value: "review_every:3" },
      { key: "mode", value: "autonomous" },
    ]);
    await visit.close();
  });

  it("show the doctor when asked for it by name, without moving the window itself", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=problems");
    await visit.get("plan-summary").waitFor();
    await visit.press("Control+k");
    await visit.get("palette-input").fill("doctor");
    await visit.press("Enter");
    await visit.get("finding").first().waitFor();
    await expect
      .poll(() => visit.get("doctor").evaluate((card) => card.getBoundingClientRect().bottom <= innerHeight))
      .toBe(true);
    expect(await visit.page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
    await visit.close();
  });
});

describe("hostile text", () => {
  it("does nothing and breaks nothing", async () => {
    for (const query of ["?scenario=hostile", "?window=project&scenario=hostile"]) {
      const visit = await Visit.open(browser, query);
      await visit.page.getByText("<script>globalThis.__pwned = true</script>").first().waitFor();
      expect(await visit.page.evaluate(() => (globalThis as { __pwned?: boolean }).__pwned)).toBeUndefined();
      const overflow = await visit.page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      expect(overflow).toBe(false);
      await visit.close();
    }
  });
});

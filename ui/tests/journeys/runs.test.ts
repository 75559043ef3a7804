import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

async function choose(visit: Visit, list: string, option: RegExp): Promise<void> {
  await visit.get(list).click();
  await visit.page.getByRole("option", { name: option }).click();
}

describe("a run", () => {
  it("is looked at first, started, followed, paused, resumed and read at its end", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("kind-prompt").check();
    await visit.get("prompt").fill("Price every tea\nand keep the checks green");
    await visit.get("preview").click();
    expect(await visit.get("preview-prompt").textContent()).toContain("and keep the checks green");
    await visit.get("preview-start").click();
    await visit.get("run").waitFor();
    expect(await visit.get("run-title").textContent()).toBe("Price every tea");
    await visit.run("step");
    await visit.get("phase-text").getByText("Working").waitFor();
    await visit.get("pause-more").click();
    await visit.get("menu-pause-after").click();
    await visit.get("asked").waitFor();
    await visit.run("finishIteration");
    await visit.get("step-resume").click();
    await visit.get("pause").waitFor();
    expect(await visit.get("progress").textContent()).toBe("1/20");
    await visit.run("step");
    await visit.run("finishIteration", "checks");
    await visit.run("end", "completed", "promise");
    await visit.get("ending-headline").getByText("The agent says it is done").waitFor();
    expect(await visit.get("recent-iteration").count()).toBe(2);
    expect(await visit.get("recent-iteration").first().getAttribute("data-outcome")).toBe("failed");
    await visit.close();
  });

  it("takes the agent, the procedure and the automation from their lists, by keyboard too", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("kind-procedure").check();
    await choose(visit, "procedure", /Audit the implementation/);
    await choose(visit, "automation", /Plan only/);
    await visit.get("harness").focus();
    await visit.press("Enter");
    await visit.page.getByRole("option", { name: "Claude Code" }).waitFor();
    await visit.page.keyboard.type("Claude");
    await visit.press("Enter");
    await visit.get("start").press("Control+Enter");
    await visit.get("run").waitFor();
    expect(await visit.calls("startRun")).toEqual([
      {
        work: { kind: "procedure", name: "audit-impl" },
        harness: "claude",
        model: null,
        automation: "plan",
        settings: [],
        leave_earlier: false,
      },
    ]);
    await visit.close();
  });

  it("keeps what was typed when the page is loaded anew", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("kind-prompt").check();
    await visit.get("prompt").fill("Half a thought");
    await visit.page.reload();
    await expect.poll(() => visit.get("prompt").inputValue()).toBe("Half a thought");
    await visit.close();
  });

  it("gives long prompts room and then scrolls", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("kind-prompt").check();
    const height = () => visit.get("prompt").evaluate((area) => area.clientHeight);
    const before = await height();
    await visit.get("prompt").fill("a line\n".repeat(10));
    const grown = await height();
    expect(grown).toBeGreaterThan(before);
    await visit.get("prompt").fill("a line\n".repeat(500));
    expect(await height()).toBeLessThan(500);
    await visit.close();
  });

  it("asks before the window closes over it, and stays with Escape", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=running");
    await visit.get("run").waitFor();
    await visit.run("askToClose");
    await visit.get("close-dialog").waitFor();
    await visit.press("Escape");
    await visit.get("close-dialog").waitFor({ state: "detached" });
    expect(await visit.calls("closeWindow")).toEqual(["stay"]);
    await visit.close();
  });

  it("never makes the page wider than its window", async () => {
    for (const scenario of ["running", "aborted", "hostile", "progress"]) {
      const visit = await Visit.open(browser, `?window=project&scenario=${scenario}`);
      await visit.page.setViewportSize({ width: 720, height: 700 });
      await visit.get("plan-summary").waitFor();
      await visit.get(scenario === "progress" ? "start-panel" : "run").waitFor();
      const wider = await visit.page.evaluate(() => {
        const main = document.querySelector("main");
        return main !== null && main.scrollWidth > main.clientWidth;
      });
      expect(wider, scenario).toBe(false);
      await visit.close();
    }
  });
});

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Takes a task up and works on it until it is done, has failed or waits for a person. */
async function work(visit: Visit, fate = "good"): Promise<void> {
  await visit.run("step");
  await visit.run("finishIteration", fate);
}

describe("the sample", () => {
  it("is played whole: tasks, a failure, a gate that is rejected with a comment and then approved", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("task-mode").click();
    await visit.page.getByRole("option", { name: "Only when it is risky" }).click();
    await visit.get("start").click();
    await visit.get("run").waitFor();
    await visit.run("finishIteration", "checks");
    await work(visit);
    for (let task = 2; task <= 5; task++) {
      await work(visit);
    }
    await expect.poll(() => visit.get("progress").textContent()).toBe("5/7");
    expect(await visit.get("waiting-badge").count()).toBe(0);

    await work(visit);
    await visit.get("approval-banner").waitFor();
    expect(await visit.get("waiting-badge").textContent()).toContain("1");
    await visit.get("to-review").click();
    await visit.get("risk").click();
    await expect.poll(() => visit.get("diff-pane").getAttribute("data-path")).toBe("teas.txt");
    await visit.press("c");
    await visit.get("comment-text").fill("Why this price?");
    await visit.press("Control+Enter");
    await visit.get("comment").waitFor();
    await visit.press("r");
    await visit.get("decision-reason").fill("Ask the owner first.");
    await visit.press("Control+Enter");
    await visit.get("waiting-badge").waitFor({ state: "detached" });
    expect(await visit.calls("decideGate")).toMatchObject([
      { id: 1, decision: { kind: "reject", reason: "Ask the owner first." } },
    ]);
    expect(await visit.get("gate-status").textContent()).toContain("Rejected");

    await work(visit);
    await visit.get("waiting-badge").waitFor();
    await expect.poll(() => visit.get("gate").getAttribute("data-gate")).toBe("2");
    await visit.get("approve").waitFor();
    await visit.press("a");
    await visit.get("waiting-badge").waitFor({ state: "detached" });
    await work(visit);
    await visit.run("step");
    await visit.press("Control+1");
    await visit.get("ending-headline").getByText("Every task is done").waitFor();
    await expect.poll(() => visit.get("progress").textContent()).toBe("7/7");
    await visit.close();
  });
});

describe("reviewing", () => {
  it("keeps the lines under what is written at them", async () => {
    const visit = await Visit.open(browser, "?window=project&scenario=review");
    await visit.get("nav-review").click();
    await visit.get("reviewed-work").first().waitFor();
    await visit.press("j");
    await visit.get("diff-lines").waitFor();
    const added = "[data-testid=diff-comment][data-path='docs/teas.md']:not([data-old])";
    const line = () => visit.page.locator(`${added}[data-line='5']`);
    const next = () => visit.page.locator(`${added}[data-line='6']`);
    await next().waitFor();
    const top = async (which: typeof line) => (await which().boundingBox())?.y ?? 0;
    const before = (await top(next)) - (await top(line));
    await line().click();
    await visit.get("comment-text").waitFor();
    await expect.poll(async () => (await top(next)) - (await top(line))).toBeGreaterThan(before + 60);
    await visit.press("Escape");
    await expect.poll(async () => (await top(next)) - (await top(line))).toBe(before);
    await visit.close();
  });

  it("never makes the page wider than its window", async () => {
    for (const scenario of ["review", "hostile"]) {
      const visit = await Visit.open(browser, `?window=project&scenario=${scenario}`);
      await visit.page.setViewportSize({ width: 720, height: 700 });
      await visit.get("nav-review").click();
      await visit.get("gate-head").waitFor();
      const wider = await visit.page.evaluate(() => {
        const main = document.querySelector("main");
        return main !== null && main.scrollWidth > main.clientWidth;
      });
      expect(wider, scenario).toBe(false);
      await visit.close();
    }
  });
});

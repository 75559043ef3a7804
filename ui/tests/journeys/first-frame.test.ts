import { type Browser, type Route } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

/** The app itself, as opposed to the page it starts in. */
const APP = "**/assets/index-*.js";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

/** Opens a page in which something else happens in place of the app. */
async function openWith(instead: (route: Route) => Promise<void>): Promise<Visit> {
  const visit = await Visit.open(browser, "?");
  await visit.get("recent-item").first().waitFor();
  await visit.page.route(APP, instead);
  await visit.page.reload({ waitUntil: "commit" });
  await visit.page.locator("#frame .mark").waitFor();
  return visit;
}

describe("the first frame", () => {
  it("is there before the app, which then has the same in the same place", async () => {
    let letThrough = (): void => undefined;
    const held = new Promise<void>((resolve) => (letThrough = resolve));
    const visit = await openWith((route) => held.then(() => route.continue()));
    const places = () =>
      visit.page
        .locator(".sidebar, .mark:visible, .word:visible")
        .evaluateAll((all) => all.slice(0, 3).map((element) => JSON.stringify(element.getBoundingClientRect())));
    const before = await places();
    expect(before).toHaveLength(3);
    expect(await visit.page.getByRole("alert").count()).toBe(0);
    letThrough();
    await visit.get("start-page").waitFor();
    expect(await visit.page.locator("#frame").count()).toBe(0);
    expect(await places()).toEqual(before);
    await visit.close();
  });

  it("says what is missing when the app cannot be loaded", async () => {
    const visit = await openWith((route) => route.abort());
    const alert = visit.page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toMatch(/start Loopwright again.*Not loaded: \/assets\/index-[\w-]+\.js/s);
    visit.troubles.length = 0;
    await visit.close();
  });

  it("says what happened when the app fails before it shows anything", async () => {
    const body = "throw new Error('half a file');";
    const visit = await openWith((route) => route.fulfill({ contentType: "text/javascript", body }));
    const alert = visit.page.getByRole("alert");
    await alert.waitFor();
    expect(await alert.textContent()).toContain("half a file");
    await visit.screenshot("trouble");
    expect(visit.troubles).toEqual(["uncaught: half a file"]);
    visit.troubles.length = 0;
    await visit.close();
  });
});

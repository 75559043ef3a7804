import { type Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, Visit } from "./browser";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe("the theme", () => {
  it("is switched by the control, survives a reload and is written to the user's file", async () => {
    const visit = await Visit.open(browser, "?window=project");
    await visit.get("nav-settings").click();
    await visit.get("theme-dark").click();
    expect(await visit.theme()).toBe("dark");
    expect(await visit.calls("setSetting")).toEqual([{ scope: "user", key: "ui.theme", value: "dark" }]);
    await visit.page.route("**/assets/*.js", (route) => route.fulfill({ contentType: "text/javascript", body: "" }));
    await visit.page.reload();
    // Nothing but the page itself has run, and it is dark already.
    expect(await visit.theme()).toBe("dark");
    expect(await visit.page.locator("#app > :not(#frame)").count()).toBe(0);
    await visit.close();
  });

  it("follows the system until something else is chosen", async () => {
    const visit = await Visit.open(browser, "?", "dark");
    await visit.get("recent-item").first().waitFor();
    expect(await visit.theme()).toBe("dark");
    await visit.page.emulateMedia({ colorScheme: "light" });
    await expect.poll(() => visit.theme()).toBe("light");
    await visit.get("theme-toggle").click();
    await expect.poll(() => visit.theme()).toBe("dark");
    await visit.page.emulateMedia({ colorScheme: "light" });
    expect(await visit.theme()).toBe("dark");
    await visit.close();
  });
});

import { accessSync, constants, mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect, inject } from "vitest";

const ARTIFACTS = fileURLToPath(new URL("../../../artifacts/ui", import.meta.url));

/** The flags keep the browser from talking to anybody but the page under test. */
const FLAGS = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-quic",
  "--no-first-run",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
];

export const SIZES = {
  large: { width: 1280, height: 800 },
  small: { width: 900, height: 600 },
  screen: { width: 1440, height: 900 },
};

export type Theme = "light" | "dark";

/** The browser to use: the one `CHROMIUM` names, else the first that is installed. */
function findChromium(): string {
  const named = process.env.CHROMIUM;
  if (named) {
    return named;
  }
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  for (const name of ["chromium", "chromium-browser", "google-chrome"]) {
    for (const folder of folders) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        continue;
      }
    }
  }
  throw new Error("No Chromium was found. Install one, or name it in the variable CHROMIUM.");
}

export function launch(): Promise<Browser> {
  return chromium.launch({ executablePath: findChromium(), args: FLAGS });
}

/** A page under watch: at the end there must have been no error, no breach of the policy and no foreign request. */
export class Visit {
  readonly troubles: string[] = [];

  private constructor(
    readonly page: Page,
    private readonly context: BrowserContext,
  ) {}

  static async open(browser: Browser, query: string, theme: Theme = "light"): Promise<Visit> {
    const context = await browser.newContext({
      viewport: SIZES.large,
      colorScheme: theme,
      reducedMotion: "reduce",
    });
    const visit = new Visit(await context.newPage(), context);
    visit.watch();
    await visit.go(query);
    return visit;
  }

  /** A page that looks the same today and tomorrow, here and elsewhere: the clock stands, and nothing follows the system. */
  static async still(browser: Browser, query: string, theme: Theme): Promise<Visit> {
    const context = await browser.newContext({
      viewport: SIZES.screen,
      colorScheme: theme,
      reducedMotion: "reduce",
      locale: "en-US",
      timezoneId: "UTC",
    });
    const visit = new Visit(await context.newPage(), context);
    visit.watch();
    await visit.page.clock.setFixedTime(new Date("2026-03-02T14:50:00Z"));
    await visit.go(query);
    return visit;
  }

  /** A picture of the page once it has come to rest: two in a row are the same. */
  async still(): Promise<Buffer> {
    await this.page.evaluate(() => document.fonts.ready);
    await expect.poll(() => this.page.locator("[aria-busy=true]").count(), { timeout: 20_000 }).toBe(0);
    let before = await this.page.screenshot({ animations: "disabled" });
    for (let round = 0; round < 20; round++) {
      // As long as the mock takes to answer once more, and the page to show it.
      await this.page.waitForTimeout(400);
      const now = await this.page.screenshot({ animations: "disabled" });
      if (now.equals(before)) {
        break;
      }
      before = now;
    }
    return before;
  }

  /** Follows a query such as `?window=project`. */
  async go(query: string): Promise<void> {
    await this.page.goto(inject("baseUrl") + query);
  }

  get(testid: string) {
    return this.page.getByTestId(testid);
  }

  press(keys: string): Promise<void> {
    return this.page.keyboard.press(keys);
  }

  theme(): Promise<string | undefined> {
    return this.page.evaluate(() => document.documentElement.dataset.theme);
  }

  /** The calls of one method of the mock so far, by their arguments. */
  calls(method: string): Promise<unknown[]> {
    return this.page.evaluate(
      (name) =>
        (
          window as unknown as { loopwrightMock: { calls: { method: string; argument: unknown }[] } }
        ).loopwrightMock.calls
          .filter((call) => call.method === name)
          .map((call) => call.argument),
      method,
    );
  }

  /** Does something that happens outside the window. */
  outside(control: "changeProject" | "changeCommands"): Promise<void> {
    return this.page.evaluate(
      (name) => (window as unknown as { loopwrightMock: Record<string, () => void> }).loopwrightMock[name]?.(),
      control,
    );
  }

  /** Makes the mock's run go on, or something happen around it. */
  run(control: string, ...details: unknown[]): Promise<void> {
    return this.page.evaluate(
      ([name, given]) =>
        (
          window as unknown as { loopwrightMock: { runs: Record<string, (...details: unknown[]) => void> } }
        ).loopwrightMock.runs[name as string]?.(...(given as unknown[])), // The mock's controls are plain functions of the page.
      [control, details],
    );
  }

  /** The commit of a gate's work would lack files, each with its reason. */
  leaveOut(gate: number, kind: "left_out" | "secret", files: Record<string, string>): Promise<void> {
    return this.page.evaluate(
      ([id, of, given]) =>
        (
          window as unknown as { loopwrightMock: { gates: { leaveOut(...details: unknown[]): void } } }
        ).loopwrightMock.gates.leaveOut(
          id,
          Object.entries(given).map(([path, detail]) => ({ path, detail, can_be_included: true })),
          of,
        ),
      [gate, kind, files] as const,
    );
  }

  /** The newest iteration prints so many entries more. */
  print(count: number): Promise<void> {
    return this.page.evaluate(
      (entries) =>
        (
          window as unknown as { loopwrightMock: { output: { print(count: number): void } } }
        ).loopwrightMock.output.print(entries),
      count,
    );
  }

  /** The system switches between light and dark. */
  async systemTheme(theme: Theme): Promise<void> {
    await this.page.emulateMedia({ colorScheme: theme });
    await expect.poll(() => this.theme()).toBe(theme);
  }

  async resize(size: keyof typeof SIZES): Promise<void> {
    await this.page.setViewportSize(SIZES[size]);
  }

  async screenshot(name: string): Promise<void> {
    mkdirSync(ARTIFACTS, { recursive: true });
    await this.page.screenshot({ path: join(ARTIFACTS, `${name}.png`) });
  }

  async close(): Promise<void> {
    await this.context.close();
    expect(this.troubles).toEqual([]);
  }

  private watch(): void {
    const home = new URL(inject("baseUrl")).host;
    this.page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") {
        this.troubles.push(`console ${message.type()}: ${message.text()}`);
      }
    });
    this.page.on("pageerror", (error) => this.troubles.push(`uncaught: ${error.message}`));
    this.page.on("requestfailed", (request) => this.troubles.push(`failed: ${request.url()}`));
    this.page.on("request", (request) => {
      const url = new URL(request.url());
      if (url.host !== home) {
        this.troubles.push(`left the machine: ${request.url()}`);
      }
    });
  }
}

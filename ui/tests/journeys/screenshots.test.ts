import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, it } from "vitest";

import type { SIZES } from "./browser";
import { launch, type Theme, Visit } from "./browser";
import { PHASES, planTo } from "./wizard-steps";

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

const PICTURES: { name: string; query: string; ready: string; open?: (visit: Visit) => Promise<void> }[] = [
  { name: "start", query: "?", ready: "recent-item" },
  { name: "start-empty", query: "?scenario=empty", ready: "recents-empty" },
  { name: "start-failing", query: "?scenario=failing", ready: "error-state" },
  { name: "overview", query: "?window=project&scenario=progress", ready: "plan-summary" },
  { name: "overview-new", query: "?window=project", ready: "plan-summary" },
  { name: "overview-empty", query: "?window=project&scenario=empty", ready: "plan-empty" },
  { name: "overview-untrusted", query: "?window=project&scenario=untrusted", ready: "trust-banner" },
  { name: "overview-problems", query: "?window=project&scenario=problems", ready: "problems" },
  { name: "overview-failing", query: "?window=project&scenario=failing", ready: "error-state" },
  { name: "overview-large", query: "?window=project&scenario=large", ready: "plan-summary" },
  { name: "run-working", query: "?window=project&scenario=running", ready: "figures" },
  { name: "run-paused", query: "?window=project&scenario=paused", ready: "ending" },
  { name: "run-failed", query: "?window=project&scenario=aborted", ready: "ending" },
  { name: "run-done", query: "?window=project&scenario=completed", ready: "ending" },
  { name: "run-resting", query: "?window=project&scenario=waiting", ready: "limit-banner" },
  { name: "run-fallback", query: "?window=project&scenario=fallback", ready: "run-rests" },
  {
    name: "resting-elsewhere",
    query: "?window=project&scenario=waiting",
    ready: "limit-strip",
    open: async (visit) => {
      await visit.get("limit-banner").waitFor();
      await visit.get("nav-iterations").click();
    },
  },
  {
    name: "spec",
    query: "?window=project&scenario=tasks",
    ready: "spec-title",
    open: (visit) => visit.get("nav-spec").click(),
  },
  ...PHASES.map((phase) => ({
    name: `wizard-${phase}`,
    query: "?",
    ready: "wizard-actions",
    open: (visit: Visit) => planTo(visit, phase),
  })),
  {
    name: "transcript",
    query: "?window=project&scenario=running",
    ready: "markdown",
    open: async (visit) => {
      await visit.get("output-entry").first().waitFor();
      await visit.print(28);
      await visit.get("live-output").getByRole("button", { name: "Open", exact: true }).first().click();
    },
  },
  {
    name: "iteration-denied",
    query: "?window=project&scenario=denied",
    ready: "denied",
    open: async (visit) => {
      await visit.get("nav-iterations").click();
      await visit.get("iteration-row").first().click();
    },
  },
  {
    name: "agents",
    query: "?window=project&scenario=running",
    ready: "trial",
    open: async (visit) => {
      await visit.get("nav-settings").click();
      await visit.get("section-agent").click();
      await visit.page.locator("[data-agent=claude]").getByTestId("agent-ask").click();
      await visit.page.locator("[data-testid=trial][data-state=told]").waitFor();
    },
  },
  {
    name: "agents-problems",
    query: "?window=project&scenario=problems",
    ready: "agent-tile",
    open: async (visit) => {
      await visit.get("nav-settings").click();
      await visit.get("section-agent").click();
    },
  },
  {
    name: "run-limits",
    query: "?window=project&scenario=exhausted",
    ready: "limit-iterations",
    open: (visit) => visit.get("step-raise_limit").click(),
  },
  {
    name: "run-preview",
    query: "?window=project",
    ready: "preview-dialog",
    open: async (visit) => {
      await visit.get("preview").click();
    },
  },
  {
    name: "run-closing",
    query: "?window=project&scenario=running",
    ready: "close-dialog",
    open: async (visit) => {
      await visit.get("run").waitFor();
      await visit.run("askToClose");
    },
  },
  {
    name: "waves",
    query: "?window=project&scenario=tasks",
    ready: "task-panel",
    open: async (visit) => {
      await visit.get("nav-waves").click();
      await visit.get("show-bars").check({ force: true });
      await visit.get("blocked-tasks").getByRole("button").first().click();
    },
  },
  {
    name: "waves-large",
    query: "?window=project&scenario=tasks-large",
    ready: "wave-task",
    open: (visit) => visit.get("nav-waves").click(),
  },
  {
    name: "memory",
    query: "?window=project&scenario=tasks",
    ready: "solution-history",
    open: (visit) => visit.get("nav-memory").click(),
  },
  {
    name: "memory-hostile",
    query: "?window=project&scenario=hostile",
    ready: "recent-failures",
    open: (visit) => visit.get("nav-memory").click(),
  },
  {
    name: "memory-many-learnings",
    query: "?window=project&scenario=large",
    ready: "learning-row",
    open: async (visit) => {
      await visit.get("nav-memory").click();
      await visit.get("tab-learnings").click();
    },
  },
  {
    name: "metrics",
    query: "?window=project&scenario=tasks",
    ready: "agents-metrics",
    open: (visit) => visit.get("nav-metrics").click(),
  },
  {
    name: "metrics-little",
    query: "?window=project&scenario=running",
    ready: "health",
    open: (visit) => visit.get("nav-metrics").click(),
  },
  { name: "run-tasks", query: "?window=project&scenario=tasks", ready: "current-task" },
  { name: "run-approval", query: "?window=project&scenario=review", ready: "approval-banner" },
  {
    name: "review",
    query: "?window=project&scenario=review",
    ready: "diff-lines",
    open: async (visit) => {
      await visit.get("nav-review").click();
      await visit.get("gate-item").nth(1).click();
    },
  },
  {
    name: "review-left-out",
    query: "?window=project&scenario=review",
    ready: "left-out",
    open: async (visit) => {
      await visit.get("nav-review").click();
      await visit.get("gate-item").nth(1).click();
      await visit.leaveOut(5, "left_out", {
        "fixtures/measurements-of-last-year.bin": "11 MiB are a lot for a new file: it is not in the commit",
      });
      await visit.leaveOut(5, "secret", {
        "tests/cert.pem": "a file of this name usually holds secrets: it is not in the commit",
      });
    },
  },
  {
    name: "review-work",
    query: "?window=project&scenario=review",
    ready: "reviewed-work",
    open: (visit) => visit.get("nav-review").click(),
  },
  {
    name: "review-empty",
    query: "?window=project",
    ready: "review-empty",
    open: (visit) => visit.get("nav-review").click(),
  },
  {
    name: "trust",
    query: "?window=project&scenario=untrusted",
    ready: "executable",
    open: (visit) => visit.get("trust-review").click(),
  },
  {
    name: "tasks",
    query: "?window=project&scenario=tasks",
    ready: "task-row",
    open: (visit) => visit.get("nav-tasks").click(),
  },
  {
    name: "tasks-one",
    query: "?window=project&scenario=tasks",
    ready: "field-title",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.page.locator('[data-task="9"]').getByTestId("cell-title").click();
    },
  },
  {
    name: "tasks-board",
    query: "?window=project&scenario=tasks",
    ready: "board-card",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.get("layout-board").check({ force: true });
    },
  },
  { name: "settings", query: "?window=project", ready: "finding", open: (visit) => visit.get("nav-settings").click() },
  {
    name: "settings-unsaved",
    query: "?window=project",
    ready: "settings-unsaved",
    open: async (visit) => {
      await visit.get("nav-settings").click();
      await visit.get("value-name").fill("Kettle");
      await visit.get("nav-overview").click();
      await visit.get("nav-settings").click();
    },
  },
  {
    name: "palette",
    query: "?window=project",
    ready: "palette-item",
    open: (visit) => visit.get("palette-open").click(),
  },
  {
    name: "shortcuts",
    query: "?window=project",
    ready: "shortcuts-dialog",
    open: (visit) => visit.get("shortcuts-open").click(),
  },
  {
    name: "new-project",
    query: "?",
    ready: "suggestion",
    open: async (visit) => {
      await visit.get("new-project").click();
      await visit.get("new-project-browse").click();
    },
  },
];

const THEMES: Theme[] = ["light", "dark"];
const WINDOWS: (keyof typeof SIZES)[] = ["large", "small"];

describe("pictures for people to look at", () => {
  it.each(PICTURES)("$name", async ({ name, query, ready, open }) => {
    const visit = await Visit.open(browser, query);
    await open?.(visit);
    await visit.get(ready).first().waitFor();
    for (const size of WINDOWS) {
      await visit.resize(size);
      for (const theme of THEMES) {
        await visit.systemTheme(theme);
        await visit.screenshot(`${name}-${theme}-${size}`);
      }
    }
    await visit.close();
  });
});

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { launch, type Theme, Visit } from "./browser";
import { PLAN_PLACES } from "./plan-places";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Violation {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary: string }[];
}

/** Violations of the accessibility rules on the page as it is now. */
async function violations(visit: Visit): Promise<string[]> {
  await visit.page.evaluate(axe);
  const found = await visit.page.evaluate(async () => {
    const { axe: engine } = window as unknown as {
      axe: { run: (options: object) => Promise<{ violations: Violation[] }> };
    };
    return (await engine.run({ resultTypes: ["violations"] })).violations;
  });
  return found.flatMap((violation) =>
    violation.nodes.map((node) => `${violation.id}: ${node.html}\n${node.failureSummary}`),
  );
}

/** Every view and everything that lies over it: what to open, and what shows that it is there. */
const PLACES: { name: string; query: string; ready: string; open?: (visit: Visit) => Promise<void> }[] = [
  { name: "start", query: "?", ready: "recent-item" },
  { name: "start, nothing yet", query: "?scenario=empty", ready: "recents-empty" },
  { name: "start, failing", query: "?scenario=failing", ready: "error-state" },
  { name: "new project", query: "?", ready: "suggestion", open: openNewProject },
  { name: "overview", query: "?window=project", ready: "plan-summary" },
  { name: "overview, under way", query: "?window=project&scenario=progress", ready: "plan-summary" },
  { name: "overview, empty", query: "?window=project&scenario=empty", ready: "plan-empty" },
  { name: "overview, problems", query: "?window=project&scenario=problems", ready: "problems" },
  { name: "overview, loading", query: "?window=project&scenario=slow", ready: "overview-skeleton" },
  { name: "overview, failing", query: "?window=project&scenario=failing", ready: "error-state" },
  {
    name: "trust",
    query: "?window=project&scenario=untrusted",
    ready: "executable",
    open: (visit) => visit.get("trust-review").click(),
  },
  {
    name: "settings",
    query: "?window=project&scenario=problems",
    ready: "finding",
    open: (visit) => visit.press("Control+,"),
  },
  {
    name: "settings with unsaved changes",
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
    name: "waves with a task",
    query: "?window=project&scenario=tasks",
    ready: "task-panel",
    open: async (visit) => {
      await visit.get("nav-waves").click();
      await visit.get("show-bars").check({ force: true });
      await visit.get("now").click();
    },
  },
  {
    name: "tasks with one in full",
    query: "?window=project&scenario=tasks",
    ready: "field-title",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.page.locator('[data-task="9"]').getByTestId("cell-title").click();
    },
  },
  {
    name: "the board of tasks",
    query: "?window=project&scenario=tasks",
    ready: "board-card",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.get("layout-board").check({ force: true });
    },
  },
  { name: "a run at work", query: "?window=project&scenario=running", ready: "figures" },
  { name: "a run at rest", query: "?window=project&scenario=waiting", ready: "limit-banner" },
  {
    name: "a transcript",
    query: "?window=project&scenario=denied",
    ready: "denied",
    open: async (visit) => {
      await visit.get("nav-iterations").click();
      await visit.get("iteration-row").first().click();
      await visit.get("output-open-all").click();
    },
  },
  {
    name: "agents in the settings",
    query: "?window=project&scenario=problems",
    ready: "agent-tile",
    open: (visit) => visit.get("nav-settings").click(),
  },
  { name: "a run that failed", query: "?window=project&scenario=aborted", ready: "ending" },
  {
    name: "the start panel with its limits",
    query: "?window=project&scenario=progress",
    ready: "limit-money",
    open: (visit) => visit.get("limits-fold").click(),
  },
  {
    name: "preview",
    query: "?window=project",
    ready: "preview-dialog",
    open: async (visit) => {
      await visit.get("kind-prompt").check();
      await visit.get("prompt").fill("Price every tea");
      await visit.get("preview").click();
    },
  },
  {
    name: "the question before closing",
    query: "?window=project&scenario=running",
    ready: "close-dialog",
    open: async (visit) => {
      await visit.get("run").waitFor();
      await visit.run("askToClose");
    },
  },
  {
    name: "review of work",
    query: "?window=project&scenario=review",
    ready: "diff-lines",
    open: async (visit) => {
      await visit.get("nav-review").click();
      await visit.get("gate-item").nth(1).click();
    },
  },
  {
    name: "review of work that leaves files out",
    query: "?window=project&scenario=review",
    ready: "left-out",
    open: async (visit) => {
      await visit.get("nav-review").click();
      await visit.get("gate-item").nth(1).click();
      await visit.leaveOut(5, "secret", { "tests/cert.pem": "a file of this name usually holds secrets" });
    },
  },
  {
    name: "review of finished work",
    query: "?window=project&scenario=review",
    ready: "reviewed-work",
    open: (visit) => visit.get("nav-review").click(),
  },
  { name: "tasks at work", query: "?window=project&scenario=tasks", ready: "current-task" },
  { name: "settings of the start window", query: "?", ready: "finding", open: (visit) => visit.press("Control+2") },
  { name: "checks", query: "?window=project&scenario=problems", ready: "check-add", open: view("checks") },
  {
    name: "suggested checks",
    query: "?window=project&scenario=empty",
    ready: "check-suggestions",
    open: view("checks"),
  },
  {
    name: "a new check",
    query: "?window=project",
    ready: "draft-name",
    open: clicks("nav-checks", "check-add"),
  },
  {
    name: "the iterations",
    query: "?window=project&scenario=running",
    ready: "iteration-row",
    open: view("iterations"),
  },
  {
    name: "an iteration's diff",
    query: "?window=project&scenario=completed",
    ready: "diff-lines",
    open: async (visit) => {
      await visit.get("nav-iterations").click();
      await visit.get("iteration-row").first().click();
      await visit.page.getByRole("tab", { name: "Diff" }).click();
    },
  },
  {
    name: "going back to an iteration",
    query: "?window=project&scenario=completed",
    ready: "restore-dialog",
    open: async (visit) => {
      await visit.get("nav-iterations").click();
      await visit.get("iteration-row").first().click();
      await visit.get("restore-open").first().click();
    },
  },
  {
    name: "a new task",
    query: "?window=project&scenario=tasks",
    ready: "draft-title",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.get("task-add").click();
    },
  },
  {
    name: "selected tasks",
    query: "?window=project&scenario=tasks",
    ready: "bulk-bar",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.get("task-table").focus();
      await visit.press("Control+a");
    },
  },
  {
    name: "blocking a task",
    query: "?window=project&scenario=tasks",
    ready: "block-dialog",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.page.locator('[data-task="12"]').getByTestId("cell-title").click();
      await visit.get("task-more").click();
      await visit.get("menu-block").click();
    },
  },
  { name: "no tasks", query: "?window=project&scenario=empty", ready: "tasks-empty", open: view("tasks") },
  {
    name: "importing tasks",
    query: "?window=project&scenario=empty",
    ready: "import-preview",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.get("task-import").click();
      await visit.get("import-browse").click();
    },
  },
  ...PLAN_PLACES,
  {
    name: "an agent of one's own",
    query: "?window=project",
    ready: "agent-dialog",
    open: async (visit) => {
      await visit.get("nav-settings").click();
      await visit.get("agent-add").click();
    },
  },
  {
    name: "rejecting work",
    query: "?window=project&scenario=review",
    ready: "decision-reason",
    open: async (visit) => {
      await visit.get("nav-review").click();
      await visit.get("gate-item").nth(1).click();
      await visit.get("reject").click();
    },
  },
  {
    name: "cancelling a run",
    query: "?window=project&scenario=running",
    ready: "confirm-dialog",
    open: async (visit) => {
      await visit.get("cancel").click();
    },
  },
  { name: "memory", query: "?window=project&scenario=tasks", ready: "solution-history", open: view("memory") },
  { name: "memory, nothing yet", query: "?window=project&scenario=empty", ready: "memory-empty", open: view("memory") },
  {
    name: "memory, hostile",
    query: "?window=project&scenario=hostile",
    ready: "recent-failures",
    open: view("memory"),
  },
  {
    name: "solutions",
    query: "?window=project&scenario=tasks",
    ready: "solution-history",
    open: clicks("nav-memory", "tab-solutions", "solution-row"),
  },
  {
    name: "learnings",
    query: "?window=project&scenario=tasks",
    ready: "learning-inspector",
    open: clicks("nav-memory", "tab-learnings", "learning-row"),
  },
  {
    name: "a new learning",
    query: "?window=project&scenario=tasks",
    ready: "learning-dialog",
    open: clicks("nav-memory", "tab-learnings", "learning-add"),
  },
  {
    name: "a solution being edited",
    query: "?window=project&scenario=tasks",
    ready: "solution-dialog",
    open: clicks("nav-memory", "solution-edit"),
  },
  { name: "metrics", query: "?window=project&scenario=tasks", ready: "agents-metrics", open: view("metrics") },
  { name: "metrics of little", query: "?window=project&scenario=running", ready: "health", open: view("metrics") },
  { name: "no metrics", query: "?window=project&scenario=empty", ready: "metrics-empty", open: view("metrics") },
  {
    name: "metrics as a table",
    query: "?window=project&scenario=tasks",
    ready: "chart-iterations",
    open: async (visit) => {
      await visit.get("nav-metrics").click();
      await visit.page.getByRole("button", { name: "Show Iterations as a table" }).click();
    },
  },
  {
    name: "the next prompt of a task",
    query: "?window=project&scenario=tasks",
    ready: "prompt-inspector",
    open: async (visit) => {
      await visit.get("nav-tasks").click();
      await visit.get("task-row").first().waitFor();
      await visit.page.locator('[data-task="12"]').first().click();
      await visit.press("x");
      await visit.page.locator('[data-key="solution:1"]').click();
    },
  },
  {
    name: "the prompt of an iteration",
    query: "?window=project&scenario=tasks",
    ready: "prompt-items",
    open: async (visit) => {
      await visit.get("nav-iterations").click();
      await visit.get("iteration-row").first().click();
      await visit.page.getByRole("tab", { name: "Prompt" }).click();
    },
  },
  { name: "palette", query: "?window=project", ready: "palette-item", open: (visit) => visit.press("Control+k") },
  { name: "shortcuts", query: "?window=project", ready: "shortcuts-dialog", open: (visit) => visit.press("Control+/") },
  { name: "gallery", query: "?gallery", ready: "gallery" },
  {
    name: "gallery, dialog",
    query: "?gallery",
    ready: "confirm-dialog",
    open: (visit) => visit.get("gallery-confirm").click(),
  },
];

/** Clicks on the first of each of these, one after another. */
function clicks(...testids: string[]): (visit: Visit) => Promise<void> {
  return async (visit) => {
    for (const testid of testids) {
      await visit.get(testid).first().click();
    }
  };
}

/** Goes to a view by its place in the navigation. */
function view(id: string): (visit: Visit) => Promise<void> {
  return (visit) => visit.get(`nav-${id}`).click();
}

async function openNewProject(visit: Visit): Promise<void> {
  await visit.get("new-project").click();
  await visit.get("new-project-browse").click();
}

const THEMES: Theme[] = ["light", "dark"];

let browser: Browser;
beforeAll(async () => {
  browser = await launch();
});
afterAll(() => browser.close());

describe("in both themes", () => {
  it.each(PLACES)("$name has no accessibility violation", async ({ query, ready, open }) => {
    const visit = await Visit.open(browser, query);
    // The keys are heard once the window is there.
    await visit.page.locator("main").first().waitFor();
    await open?.(visit);
    await visit.get(ready).first().waitFor();
    // A tooltip of what was clicked lies over the view, not in it.
    await visit.page.mouse.move(0, 0);
    await visit.page.locator("#tooltip").waitFor({ state: "detached" });
    for (const theme of THEMES) {
      await visit.systemTheme(theme);
      expect(await violations(visit), theme).toEqual([]);
    }
    await visit.close();
  });
});

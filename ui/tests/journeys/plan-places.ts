import type { Visit } from "./browser";
import { agents, beginPlan, PHASES, planTo } from "./wizard-steps";

/** The spec and the wizard in their states: what to open, and what shows that it is there. */
export const PLAN_PLACES: { name: string; query: string; ready: string; open: (visit: Visit) => Promise<void> }[] = [
  {
    name: "importing the spec",
    query: "?window=project",
    ready: "import-preview",
    open: async (visit) => {
      await visit.get("spec-import").click();
      await visit.get("import-browse").click();
    },
  },
  {
    name: "the spec",
    query: "?window=project&scenario=tasks",
    ready: "spec-finding",
    open: async (visit) => {
      await visit.get("nav-spec").click();
      await visit.page.locator("[data-testid=spec-entry][data-section='1']").click();
      await visit.page.locator("[data-testid=spec-editor][data-ready]").waitFor();
    },
  },
  {
    name: "no spec",
    query: "?window=project&scenario=empty",
    ready: "spec-empty",
    open: (visit) => visit.get("nav-spec").click(),
  },
  {
    name: "a term",
    query: "?window=project",
    ready: "term-dialog",
    open: async (visit) => {
      await visit.get("nav-spec").click();
      await visit.get("term").first().click();
    },
  },
  {
    name: "the start of a plan",
    query: "?",
    ready: "agent-claude",
    open: async (visit) => {
      await visit.get("recent-item").first().waitFor();
      await visit.get("plan").click();
    },
  },
  {
    name: "a phase at work",
    query: "?",
    ready: "wizard-working",
    open: async (visit) => {
      await visit.get("recent-item").first().waitFor();
      await agents(visit, "hold");
      await beginPlan(visit);
    },
  },
  {
    name: "a phase that failed",
    query: "?",
    ready: "wizard-failed",
    open: async (visit) => {
      await visit.get("recent-item").first().waitFor();
      await agents(visit, "failNext");
      await beginPlan(visit);
    },
  },
  ...PHASES.map((phase) => ({
    name: `the phase ${phase}`,
    query: "?",
    ready: "wizard-actions",
    open: (visit: Visit) => planTo(visit, phase),
  })),
];

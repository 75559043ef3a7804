import type { AgentEvent, CheckTrial, LaunchSummary, ProjectRef, WizardPhase, WizardUpdate } from "../types";
import type { WizardBackend } from "../wizard";

import { refusal } from "./faults";
import type { MockParts } from "./parts";
import { MOCK_ANSWERS } from "./wizard-data";
import { MOCK_SHAPES } from "./wizard-shapes";
import { MockPlan } from "./wizard-world";

/** What a test does that an agent would do. */
export interface WizardControls {
  /** Agents wait for {@link release} before they answer. */
  hold(): void;
  release(): void;
  /** The next answer cannot be used. */
  failNext(): void;
}

const TEMPLATES: [name: string, title: string, description: string][] = [
  ["spec", "Product spec", "Problem, requirements, features, data, criteria"],
  ["mvp", "Small first version", "Problem, features, stack, data"],
  ["architecture", "Architecture", "Components, integrations, deployment, security"],
  ["api", "API", "Endpoints, types, errors, authentication"],
];

/** What each check comes to when it is tried in the mock. */
const TRIALS: Record<string, Partial<CheckTrial>> = {
  lint: {
    outcome: "failed",
    summary: "3 issues in the code that is already here",
    exit_code: 1,
    output: "src/app.ts\n  12:7  error  'cfg' is never reassigned  prefer-const",
  },
  unit: { outcome: "nothing_built", summary: "there are no tests yet", exit_code: 1, output: "No test files found" },
  e2e: { outcome: "cannot_run", summary: "its program is not installed", exit_code: null, output: "" },
};

/** The wizard in the mock: an agent that answers at once, and plans that live as long as the page. */
export function createWizardMock(
  { guarded, scenario }: MockParts,
  opened: (project: ProjectRef) => ProjectRef,
): WizardBackend & { wizardControls: WizardControls } {
  const plans = new Map<string, MockPlan>();
  let held: Promise<void> | null = null;
  let letGo = (): void => undefined;
  let failing = false;
  let stopped = false;

  function find(id: string): MockPlan {
    const plan = plans.get(id);
    if (!plan) {
      throw refusal("wizard.not_found", `there is no plan ${id}`, "It may have been discarded.");
    }
    return plan;
  }

  async function work(phase: WizardPhase, update: (update: WizardUpdate) => void): Promise<void> {
    const say = (event: AgentEvent) => update({ kind: "agent", phase, event });
    update({ kind: "prompt", phase, attempt: 1, text: "…", tokens: 1200 });
    say({ type: "session", id: null, model: "sonnet-4.5" });
    say({ type: "tool_call", id: "1", name: "Read", input: "your idea and the accepted phases" });
    say({ type: "aside", text: "No accounts, so a cancel link has to be its own proof." });
    say({ type: "message", text: "I kept your wording and marked what nobody said as assumed.", continues: false });
    const answer = MOCK_ANSWERS[phase];
    for (const name of Object.keys(answer.fields ?? {}).slice(0, 1)) {
      update({ kind: "arrived", phase, name, items: 0 });
    }
    await held;
    for (const [name, items] of Object.entries(answer.lists ?? {})) {
      update({ kind: "arrived", phase, name, items: items.length });
    }
  }

  function launchOf(plan: MockPlan): LaunchSummary {
    const view = plan.view();
    const missing = view.wizard.phases.filter(({ phase, state }) => phase !== "launch" && state !== "accepted");
    const checks = view.wizard.phases.find(({ phase }) => phase === "build_test")?.form.lists.checks ?? [];
    return {
      ready: missing.length === 0,
      problems: missing.map(({ phase }) => `${phase.replaceAll("_", " ")} is not accepted`),
      project_name: view.name,
      folder: view.wizard.folder,
      sections: 4,
      terms: 1,
      tasks: view.tasks.tasks.length,
      sizes: [
        ["S", 3],
        ["M", 6],
        ["L", 2],
      ],
      waves: view.tasks.waves.length,
      quality: view.quality.score,
      checks: checks.map((item) => ({
        item: item.id,
        name: String(item.fields.name?.value ?? ""),
        command: String(item.fields.command?.value ?? ""),
        required: item.fields.required?.value !== false,
        timeout: 60,
        used: item.fields.use?.value !== false,
      })),
      protected: ["data/prices.yaml"],
      mode: {
        review: "review_every:5",
        automation: "auto",
        agent: null,
        model: null,
        planner: null,
        fallback: [],
        max_cost: 25,
        max_hours: 8,
        max_tokens: 20,
        max_iterations: 33,
        max_attempts: 3,
      },
      assumptions: view.assumptions.length,
      needs_person: ["a review after every 5 tasks", "changes to data/prices.yaml"],
      forecast: {
        basis: "sizes",
        samples: 0,
        iterations: { low: 11, high: 22 },
        tokens: { low: 1_400_000, high: 9_800_000 },
        cost_micros: { low: 1_740_000, high: 16_800_000 },
        time_ms: { low: 2_760_000, high: 13_800_000 },
      },
      first_prompt: "# Task 1: Set up the project and its checks\n\n## Rules\n1. Do this one task and nothing else.",
      first_prompt_tokens: 2140,
      spent: { input: 42_000, output: 9_000, cache_read: 0, cache_write: 0, cost_micros: 320_000, estimated: false },
    };
  }

  return {
    wizardShapes: () => guarded("wizardShapes", null, () => MOCK_SHAPES),
    wizardTemplates: () =>
      guarded("wizardTemplates", null, () =>
        TEMPLATES.map(([name, title, description]) => ({
          name,
          file: null,
          title,
          description,
          sections: [],
          text: "",
        })),
      ),
    wizards: () =>
      guarded("wizards", null, () =>
        [...plans.values()]
          .filter(({ wizard }) => wizard.status !== "applied")
          .map((plan) => ({
            id: plan.wizard.id,
            name: plan.view().name,
            folder: plan.wizard.folder,
            scope: plan.wizard.scope,
            status: plan.wizard.status,
            current: plan.wizard.current,
            accepted: plan.wizard.phases.filter(({ state }) => state === "accepted").length,
            updated_at: plan.wizard.updated_at,
          })),
      ),
    wizard: (id) => guarded("wizard", id, () => find(id).view()),
    newWizard: (start) =>
      guarded("newWizard", start, () => {
        const plan = new MockPlan(`plan-${plans.size + 1}`, start);
        plans.set(plan.wizard.id, plan);
        return plan.view();
      }),
    editWizard: (id, edit, seen) =>
      guarded("editWizard", edit, () => {
        if (seen !== null && seen !== find(id).wizard.revision) {
          throw refusal("wizard.changed", "the wizard was changed elsewhere meanwhile", "Look at it as it is now.");
        }
        find(id).edit(edit);
        return find(id).view();
      }),
    addWizardDocuments: (id, paths) =>
      guarded("addWizardDocuments", paths, () => {
        const { wizard } = find(id);
        wizard.input.documents.push(
          ...paths.map((path) => ({ name: path.split("/").at(-1) ?? path, digest: path, words: 420 })),
        );
        return find(id).view();
      }),
    surveyCode: (id, wanted) =>
      guarded("surveyCode", wanted, () => {
        find(id).wizard.input.survey = wanted ? "# What is there" : null;
        return find(id).view();
      }),
    runWizardPhase: async (id, phase, request, update) => {
      await guarded("runWizardPhase", { phase, request }, () => undefined);
      const plan = find(id);
      stopped = false;
      await work(phase, update);
      if (failing || scenario === "problems") {
        failing = false;
        const fault = refusal(
          "agent.failed",
          "the answer was no JSON, three times",
          "Run it again, or ask for less.",
        ).fault;
        Object.assign(plan.record(phase), { state: "failed", trouble: { fault, answer_file: "answers/3.txt" } });
        plan.saved();
      } else if (!stopped) {
        plan.answer(phase, request.request);
      }
      return plan.view();
    },
    stopWizard: (id) =>
      guarded("stopWizard", id, () => {
        stopped = true;
        letGo();
      }),
    tryWizardChecks: (id, items, update) =>
      guarded("tryWizardChecks", items, () => {
        const plan = find(id);
        const checks = plan.record("build_test").form.lists.checks ?? [];
        for (const item of checks.filter((each) => items?.includes(each.id) ?? true)) {
          const name = String(item.fields.name?.value ?? "");
          const trial: CheckTrial = {
            item: item.id,
            command: String(item.fields.command?.value ?? ""),
            outcome: "passed",
            summary: "it passes",
            exit_code: 0,
            duration_ms: 2_400,
            output: "ok",
            ...TRIALS[name],
          };
          plan.wizard.trials = [...plan.wizard.trials.filter((each) => each.item !== item.id), trial];
          update({ kind: "check", trial });
        }
        plan.saved();
        return plan.view();
      }),
    wizardLaunch: (id) => guarded("wizardLaunch", id, () => launchOf(find(id))),
    applyWizard: (id, start) =>
      guarded("applyWizard", { id, start }, () => {
        const plan = find(id);
        plan.wizard.status = "applied";
        return { project: opened({ path: plan.wizard.folder, name: plan.view().name }), run: null };
      }),
    discardWizard: (id) =>
      guarded("discardWizard", id, () => {
        find(id);
        plans.delete(id);
      }),
    wizardControls: {
      hold: () => {
        held = new Promise((resolve) => (letGo = resolve));
      },
      release: () => {
        letGo();
        held = null;
      },
      failNext: () => (failing = true),
    },
  };
}

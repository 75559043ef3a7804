import type { Visit } from "./browser";

export const PHASES = [
  "vision",
  "functionality",
  "technical",
  "gap_analysis",
  "generate",
  "task_review",
  "build_test",
  "iteration_mode",
  "launch",
] as const;

/** What shows that a phase is full. */
const FULL: Partial<Record<(typeof PHASES)[number], string>> = {
  gap_analysis: "finding",
  task_review: "wizard-task",
  build_test: "wizard-check",
  iteration_mode: "wizard-mode",
  launch: "launch-card",
};

/** Begins a plan on the start page. */
export async function beginPlan(visit: Visit): Promise<void> {
  await visit.get("plan").click();
  await visit.get("wizard-idea").fill("A site for our tea house. Guests book a table for up to eight people.");
  await visit.get("wizard-folder").fill("/home/ada/code/quiet-kettle");
  await visit.page.getByTestId("agent-claude").check();
  await visit.get("wizard-begin").click();
}

/** Goes through a plan up to a phase, accepting everything before it. */
export async function planTo(visit: Visit, last: (typeof PHASES)[number]): Promise<void> {
  await beginPlan(visit);
  for (const phase of PHASES) {
    await visit.page
      .locator(`[data-phase=${phase}]`)
      .getByTestId(FULL[phase] ?? "wizard-item")
      .first()
      .waitFor();
    if (phase === last) {
      return;
    }
    while ((await visit.get("finding-merge").count()) > 0) {
      const before = await visit.get("finding-merge").count();
      await visit.get("finding-merge").first().click();
      await visit.page.waitForFunction(
        (count) => document.querySelectorAll("[data-testid=finding-merge]").length < count,
        before,
      );
    }
    await visit.get("wizard-accept").click();
  }
}

/** Lets the mock's agents wait, or answer, or fail. */
export function agents(visit: Visit, control: "hold" | "release" | "failNext"): Promise<void> {
  return visit.page.evaluate(
    (name) =>
      (window as unknown as { loopwrightMock: { wizard: Record<string, () => void> } }).loopwrightMock.wizard[name]?.(),
    control,
  );
}

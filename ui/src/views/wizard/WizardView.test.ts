// What is loaded on demand is loaded here, which keeps the time that takes out of the tests.
import "./WizardView.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "$lib/backend/mock";
import type { WizardPhase } from "$lib/backend/types";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function start(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow({ window: "start", ...options });
  test.app.go({ view: "wizard" });
  await screen.findByTestId("wizard-start-page");
  return test;
}

const at = (phase: WizardPhase) => waitFor(() => expect(screen.getByTestId("wizard").dataset.phase).toBe(phase));
const texts = (testid: string) =>
  screen.queryAllByTestId(testid).map((each) => each.textContent?.replace(/\s+/g, " ").trim());
const edits = (test: TestWindow) => callsOf(test.backend, "editWizard") as { do: string }[];

async function begin(test: TestWindow, agent = true): Promise<void> {
  await test.user.type(screen.getByTestId("wizard-idea"), "A site for a tea house.");
  await test.user.type(screen.getByTestId("wizard-folder"), "/home/ada/code/kettle");
  if (!agent) {
    await test.user.click(screen.getByTestId("agent-none"));
  } else {
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("agent-claude").checked).toBe(true));
  }
  await test.user.click(screen.getByTestId("wizard-begin"));
  await screen.findByTestId("wizard");
}

async function accept(test: TestWindow, next: WizardPhase): Promise<void> {
  await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("wizard-accept").disabled).toBe(false));
  await test.user.click(screen.getByTestId("wizard-accept"));
  await at(next);
}

async function upTo(test: TestWindow, last: WizardPhase): Promise<void> {
  await begin(test);
  const order: WizardPhase[] = [
    "functionality",
    "technical",
    "gap_analysis",
    "generate",
    "task_review",
    "build_test",
    "iteration_mode",
    "launch",
  ];
  for (const phase of order.slice(0, order.indexOf(last) + 1)) {
    await waitFor(() => expect(screen.getByTestId("wizard-actions")).toBeTruthy());
    for (
      let open = screen.queryAllByTestId("finding-merge");
      open[0];
      open = screen.queryAllByTestId("finding-merge")
    ) {
      await test.user.click(open[0]);
      await waitFor(() => expect(screen.queryAllByTestId("finding-merge").length).toBeLessThan(open.length));
    }
    await accept(test, phase);
    if (["gap_analysis"].includes(phase)) {
      await screen.findAllByTestId("finding");
    }
  }
}

describe("the start of a plan", () => {
  it("takes an idea, documents that are dropped, and answers", async () => {
    const test = await start();
    expect(screen.getByTestId<HTMLButtonElement>("wizard-begin").disabled).toBe(true);
    test.backend.controls.spec.dropFiles(["/home/ada/owner.md"]);
    await waitFor(() => expect(texts("wizard-document")).toEqual(["owner.md"]));
    const [who] = screen.getAllByTestId("wizard-question");
    await test.user.type(who as HTMLElement, "Guests");
    await begin(test);
    expect(callsOf(test.backend, "newWizard")).toEqual([
      expect.objectContaining({ idea: "A site for a tea house.", documents: ["/home/ada/owner.md"], template: "spec" }),
    ]);
    expect(edits(test)[0]).toEqual({ do: "answer_question", question: "Who will use it?", answer: "Guests" });
    await waitFor(() => expect(callsOf(test.backend, "runWizardPhase")).toHaveLength(1));
    await screen.findByTestId("wizard-form");
  });

  it("begins in a project from the code that is there", async () => {
    const { app, backend, user } = await openWindow();
    app.go({ view: "wizard" });
    await screen.findByTestId("wizard-start-page");
    expect(screen.getByTestId<HTMLInputElement>("source-code").checked).toBe(true);
    expect(screen.queryByTestId("wizard-folder")).toBeNull();
    await user.click(screen.getByTestId("wizard-begin"));
    await screen.findByTestId("wizard");
    expect(callsOf(backend, "newWizard")).toEqual([expect.objectContaining({ from_code: true })]);
  });

  it("offers a plan that was left, and is at the same place when the window is opened again", async () => {
    const test = await start();
    await upTo(test, "functionality");
    expect(localStorage.getItem("loopwright.wizard.start")).toBe("plan-1");
    await test.user.keyboard("{Escape}");
    await screen.findByTestId("start-page");
    test.app.go({ view: "wizard" });
    await test.user.click(await screen.findByTestId("wizard-unfinished"));
    await at("functionality");
  });
});

describe("a phase", () => {
  it("is edited, locked and asked about, and tells where everything came from", async () => {
    const test = await start();
    await begin(test);
    await screen.findByTestId("wizard-form");
    const origins = screen.getAllByTestId("wizard-origin").map((mark) => mark.dataset.from);
    expect(origins).toContain("assumed");
    expect(origins).toContain("words");
    const [assumption] = screen.getAllByTestId("assumption-confirm");
    const before = screen.getAllByTestId("assumption-confirm").length;
    await test.user.click(assumption as HTMLElement);
    await waitFor(() => expect(screen.queryAllByTestId("assumption-confirm").length).toBe(before - 1));
    const name = screen
      .getAllByTestId("wizard-field")
      .find((field) => field.dataset.path === "project_name") as HTMLElement;
    const input = within(name).getByRole("textbox");
    await test.user.clear(input);
    await test.user.type(input, "Kettle{Enter}");
    await waitFor(() =>
      expect(edits(test).at(-1)).toEqual({ do: "set_field", phase: "vision", path: "project_name", value: "Kettle" }),
    );
    await test.user.click(within(name).getByTestId("field-lock"));
    await waitFor(() => expect(name.textContent).toContain("locked"));
  });

  it("turns an assumption into a question that is answered there", async () => {
    const test = await start();
    await begin(test);
    await test.user.click((await screen.findAllByTestId("assumption-ask"))[0] as HTMLElement);
    const answer = await screen.findByTestId("question-answer");
    await test.user.type(answer, "No, ours{Enter}");
    await waitFor(() => expect(edits(test).at(-1)).toMatchObject({ do: "answer_question", answer: "No, ours" }));
    expect(screen.getByTestId("open-question").textContent).toContain("is it right?");
    await test.user.click(screen.getByTestId("question-remove"));
    await waitFor(() => expect(screen.queryByTestId("open-question")).toBeNull());
  });

  it("lets what was said, the agent and its limits be changed", async () => {
    const test = await start();
    await begin(test);
    await screen.findByTestId("wizard-form");
    await test.user.click(screen.getByTestId("wizard-said"));
    const dialog = within(await screen.findByTestId("said-dialog"));
    await test.user.type(dialog.getByTestId("said-idea"), " No accounts.");
    await test.user.click(dialog.getByTestId("agent-none"));
    const cost = dialog.getByTestId<HTMLInputElement>("said-max-cost");
    expect(cost.value).toBe("5");
    await test.user.clear(cost);
    await test.user.type(cost, "2.5x");
    expect(dialog.getByTestId<HTMLButtonElement>("said-save").disabled).toBe(true);
    await test.user.type(cost, "{Backspace}");
    await test.user.click(dialog.getByTestId("said-survey"));
    await waitFor(() => expect(callsOf(test.backend, "surveyCode")).toEqual([true]));
    await test.user.click(dialog.getByTestId("said-save"));
    await waitFor(() => expect(screen.queryByTestId("said-dialog")).toBeNull());
    expect(edits(test).slice(-3)).toEqual([
      { do: "set_idea", idea: "A site for a tea house. No accounts." },
      { do: "set_agent", agent: null },
      { do: "set_caps", caps: { max_cost_micros: 2_500_000, max_tokens: 4_000_000 } },
    ]);
    await waitFor(() => expect(screen.queryByTestId("wizard-run")).toBeNull());
  });

  it("writes what is typed a moment after the last key, and keeps what is shown", async () => {
    const test = await start();
    await begin(test);
    await screen.findByTestId("wizard-form");
    const name = screen.getAllByTestId("wizard-field").find((field) => field.dataset.path === "project_name");
    const input = within(name as HTMLElement).getByRole<HTMLInputElement>("textbox");
    await test.user.clear(input);
    await test.user.type(input, "Loud ");
    await waitFor(() => expect(edits(test).at(-1)).toMatchObject({ do: "set_field", value: "Loud " }));
    expect(input.value).toBe("Loud ");
  });

  it("shows what a re-run changes, to be taken or left one by one", async () => {
    const test = await start();
    await upTo(test, "functionality");
    await waitFor(() => expect(screen.getAllByTestId("wizard-item").length).toBeGreaterThan(4));
    await test.user.type(screen.getByTestId("wizard-ask"), "Guests must be able to cancel");
    await test.user.click(screen.getByTestId("wizard-ask-send"));
    await screen.findByTestId("wizard-proposal");
    expect(screen.getAllByTestId("proposal-change")).toHaveLength(3);
    expect(screen.getByTestId<HTMLButtonElement>("wizard-accept").disabled).toBe(true);
    await test.user.click(screen.getAllByTestId("proposal-take")[0] as HTMLElement);
    await waitFor(() => expect(screen.getAllByTestId("proposal-change")).toHaveLength(2));
    await test.user.click(screen.getByTestId("proposal-leave-all"));
    await waitFor(() => expect(screen.queryByTestId("wizard-proposal")).toBeNull());
    expect(screen.getByTestId("wizard-work").textContent).toContain("Guests must be able to cancel");
  });

  it("is empty, at work, failed and full", async () => {
    const test = await start();
    test.backend.controls.wizard.hold();
    await begin(test);
    await screen.findByTestId("wizard-working");
    await waitFor(() => expect(texts("work-line").length).toBeGreaterThan(1));
    await test.user.click(screen.getByTestId("wizard-stop"));
    await screen.findByTestId("wizard-empty");
    test.backend.controls.wizard.release();
    test.backend.controls.wizard.failNext();
    await test.user.click(screen.getByTestId("wizard-run-empty"));
    expect((await screen.findByTestId("wizard-failed")).textContent).toContain("no JSON");
    expect(screen.getByTestId("wizard-failed").textContent).toContain("answers/3.txt");
    await test.user.click(screen.getByTestId("wizard-run"));
    await screen.findByTestId("wizard-form");
    expect(screen.queryByTestId("wizard-failed")).toBeNull();
  });

  it("is filled in by hand where there is no agent", async () => {
    const test = await start();
    await begin(test, false);
    await screen.findByTestId("wizard-form");
    expect(screen.queryByTestId("wizard-run")).toBeNull();
    await test.user.click(screen.getAllByTestId("list-add")[0] as HTMLElement);
    await waitFor(() => expect(screen.getAllByTestId("wizard-item")).toHaveLength(1));
    expect(callsOf(test.backend, "runWizardPhase")).toEqual([]);
  });

  it("goes out of date when an earlier one changes, and says so", async () => {
    const test = await start();
    await upTo(test, "technical");
    await test.user.click(screen.getByTestId("wizard-back"));
    await at("functionality");
    await waitFor(() => expect(screen.getAllByTestId("list-add").length).toBeGreaterThan(0));
    await test.user.click(screen.getAllByTestId("list-add")[0] as HTMLElement);
    await waitFor(() => expect(edits(test).at(-1)?.do).toBe("add_item"));
    await test.user.click(within(screen.getByTestId("wizard-steps")).getByRole("button", { name: /Technical/ }));
    await screen.findByTestId("wizard-outdated");
    await test.user.click(screen.getByTestId("wizard-keep"));
    await waitFor(() => expect(screen.queryByTestId("wizard-outdated")).toBeNull());
  });
});

describe("the phases that decide", () => {
  it("merges a finding or dismisses it with a reason", async () => {
    const test = await start();
    await upTo(test, "gap_analysis");
    expect(screen.getByTestId<HTMLButtonElement>("wizard-accept").disabled).toBe(true);
    await test.user.click(screen.getAllByTestId("finding-merge")[0] as HTMLElement);
    await waitFor(() => expect(screen.getAllByTestId("finding-merge")).toHaveLength(1));
    await test.user.click(screen.getByTestId("finding-dismiss"));
    await test.user.type(await screen.findByTestId("dismiss-reason"), "We say it elsewhere");
    await test.user.click(screen.getByTestId("dismiss-yes"));
    await waitFor(() => expect(texts("finding").join()).toContain("We say it elsewhere"));
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("wizard-accept").disabled).toBe(false));
  });

  it("splits, merges, orders and ties tasks", async () => {
    const test = await start();
    await upTo(test, "task_review");
    const rows = () => screen.getAllByTestId("wizard-task").map((row) => row.dataset.item);
    await waitFor(() => expect(rows()).toHaveLength(11));
    const first = screen.getAllByTestId("task-handle")[0] as HTMLElement;
    first.focus();
    await test.user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    await waitFor(() => expect(edits(test).at(-1)?.do).toBe("reorder_task"));
    await test.user.click(screen.getAllByTestId("task-menu")[0] as HTMLElement);
    await test.user.click(await screen.findByTestId("menu-task-split"));
    await test.user.type(await screen.findByTestId("split-titles"), "And its second half");
    await test.user.click(screen.getByTestId("split-yes"));
    await waitFor(() => expect(rows()).toHaveLength(12));
    await test.user.click(screen.getAllByTestId("task-menu")[0] as HTMLElement);
    await test.user.click(await screen.findByTestId("menu-task-depend"));
    await test.user.click((await screen.findAllByTestId("pick-task"))[0] as HTMLElement);
    await waitFor(() => expect(edits(test).at(-1)?.do).toBe("depend"));
    expect(screen.getAllByTestId("graph-node")).toHaveLength(12);
    expect(screen.getByTestId("plan-quality").textContent).toContain("fast");
  });

  it("tries the checks, tells apart why they fail, and starts the run", async () => {
    const opened: string[] = [];
    const backend = await openWindow({ window: "start" }, { openWindow: ({ path }) => opened.push(path) });
    backend.app.go({ view: "wizard" });
    await screen.findByTestId("wizard-start-page");
    await upTo(backend, "build_test");
    await backend.user.click(screen.getByTestId("checks-try-all"));
    await waitFor(() =>
      expect(texts("check-result").join()).toMatch(/Passed.*Fails.*Nothing built yet.*Cannot run here/),
    );
    await backend.user.click(screen.getAllByTestId("check-result")[1] as HTMLElement);
    expect((await screen.findByTestId("check-detail")).textContent).toContain("prefer-const");
    await accept(backend, "iteration_mode");
    await backend.user.click(await screen.findByTestId("mode-review_each"));
    await waitFor(() => expect(edits(backend).at(-1)).toMatchObject({ path: "mode", value: "review_each" }));
    await accept(backend, "launch");
    expect((await screen.findByTestId("launch-card")).textContent).toContain("Ready to build Quiet Kettle");
    expect(screen.getByTestId("launch-forecast").textContent).toContain("A rough range");
    await waitFor(() => expect(screen.getByTestId<HTMLButtonElement>("wizard-start").disabled).toBe(false));
    await backend.user.click(screen.getByTestId("wizard-start"));
    await waitFor(() => expect(opened).toEqual(["/home/ada/code/kettle"]));
    expect(callsOf(backend.backend, "applyWizard")).toEqual([{ id: "plan-1", start: true }]);
  });
});

import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import type { Scenario } from "$lib/backend/mock";
import { endingFor } from "$lib/backend/mock/endings";
import type { NextAction, RunSummary } from "$lib/backend/types";

import { callsOf, openWindow, screen } from "../../../testing/window";

const text = (testid: string) => screen.getByTestId(testid).textContent?.replace(/\s+/g, " ").trim();

describe("a run at work", () => {
  it("shows how far it is, what it does, what it used and how the last iteration went", async () => {
    const { app } = await openWindow({ scenario: "running" });
    expect((await screen.findByTestId("run-title")).textContent).toBe("Price every tea in teas.txt.");
    expect([text("run-status"), text("progress")]).toEqual(["Running", "9/20"]);
    await waitFor(() => expect(text("run-facts")).toContain("Claude Code"));
    expect(screen.queryByTestId("run-elsewhere")).toBeNull();
    expect(screen.getByTestId("phases").dataset.phase).toBe("running");
    expect(text("phase-text")).toMatch(/^Working ?1 m \d\d s$/);
    expect(text("figure-time")).toMatch(/Time 20 m .* of 8 h/);
    expect(text("figure-money")).toMatch(/\$2\.41 of \$25\.00/);
    expect(text("figure-failures")).toContain("0 of 3");
    const last = (await screen.findAllByTestId("recent-iteration"))[1] as HTMLElement;
    expect([last.dataset.outcome, last.textContent?.replace(/\s+/g, " ").trim()]).toEqual([
      "succeeded",
      expect.stringMatching(/^8 .* exit 0$/),
    ]);
    expect(screen.getByRole("progressbar", { name: "Iterations" }).getAttribute("aria-valuenow")).toBe("8");
    expect(text("run-pulse")).toContain("9/20");
    expect(screen.queryByTestId("start-panel")).toBeNull();
    expect(await screen.findByTestId("live-output")).toBeTruthy();
    last.click();
    expect([app.view, app.iteration, app.iterationTab]).toEqual(["iterations", app.live.state?.last?.id, "transcript"]);
  });

  it("follows it from phase to phase and from one iteration to the next", async () => {
    const { backend } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    const phase = () => screen.getByTestId("phases").dataset.phase;
    backend.controls.runs.step();
    await waitFor(() => expect([phase(), text("phase-text")]).toEqual(["checking", expect.stringContaining("Checks")]));
    backend.controls.runs.step("checks");
    await waitFor(() => expect(text("phase-text")).toBe("Between two iterations"));
    expect([text("progress"), text("figure-failures")]).toEqual(["9/20", expect.stringContaining("1 of 3")]);
    await waitFor(() => expect(screen.getAllByTestId("recent-iteration")[0]?.dataset.outcome).toBe("failed"));
    expect(screen.getByTestId("figure-failures").dataset.near).toBeUndefined();
    backend.controls.runs.step();
    await waitFor(() => expect(text("progress")).toBe("10/20"));
    backend.controls.runs.finishIteration("checks");
    await waitFor(() => expect(screen.getByTestId("figure-failures").dataset.near).toBe("true"));
  });

  it("gives an agent that failed no tick, and says how it ended", async () => {
    const { app, backend } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    backend.controls.runs.step();
    await waitFor(() => expect(screen.getByTestId("phases").dataset.phase).toBe("checking"));
    expect(screen.getByTestId("phase-agent").dataset.failed).toBeUndefined();
    const { state } = app.live;
    if (state?.current) {
      app.live.state = { ...state, current: { ...state.current, exit_code: 3 } };
    }
    await waitFor(() => expect(screen.getByTestId("phase-agent").dataset.failed).toBe("true"));
    expect(text("phase-agent")).toBe("Agentfailed");
    expect(screen.getByTestId("phase-agent").title).toBe("The agent failed (exit code 3)");
    expect(screen.getByTestId("phase-agent").querySelector(".lucide-check")).toBeNull();
  });

  it.each(["paused", "waiting", "interrupted"] as const)(
    "that is %s counts no time and does not say that the agent works",
    async (status) => {
      const { app } = await openWindow({ scenario: "running" });
      await screen.findByTestId("run");
      const { state } = app.live;
      if (state) {
        app.live.state = { ...state, run: { ...state.run, status } };
      }
      await waitFor(() => expect(screen.getByTestId("run").dataset.status).toBe(status));
      expect(text("phase-text")?.toLowerCase()).toBe(status);
      const before = text("figure-time");
      vi.setSystemTime(Date.now() + 600_000);
      window.dispatchEvent(new Event("focus"));
      await waitFor(() => expect([text("figure-time"), text("phase-text")?.toLowerCase()]).toEqual([before, status]));
      vi.useRealTimers();
    },
  );

  it("says which checks failed before it, and that its agents share the repository", async () => {
    const { app } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    expect([screen.queryByTestId("run-baseline"), screen.queryByTestId("run-shared")]).toEqual([null, null]);
    const { state } = app.live;
    if (state?.current) {
      const check = { required: true, fingerprint: null, summary: null, cached: false };
      const checks = [
        { ...check, name: "menu", status: "failed" as const },
        { ...check, name: "units", status: "passed" as const },
        { ...check, name: "style", status: "timed_out" as const, required: false },
      ];
      const agent = { ...state.current.agent, confinement: "unavailable" as const };
      const run = { ...state.run, baseline: { tree: null, checks } };
      app.live.state = { ...state, run, current: { ...state.current, agent } };
    }
    await waitFor(() => expect(text("run-baseline")).toBe("Failed before this run: menu, style (optional)."));
    expect(text("run-shared")).toBe("Shares your repository");
  });

  it("says that it was started in a terminal, and is steered all the same", async () => {
    const { backend, user } = await openWindow({ scenario: "foreign" });
    await waitFor(() => expect(text("run-elsewhere")).toBe("Started in a terminal"));
    await user.click(screen.getByTestId("pause"));
    expect(callsOf(backend, "askRun")).toEqual(["pause"]);
  });

  it("appears when it is started elsewhere", async () => {
    const { backend } = await openWindow();
    await screen.findByTestId("start-panel");
    backend.controls.runs.startElsewhere();
    expect((await screen.findByTestId("run-title")).textContent).toBe("Priced from a terminal");
    expect(screen.queryByTestId("start-panel")).toBeNull();
  });

  it("has no bar without an end", async () => {
    const { app } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    const { state } = app.live;
    if (state) {
      const limits = { ...state.run.limits, max_iterations: 0, max_cost_micros: null, failure_threshold: 0 };
      app.live.state = { ...state, run: { ...state.run, limits } };
    }
    await waitFor(() => expect(text("progress")).toBe("9"));
    expect(screen.queryByRole("progressbar", { name: "Iterations" })).toBeNull();
    expect([text("figure-money"), text("figure-failures")]).toEqual(["Spend $2.41", "Failures in a row 0"]);
  });
});

describe("steering", () => {
  it("pauses after this iteration, says so until then, and takes it back", async () => {
    const { backend, user } = await openWindow({ scenario: "running" });
    const pauseAfter = async () => {
      await user.click(await screen.findByTestId("pause-more"));
      await user.click(await screen.findByTestId("menu-pause-after"));
    };
    await pauseAfter();
    await waitFor(() => expect(text("asked")).toBe("Pausing after this iteration…"));
    expect(screen.queryByTestId("pause-more")).toBeNull();
    await user.click(screen.getByTestId("keep-going"));
    await waitFor(() => expect(screen.queryByTestId("asked")).toBeNull());
    await pauseAfter();
    backend.controls.runs.finishIteration();
    await waitFor(() => expect(text("ending-headline")).toBe("Paused"));
    await user.click(screen.getByTestId("step-resume"));
    await waitFor(() => expect(text("run-status")).toBe("Running"));
    expect(callsOf(backend, "askRun")).toEqual(["pause_after_iteration", "resume", "pause_after_iteration"]);
  });

  it("ends it for good only after a question", async () => {
    const { backend, user } = await openWindow({ scenario: "running" });
    await user.click(await screen.findByTestId("cancel"));
    const dialog = await screen.findByTestId("confirm-dialog");
    await user.click(within(dialog).getByRole("button", { name: "Keep" }));
    await waitFor(() => expect(screen.queryByTestId("confirm-dialog")).toBeNull());
    expect(callsOf(backend, "askRun")).toEqual([]);
    await user.click(screen.getByTestId("cancel"));
    await user.click(await screen.findByTestId("confirm-yes"));
    await waitFor(() => expect(text("ending-headline")).toBe("Cancelled"));
    expect(callsOf(backend, "askRun")).toEqual(["cancel"]);
    expect(screen.queryByTestId("run-pulse")).toBeNull();
  });

  it("goes by keyboard, palette and menu", async () => {
    const { app, backend, user } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    await user.keyboard("{Control>}.{/Control}");
    expect(callsOf(backend, "askRun")).toEqual(["pause"]);
    backend.controls.runs.step();
    backend.controls.runs.step();
    await waitFor(() => expect(text("run-status")).toBe("Paused"));
    await user.keyboard("{Control>}.{/Control}");
    await waitFor(() => expect(text("run-status")).toBe("Running"));
    backend.controls.chooseMenu("pause_after_iteration");
    expect(callsOf(backend, "askRun")).toEqual(["pause", "pause_after_iteration"]);
    backend.controls.chooseMenu("cancel_run");
    expect(app.overlay).toEqual({ kind: "cancel-run" });
  });

  it("offers only what can be done", async () => {
    const { app, backend } = await openWindow({ scenario: "completed" });
    await screen.findByTestId("run");
    for (const action of ["pause_run", "pause_after_iteration", "resume_run", "cancel_run"]) {
      backend.controls.chooseMenu(action);
    }
    expect([app.overlay, callsOf(backend, "askRun"), callsOf(backend, "resumeRun")]).toEqual([null, [], []]);
    backend.controls.chooseMenu("start_run");
    expect(await screen.findByTestId("start-panel")).toBeTruthy();
  });

  it("says why it was refused", async () => {
    const { app, backend, user } = await openWindow({ scenario: "running" });
    const shown = vi.spyOn(app.notify, "fault").mockReturnValue();
    await screen.findByTestId("run");
    backend.controls.runs.end("completed", "promise");
    await app.run.ask("pause");
    expect(shown).toHaveBeenCalledWith(expect.objectContaining({ code: "run.not_found" }));
    await user.keyboard("{Escape}");
  });
});

describe("a run that ended or stopped", () => {
  it.each<[Scenario, string, string, NextAction[]]>([
    ["paused", "Paused", "Paused", ["resume", "review_changes"]],
    ["completed", "Completed", "The agent says it is done", ["review_changes"]],
    ["aborted", "Stopped", "Stopped after 3 failures in a row", ["read_iteration", "read_checks", "start_again"]],
    [
      "exhausted",
      "Stopped",
      "Used all 20 iterations without finishing",
      ["raise_limit", "start_again", "read_iteration"],
    ],
    ["interrupted", "Interrupted", "Interrupted", ["resume", "review_changes"]],
  ])("%s says what happened and what to do next", async (scenario, status, headline, actions) => {
    await openWindow({ scenario });
    await waitFor(() => expect([text("run-status"), text("ending-headline")]).toEqual([status, headline]));
    const steps = within(screen.getByTestId("ending")).getAllByRole("button");
    expect(steps.map((step) => step.dataset.testid).filter((id) => id !== "cancel")).toEqual(
      actions.map((action) => `step-${action}`),
    );
    expect(screen.queryByTestId("pause")).toBeNull();
  });

  it("names the code of what went wrong, and only then", async () => {
    const { backend } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    backend.controls.runs.end("interrupted", "error", "agent.login");
    await waitFor(() => expect(text("ending-code")).toBe("agent.login"));
    backend.controls.runs.end("interrupted", "interrupted");
    await waitFor(() => expect(screen.queryByTestId("ending-code")).toBeNull());
  });

  it.each<[NextAction, string | null, string | null]>([
    ["read_iteration", "iterations", "transcript"],
    ["read_checks", "iterations", "checks"],
    ["review_changes", "iterations", "diff"],
    ["agent_settings", "settings", null],
  ])("%s leads to where that is", async (action, view, tab) => {
    const { app, user } = await openWindow({ scenario: "aborted" });
    await screen.findByTestId("run");
    const { state } = app.live;
    if (state?.ending) {
      app.live.state = { ...state, ending: { ...state.ending, steps: [{ action, text: "Do it" }] } };
    }
    await user.click(await screen.findByTestId(`step-${action}`));
    expect([app.view, app.iterationTab]).toEqual([view, tab]);
    expect(app.iteration).toBe(view === "iterations" ? (state?.last?.id ?? "none") : null);
  });

  it.each<[RunSummary["reason"], string]>([["workspace_damaged", "loopwright recover"]])(
    "explains what the app cannot do by itself after %s",
    async (reason, how) => {
      const { app, user } = await openWindow({ scenario: "aborted" });
      await screen.findByTestId("run");
      const { state } = app.live;
      if (state) {
        const run = { ...state.run, reason };
        app.live.state = { ...state, run, ending: endingFor(run, state.last) };
      }
      await user.click(await screen.findByTestId("step-recover"));
      expect(text("ending-how")).toContain(how);
    },
  );

  it("is started again with the same request, with more of what it used up", async () => {
    const { app, backend, user } = await openWindow({ scenario: "exhausted" });
    await user.click(await screen.findByTestId("step-raise_limit"));
    const iterations = await screen.findByTestId<HTMLInputElement>("limit-iterations");
    await waitFor(() => expect(document.activeElement).toBe(iterations));
    expect(iterations.value).toBe("20");
    expect(screen.getByTestId<HTMLTextAreaElement>("prompt").value).toContain("Price every tea");
    await user.clear(iterations);
    await user.type(iterations, "40");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(text("progress")).toBe("1/40"));
    const [request] = callsOf(backend, "startRun") as { settings: { key: string }[]; harness: string }[];
    expect(request?.harness).toBe("claude");
    expect(request?.settings).toContainEqual({ key: "loop.max_iterations", value: "40" });
    expect(app.run.draft.fields.prompt).toBe("");
  });

  it("leaves the start panel folded until it is wanted", async () => {
    const { user } = await openWindow({ scenario: "completed" });
    await user.click(await screen.findByTestId("start-unfold"));
    expect((await screen.findByTestId("start-panel")).textContent).toContain("Start another run");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("kind-tasks")));
  });
});

describe("a run over tasks", () => {
  it("counts tasks, shows the waves and the task under way", async () => {
    await openWindow({ scenario: "tasks" });
    await waitFor(() => expect(text("progress")).toBe("7/23"));
    expect([text("run-pulse"), text("iteration-count")]).toEqual(["Running, tasks 7/23", "iteration 13"]);
    expect(within(screen.getByTestId("wave-bars")).getAllByRole("img")).toHaveLength(6);
    expect(text("current-task")).toBe("8 Test the countdown against a false clock attempt 2");
  });

  it("that waits for approval leads to what waits", async () => {
    const { app, user } = await openWindow({ scenario: "review" });
    expect(await screen.findByTestId("approval-banner")).toBeTruthy();
    await waitFor(() => expect(text("approval-banner")).toContain("8 Test the countdown"));
    expect(text("approval-banner")).toContain("Needs review with 3 risks; 1 more decision.");
    await user.click(screen.getByTestId("to-review"));
    expect([app.view, app.gate]).toEqual(["review", 5]);
  });

  it("that is blocked says by what, and what to do", async () => {
    const { app, backend, user } = await openWindow({ scenario: "tasks" });
    await screen.findByTestId("run");
    backend.controls.runs.end("aborted", "blocked");
    const row = await screen.findByTestId("blocked-task");
    expect(row.textContent).toContain("There is no key for the weather service.");
    await user.click(screen.getByTestId("unblock"));
    await waitFor(() => expect(app.overview.data?.tasks.find(({ id }) => id === 9)?.status).toBe("pending"));
    expect(screen.queryByTestId("blocked-tasks")).toBeNull();
  });
});

describe("a run that cannot be followed", () => {
  it("keeps the last that was known", async () => {
    const { app } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    app.live.fault = { code: "store.busy", kind: "locked", message: "The state is locked", hint: null, location: null };
    expect((await within(screen.getByTestId("run")).findByTestId("fault")).dataset.code).toBe("store.busy");
    expect(text("progress")).toBe("9/20");
  });
});

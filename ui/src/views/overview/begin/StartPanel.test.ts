// What is loaded on demand is loaded here, which keeps the time that takes out of the tests.
import "../../../shell/run/PreviewDialog.svelte";
import "./StartPanel.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it } from "vitest";

import type { App } from "$lib/app/app.svelte";
import type { Draft } from "$lib/app/start/draft.svelte";
import type { MockOptions } from "$lib/backend/mock";

import { callsOf, openWindow, screen } from "../../../testing/window";

beforeEach(() => sessionStorage.clear());

const text = (testid: string) => screen.getByTestId(testid).textContent?.replace(/\s+/g, " ").trim();

async function openPanel(options: Partial<MockOptions> = {}) {
  const opened = await openWindow(options);
  await opened.user.click(await screen.findByTestId("kind-prompt"));
  await screen.findByTestId("prompt");
  return opened;
}

/** Chooses what lists offer. Lists open only in a real browser, where the journeys choose in them. */
function choose({ run }: App, chosen: Partial<Draft>): void {
  Object.assign(run.draft.fields, chosen);
  run.changed();
}

const PLAIN = { harness: null, model: null, automation: null, settings: [], leave_earlier: false };

describe("starting tasks", () => {
  it("is the first choice where some wait, and says what would be taken first", async () => {
    const { app, backend, user } = await openWindow();
    await waitFor(() => expect(text("task-next")).toBe("7 pending tasks, first #1 Describe a tea"));
    expect(screen.queryByTestId("no-sandbox")).toBeNull();
    const choices = await backend.runChoices();
    app.choices.set({ ...choices, sandbox: { ...choices.sandbox, confinement: "off" } });
    await waitFor(() => expect(text("no-sandbox")).toContain("There is no sandbox"));
    expect(text("task-mode-text")).toBe("You approve every commit. Risky changes always wait for you.");
    expect(text("limits-summary")).toContain("100 iterations");
    choose(app, { mode: "autonomous", commit: "wave" });
    await user.click(screen.getByTestId("limits-fold"));
    await user.type(screen.getByTestId("limit-attempts"), "2");
    await user.click(screen.getByTestId("preview"));
    expect((await screen.findByTestId("preview-prompt")).textContent).toContain("Do this one task");
    expect(text("preview-note")).toContain("No plan names this task");
    await user.click(screen.getByTestId("preview-start"));
    await waitFor(() => expect(text("progress")).toBe("0/7"));
    expect(callsOf(backend, "startRun")).toEqual([
      {
        ...PLAIN,
        work: { kind: "tasks", tag: null, task: null, wave: null },
        settings: [
          { key: "mode", value: "autonomous" },
          { key: "run.commit", value: "wave" },
          { key: "run.max_attempts", value: "2" },
        ],
      },
    ]);
  });

  it("asks after how many tasks, and takes only a number", async () => {
    const { app, user } = await openWindow();
    choose(app, { mode: "review_every:3" });
    await user.clear(await screen.findByTestId("task-every"));
    await user.type(screen.getByTestId("task-every"), "no");
    await user.click(screen.getByTestId("start"));
    expect(text("task-work")).toContain("Write after how many finished tasks");
  });

  it("offers to work on the first one by hand, and shows how that ended", async () => {
    const { backend, user } = await openWindow();
    await user.click(await screen.findByTestId("hand-begin"));
    await screen.findByTestId("hand-card");
    expect(callsOf(backend, "beginTask")).toEqual([1]);
    await user.type(screen.getByTestId("hand-summary"), "By hand");
    await user.click(screen.getByTestId("hand-finish"));
    expect((await screen.findByTestId("hand-result")).textContent).toContain("Done, as commit");
    await user.click(screen.getByTestId("hand-close"));
    expect(screen.queryByTestId("hand-card")).toBeNull();
  });

  it("runs one task that was chosen in Tasks, by keyboard, in two steps", async () => {
    const { app, backend, user } = await openWindow();
    app.showTask(1);
    await user.click(await screen.findByTestId("run-task"));
    await waitFor(() => expect(text("task-next")).toBe("1 pending task, first #1 Describe a tea"));
    expect(text("task-selection")).toContain("Task 1, Describe a tea");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("start")));
    expect(callsOf(backend, "startRun")).toEqual([]);
    await user.keyboard("{Enter}");
    await waitFor(() =>
      expect(callsOf(backend, "startRun")).toEqual([
        { ...PLAIN, work: { kind: "tasks", tag: null, task: 1, wave: null } },
      ]),
    );
  });

  it("says what a task comes after instead of offering to run it", async () => {
    const { app } = await openWindow();
    app.showTask(4);
    expect((await screen.findByTestId("run-problem")).textContent).toMatch(/^Can run after #1, #2$/);
    expect(screen.queryByTestId("run-task")).toBeNull();
  });

  it("runs the tasks of one wave", async () => {
    const { app, backend, user } = await openWindow();
    await screen.findByTestId("task-next");
    choose(app, { wave: 1 });
    await waitFor(() => expect(text("task-selection")).toContain("Wave 1"));
    await user.click(screen.getByTestId("start"));
    await waitFor(() => expect(callsOf(backend, "startRun")).toHaveLength(1));
    expect(callsOf(backend, "startRun")[0]).toMatchObject({ work: { kind: "tasks", wave: 1, task: null } });
  });

  it("is not offered where there are none", async () => {
    await openWindow({ scenario: "empty" });
    expect(await screen.findByTestId("prompt")).toBeTruthy();
    expect(screen.queryByTestId("kind-tasks")).toBeNull();
  });
});

describe("starting", () => {
  it("says what a loop is and starts what was typed, with the keyboard alone", async () => {
    const { app, backend, user } = await openPanel();
    expect(text("start-panel")).toContain("A loop starts a fresh agent");
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("prompt")));
    await user.keyboard("Price the teas{Enter}all of them{Control>}{Enter}{/Control}");
    expect(callsOf(backend, "startRun")).toEqual([
      { ...PLAIN, work: { kind: "prompt", text: "Price the teas\nall of them" } },
    ]);
    await waitFor(() => expect(text("run-title")).toBe("Price the teas"));
    expect(text("progress")).toBe("1/20");
    expect(app.run.draft.fields.prompt).toBe("");
  });

  it("builds exactly the request that was chosen", async () => {
    const { app, backend, user } = await openPanel({ scenario: "progress" });
    await user.click(screen.getByTestId("kind-procedure"));
    choose(app, { procedure: "build", harness: "claude", automation: "plan" });
    await waitFor(() => expect(text("procedure")).toBe("Build the next item of the plan"));
    expect([text("harness"), text("automation")]).toEqual(["Claude Code", "Plan only"]);
    expect(text("procedure-summary")).toContain("Takes 5 iterations.");
    expect(text("automation-text")).toBe("The agent reads and plans. It changes nothing.");
    expect(text("limits-summary")).toBe("Stops after 5 iterations, 8h, $25 or 3 failures in a row");
    await user.click(screen.getByTestId("limits-fold"));
    await user.type(screen.getByTestId("limit-iterations"), "7");
    await user.type(screen.getByTestId("limit-time"), "90m");
    await user.click(screen.getByTestId("no-promise"));
    await user.click(screen.getByTestId("auto-commit"));
    await user.click(screen.getByTestId("include-changes"));
    await user.click(screen.getByTestId("start"));
    await screen.findByTestId("run");
    expect(callsOf(backend, "startRun")).toEqual([
      {
        work: { kind: "procedure", name: "build" },
        harness: "claude",
        model: null,
        automation: "plan",
        settings: [
          { key: "loop.max_iterations", value: "7" },
          { key: "loop.max_runtime", value: "90m" },
          { key: "loop.completion_promise", value: "" },
          { key: "git.auto_commit", value: "true" },
          { key: "loop.dirty", value: "include" },
        ],
        leave_earlier: false,
      },
    ]);
  });

  it("mends what fails, with a word of its own", async () => {
    const { backend, user } = await openPanel();
    await user.click(screen.getByTestId("kind-fix"));
    expect(text("fix-text")).toContain("all 3 checks");
    await user.type(screen.getByTestId("extra"), "Mind the tests");
    await user.click(screen.getByTestId("start"));
    expect(callsOf(backend, "startRun")).toEqual([{ ...PLAIN, work: { kind: "fix", extra: "Mind the tests" } }]);
    await waitFor(() => expect(text("progress")).toBe("1/100"));
  });

  it("looks ahead first and starts from there", async () => {
    const { app, backend, user } = await openPanel();
    await user.type(screen.getByTestId("prompt"), "Price the teas");
    await user.click(screen.getByTestId("preview"));
    const dialog = await screen.findByTestId("preview-dialog");
    expect(callsOf(backend, "previewRun")).toEqual([{ ...PLAIN, work: { kind: "prompt", text: "Price the teas" } }]);
    expect(text("preview-command")).toContain("rehearsal -p");
    expect(text("preview-size")).toMatch(/^about \d+ tokens of 100k$/);
    expect(screen.getByTestId("preview-prompt").textContent).toContain("# What to do\n\nPrice the teas");
    expect(within(dialog).getByRole("button", { name: "Copy the prompt" })).toBeTruthy();
    expect(callsOf(backend, "startRun")).toEqual([]);
    await user.click(screen.getByTestId("preview-start"));
    await screen.findByTestId("run");
    expect([app.overlay, callsOf(backend, "startRun").length]).toEqual([null, 1]);
  });
});

describe("what is missing", () => {
  it("is said beside its field, and only once somebody wants to start", async () => {
    const { backend, user } = await openPanel({ scenario: "progress" });
    expect(screen.queryByTestId("start-missing")).toBeNull();
    await user.click(screen.getByTestId("start"));
    expect(screen.getByText("Say what is to be done.")).toBeTruthy();
    expect(screen.getByTestId("uncommitted").getAttribute("role")).toBe("alert");
    expect(text("uncommitted")).toContain("3 files");
    await user.type(screen.getByTestId("prompt"), "Price");
    expect(screen.queryByText("Say what is to be done.")).toBeNull();
    await user.click(screen.getByTestId("include-changes"));
    expect(screen.queryByTestId("start-missing")).toBeNull();
    expect(callsOf(backend, "startRun")).toEqual([]);
  });

  it("unfolds limits that cannot be right", async () => {
    const { backend, user } = await openPanel();
    await user.type(screen.getByTestId("prompt"), "Price");
    await user.click(screen.getByTestId("limits-fold"));
    await user.type(screen.getByTestId("limit-money"), "ten");
    expect(screen.getByText("Write US dollars, such as 5 or 0.50, or none.")).toBeTruthy();
    await user.click(screen.getByTestId("limits-fold"));
    expect(screen.queryByTestId("limit-money")).toBeNull();
    await user.click(screen.getByTestId("start"));
    expect(screen.getByTestId<HTMLInputElement>("limit-money").value).toBe("ten");
    expect(callsOf(backend, "startRun")).toEqual([]);
  });

  it("explains an agent that cannot be started", async () => {
    const { app, user } = await openPanel();
    choose(app, { harness: "codex" });
    await waitFor(() => expect(text("harness")).toBe("Codex · not logged in"));
    expect(text("harness-problem")).toContain("Codex is not logged in. Run codex login");
    await user.click(screen.getByRole("button", { name: "Agent settings" }));
    expect([app.view, app.section]).toEqual(["settings", "agent"]);
  });

  it("tells how the agents stand, what is untested, and what confines them", async () => {
    const { app, backend, user } = await openPanel();
    expect(callsOf(backend, "agents")).toEqual([]);
    expect(text("sandbox")).toContain("In a sandbox. The agent can write only in the project");
    choose(app, { harness: "cursor" });
    await waitFor(() => expect(text("harness")).toBe("Cursor Agent · untested"));
    expect(text("harness-untested")).toContain("has not been tested with it");
    await user.type(screen.getByTestId("model"), "fast");
    screen.getByTestId("harness").focus();
    await waitFor(() => expect(text("harness-state")).toContain("Version 2026.10.02"));
    expect(callsOf(backend, "agents")).toHaveLength(1);
    expect(app.run.draft.fields.model).toBe("fast");
  });

  it("says before the start that nothing confines the agent", async () => {
    await openPanel({ scenario: "problems" });
    expect(screen.getByTestId("sandbox").dataset.confinement).toBe("unavailable");
    expect(text("sandbox")).toContain("Not confined. The agent can write wherever you can");
  });

  it("asks for an agent and for checks in an empty project", async () => {
    const { user } = await openPanel({ scenario: "empty" });
    expect(text("start-panel")).toContain("No agent is set up");
    expect(screen.queryByTestId("auto-commit")).toBeNull();
    await user.click(screen.getByTestId("kind-fix"));
    expect(text("fix-text")).toContain("no checks yet");
    await user.click(screen.getByTestId("start"));
    expect(screen.getByText("There is no check that could fail. Add one first.")).toBeTruthy();
  });

  it("labels what is scripted and what is risky", async () => {
    const { app } = await openPanel();
    expect(text("harness")).toContain("scripted");
    expect(text("harness-scripted")).toContain("No model is asked");
    choose(app, { automation: "yolo" });
    await waitFor(() => expect(text("automation")).toBe("Unrestricted · risky"));
    expect(text("automation-text")).toContain("does whatever it wants");
  });
});

describe("a refusal", () => {
  it("is shown where it belongs, and nothing typed is lost", async () => {
    const { backend, user } = await openPanel();
    await user.type(screen.getByTestId("prompt"), "Price");
    backend.controls.runs.startElsewhere();
    backend.controls.runs.end("interrupted", "interrupted");
    await screen.findByTestId("run");
    await user.click(screen.getByTestId("start-unfold"));
    expect((await screen.findByTestId<HTMLTextAreaElement>("prompt")).value).toBe("Price");
    await waitFor(() => expect(text("earlier")).toContain("Priced from a terminal"));
    expect(text("start")).toBe("Start new");
    await user.click(screen.getByTestId("start"));
    await waitFor(() => expect(text("run-title")).toBe("Price"));
    expect(callsOf(backend, "startRun")).toEqual([
      { ...PLAIN, work: { kind: "prompt", text: "Price" }, leave_earlier: true },
    ]);
  });

  it("of a declined question is no error", async () => {
    const { app, user } = await openPanel();
    await user.type(screen.getByTestId("prompt"), "decline");
    choose(app, { automation: "yolo" });
    await user.click(screen.getByTestId("start"));
    await waitFor(() => expect(app.working.size).toBe(0));
    expect([app.run.fault, screen.getByTestId<HTMLTextAreaElement>("prompt").value]).toEqual([null, "decline"]);
  });

  it("of a folder that is not trusted leads to what it would run", async () => {
    const { app, backend, user } = await openPanel({ scenario: "untrusted" });
    await user.type(screen.getByTestId("prompt"), "Price");
    expect(screen.queryByTestId("start")).toBeNull();
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect(app.overlay).toEqual({ kind: "trust" });
    await user.click(await screen.findByTestId("trust-confirm"));
    expect((await screen.findByTestId("start")).textContent).toContain("Start");
    expect(screen.getByTestId<HTMLTextAreaElement>("prompt").value).toBe("Price");
    expect(callsOf(backend, "startRun")).toEqual([]);
  });

  it("resumes the earlier run instead", async () => {
    const { backend, user } = await openWindow({ scenario: "interrupted" });
    await user.click(await screen.findByTestId("start-unfold"));
    await user.click(await screen.findByTestId("resume-earlier"));
    await waitFor(() => expect(text("run-status")).toBe("Running"));
    expect(callsOf(backend, "resumeRun")).toHaveLength(1);
  });
});

describe("a draft", () => {
  it("outlives the view", async () => {
    const { app, user } = await openPanel();
    await user.type(screen.getByTestId("prompt"), "Half a thought");
    app.show("settings");
    await waitFor(() => expect(screen.queryByTestId("prompt")).toBeNull());
    app.show("overview");
    expect((await screen.findByTestId<HTMLTextAreaElement>("prompt")).value).toBe("Half a thought");
  });
});

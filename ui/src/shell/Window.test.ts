import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { HOSTILE_TEXTS } from "$lib/backend/mock";
import { fault } from "$lib/backend/mock/faults";

import { callsOf, openWindow, screen } from "../testing/window";

describe("a project's window", () => {
  it("shows the plan, how the project works, and what happened", async () => {
    await openWindow({ scenario: "progress" });
    expect((await screen.findByTestId("plan-summary")).textContent).toBe("6 tasks in 3 waves, 2 done");
    expect(screen.getByTestId("project-name").textContent).toBe("Tea timer");
    expect(screen.getByTestId("branch").textContent).toBe("feat/steeping");
    expect(screen.getByTestId("scripted-badge").textContent).toContain("Scripted agent");
    expect(screen.getByTestId("sample-badge")).toBeTruthy();
    const statuses = screen.getAllByTestId("task").map((row) => row.dataset.status);
    expect(statuses).toEqual(["awaiting_approval", "in_progress", "blocked", "pending"]);
    expect(screen.getAllByTestId("check")).toHaveLength(3);
    expect(screen.getByTestId("gate-section").textContent).toContain("You approve every commit");
    expect(screen.getByTestId("activity").textContent).toContain("Folder trusted");
  });

  it("says what is missing in an empty project", async () => {
    await openWindow({ scenario: "empty" });
    expect(await screen.findByTestId("plan-empty")).toBeTruthy();
    expect(screen.getByTestId("git-section").textContent).toContain("Not a git repository");
    expect(screen.getByTestId("checks-section").textContent).toContain("None yet");
    expect(screen.queryByTestId("trust-badge")).toBeNull();
  });

  it("lists problems with code, hint and place", async () => {
    await openWindow({ scenario: "problems" });
    const first = within(await screen.findByTestId("problems")).getAllByTestId("fault")[0];
    expect(first?.dataset.code).toBe("config.unknown_key");
    expect(first?.textContent).toContain("Did you mean");
    expect(first?.textContent).toContain(".loopwright/config.toml:12");
    expect(screen.getByTestId("agent-problem").dataset.code).toBe("process.spawn");
  });

  it("shows a skeleton first, and what went wrong with a way to try again", async () => {
    const { backend, user } = await openWindow({ scenario: "failing" });
    expect(screen.getByTestId("overview-skeleton")).toBeTruthy();
    expect((await screen.findByTestId("error-state")).textContent).toContain("store.read_only");
    const before = callsOf(backend, "overview").length;
    await user.click(screen.getByTestId("retry"));
    expect(callsOf(backend, "overview").length).toBe(before + 1);
  });

  it("says that it can be worked with, once", async () => {
    const { backend } = await openWindow();
    await waitFor(() => expect(callsOf(backend, "ready")).toHaveLength(1));
  });

  it("follows changes from outside", async () => {
    const { backend } = await openWindow();
    await screen.findByTestId("plan-summary");
    expect(screen.queryByText("Changed from outside.")).toBeNull();
    backend.controls.changeProject();
    expect(await screen.findByText("Changed from outside.")).toBeTruthy();
  });

  it("opens a task to its description and what it needs", async () => {
    const { user } = await openWindow();
    const row = (await screen.findAllByTestId("task"))[3];
    const button = within(row as HTMLElement).getByRole("button");
    await user.click(button);
    expect(button.getAttribute("aria-expanded")).toBe("true");
    expect(row?.textContent).toContain("Join picking and counting");
    expect(row?.textContent).toContain("#2 Count down");
  });

  it("stays small with ten thousand tasks", async () => {
    await openWindow({ scenario: "large" });
    await screen.findByTestId("plan-summary");
    expect(document.querySelectorAll("*").length).toBeLessThan(2000);
  });
});

describe("text from a project", () => {
  it("is text wherever it is shown", async () => {
    const { user } = await openWindow({ scenario: "hostile" });
    await screen.findByTestId("plan-summary");
    await user.click(screen.getByTestId("trust-review"));
    await screen.findAllByTestId("executable");
    for (const text of HOSTILE_TEXTS) {
      expect(document.body.textContent).toContain(text);
    }
    expect(document.querySelector("img, iframe, script, style + script, [onerror], [onload], main b")).toBeNull();
    expect((globalThis as { __pwned?: boolean }).__pwned).toBeUndefined();
  });
});

describe("moving about", () => {
  it("by navigation, by key and by menu", async () => {
    const { app, backend, user } = await openWindow();
    await screen.findByTestId("plan-summary");
    await user.click(screen.getByTestId("nav-settings"));
    expect(await screen.findByTestId("setting-mode")).toBeTruthy();
    expect(screen.getByTestId("nav-settings").getAttribute("aria-current")).toBe("page");
    await user.keyboard("{Control>}1{/Control}");
    expect(await screen.findByTestId("plan-summary")).toBeTruthy();
    backend.controls.chooseMenu("view_settings");
    expect(app.view).toBe("settings");
    backend.controls.chooseMenu("no such action");
    expect(app.view).toBe("settings");
    backend.controls.chooseMenu("doctor");
    await waitFor(() => expect(callsOf(backend, "doctor").length).toBeGreaterThan(0));
  });

  it("gives the focus to what the keys of a view work on, once it is there", async () => {
    const { app, user } = await openWindow({ scenario: "completed" });
    await screen.findByTestId("view-overview");
    const roleOfFocus = () => document.activeElement?.getAttribute("role");
    await user.keyboard("{Control>}2{/Control}");
    await waitFor(() => expect(roleOfFocus()).toBe("application"));
    await user.keyboard("{Control>}4{/Control}");
    await waitFor(() => expect(document.activeElement?.closest("[data-testid=iterations]")).toBeTruthy());
    expect(roleOfFocus()).toBe("grid");
    await user.keyboard("{ArrowDown}{Enter}");
    await waitFor(() => expect(app.iteration).not.toBeNull());
    await waitFor(() => expect(document.activeElement?.closest("[data-testid=iteration]")).toBeTruthy());
    await user.keyboard("{Control>}1{/Control}");
    await waitFor(() => expect(document.activeElement?.id).toBe("main"));
  });

  it("adds a task by its key after a view shortcut, before anything was clicked", async () => {
    const { user } = await openWindow();
    await screen.findByTestId("plan-summary");
    await user.keyboard("{Control>}3{/Control}");
    await screen.findAllByTestId("task-row");
    await user.keyboard("n");
    await screen.findByTestId("task-dialog");
  });

  it("lets nothing take the place of a dialog with something half done in it", async () => {
    const { app, backend, user } = await openWindow();
    await screen.findByTestId("plan-summary");
    await user.keyboard("{Control>}n{/Control}");
    await screen.findByTestId("new-project-dialog");
    await user.keyboard("{Control>}k{/Control}");
    backend.controls.chooseMenu("view_settings");
    expect([app.overlay?.kind, app.view]).toEqual(["new-project", "overview"]);
    backend.controls.chooseMenu("theme_dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
  });

  it("lets no key act while a dialog of a view is open, and keeps what is written in it", async () => {
    const { app, backend, user } = await openWindow();
    app.show("tasks");
    await user.click(await screen.findByTestId("task-add"));
    await user.type(await screen.findByTestId("draft-title"), "Warm the cup");
    for (const keys of ["{Control>}2{/Control}", "{Control>}k{/Control}", "{Control>}n{/Control}", "{F5}"]) {
      await user.keyboard(keys);
    }
    backend.controls.chooseMenu("view_settings");
    backend.controls.chooseMenu("start_run");
    expect([app.view, app.overlay]).toEqual(["tasks", null]);
    expect(screen.getByTestId<HTMLInputElement>("draft-title").value).toBe("Warm the cup");
  });

  it("sends a dialog's form with Ctrl+Enter from any of its fields, once, and starts no run", async () => {
    const { app, backend, user } = await openWindow();
    app.show("tasks");
    await user.click(await screen.findByTestId("task-add"));
    await user.type(await screen.findByTestId("draft-title"), "Warm the cup");
    await user.click(screen.getByTestId("line-add"));
    await user.type(await screen.findByTestId("line"), "The cup is warm");
    await user.keyboard("{Control>}{Enter>3/}{/Control}");
    await waitFor(() =>
      expect(callsOf(backend, "addTask")).toMatchObject([{ title: "Warm the cup", acceptance: ["The cup is warm"] }]),
    );
    await waitFor(() => expect(screen.queryByTestId("task-dialog")).toBeNull());
    expect([app.view, app.run.open, callsOf(backend, "startRun")]).toEqual(["tasks", false, []]);
  });

  it("sends no form that is not filled in", async () => {
    const { app, backend, user } = await openWindow();
    app.show("tasks");
    await user.click(await screen.findByTestId("task-add"));
    await screen.findByTestId("draft-title");
    await user.keyboard("{Control>}{Enter}{/Control}");
    expect([screen.queryByTestId("task-dialog") === null, callsOf(backend, "addTask"), app.view]).toEqual([
      false,
      [],
      "tasks",
    ]);
  });

  it("has a new task as it was written when its dialog was closed with Escape, and none after Cancel", async () => {
    const { app, user } = await openWindow();
    app.show("tasks");
    await user.click(await screen.findByTestId("task-add"));
    await user.type(await screen.findByTestId("draft-title"), "Warm the cup");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("task-dialog")).toBeNull());
    await user.click(screen.getByTestId("task-add"));
    expect((await screen.findByTestId<HTMLInputElement>("draft-title")).value).toBe("Warm the cup");
    await user.click(screen.getByTestId("draft-cancel"));
    await waitFor(() => expect(screen.queryByTestId("task-dialog")).toBeNull());
    await user.click(screen.getByTestId("task-add"));
    expect((await screen.findByTestId<HTMLInputElement>("draft-title")).value).toBe("");
  });

  it("shows what a notification is about when the dialog that is open is done with", async () => {
    const { app, backend, user } = await openWindow();
    app.show("tasks");
    await user.click(await screen.findByTestId("task-add"));
    await user.type(await screen.findByTestId("draft-title"), "Warm the cup");
    backend.controls.runs.showView("review");
    expect(app.view).toBe("tasks");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(app.view).toBe("review"));
  });

  it("loses nothing that is half typed in a view when a key leads away", async () => {
    const { app, backend, user } = await openWindow();
    app.show("tasks");
    await user.type(await screen.findByTestId("quick-add"), "Warm the c");
    await user.keyboard("{Control>}1{/Control}");
    await screen.findByTestId("plan-summary");
    app.showTask(7);
    expect((await screen.findByTestId<HTMLInputElement>("quick-add")).value).toBe("Warm the c");
    await user.type(await screen.findByTestId("field-title"), " too");
    await user.keyboard("{Control>}1{/Control}");
    await waitFor(() => expect(JSON.stringify(callsOf(backend, "editTask"))).toContain("manual page too"));
  });

  it("starts no run with the key that led to the start", async () => {
    const { backend, user } = await openWindow({ scenario: "sample" });
    await screen.findByTestId("start-panel");
    await user.keyboard("{Control>}{Enter>5/}{/Control}");
    expect(callsOf(backend, "startRun")).toEqual([]);
  });

  it("keeps a question mark in a field a question mark", async () => {
    const { app, user } = await openWindow();
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "why?");
    expect(app.overlay).toEqual({ kind: "palette" });
  });
});

describe("the palette", () => {
  it("finds actions, views and tasks, and does what is chosen", async () => {
    const { app, user } = await openWindow();
    await screen.findByTestId("plan-summary");
    await user.keyboard("{Control>}k{/Control}");
    const input = await screen.findByTestId("palette-input");
    await user.type(input, "manual page");
    const task = await screen.findByText("#7 · Pending");
    expect(task).toBeTruthy();
    await user.keyboard("{Enter}");
    expect(app.overlay).toBeNull();
    await waitFor(() => expect(document.activeElement?.textContent).toContain("Write the manual page"));
  });

  it("moves with the arrows, around the ends, and closes with Escape", async () => {
    const { app, user } = await openWindow({ window: "start" });
    await user.keyboard("{Control>}k{/Control}");
    const input = await screen.findByTestId("palette-input");
    const active = () =>
      document.getElementById(input.getAttribute("aria-activedescendant") ?? "")?.textContent?.trim();
    expect(active()).toContain("Projects");
    await waitFor(() => expect(document.activeElement).toBe(input));
    await user.keyboard("{ArrowDown}");
    expect(active()).toContain("Settings");
    await user.keyboard("{ArrowUp}{ArrowUp}");
    expect(active()).not.toContain("Projects");
    await user.type(input, "zzz");
    expect(screen.getByRole("status").textContent).toContain("Nothing matches");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(app.overlay).toBeNull());
  });

  it("has what was chosen last first, and finds by first letters", async () => {
    const { app, user } = await openWindow();
    await screen.findByTestId("plan-summary");
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "tdark");
    await user.keyboard("{Enter}");
    await waitFor(() => expect(document.documentElement.dataset.theme).toBe("dark"));
    await waitFor(() => expect(app.occupied).toBe(false));
    await user.keyboard("{Control>}k{/Control}");
    const [first] = await screen.findAllByTestId("palette-item");
    expect(first?.dataset.id).toBe("theme_dark");
    expect(screen.getByText("Recent")).toBeTruthy();
  });

  it("knows what the view that is shown can do", async () => {
    const { app, user } = await openWindow();
    app.show("tasks");
    await screen.findAllByTestId("task-row");
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "new task");
    await user.keyboard("{Enter}");
    await screen.findByTestId("task-dialog");
  });

  it("lists the keys of the view that is shown, and of no other, in the shortcut sheet", async () => {
    const { app, user } = await openWindow();
    app.show("tasks");
    await screen.findAllByTestId("task-row");
    await user.keyboard("?");
    const sheet = await screen.findByTestId("shortcuts-dialog");
    expect(sheet.textContent).toContain("Change the tag");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("shortcuts-dialog")).toBeNull());
    app.show("checks");
    await screen.findAllByTestId("check-row");
    await user.keyboard("?");
    expect((await screen.findByTestId("shortcuts-dialog")).textContent).not.toContain("Change the tag");
  });

  it("lists the keys of the same actions in the shortcut sheet", async () => {
    const { user } = await openWindow();
    await screen.findByTestId("plan-summary");
    await user.keyboard("?");
    const sheet = await screen.findByTestId("shortcuts-dialog");
    expect(sheet.textContent).toContain("Command palette");
    expect(sheet.textContent).toContain("Settings");
  });
});

describe("a message", () => {
  it("is shown for a refusal, with what to do", async () => {
    const { user } = await openWindow({ scenario: "failing" });
    await user.click(screen.getByTestId("project-switch"));
    await user.click(await screen.findByTestId("menu-reveal-project"));
    const host = await screen.findByLabelText(/Notifications/);
    await waitFor(() => expect(host.textContent).toContain("Check the permissions"));
  });

  it("is shown when something asked for from outside could not be opened", async () => {
    const { app, backend } = await openWindow();
    const shown = vi.spyOn(app.notify, "fault").mockReturnValue();
    backend.controls.failToOpen(fault("project.not_found", "/tmp is not in a Loopwright project"));
    expect(shown).toHaveBeenCalledWith(expect.objectContaining({ code: "project.not_found" }));
  });

  it("says why the start page is there in place of a project", async () => {
    await openWindow({ window: "start" }, {}, fault("project.not_found", "/tmp is not in a Loopwright project"));
    const host = await screen.findByLabelText(/Notifications/);
    await waitFor(() => expect(host.textContent).toContain("/tmp is not in a Loopwright project."));
  });

  it("is no error when a person said no", async () => {
    const { app, backend } = await openWindow();
    const info = vi.spyOn(app.notify, "info");
    await app.attempt("x", () => backend.setAgentProgram({ name: "claude", program: "decline" }));
    expect(info).toHaveBeenCalledWith("Nothing was changed.");
  });
});

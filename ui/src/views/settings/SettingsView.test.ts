import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "$lib/backend/mock";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function settings(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow(options);
  await test.user.keyboard("{Control>},{/Control}");
  await screen.findByTestId("doctor");
  return test;
}

/** Goes to the overview and back to the settings. */
async function leaveAndComeBack(user: TestWindow["user"]): Promise<void> {
  await user.click(screen.getByTestId("nav-overview"));
  await waitFor(() => expect(screen.queryByTestId("doctor")).toBeNull());
  await user.click(screen.getByTestId("nav-settings"));
  await screen.findByTestId("doctor");
}

const origin = (key: string) => screen.getByTestId(`origin-${key}`).textContent?.trim();

describe("settings", () => {
  it("show where each value comes from", async () => {
    await settings();
    expect(origin("name")).toBe("from project .loopwright/config.toml:1");
    expect(origin("mode")).toContain("from user");
    expect(origin("ui.theme")).toBe("default");
  });

  it("lock what the environment decides, and say so", async () => {
    await settings();
    const row = screen.getByTestId("setting-gate.protected");
    expect(row.textContent).toContain("LOOPWRIGHT_GATE_PROTECTED decides this");
    expect(within(row).queryByRole("textbox")).toBeNull();
    expect(within(row).queryByRole("button")).toBeNull();
  });

  it("take a number with a review mode, and show a wrong one where it was typed", async () => {
    const { app, backend, user } = await settings();
    const report = await backend.setSetting({ scope: "user", key: "mode", value: "review_every:3" });
    app.settings.set(report);
    const field = await screen.findByTestId("value-mode-count");
    await user.clear(field);
    await user.type(field, "few{Enter}");
    expect((await screen.findByTestId("setting-fault")).dataset.code).toBe("config.bad_value");
    await user.clear(field);
    await user.type(field, "5{Enter}");
    await waitFor(() => expect(screen.queryByTestId("setting-fault")).toBeNull());
    expect(callsOf(backend, "setSetting").at(-1)).toEqual({ scope: "user", key: "mode", value: "review_every:5" });
  });

  it("write a text when asked to, and not before", async () => {
    const { backend, user } = await settings();
    const field = screen.getByTestId("value-name");
    await user.clear(field);
    await user.type(field, "Kettle");
    expect(callsOf(backend, "setSetting")).toEqual([]);
    await user.click(screen.getByTestId("save-name"));
    await waitFor(() => expect(screen.queryByTestId("save-name")).toBeNull());
    expect(callsOf(backend, "setSetting")).toEqual([{ scope: "project", key: "name", value: "Kettle" }]);
  });

  it("keep what was entered and not saved while another view is shown, and say so", async () => {
    const { app, backend, user } = await settings();
    const shown = () => screen.getByTestId<HTMLInputElement>("value-name").value;
    const list = () => within(screen.getByTestId("setting-spec_files"));
    await user.type(screen.getByTestId("value-name"), " and more");
    await user.type(list().getByRole("textbox"), "docs/ha");
    expect(screen.getByTestId("unsaved-name").textContent).toBe("Not saved");
    expect(screen.queryByTestId("settings-unsaved")).toBeNull();

    await leaveAndComeBack(user);
    expect([shown(), list().getByRole<HTMLInputElement>("textbox").value]).toEqual(["Tea timer and more", "docs/ha"]);
    const note = within(screen.getByTestId("settings-unsaved"));
    expect(note.getByText("2 unsaved changes")).toBeTruthy();
    await user.click(note.getByRole("button", { name: "Name" }));
    await waitFor(() => expect(document.activeElement).toBe(screen.getByTestId("setting-name")));

    await user.click(screen.getByTestId("save-name"));
    await waitFor(() => expect(note.getByText("1 unsaved change")).toBeTruthy());
    expect(callsOf(backend, "setSetting")).toEqual([{ scope: "project", key: "name", value: "Tea timer and more" }]);
    await user.click(screen.getByTestId("discard-unsaved"));
    expect(list().getByRole<HTMLInputElement>("textbox").value).toBe("");
    await waitFor(() => expect(screen.queryByTestId("settings-unsaved")).toBeNull());
    await leaveAndComeBack(user);
    expect([app.view, screen.queryByTestId("settings-unsaved")]).toEqual(["settings", null]);
  });

  it("keep a draft that was refused, and none of what was cancelled or reset", async () => {
    const { app, backend, user } = await settings();
    app.settings.set(await backend.setSetting({ scope: "user", key: "mode", value: "review_every:3" }));
    const field = await screen.findByTestId("value-mode-count");
    await user.clear(field);
    await user.type(field, "few{Enter}");
    await screen.findByTestId("setting-fault");
    await user.type(screen.getByTestId("value-name"), "!{Escape}");
    await leaveAndComeBack(user);
    expect(screen.getByTestId<HTMLInputElement>("value-mode-count").value).toBe("few");
    expect(within(screen.getByTestId("settings-unsaved")).getByText("1 unsaved change")).toBeTruthy();
    await user.click(screen.getByTestId("reset-mode"));
    await waitFor(() => expect(screen.queryByTestId("value-mode-count")).toBeNull());
    expect(screen.queryByTestId("settings-unsaved")).toBeNull();
  });

  it("take a change back with Escape", async () => {
    const { backend, user } = await settings();
    const field = screen.getByTestId("value-name") as HTMLInputElement;
    await user.type(field, "!{Escape}");
    expect(field.value).toBe("Tea timer");
    expect(callsOf(backend, "setSetting")).toEqual([]);
  });

  it("reset removes the value from the file it is in", async () => {
    const { backend, user } = await settings();
    await user.click(screen.getByTestId("reset-mode"));
    await waitFor(() => expect(origin("mode")).toBe("default"));
    expect(callsOf(backend, "setSetting")).toEqual([{ scope: "user", key: "mode", value: null }]);
    expect(screen.queryByTestId("reset-mode")).toBeNull();
  });

  it("edit a list item by item and write it one per line", async () => {
    const { backend, user } = await settings();
    const row = within(screen.getByTestId("setting-spec_files"));
    await user.type(row.getByRole("textbox"), "docs/new.md{Enter}");
    await user.click(row.getByRole("button", { name: "Move docs/new.md up" }));
    await user.click(row.getByRole("button", { name: "Remove SPEC.md" }));
    await user.click(row.getByTestId("save-spec_files"));
    await waitFor(() =>
      expect(callsOf(backend, "setSetting")).toEqual([
        { scope: "project", key: "spec_files", value: "docs/new.md\ndocs/teas.md" },
      ]),
    );
  });

  it("change a program by its own command, and show a refusal beside it", async () => {
    const { backend, user } = await settings();
    const field = screen.getByTestId("value-harness.claude.command");
    await user.clear(field);
    await user.type(field, "/opt/decline");
    await user.click(screen.getByTestId("save-harness.claude.command"));
    expect((await screen.findByTestId("setting-fault")).dataset.code).toBe("confirmation.declined");
    await user.clear(field);
    await user.type(field, "/opt/claude{Enter}");
    await waitFor(() => expect(screen.queryByTestId("setting-fault")).toBeNull());
    await user.click(screen.getByTestId("reset-harness.claude.command"));
    await waitFor(() => expect(origin("harness.claude.command")).toBe("default"));
    expect(callsOf(backend, "setAgentProgram")).toEqual([
      { name: "claude", program: "/opt/decline" },
      { name: "claude", program: "/opt/claude" },
      { name: "claude", program: "" },
    ]);
    expect(callsOf(backend, "setSetting")).toEqual([]);
  });

  it("say what the app does around runs, each for the user alone", async () => {
    await settings();
    const card = within(screen.getByTestId("settings-app"));
    for (const [key, value] of [
      ["app.notifications", "On"],
      ["app.keep_awake", "On"],
      ["app.editor", "auto"],
    ] as const) {
      expect(card.getByTestId(`value-${key}`).textContent).toContain(value);
    }
    expect(card.queryByText("This project")).toBeNull();
  });

  it("switch the theme at once", async () => {
    const { backend, user } = await settings();
    await user.click(screen.getByTestId("theme-dark"));
    expect(document.documentElement.dataset.theme).toBe("dark");
    await waitFor(() => expect(origin("ui.theme")).toContain("from user"));
    expect(callsOf(backend, "setSetting")).toEqual([{ scope: "user", key: "ui.theme", value: "dark" }]);
  });

  it("show the doctor's findings with what to do, and look again", async () => {
    const { backend, user } = await settings({ scenario: "problems" });
    const findings = await screen.findAllByTestId("finding");
    expect(findings.map((finding) => finding.dataset.status)).toEqual(["warning", "ok", "ok", "problem"]);
    expect(findings[3]?.textContent).toContain("Install it");
    expect(screen.getByTestId("about").textContent).toContain("not found beside the app");
    await user.click(screen.getByTestId("doctor-run"));
    await waitFor(() => expect(callsOf(backend, "doctor")).toHaveLength(2));
  });

  it("hold for all projects in the start window", async () => {
    await settings({ window: "start" });
    expect(screen.queryByTestId("setting-name")).toBeNull();
    expect(screen.getByTestId("theme-control")).toBeTruthy();
  });

  it("say what is wrong when they cannot be read", async () => {
    await settings({ scenario: "failing" });
    expect((await screen.findByTestId("error-state")).textContent).toContain("settings could not be read");
  });
});

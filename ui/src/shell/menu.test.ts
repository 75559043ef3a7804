import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { callsOf, openWindow, screen } from "../testing/window";

describe("the native menu", () => {
  it("offers only what the window can do now", async () => {
    const { app, backend } = await openWindow();
    const offered = () => callsOf(backend, "enableMenu").at(-1) as string[];
    await waitFor(() => expect(offered()).toContain("start_run"));
    expect(offered()).not.toContain("pause_run");
    expect(offered()).toEqual(expect.arrayContaining(["import_tasks", "documentation", "about", "view_waves"]));

    app.overlay = { kind: "shortcuts" };
    await screen.findByTestId("shortcuts-dialog");
    await waitFor(() => expect(offered()).not.toContain("start_run"));
    expect(offered()).toContain("theme_dark");
  });

  it("can pause while a run works, and start none", async () => {
    const { backend } = await openWindow({ scenario: "running" });
    await waitFor(() => {
      const offered = callsOf(backend, "enableMenu").at(-1);
      expect(offered).toContain("pause_run");
      expect(offered).not.toContain("start_run");
    });
  });

  it("has nothing of a project on the start page", async () => {
    const { backend } = await openWindow({ window: "start" });
    await waitFor(() => expect(callsOf(backend, "enableMenu")).not.toEqual([]));
    const offered = callsOf(backend, "enableMenu").at(-1);
    expect(offered).toContain("new_project");
    expect(offered).not.toContain("import_tasks");
    expect(offered).not.toContain("view_waves");
  });
});

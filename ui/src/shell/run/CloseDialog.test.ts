import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { callsOf, openWindow, screen } from "../../testing/window";

describe("closing the window while a run works", () => {
  it.each(["keep_running", "stop_after_iteration", "stop_now", "stay"])("asks, and answers %s", async (choice) => {
    const { app, backend, user } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    backend.controls.runs.askToClose();
    expect((await screen.findByTestId("close-dialog")).textContent).toContain("Price every tea");
    expect(callsOf(backend, "closeAskedShown")).toHaveLength(1);
    expect(app.occupied).toBe(true);
    await user.click(screen.getByTestId(`close-${choice}`));
    await waitFor(() => expect(screen.queryByTestId("close-dialog")).toBeNull());
    expect(callsOf(backend, "closeWindow")).toEqual([choice]);
  });

  it("stays open with Escape, and says when the run is another program's", async () => {
    const { backend, user } = await openWindow({ scenario: "foreign" });
    await screen.findByTestId("run");
    backend.controls.runs.askToClose(false);
    expect((await screen.findByTestId("close-keep_running")).textContent).toContain("another program");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(callsOf(backend, "closeWindow")).toEqual(["stay"]));
  });

  it("loses nothing that was half done beneath it", async () => {
    const { app, backend, user } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    app.overlay = { kind: "new-project", path: "/home/ada/code/swift" };
    await screen.findByTestId("new-project-dialog");
    backend.controls.runs.askToClose();
    await user.click(await screen.findByTestId("close-stay"));
    await waitFor(() => expect(screen.queryByTestId("close-dialog")).toBeNull());
    expect(screen.getByTestId("new-project-dialog")).toBeTruthy();
  });
});

describe("a view asked for from outside", () => {
  it("is shown", async () => {
    const { app, backend } = await openWindow({ scenario: "running" });
    await screen.findByTestId("run");
    backend.controls.runs.showView("settings");
    expect(app.view).toBe("settings");
  });
});

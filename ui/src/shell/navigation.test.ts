import { waitFor } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { openWindow, screen } from "../testing/window";

describe("the way back", () => {
  const press = (button: number) => window.dispatchEvent(new MouseEvent("mouseup", { button, cancelable: true }));

  it("leads by keys and by the mouse to what was shown before, with what was open in it", async () => {
    const { app, user } = await openWindow();
    await screen.findByTestId("plan-summary");
    app.showTask(7);
    await screen.findByTestId("task-panel");
    await user.keyboard("{Control>}1{/Control}");
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("7");
    press(3);
    expect(app.route).toEqual({ view: "overview" });
    press(4);
    expect(app.route).toEqual({ view: "tasks", id: 7 });
    await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
    expect(app.route).toEqual({ view: "overview" });
    await user.keyboard("{Alt>}{ArrowRight}{/Alt}");
    expect(app.route).toEqual({ view: "overview" });
  });

  it("closes the task that was opened last", async () => {
    const { app, user } = await openWindow();
    app.show("tasks");
    app.showTask(2);
    app.showTask(7);
    await waitFor(() => expect(screen.getByTestId("task-panel").dataset.task).toBe("7"));
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    await waitFor(() => expect(screen.getByTestId("task-panel").dataset.task).toBe("2"));
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    await waitFor(() => expect(screen.queryByTestId("task-panel")).toBeNull());
  });

  it("is closed while a dialog is open", async () => {
    const { app, user } = await openWindow();
    app.show("tasks");
    await user.click(await screen.findByTestId("task-add"));
    await screen.findByTestId("draft-title");
    await user.keyboard("{Alt>}{ArrowLeft}{/Alt}");
    press(3);
    expect(app.view).toBe("tasks");
  });

  it("is offered in the palette when there is one", async () => {
    const { app, user } = await openWindow();
    app.show("checks");
    await user.keyboard("{Control>}k{/Control}");
    await user.type(await screen.findByTestId("palette-input"), "back");
    await user.keyboard("{Enter}");
    expect(app.view).toBe("overview");
  });
});

describe("a route from outside", () => {
  it("shows a task, an iteration or a section", async () => {
    const { app, backend } = await openWindow();
    backend.controls.runs.showView("tasks/7");
    expect((await screen.findByTestId("task-panel")).dataset.task).toBe("7");
    backend.controls.runs.showView("settings/agent");
    expect([app.view, app.section]).toEqual(["settings", "agent"]);
    await app.openLink("loopwright:waves/2");
    expect(app.route).toEqual({ view: "waves", id: 2 });
  });

  it("that names no view of this window is told, and nothing else is shown", async () => {
    const { app, backend } = await openWindow();
    const shown = vi.spyOn(app.notify, "fault").mockReturnValue();
    app.show("checks");
    for (const text of ["nowhere", "tasks/x", "start"]) {
      backend.controls.runs.showView(text);
    }
    expect([app.view, shown.mock.calls.length]).toEqual(["checks", 3]);
  });
});

describe("a view that fails", () => {
  it("says so, and leaves the rest of the window as it is", async () => {
    const { app, backend, user } = await openWindow();
    await screen.findByTestId("plan-summary");
    vi.spyOn(backend, "checks").mockResolvedValue({} as never);
    // The first time it fails when its content comes, the second time while it is made.
    for (const time of [1, 2]) {
      app.show("checks");
      expect((await screen.findByTestId("error-state")).textContent, String(time)).toContain("cannot be shown");
      await user.click(screen.getByTestId("nav-overview"));
      await screen.findByTestId("plan-summary");
    }
  });
});

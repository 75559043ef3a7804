// The views are loaded on demand. Loading them here keeps the time that takes out of the tests.
import "../views/checks/ChecksView.svelte";
import "../views/iterations/IterationsView.svelte";
import "../views/memory/MemoryView.svelte";
import "../views/metrics/MetricsView.svelte";
import "../views/review/ReviewView.svelte";
import "../views/settings/SettingsView.svelte";
import "../views/spec/SpecView.svelte";
import "../views/tasks/TasksView.svelte";
import "../views/waves/WavesView.svelte";

import { waitFor } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { emptyDraft } from "$lib/task/words";

import { callsOf, openWindow, screen } from "../testing/window";
import { placesOf } from "./views";

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1200);
});

/** What each view reads again when the project changes. */
const READ: Record<string, string> = {
  overview: "overview",
  waves: "taskBoard",
  tasks: "taskBoard",
  iterations: "iterations",
  review: "gates",
  spec: "specView",
  checks: "checks",
  memory: "failurePatterns",
  metrics: "metrics",
  settings: "settings",
};

describe("a view that is shown again", () => {
  it("shows a task that was added since, in Tasks", async () => {
    const { backend, user } = await openWindow({ scenario: "sample" });
    await screen.findByTestId("plan-summary");
    await user.keyboard("{Control>}3{/Control}");
    await screen.findAllByTestId("task-row");
    await user.keyboard("{Control>}2{/Control}");
    await screen.findByTestId("waves");
    await user.keyboard("{Control>}3{/Control}");
    await screen.findAllByTestId("task-row");
    await backend.addTask(emptyDraft("Warm the cup"));
    backend.controls.changeProject();
    await waitFor(() => expect(screen.getByTestId("tasks-summary").textContent).toContain("8 tasks"));
    await waitFor(() => expect(screen.getAllByTestId("task-row").map((row) => row.dataset.task)).toContain("8"));
  });

  it("shows a task that was added since, in Waves", async () => {
    const { app, backend } = await openWindow({ scenario: "sample" });
    app.show("waves");
    await screen.findByTestId("waves");
    app.show("overview");
    await screen.findByTestId("plan-summary");
    app.show("waves");
    await screen.findByTestId("waves");
    await backend.addTask(emptyDraft("Warm the cup"));
    backend.controls.changeProject();
    await screen.findByText("Warm the cup");
  });

  it("is alive, whichever it is", async () => {
    const warned = vi.spyOn(console, "warn");
    const { app, backend } = await openWindow({ scenario: "progress" });
    await screen.findByTestId("plan-summary");
    const views = placesOf("project").map(({ id }) => id);
    for (const view of [...views, ...views]) {
      app.show(view);
      await screen.findByTestId(`view-${view}`);
      await waitFor(() => expect(callsOf(backend, READ[view] ?? "").length).toBeGreaterThan(0));
      const before = callsOf(backend, READ[view] ?? "").length;
      backend.controls.changeProject();
      await waitFor(() => expect(callsOf(backend, READ[view] ?? "").length, view).toBeGreaterThan(before));
    }
    // Svelte says so when something derived is read whose owner is gone: it never changes again.
    expect(warned.mock.calls.filter(([text]) => String(text).includes("derived_inert"))).toEqual([]);
  });

  it("reads again what it shows when that is asked for", async () => {
    const { app, backend, user } = await openWindow({ scenario: "progress" });
    await screen.findByTestId("plan-summary");
    for (const { id } of placesOf("project")) {
      app.show(id);
      await waitFor(() => expect(callsOf(backend, READ[id] ?? "").length).toBeGreaterThan(0));
      const before = callsOf(backend, READ[id] ?? "").length;
      await user.keyboard("{F5}");
      await waitFor(() => expect(callsOf(backend, READ[id] ?? "").length, id).toBeGreaterThan(before));
    }
  });
});

// What is loaded on demand is loaded here, which keeps the time that takes out of the tests.
import "./ImportDialog.svelte";

import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { callsOf, openWindow, screen } from "../../testing/window";

const lines = () => screen.getAllByTestId("import-line").map((line) => line.textContent?.replace(/\s+/g, " ").trim());

describe("importing tasks", () => {
  it("shows what changes before anything does, from an empty plan", async () => {
    const { app, backend, user } = await openWindow({ scenario: "empty" });
    app.show("tasks");
    await user.click(await screen.findByTestId("task-import"));
    await user.type(await screen.findByTestId("import-path"), "missing.json");
    await waitFor(() => expect(screen.getByTestId("fault").textContent).toContain("does not exist"));
    expect(screen.getByTestId<HTMLButtonElement>("import-confirm").disabled).toBe(true);

    await user.click(screen.getByTestId("import-browse"));
    await waitFor(() => expect(lines()).toHaveLength(3));
    expect(lines()[0]).toBe("Added Warm the pot");
    expect(screen.getByTestId("import-preview").textContent).toContain("3 added, 0 updated, 0 unchanged");
    expect(screen.getByTestId("import-preview").textContent).toContain("which was not imported");
    expect(callsOf(backend, "importTasks")).not.toContainEqual(expect.objectContaining({ dry_run: false }));

    await user.click(screen.getByTestId("import-confirm"));
    await waitFor(() => expect(screen.queryByTestId("import-dialog")).toBeNull());
    expect(callsOf(backend, "importTasks").at(-1)).toEqual({
      file: "/home/ada/plans/teas.json",
      tag: null,
      dry_run: false,
    });
    await waitFor(() => expect(screen.getAllByTestId("cell-title")).toHaveLength(3));
  });

  it("says that nothing changes, and then there is nothing to import", async () => {
    const { app, user } = await openWindow({ scenario: "empty" });
    app.overlay = { kind: "import", what: "tasks" };
    await user.type(await screen.findByTestId("import-path"), "a.json");
    await waitFor(() => expect(lines()).toHaveLength(3));
    await user.keyboard("{Control>}{Enter}{/Control}");
    await waitFor(() => expect(screen.queryByTestId("import-dialog")).toBeNull());
    app.overlay = { kind: "import", what: "tasks" };
    await user.type(await screen.findByTestId("import-path"), "a.json");
    await waitFor(() => expect(screen.getByTestId("import-preview").textContent).toContain("Nothing changes"));
    expect(screen.getByTestId<HTMLButtonElement>("import-confirm").disabled).toBe(true);
  });
});

describe("importing the spec", () => {
  it("keeps what a person edited unless told to replace it", async () => {
    const { backend, app, user } = await openWindow();
    app.overlay = { kind: "import", what: "spec" };
    await user.click(await screen.findByTestId("import-browse"));
    await waitFor(() => expect(lines()).toEqual(["Added 2.1 Water temperature", "Updated 2 Steeping"]));
    expect(screen.getByTestId("import-preview").textContent).toContain("You edited §5");
    await user.click(screen.getByTestId("import-replace"));
    await waitFor(() => expect(screen.getByTestId("import-preview").textContent).not.toContain("You edited"));
    await user.click(screen.getByTestId("import-confirm"));
    await waitFor(() =>
      expect(callsOf(backend, "importSpec").at(-1)).toEqual({ files: ["docs/SPEC.md"], replace: true, dry_run: false }),
    );
  });
});

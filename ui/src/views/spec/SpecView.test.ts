// The editor is loaded on demand; loading it here keeps the time that takes out of the tests.
import "$lib/editor/codemirror";
import "../../shell/import/ImportDialog.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import type { MockOptions } from "$lib/backend/mock";

import { specOf } from "./state.svelte";
import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function spec(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow(options);
  test.app.show("spec");
  await screen.findByRole("heading", { name: "Spec", level: 1 });
  return test;
}

const entries = () =>
  screen.getAllByTestId("spec-entry").map((entry) => entry.textContent?.replace(/\s+/g, " ").trim());
const title = () => screen.getByTestId<HTMLInputElement>("spec-title").value;
const opened = (name: string) => waitFor(() => expect(title()).toBe(name));

describe("the tree", () => {
  it("shows sections by their place, folds them, and opens one by key", async () => {
    const { user, app } = await spec();
    await opened("Tea timer");
    expect(entries()).toEqual([
      "1 Tea timer",
      "1.1 Teas",
      "1.2 Counting",
      "2 Picking",
      "2.1 Room temperature",
      "3 Manual",
    ]);
    screen.getAllByTestId("spec-entry")[0]?.focus();
    await user.keyboard("{ArrowLeft}");
    await waitFor(() => expect(entries()).toHaveLength(4));
    await user.keyboard("{ArrowRight}{ArrowDown}{ArrowDown}{Enter}");
    await opened("Counting");
    expect(app.route).toEqual({ view: "spec", id: 3 });
    await user.keyboard("{Alt>}{ArrowDown}{/Alt}");
    await opened("Picking");
  });

  it("is empty at first, and a section can be written", async () => {
    const { user, backend } = await spec({ scenario: "empty" });
    const empty = within(await screen.findByTestId("spec-empty"));
    await user.click(empty.getByRole("button", { name: "Add section…" }));
    await user.type(await screen.findByTestId("section-title"), "Guests{Enter}");
    await opened("Guests");
    expect(callsOf(backend, "addSection")).toEqual([{ title: "Guests", content: "", under: null }]);
  });

  it("tells why it cannot be read", async () => {
    await spec({ scenario: "failing" });
    await screen.findByTestId("error-state");
  });

  it("removes a section after a question", async () => {
    const { user, backend } = await spec();
    await opened("Tea timer");
    screen.getAllByTestId("spec-entry")[5]?.focus();
    await user.keyboard("{Delete}");
    await user.click(await screen.findByTestId("confirm-yes"));
    await waitFor(() => expect(entries()).toHaveLength(5));
    expect(callsOf(backend, "removeSections")).toEqual([[6]]);
  });
});

describe("searching", () => {
  it("finds sections by any words, best first, and marks them", async () => {
    const { user } = await spec();
    await opened("Tea timer");
    await user.type(screen.getByTestId("spec-search"), "tempera");
    await waitFor(() => expect(screen.getAllByTestId("spec-hit")).toHaveLength(2));
    expect(screen.getAllByTestId("spec-hit")[0]?.textContent).toContain("Room temperature");
    expect(screen.getAllByTestId("spec-hit")[0]?.querySelector("mark")?.textContent).toBe("tempera");
    await user.keyboard("{Enter}");
    await opened("Room temperature");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(entries()).toHaveLength(6));
    await user.type(screen.getByTestId("spec-search"), "zzz");
    await screen.findByTestId("spec-no-hits");
  });
});

describe("writing", () => {
  it("judges as one types, saves with Ctrl+S, and makes finished tasks stale", async () => {
    const { app, backend, user } = await spec({ scenario: "tasks" });
    app.go({ view: "spec", id: 3 });
    await opened("Counting");
    expect(screen.getByTestId("spec-saved").textContent).toBe("Saved");
    specOf(app).desk.edit({ content: "The count is fast. TBD" });
    await waitFor(() => expect(screen.getAllByTestId("spec-finding")).toHaveLength(2));
    expect(screen.getByTestId("spec-score").textContent).toMatch(/80/);
    expect(screen.getByTestId("spec-saved").textContent).toBe("Not saved");
    await user.keyboard("{Control>}s{/Control}");
    await waitFor(() => expect(screen.getByTestId("spec-saved").textContent).toBe("Saved"));
    expect(callsOf(backend, "saveSection")).toHaveLength(1);
    expect(screen.getByTestId("spec-stale").textContent).toContain("#2");
  });

  it("keeps what a section said before, and writes it again on demand", async () => {
    const { app, user } = await spec();
    await opened("Tea timer");
    const before = specOf(app).desk.content;
    expect(screen.queryByTestId("spec-history")).toBeNull();
    specOf(app).desk.edit({ content: "Something else." });
    await specOf(app).desk.save();
    await user.click(await screen.findByTestId("spec-revision"));
    const dialog = within(await screen.findByTestId("spec-revision-dialog"));
    expect(dialog.getByText("Something else").tagName).toBe("INS");
    await user.click(dialog.getByTestId("spec-use-revision"));
    await waitFor(() => expect(specOf(app).desk.content).toBe(before));
    expect(specOf(app).desk.dirty).toBe(true);
  });

  it("accepts what is stale, or has it done again", async () => {
    const { app, backend, user } = await spec({ scenario: "tasks" });
    app.go({ view: "spec", id: 3 });
    await user.click(await screen.findByTestId("spec-accept"));
    await waitFor(() => expect(screen.queryByTestId("spec-stale")).toBeNull());
    expect(callsOf(backend, "acceptTasks")).toEqual([[2]]);
    backend.controls.spec.change(3, "Another text.");
    await user.click(await screen.findByTestId("spec-reopen"));
    await waitFor(() => expect(screen.queryByTestId("spec-stale")).toBeNull());
    expect(callsOf(backend, "moveTasks")).toEqual([{ ids: [2], to: { kind: "reopen" } }]);
  });

  it("loses nothing: not when another section is opened, nor when the window is", async () => {
    const first = await spec();
    first.app.go({ view: "spec", id: 2 });
    await opened("Teas");
    await first.user.type(screen.getByTestId("spec-title"), " and more");
    first.app.go({ view: "spec", id: 3 });
    await opened("Counting");
    first.app.go({ view: "spec", id: 2 });
    await opened("Teas and more");
    expect(screen.getByTestId("spec-restored")).toBeTruthy();
    await first.user.click(screen.getByTestId("spec-discard"));
    await opened("Teas");
    first.app.go({ view: "spec", id: 3 });
    await opened("Counting");
    first.app.go({ view: "spec", id: 2 });
    await opened("Teas");
  });

  it("tells of a section that somebody else changed, and keeps both until one chooses", async () => {
    const { app, backend, user } = await spec();
    app.go({ view: "spec", id: 2 });
    await opened("Teas");
    await user.type(screen.getByTestId("spec-title"), "!");
    backend.controls.spec.change(2, "Theirs entirely.");
    await screen.findByTestId("spec-conflict");
    expect(screen.getByTestId<HTMLButtonElement>("spec-save").disabled).toBe(true);
    await user.click(screen.getByTestId("spec-compare"));
    expect((await screen.findByTestId("spec-conflict-dialog")).textContent).toContain("Theirs entirely");
    await user.click(screen.getByTestId("spec-save-mine"));
    await waitFor(() => expect(screen.queryByTestId("spec-conflict")).toBeNull());
    await waitFor(() => expect(screen.getByTestId("spec-saved").textContent).toBe("Saved"));
    expect(title()).toBe("Teas!");
  });
});

describe("terms and documents", () => {
  it("adds, changes and removes a term", async () => {
    const { backend, user } = await spec();
    await opened("Tea timer");
    await user.click(screen.getByTestId("term-add"));
    await user.type(await screen.findByTestId("term-name"), "pot");
    await user.type(screen.getByTestId("term-meaning"), "What the tea is in");
    await user.type(screen.getByTestId("term-variants"), "pots, teapot");
    await user.click(screen.getByTestId("term-save"));
    await waitFor(() => expect(screen.getAllByTestId("term")).toHaveLength(3));
    expect(callsOf(backend, "putTerm")).toEqual([
      { name: "pot", definition: "What the tea is in", variants: ["pots", "teapot"], avoid: [], replace: false },
    ]);
    await user.click(screen.getByText("pot"));
    await user.click(await screen.findByTestId("term-remove"));
    await waitFor(() => expect(screen.getAllByTestId("term")).toHaveLength(2));
  });

  it("offers a document that changed, and takes documents that are dropped", async () => {
    const { app, backend, user } = await spec({ scenario: "tasks" });
    await opened("Tea timer");
    const note = within(screen.getByTestId("source-changed"));
    await user.click(note.getByRole("button", { name: "Import again…" }));
    await waitFor(() => expect(screen.getByTestId<HTMLInputElement>("import-path").value).toBe("SPEC.md"));
    app.overlay = null;
    await waitFor(() => expect(screen.queryByTestId("import-dialog")).toBeNull());
    backend.controls.spec.dragOver(true);
    await screen.findByTestId("drop-zone");
    backend.controls.spec.dropFiles(["/home/ada/plans/shop.docx"]);
    await waitFor(() =>
      expect(screen.getByTestId<HTMLInputElement>("import-path").value).toBe("/home/ada/plans/shop.docx"),
    );
    expect(screen.queryByTestId("drop-zone")).toBeNull();
  });
});

// Loaded on demand. Loading them here keeps the time that takes out of the tests.
import "../../views/iterations/IterationsView.svelte";
import "../../views/tasks/TasksPage.svelte";
import "./NextPromptPage.svelte";
import "./PromptXray.svelte";

import { waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { MockOptions } from "$lib/backend/mock";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

// Rows that have no height are not drawn.
beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(900);
  vi.spyOn(HTMLElement.prototype, "clientWidth", "get").mockReturnValue(1200);
});

async function next(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow({ scenario: "tasks", ...options });
  test.app.go({ view: "tasks", id: 9, tab: "prompt" });
  await screen.findByRole("heading", { name: "Next prompt", level: 1 });
  return test;
}

const row = (key: string) => {
  const found = screen.getAllByTestId("prompt-item").find((each) => each.dataset.key === key);
  return within(found as HTMLElement);
};
const stateOf = (key: string) =>
  screen.getAllByTestId("prompt-item").find((each) => each.dataset.key === key)?.dataset.state;

describe("the next prompt of a task", () => {
  it("shows each item with why, size, trust and price", async () => {
    await next();
    await screen.findAllByTestId("prompt-item");
    expect(screen.getByTestId("prompt-budget").textContent).toMatch(/4,612\s+of 8,000 context tokens/);
    expect(screen.getByTestId("prompt-budget").textContent).toContain("11 in, 2 of them cut, 3 out");
    expect(screen.getByTestId("prompt-sum").textContent).toContain("5,329 tokens, about $0.11");
    const solution = row("solution:1");
    expect(solution.getByText("Fixed the same failure 5 times")).toBeTruthy();
    expect(solution.getByText("0.75")).toBeTruthy();
    expect(solution.getByText("$0.0034")).toBeTruthy();
    expect(row("rules").queryByTestId("item-toggle")).toBeNull();
  });

  it("is the size that the choice makes it, and the choice is kept for the task", async () => {
    const { backend, user } = await next();
    await screen.findAllByTestId("prompt-item");
    expect((screen.getByTestId("prompt-keep") as HTMLButtonElement).disabled).toBe(true);
    await user.click(row("solution:1").getByTestId("item-toggle"));
    await waitFor(() => expect(screen.getByTestId("prompt-sum").textContent).toContain("5,165 tokens"));
    expect(row("solution:1").getByText("You took it out")).toBeTruthy();
    await user.click(row("task:5").getByTestId("item-pin"));
    await waitFor(() => expect(screen.getByTestId("prompt-sum").textContent).toContain("5,805 tokens"));
    await user.keyboard("{Control>}s{/Control}");
    const choices = [
      { key: "solution:1", choice: "out" },
      { key: "task:5", choice: "pinned" },
    ];
    await waitFor(() => expect(callsOf(backend, "keepPromptChoices")).toEqual([{ task: 9, choices }]));
    await waitFor(() => expect((screen.getByTestId("prompt-keep") as HTMLButtonElement).disabled).toBe(true));
    await user.click(screen.getByTestId("prompt-reset"));
    await waitFor(() => expect(screen.getByTestId("prompt-sum").textContent).toContain("5,329 tokens"));
    expect((screen.getByTestId("prompt-keep") as HTMLButtonElement).disabled).toBe(false);
  });

  it("is worked by keys, and an item leads to Memory", async () => {
    const { app, user } = await next();
    await screen.findAllByTestId("prompt-item");
    screen.getByTestId("prompt-items").focus();
    // The first two are always in.
    await user.keyboard("{ArrowDown} {ArrowDown}{ArrowDown} ");
    await waitFor(() => expect(stateOf("section:3")).toBe("out"));
    expect(stateOf("rules")).toBe("in");
    await user.click(row("solution:1").getByText("Keep slots in UTC, convert once"));
    await user.click(await screen.findByTestId("item-memory"));
    expect(app.route).toEqual({ view: "memory", tab: "solutions", id: "1" });
  });

  it("is opened from a task by a key and left by Escape", async () => {
    const { app, user } = await openWindow({ scenario: "tasks" });
    app.showTask(9);
    await screen.findAllByTestId("task-row");
    await user.keyboard("x");
    await screen.findByRole("heading", { name: "Next prompt", level: 1 });
    await user.keyboard("{Escape}");
    await waitFor(() => expect(app.route).toEqual({ view: "tasks", id: 9 }));
  });

  it("says why it cannot be read", async () => {
    await next({ scenario: "failing" });
    await screen.findByText("The prompt could not be read");
  });
});

describe("the prompt of a past iteration", () => {
  it("is shown as it was sent, and can be read whole", async () => {
    const { app, backend, user } = await openWindow({ scenario: "tasks" });
    const [first] = (await backend.iterations(null, { column: "number", descending: false }, 0, 1)).rows;
    app.showIteration(first?.id ?? "", "prompt");
    await screen.findAllByTestId("prompt-item");
    const box = row("solution:1").getByTestId("item-toggle") as HTMLInputElement;
    expect(box.getAttribute("aria-disabled")).toBe("true");
    await user.click(box);
    expect(box.checked).toBe(true);
    expect(row("solution:1").getByText("2×")).toBeTruthy();
    await user.click(screen.getByTestId("prompt-text"));
    expect((await screen.findByTestId("prompt")).textContent).toContain("Asked");
  });

  it("is a text where it was not taken down item by item", async () => {
    const { app, backend } = await openWindow({ scenario: "tasks" });
    vi.spyOn(backend, "promptOf").mockResolvedValue(null);
    const [first] = (await backend.iterations(null, { column: "number", descending: false }, 0, 1)).rows;
    app.showIteration(first?.id ?? "", "prompt");
    expect((await screen.findByTestId("prompt")).textContent).toContain("Asked");
    expect(screen.queryByTestId("prompt-xray")).toBeNull();
  });
});

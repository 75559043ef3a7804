import "../IterationsView.svelte";

import { beforeEach, describe, expect, it, vi } from "vitest";

import { iterationIdOf } from "$lib/backend/mock/iteration-data";

import { callsOf, openWindow, screen, type TestWindow } from "../../../testing/window";

/** Chooses two rows of the list and compares them. */
async function compare(first: number, second: number): Promise<TestWindow> {
  const window = await openWindow({ scenario: "completed" });
  window.app.show("iterations");
  const picks = await screen.findAllByTestId("iteration-pick");
  await window.user.click(picks[first] as HTMLElement);
  await window.user.click(picks[second] as HTMLElement);
  await window.user.click(screen.getByTestId("compare"));
  await screen.findByTestId("diff-pane");
  return window;
}

describe("two iterations compared", () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  });

  it("puts the older first, whichever was chosen first, and shows how their files differ", async () => {
    const { backend } = await compare(0, 9);
    expect(screen.getByRole("heading", { level: 1 }).textContent?.replace(/\s+/g, " ").trim()).toBe(
      "Compare #3 with #12",
    );
    // The list counts the lines of its iterations by the same call.
    expect(callsOf(backend, "diffFiles").at(-1)).toEqual({
      from: { iteration: iterationIdOf(2, 2), side: "after" },
      to: { iteration: iterationIdOf(2, 11), side: "after" },
    });
  });

  it("tells what is different about them", async () => {
    await compare(9, 0);
    const facts = screen.getAllByTestId("fact").map((row) => row.textContent);
    expect(facts[0]).toMatch(/Checks failed\s*Succeeded/);
    expect(facts[1]).toMatch(/Took.*2 m 39 s.*2 m 12 s.*−27 s/);
    const changes = screen.getAllByTestId("check-change").map((row) => row.textContent);
    expect(changes[0]).toMatch(/teas are well formed\s*Failed\s*Passed/);
    expect(changes).toHaveLength(3);
  });

  it("says so when the checks ended the same way", async () => {
    await compare(0, 1);
    expect(screen.getByText("Every check ended the same way.")).toBeTruthy();
  });

  it("goes back to the list, which still knows what was chosen", async () => {
    const { user, app } = await compare(0, 1);
    await user.keyboard("{Escape}");
    expect((await screen.findByTestId("compare-bar")).textContent).toContain("#12 and #11");
    await user.click(screen.getByTestId("compare"));
    await user.click(await screen.findByRole("button", { name: "#11" }));
    expect(app.iteration).toBe(iterationIdOf(2, 10));
    await user.click(await screen.findByTestId("iteration-back"));
    expect(await screen.findByTestId("iteration-table")).toBeTruthy();
  });
});

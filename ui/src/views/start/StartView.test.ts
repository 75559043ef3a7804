import { waitFor, within } from "@testing-library/svelte";
import { describe, expect, it, vi } from "vitest";

import { callsOf, openWindow, screen } from "../../testing/window";

describe("the start page", () => {
  it("lists recent projects with their last state and opens one", async () => {
    const opened = vi.fn();
    const { user } = await openWindow({ window: "start" }, { openWindow: opened });
    const rows = await screen.findAllByTestId("recent-item");
    expect(rows[0]?.textContent).toContain("12 of 31 tasks done");
    await user.click(within(rows[0] as HTMLElement).getByTestId("recent-open"));
    expect(opened).toHaveBeenCalledWith({ path: "/home/ada/code/heron", name: "heron" });
  });

  it("says that a folder is not there and lets it be forgotten only", async () => {
    const { backend, user } = await openWindow({ window: "start" });
    const row = (await screen.findAllByTestId("recent-item")).at(-1) as HTMLElement;
    expect(row.textContent).toContain("Folder not found");
    expect((within(row).getByTestId("recent-open") as HTMLButtonElement).disabled).toBe(true);
    await user.click(within(row).getByRole("button", { name: "Forget old-engine" }));
    await waitFor(() => expect(screen.queryByText("old-engine")).toBeNull());
    expect(callsOf(backend, "forgetRecent")).toEqual(["/media/ada/backup/old-engine"]);
  });

  it("has a word for when there is nothing yet, and offers the sample", async () => {
    const opened = vi.fn();
    const { user } = await openWindow({ window: "start", scenario: "empty" }, { openWindow: opened });
    expect(await screen.findByTestId("recents-empty")).toBeTruthy();
    const button = screen.getByTestId("try-sample");
    expect(button.textContent).toContain("Try the sample");
    await user.click(button);
    await waitFor(() => expect(opened).toHaveBeenCalled());
    expect(button.textContent).toContain("Open the sample");
  });

  it("says what is wrong when the list cannot be read", async () => {
    await openWindow({ window: "start", scenario: "failing" });
    expect((await screen.findByTestId("error-state")).textContent).toContain("recent projects could not be read");
  });

  it("looks again when the window comes to the front", async () => {
    const { backend } = await openWindow({ window: "start" });
    await screen.findAllByTestId("recent-item");
    const before = callsOf(backend, "startPage").length;
    window.dispatchEvent(new Event("focus"));
    await waitFor(() => expect(callsOf(backend, "startPage").length).toBe(before + 1));
  });
});

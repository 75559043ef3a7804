import { waitFor } from "@testing-library/svelte";
import { describe, expect, it } from "vitest";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function review(scenario: "untrusted" | "changed" | "sample" | "failing" = "untrusted"): Promise<TestWindow> {
  const test = await openWindow({ scenario });
  if (scenario === "sample") {
    await screen.findByTestId("plan-summary");
    await test.user.click(screen.getByTestId("project-switch"));
  }
  await test.user.click(await screen.findByTestId(scenario === "sample" ? "menu-trust" : "trust-review"));
  await screen.findByTestId("trust-dialog");
  return test;
}

const confirm = () => screen.getByTestId("trust-confirm") as HTMLButtonElement;

describe("trusting a folder", () => {
  it("shows everything that would run and sends exactly that digest", async () => {
    const { backend, user } = await review();
    expect(screen.getAllByTestId("executable")).toHaveLength(4);
    expect(screen.getAllByTestId("trust-finding")).toHaveLength(3);
    const dialog = screen.getByTestId("trust-dialog").textContent;
    expect(dialog).toContain("git diff --check HEAD");
    expect(dialog).toContain(".git/hooks/pre-commit");
    expect(dialog).toContain("None of them has been started yet");
    const { digest } = (await backend.overview()).trust;
    await user.click(confirm());
    await waitFor(() => expect(screen.queryByTestId("trust-dialog")).toBeNull());
    expect(callsOf(backend, "trustProject")).toEqual([digest]);
    expect(screen.queryByTestId("trust-banner")).toBeNull();
    expect(screen.queryByTestId("trust-badge")).toBeNull();
  });

  it("does nothing when the person says not now", async () => {
    const { backend, user } = await review();
    await user.click(screen.getByTestId("trust-cancel"));
    await waitFor(() => expect(screen.queryByTestId("trust-dialog")).toBeNull());
    expect(callsOf(backend, "trustProject")).toEqual([]);
    expect(screen.getByTestId("trust-banner")).toBeTruthy();
  });

  it("does not change the list under the person's eyes, and trusts nothing unread", async () => {
    const { backend, user } = await review();
    backend.controls.changeCommands();
    await screen.findByTestId("trust-outdated");
    expect(screen.getAllByTestId("executable")).toHaveLength(4);
    expect(confirm().disabled).toBe(true);
    await user.click(screen.getByTestId("trust-show-current"));
    expect(screen.getAllByTestId("executable")).toHaveLength(5);
    await user.click(confirm());
    await waitFor(() => expect(callsOf(backend, "trustProject")).toEqual(["f".repeat(64)]));
  });

  it("explains a refusal because of a change and offers the new list", async () => {
    const { backend, user } = await review();
    backend.controls.changeCommands({ quietly: true });
    await user.click(confirm());
    expect((await screen.findByTestId("fault")).dataset.code).toBe("trust.changed");
    expect(confirm().disabled).toBe(true);
    expect(screen.getByTestId("trust-badge").dataset.state).toBe("changed");
    await user.click(screen.getByTestId("trust-show-current"));
    expect(screen.queryByTestId("fault")).toBeNull();
    await user.click(confirm());
    await waitFor(() => expect(screen.queryByTestId("trust-dialog")).toBeNull());
  });

  it("says that it changed since it was trusted", async () => {
    await review("changed");
    expect(screen.getByTestId("trust-dialog").textContent).toContain("has changed");
  });

  it("shows a trusted list without asking again", async () => {
    await review("sample");
    expect(screen.queryByTestId("trust-confirm")).toBeNull();
    expect(screen.getAllByTestId("executable")).toHaveLength(4);
  });
});

import { fireEvent, render, screen } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { createRawSnippet } from "svelte";
import { describe, expect, it, vi } from "vitest";

import ActionBar from "./ActionBar.svelte";
import Inspector from "./Inspector.svelte";
import Stepper from "./Stepper.svelte";
import Timeline, { type TimelineEvent } from "./Timeline.svelte";

const text = (content: string) => createRawSnippet(() => ({ render: () => `<span>${content}</span>` }));

describe("Inspector", () => {
  it("names its subject and closes by its button and by Escape", async () => {
    const onclose = vi.fn();
    render(Inspector, { title: "Booking form", onclose, children: text("evidence"), actions: text("act") });
    expect(screen.getByRole("heading", { name: "Booking form" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Close" }));
    await fireEvent.keyDown(screen.getByText("evidence"), { key: "Escape" });
    expect(onclose).toHaveBeenCalledTimes(2);
  });

  it("leaves Escape to what took it already", async () => {
    const onclose = vi.fn();
    render(Inspector, {
      title: "Booking form",
      onclose,
      onkeydown: (event: KeyboardEvent) => event.preventDefault(),
      children: text("evidence"),
    });
    await fireEvent.keyDown(screen.getByText("evidence"), { key: "Escape" });
    expect(onclose).not.toHaveBeenCalled();
  });
});

describe("Stepper", () => {
  const steps = [
    { id: "a", title: "Vision", state: "done", note: "accepted" },
    { id: "b", title: "Functionality", state: "now" },
    { id: "c", title: "Technical", state: "stale" },
    { id: "d", title: "Launch", state: "open", disabled: true },
  ] as const;

  it("says the state of each step in words, and which one is shown", async () => {
    const onselect = vi.fn();
    render(Stepper, { label: "Phases", steps, current: "b", onselect });
    expect(screen.getByRole("button", { current: "step" }).textContent).toContain("Functionality");
    expect(screen.getByRole("button", { name: /Vision accepted done/ })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: /Technical out of date/ }));
    await userEvent.click(screen.getByRole("button", { name: /Launch/ }));
    expect(onselect).toHaveBeenCalledExactlyOnceWith("c");
  });
});

describe("Timeline", () => {
  it("lists events with their time and opens those that can be opened", async () => {
    const onopen = vi.fn();
    const events: TimelineEvent[] = [
      { id: 2, glyph: { shape: "running", label: "Working" }, title: "Attempt 2", time: "6 m", onopen },
      { id: 1, glyph: { shape: "failed" }, title: "Attempt 1", text: "unit failed", tone: "danger" },
    ];
    render(Timeline, { props: { label: "Attempts", events } });
    expect(screen.getAllByRole("listitem").map((item) => item.getAttribute("data-id"))).toEqual(["2", "1"]);
    expect(screen.getByRole("img", { name: "Working" })).toBeTruthy();
    await userEvent.click(screen.getByRole("button", { name: "Attempt 2" }));
    expect([onopen.mock.calls.length, screen.queryByRole("button", { name: "Attempt 1" })]).toEqual([1, null]);
  });
});

describe("ActionBar", () => {
  it("is a named group", () => {
    render(ActionBar, { label: "Decide", children: text("Approve") });
    expect(screen.getByRole("group", { name: "Decide" }).textContent).toContain("Approve");
  });
});

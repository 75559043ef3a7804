import RotateCw from "@lucide/svelte/icons/rotate-cw";
import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { createRawSnippet } from "svelte";
import { describe, expect, it, vi } from "vitest";

import { fault } from "$lib/backend/mock/faults";

import Button from "./Button.svelte";
import ErrorState from "./ErrorState.svelte";
import FaultNote from "./FaultNote.svelte";
import Lazy from "./Lazy.svelte";
import IconButton from "./IconButton.svelte";
import ListEditor from "./ListEditor.svelte";
import ProgressBar from "./ProgressBar.svelte";
import SegmentedControl from "./SegmentedControl.svelte";
import TaskGlyph from "$lib/task/TaskGlyph.svelte";
import TextField from "./TextField.svelte";
import TooltipHost from "./TooltipHost.svelte";
import WaveBar from "$lib/task/WaveBar.svelte";

const text = (content: string) => createRawSnippet(() => ({ render: () => `<span>${content}</span>` }));

describe("Button", () => {
  it("acts when pressed, and not while it works or is disabled", async () => {
    const user = userEvent.setup();
    const onclick = vi.fn();
    const { rerender } = render(Button, { onclick, children: text("Save") });
    await user.click(screen.getByRole("button", { name: "Save" }));
    await rerender({ onclick, children: text("Save"), loading: true });
    const button = screen.getByRole("button");
    await user.click(button);
    expect([button.getAttribute("aria-busy"), button.hasAttribute("disabled")]).toEqual(["true", false]);
    await rerender({ onclick, children: text("Save"), loading: false, disabled: true });
    await user.click(button);
    expect(onclick).toHaveBeenCalledTimes(1);
  });
});

describe("a tooltip", () => {
  it("comes with the keyboard or a resting pointer and goes with Escape", async () => {
    const user = userEvent.setup();
    render(TooltipHost);
    render(IconButton, { icon: RotateCw, label: "Refresh" });
    const button = screen.getByRole("button", { name: "Refresh" });
    await user.hover(button);
    expect((await screen.findByRole("tooltip")).textContent?.trim()).toBe("Refresh");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
    await user.unhover(button);
    await user.tab();
    await screen.findByRole("tooltip");
    // It says what the name says already, so it is not read out twice.
    expect(button.hasAttribute("aria-describedby")).toBe(false);
    await user.tab();
    await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  });

  it("does not outlive its control", async () => {
    render(TooltipHost);
    const { unmount } = render(IconButton, { icon: RotateCw, label: "Refresh" });
    await userEvent.hover(screen.getByRole("button"));
    await screen.findByRole("tooltip");
    unmount();
    await waitFor(() => expect(screen.queryByRole("tooltip")).toBeNull());
  });
});

describe("TextField", () => {
  it("ties label, help and error to the field", async () => {
    const { rerender } = render(TextField, { label: "Name", value: "tea", help: "Any name." });
    const field = screen.getByLabelText("Name");
    const described = () => document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
    expect(described()).toBe("Any name.");
    await rerender({ label: "Name", value: "tea", help: "Any name.", error: "Taken." });
    expect([described(), field.getAttribute("aria-invalid")]).toEqual(["Taken.", "true"]);
  });
});

describe("ListEditor", () => {
  const edit = (items: string[], disabled = false) => {
    const onchange = vi.fn();
    render(ListEditor, { label: "Spec files", items, disabled, onchange });
    return { onchange, user: userEvent.setup() };
  };

  it("adds, leaves out what is there already or empty, and removes", async () => {
    const { onchange, user } = edit(["a.md", "b.md"]);
    const field = screen.getByRole("textbox");
    await user.type(field, "  {Enter}");
    await user.clear(field);
    await user.type(field, "a.md{Enter}");
    expect(onchange).not.toHaveBeenCalled();
    await user.clear(field);
    await user.type(field, " c.md {Enter}");
    expect(onchange).toHaveBeenLastCalledWith(["a.md", "b.md", "c.md"]);
    await user.click(screen.getByRole("button", { name: "Remove a.md" }));
    expect(onchange).toHaveBeenLastCalledWith(["b.md"]);
    await user.click(screen.getByRole("button", { name: "Move b.md up" }));
    expect(onchange).toHaveBeenLastCalledWith(["b.md", "a.md"]);
  });

  it("only shows what is locked", () => {
    edit(["a.md"], true);
    expect(screen.queryByRole("button")).toBeNull();
    expect(screen.queryByRole("textbox")).toBeNull();
  });
});

describe("SegmentedControl", () => {
  it("is a group of radio buttons", async () => {
    const onchange = vi.fn();
    render(SegmentedControl, {
      label: "Theme",
      value: "light",
      options: [
        { value: "light", label: "Light" },
        { value: "dark", label: "Dark" },
      ],
      onchange,
    });
    const group = within(screen.getByRole("radiogroup", { name: "Theme" }));
    expect((group.getByLabelText("Light") as HTMLInputElement).checked).toBe(true);
    await userEvent.click(group.getByLabelText("Dark"));
    expect(onchange).toHaveBeenCalledWith("dark");
  });
});

describe("bars and dots", () => {
  it("say in words what they show", () => {
    render(WaveBar, { label: "Wave 2", statuses: ["done", "done", "blocked"] });
    expect(screen.getByRole("img", { name: "Wave 2: 2 done, 1 blocked" }).children).toHaveLength(3);
    render(TaskGlyph, { status: "awaiting_approval" });
    expect(screen.getByRole("img", { name: "Needs review" })).toBeTruthy();
  });

  it("gather the tasks of a large wave by status", () => {
    render(WaveBar, {
      label: "All",
      statuses: Array.from({ length: 500 }, (_, index) => (index < 100 ? "done" : "pending")),
    });
    const bar = screen.getByRole("img");
    expect([...bar.children].map((segment) => (segment as HTMLElement).style.flexGrow)).toEqual(["100", "400"]);
  });

  it("have no value when none is known", () => {
    render(ProgressBar, { label: "Working" });
    expect(screen.getByRole("progressbar", { name: "Working" }).hasAttribute("aria-valuenow")).toBe(false);
  });
});

describe("faults", () => {
  it("show message, hint, place and code as text", () => {
    render(FaultNote, {
      fault: fault("config.syntax", "<b>Bad</b>", "Look at <i>it</i>.", { file: "a<u>.toml", line: 3 }),
    });
    const note = screen.getByTestId("fault");
    expect(note.textContent).toContain("<b>Bad</b>");
    expect(note.textContent).toContain("a<u>.toml:3");
    expect(note.textContent).toContain("config.syntax");
    expect(note.querySelector("b, i, u")).toBeNull();
  });

  it("offer to try again only where that makes sense", async () => {
    const onretry = vi.fn();
    const { rerender } = render(ErrorState, { title: "No", fault: fault("internal", "It broke.") });
    expect(screen.queryByTestId("retry")).toBeNull();
    await rerender({ title: "No", fault: fault("internal", "It broke."), onretry });
    await userEvent.click(screen.getByTestId("retry"));
    expect(onretry).toHaveBeenCalledTimes(1);
  });
});

describe("Lazy", () => {
  it("says so when a part does not arrive, and tries again", async () => {
    const load = vi
      .fn<() => Promise<{ default: typeof ProgressBar }>>()
      .mockRejectedValueOnce(new Error("chunk missing"))
      .mockResolvedValueOnce({ default: ProgressBar });
    render(Lazy, { props: { load, props: { label: "Arrived" } } } as never);
    expect((await screen.findByTestId("error-state")).textContent).toContain("chunk missing");
    await userEvent.click(screen.getByTestId("retry"));
    expect(await screen.findByRole("progressbar", { name: "Arrived" })).toBeTruthy();
  });
});

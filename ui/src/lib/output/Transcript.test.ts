// Loaded on demand by the panel. Loading it here keeps the time that takes out of the tests.
import "./EntryDialog.svelte";

import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import type { Component } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { App } from "$lib/app/app.svelte";
import { createMockBackend, HOSTILE_TEXTS, type MockBackend } from "$lib/backend/mock";
import { countsOf } from "$lib/backend/mock/iteration-data";
import type { Entry, EntryKind, OutputTarget, ToolAnswer } from "$lib/backend/types";

import AppHost from "../../testing/AppHost.svelte";
import { callsOf } from "../../testing/window";
import OutputPanel from "./OutputPanel.svelte";

const TARGET: OutputTarget = { iteration: "one", source: { kind: "transcript" } };

function answer(text: string, more: Partial<ToolAnswer> = {}): ToolAnswer {
  return { text, lines: text === "" ? 0 : text.split("\n").length, denied: false, cut: false, clipped: false, ...more };
}

type Given = [kind: EntryKind, name: string | null, text: string, more?: Partial<Entry>];

/** Shows a transcript of these entries. */
async function transcript(given: Given[]) {
  const list = given.map(([kind, name, text, more], n): Entry => ({
    n,
    kind,
    name,
    text,
    failed: false,
    cut: false,
    answer: null,
    ...more,
  }));
  const total = list.length;
  const backend: MockBackend = {
    ...createMockBackend({ scenario: "sample" }),
    outputInfo: () => Promise.resolve({ total, counts: countsOf(list), bytes: total, exists: true, finished: true }),
    outputPage: (_target, _filter, first, count) =>
      Promise.resolve({ first, total, entries: list.slice(first, first + count) }),
    outputEntry: (_target, n) =>
      Promise.resolve({ ...(list[n] as Entry), text: `{\n  "file_path": "whole ${n}"\n}`, cut: false }),
    searchOutput: (_target, _filter, text) => {
      const has = (entry: Entry) => `${entry.text}\n${entry.answer?.text ?? ""}`.includes(text);
      return Promise.resolve({ places: list.filter(has).map(({ n }) => n), more: false });
    },
  };
  const part = OutputPanel as unknown as Component<Record<string, unknown>>;
  render(AppHost, { app: new App(backend), part, given: { target: TARGET, live: false } });
  await waitFor(() => expect(screen.queryAllByTestId("output-entry")).toHaveLength(total));
  await waitFor(() => expect(row(0).dataset.kind).toBeDefined());
  return { backend, user: userEvent.setup() };
}

function row(place: number): HTMLElement {
  const found = screen.getAllByTestId("output-entry").find((each) => each.dataset.place === String(place));
  expect(found).toBeDefined();
  return found as HTMLElement;
}

const expanded = (place: number) => row(place).querySelector("[role=gridcell]")?.getAttribute("aria-expanded");

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(900);
});

describe("messages", () => {
  it("are read as markdown: headings, lists, tables, code with a button to copy it", async () => {
    await transcript([
      ["message", null, "## Done\n\n1. **One**\n2. `two`\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n```rust\nfn main() {}\n```"],
    ]);
    const message = within(row(0));
    expect(message.getByRole("heading", { name: "Done" })).toBeTruthy();
    expect(message.getAllByRole("listitem").map((item) => item.textContent?.trim())).toEqual(["One", "two"]);
    expect(message.getByRole("table").textContent).toMatch(/a\s*b\s*1\s*2/);
    expect(message.getByTestId("code-block").textContent).toContain("fn main() {}");
    expect(message.getByTestId("code-copy")).toBeTruthy();
  });

  it("open links only through the backend, which asks first", async () => {
    const { backend, user } = await transcript([["message", null, "See [the docs](https://example.org/docs)."]]);
    expect(within(row(0)).getByTestId("markdown").textContent?.trim()).toBe("See the docs.");
    await user.click(within(row(0)).getByRole("button", { name: "the docs" }));
    await waitFor(() => expect(callsOf(backend, "openLink")).toEqual(["https://example.org/docs"]));
    expect(document.querySelector("[data-testid=output-list] a")).toBeNull();
  });

  it("bring nothing to life: no script, no handler, no picture, no foreign link", async () => {
    const hostile = [
      ...HOSTILE_TEXTS,
      "[x](javascript:globalThis.__pwned=true)",
      "![x](https://example.invalid/a.png)",
      '<a href="javascript:globalThis.__pwned=true" onclick="globalThis.__pwned=true">x</a>',
      "[x](data:text/html,<script>globalThis.__pwned=true</script>)",
    ];
    await transcript(hostile.map((text): Given => ["message", null, `**a** ${text}`]));
    const list = screen.getByTestId("output-list");
    expect(
      list.querySelector("script, iframe, img, a, object, embed, [onerror], [onload], [onclick], [style*=url]"),
    ).toBeNull();
    expect("__pwned" in globalThis).toBe(false);
    expect(row(8).textContent).toContain("[x](javascript:globalThis.__pwned=true)");
    expect(row(10).textContent).toContain('<a href="javascript:');
    expect(within(row(9)).getByTitle("Open https://example.invalid/a.png")).toBeTruthy();
  });
});

describe("uses of tools", () => {
  const CALLS: Given[] = [
    ["tool_call", "Edit", "src/order.rs", { cut: true, answer: answer("first\nsecond\nthird") }],
    ["tool_call", "Bash", "cargo test", { failed: true, answer: answer("error: it failed\nline 2") }],
    ["tool_call", "WebFetch", "https://example.org", { failed: true, answer: answer("No network", { denied: true }) }],
    ["tool_call", "Bash", "wc -l teas.txt", { answer: answer("42 teas.txt") }],
    ["tool_call", "Bash", "mkdir docs", { answer: answer("") }],
    ["tool_call", "Read", "long.txt", { answer: answer("a\nb", { clipped: true }) }],
    ["tool_call", "Bash", "sleep 60"],
  ];
  const state = (place: number) => within(row(place)).queryByTestId("tool-state");

  it("are one line with what was asked for and how it went", async () => {
    await transcript(CALLS);
    expect(row(0).textContent).toMatch(/^\s*Edit\s*src\/order\.rs\s*3 lines\s*$/);
    expect(row(1).textContent).toMatch(/Bash\s*cargo test\s*Failed, 2 lines\s*error: it failed\s*$/);
    expect(row(2).textContent).toMatch(/Not allowed\s*No network\s*$/);
    expect(row(3).textContent).toMatch(/wc -l teas\.txt\s*42 teas\.txt\s*$/);
    expect(row(4).textContent).toContain("No output");
    expect(row(5).textContent).toContain("2+ lines");
    expect([0, 1, 2, 6].map((place) => state(place)?.dataset.state)).toEqual(["passed", "failed", "denied", undefined]);
    expect([0, 4].map((place) => expanded(place))).toEqual(["false", null]);
  });

  it("open to what was asked for, which is read only then, and to what came back", async () => {
    const { user } = await transcript(CALLS);
    await user.click(within(row(0)).getByTestId("output-fold"));
    await waitFor(() => expect(part(0, "Input").textContent).toContain('"file_path": "whole 0"'));
    expect(part(0, "Output").textContent).toContain("first\nsecond\nthird");
    expect(row(0).textContent).toMatch(/^\s*Edit\s*src\/order\.rs\s*3 lines/);
    expect(within(part(0, "Output")).getByRole("button", { name: "Copy the output" })).toBeTruthy();
    await user.click(within(row(0)).getByTestId("output-fold"));
    expect(within(row(0)).queryByRole("group")).toBeNull();
  });

  it("say what to do where they were not allowed", async () => {
    const { user } = await transcript(CALLS);
    await user.click(within(row(2)).getByTestId("output-fold"));
    expect(row(2).textContent).toContain("Give the agent more room");
    expect(row(2).className).toContain("denied");
  });

  it("are whole in a dialog, with a word about what the transcript does not have", async () => {
    const { user } = await transcript(CALLS);
    await user.dblClick(row(5));
    const dialog = within(await screen.findByTestId("output-whole"));
    expect((await dialog.findByRole("group", { name: "Output" })).textContent).toContain("a\nb");
    expect(dialog.getByRole("group", { name: "Input" }).textContent).toContain("long.txt");
    expect(dialog.getByText(/The tool said more than this/)).toBeTruthy();
  });

  it("open where a search has found something in the answer", async () => {
    const { user } = await transcript(CALLS);
    screen.getByTestId("output-list").focus();
    await user.keyboard("{Control>}f{/Control}");
    await user.type(await screen.findByTestId("output-search"), "second");
    await waitFor(() => expect(row(0).querySelector("mark")?.textContent).toBe("second"));
  });

  const part = (place: number, name: string) => within(row(place)).getByRole("group", { name });
});

describe("thoughts, late results and trouble", () => {
  const SESSION: Given[] = [
    ["aside", null, "A thought that goes on.\nAnd on."],
    ["tool_result", "Task", "first\nsecond\nthird"],
    ["tool_result", "Bash", "error: it failed\nline 2\nline 3", { failed: true }],
    ["error", "denied", "Bash needs your permission", { failed: true }],
    ["error", "retry", "overloaded, status 529, try 3 of 10, in 20.0s"],
    ["note", "stream_event", '{"type":"ping"}'],
    ["note", "usage", "61,240 tokens so far, $0.21"],
  ];

  it("are one line until they are opened", async () => {
    const { user } = await transcript(SESSION);
    expect(row(0).textContent).not.toContain("And on");
    expect(row(1).textContent).toMatch(/Task\s*first/);
    expect(row(1).textContent).toContain("+2 lines");
    expect(row(1).textContent).not.toContain("second");
    await user.click(within(row(1)).getByTestId("output-fold"));
    expect(row(1).textContent).toContain("third");
    expect(expanded(1)).toBe("true");
  });

  it("are marked where they failed, were not allowed, or only wait", async () => {
    await transcript(SESSION);
    expect(row(2).className).toContain("failed");
    expect(row(2).textContent).toContain("line 3");
    expect(row(3).textContent).toContain("Not allowed");
    expect(row(3).textContent).toContain("Give the agent more room");
    expect(row(4).className).toContain("waits");
    expect(row(4).textContent).toContain("Tries again");
    expect(row(4).textContent).toContain("try 3 of 10, in 20.0s");
  });

  it("keep lines that nobody understood folded away", async () => {
    const { user } = await transcript(SESSION);
    expect(row(5).textContent).not.toContain("ping");
    await user.click(within(row(5)).getByTestId("output-fold"));
    expect(row(5).textContent).toContain('{"type":"ping"}');
  });

  it("are opened and folded with the keyboard, one or all", async () => {
    const { user } = await transcript(SESSION);
    screen.getByTestId("output-list").focus();
    await user.keyboard("{Home}{ArrowDown}{ArrowRight}");
    expect(row(1).textContent).toContain("third");
    await user.keyboard("{ArrowLeft}");
    expect(row(1).textContent).not.toContain("third");
    await user.keyboard("o");
    expect([0, 1, 5].map((place) => expanded(place))).toEqual(["true", "true", "true"]);
    // What shows all of itself stays as it is.
    expect(row(6).textContent).not.toContain("Show less");
    await user.keyboard("{ArrowLeft}");
    expect(expanded(1)).toBe("false");
    await user.click(screen.getByTestId("output-open-all"));
    expect(expanded(0)).toBe("false");
  });

  it("unfold where a search has found something in them", async () => {
    const { user } = await transcript(SESSION);
    screen.getByTestId("output-list").focus();
    await user.keyboard("{Control>}f{/Control}third");
    await waitFor(() => expect(row(1).querySelector("mark")?.textContent).toBe("third"));
  });
});

describe("checks", () => {
  it("say how they stood before the run, where that is known", async () => {
    await transcript([
      ["check", "tests", "failed in 0.1 s", { failed: true, red_before: true }],
      ["check", "lint", "passed in 0.1 s", { red_before: false }],
      ["check", "docs", "passed in 0.1 s"],
    ]);
    expect(within(row(0)).getByTestId("output-before").textContent).toBe("failed before this run");
    expect(within(row(1)).getByTestId("output-before").textContent).toBe("passed before this run");
    expect(within(row(2)).queryByTestId("output-before")).toBeNull();
  });
});

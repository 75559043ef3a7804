// Loaded on demand by the panel. Loading it here keeps the time that takes out of the tests.
import "./EntryDialog.svelte";

import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import type { Component } from "svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { App } from "$lib/app/app.svelte";
import { createMockBackend, HOSTILE_TEXTS, type MockBackend, type Scenario } from "$lib/backend/mock";
import { session } from "$lib/backend/mock/output-data";
import type { KindCounts, OutputTarget } from "$lib/backend/types";

import AppHost from "../../testing/AppHost.svelte";
import { callsOf } from "../../testing/window";
import OutputPanel from "./OutputPanel.svelte";

const TARGET: OutputTarget = { iteration: "one", source: { kind: "transcript" } };

function show(backend: MockBackend, target: OutputTarget | null, live = false) {
  const app = new App(backend);
  const stop = app.live.start();
  const part = OutputPanel as unknown as Component<Record<string, unknown>>;
  render(AppHost, { app, part, given: { target, live } });
  return { app, backend, stop, user: userEvent.setup() };
}

/** A backend with one file of so many entries. */
function fileOf(total: number, hostile = false): MockBackend {
  const log = session(total, hostile);
  const counts: KindCounts = {
    message: 0,
    aside: 0,
    tool_call: 0,
    tool_result: 0,
    error: 0,
    check: 0,
    note: 0,
    line: 0,
  };
  for (let n = 0; n < total; n++) {
    counts[log.kindAt(n)]++;
  }
  return {
    ...createMockBackend({ scenario: "sample" }),
    outputInfo: () => Promise.resolve({ total, counts, bytes: total, exists: true, finished: true }),
    outputPage: (_target, _filter, first, count) => {
      const length = Math.max(0, Math.min(count, total - first));
      return Promise.resolve({ first, total, entries: Array.from({ length }, (_, index) => log.at(first + index)) });
    },
  };
}

/** The newest iteration of a scenario. */
async function newest(scenario: Scenario): Promise<{ backend: MockBackend; target: OutputTarget }> {
  const backend = createMockBackend({ scenario });
  const state = await backend.runState(null);
  const iteration = state?.current ?? state?.last;
  return { backend, target: { iteration: iteration?.id ?? "", source: { kind: "transcript" } } };
}

const entries = () => screen.queryAllByTestId("output-entry");
const loaded = () => waitFor(() => expect(entries()[0]?.dataset.kind).toBeDefined());
const places = () => entries().map((entry) => Number(entry.dataset.place));

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
});

describe("an entry that cannot be shown", () => {
  it("says so in its place, and the others are there", async () => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
    const file = fileOf(12);
    const outputPage: MockBackend["outputPage"] = async (...asked) => {
      const page = await file.outputPage(...asked);
      const entries = page.entries.map((entry) =>
        entry.n === 3 ? Object.defineProperty({ ...entry }, "kind", { get: () => raise("no such kind") }) : entry,
      );
      return { ...page, entries };
    };
    show({ ...file, outputPage }, TARGET);
    const broken = await screen.findAllByTestId("broken");
    expect(broken.map((each) => each.textContent)).toEqual([expect.stringContaining("no such kind")]);
    expect(screen.getAllByTestId("output-entry").length).toBeGreaterThan(5);
  });
});

function raise(message: string): never {
  throw new Error(message);
}

describe("the output", () => {
  it("says that there is none yet", () => {
    show(createMockBackend(), null);
    expect(screen.getByTestId("output-empty")).toBeTruthy();
  });

  it.each([0, 1, 1000, 100_000])("shows %i entries in a page of the same size", async (total) => {
    show(fileOf(total), TARGET);
    if (total === 0) {
      expect(await screen.findByTestId("output-nothing")).toBeTruthy();
      return;
    }
    await loaded();
    expect(entries().length).toBe(Math.min(total, entries().length));
    expect(entries().length).toBeLessThanOrEqual(40);
    expect(screen.getByTestId("output-list").getAttribute("aria-rowcount")).toBe(String(total));
    expect(document.querySelectorAll("*").length).toBeLessThan(1200);
  });

  it("waits, and says what is going on, while nothing is printed", async () => {
    const { backend, target } = await newest("running");
    const info = await backend.outputInfo(target);
    const none = { message: 0, aside: 0, tool_call: 0, tool_result: 0, error: 0, check: 0, note: 0, line: 0 };
    const { stop } = show(
      {
        ...backend,
        follow: (after, batch, failed) =>
          backend.follow(after, (updates) => batch(updates.filter((update) => update.kind !== "output")), failed),
        outputInfo: () => Promise.resolve({ ...info, total: 0, counts: none }),
      },
      target,
      true,
    );
    expect((await screen.findByTestId("output-waiting")).textContent).toContain("The agent is at work");
    stop();
  });

  it("says why it cannot be read, and tries again", async () => {
    const { user } = show(createMockBackend({ scenario: "failing" }), TARGET);
    expect((await screen.findByTestId("fault")).dataset.code).toBe("store.read_only");
    await user.click(screen.getByTestId("retry"));
    expect(await screen.findByTestId("fault")).toBeTruthy();
  });

  it("shows hostile text as text: no element comes of it, nothing is fetched", async () => {
    show(fileOf(200, true), TARGET);
    await loaded();
    const list = screen.getByTestId("output-list");
    expect(list.querySelectorAll("script, img, iframe, style, a, b, object, svg[onload]")).toHaveLength(0);
    expect(list.textContent).toContain(HOSTILE_TEXTS[0]);
    expect(list.textContent).toContain(HOSTILE_TEXTS[1]);
    expect((globalThis as { __pwned?: boolean }).__pwned).toBeUndefined();
  });

  it("asks before it opens an address", async () => {
    const { backend, user } = show(fileOf(200, true), TARGET);
    await loaded();
    await user.click(screen.getAllByText("https://example.invalid/")[0] as HTMLElement);
    expect(callsOf(backend, "openLink")).toEqual(["https://example.invalid/"]);
  });

  it("filters by kind", async () => {
    const { backend, target } = await newest("completed");
    const { user, stop } = show(backend, target);
    await loaded();
    await user.click(screen.getByTestId("output-filter-tool_call"));
    await waitFor(() => expect(new Set(entries().map((entry) => entry.dataset.kind))).toEqual(new Set(["tool_call"])));
    await user.click(screen.getByTestId("output-filter-all"));
    await waitFor(() => expect(new Set(entries().map((entry) => entry.dataset.kind)).size).toBeGreaterThan(2));
    stop();
  });

  it("searches, goes through what it found, and marks it", async () => {
    const { backend, target } = await newest("completed");
    const { user, stop } = show(backend, target);
    await loaded();
    screen.getByTestId("output-list").focus();
    await user.keyboard("{Control>}f{/Control}");
    await user.type(await screen.findByTestId("output-search"), "teas");
    const result = screen.getByTestId("output-search-result");
    await waitFor(() => expect(result.textContent).toMatch(/^\s*1 of \d+/));
    expect(document.querySelectorAll("mark").length).toBeGreaterThan(0);
    await user.keyboard("{Enter}");
    expect(result.textContent).toMatch(/^\s*2 of/);
    await user.keyboard("{Shift>}{Enter}{/Shift}");
    expect(result.textContent).toMatch(/^\s*1 of/);
    await user.keyboard("{Escape}");
    expect(screen.queryByTestId("output-search")).toBeNull();
    expect(document.querySelectorAll("mark")).toHaveLength(0);
    stop();
  });

  it("goes to the errors, one after the other", async () => {
    const { backend, target } = await newest("aborted");
    const { user, stop } = show(backend, target);
    await loaded();
    screen.getByTestId("output-list").focus();
    await user.keyboard("e");
    const active = () => document.querySelector<HTMLElement>(".row.active");
    await waitFor(() => expect(active()?.className).toContain("failed"));
    const first = Number(active()?.dataset.place);
    await user.keyboard("e");
    await waitFor(() => expect(Number(active()?.dataset.place)).toBeGreaterThan(first));
    await user.keyboard("{Shift>}E{/Shift}");
    await waitFor(() => expect(Number(active()?.dataset.place)).toBe(first));
    stop();
  });

  it("is read with the keyboard: moves, opens one entry whole, copies what is chosen", async () => {
    const { backend, target } = await newest("completed");
    const { user, stop } = show(backend, target);
    await loaded();
    const list = screen.getByTestId("output-list");
    list.focus();
    await user.keyboard("{Home}{ArrowDown}{ArrowDown}");
    expect(list.getAttribute("aria-activedescendant")).toMatch(/-2$/);
    await user.keyboard("{Enter}");
    const dialog = await screen.findByTestId("output-whole");
    await within(dialog).findByText("SPEC.md");
    await user.keyboard("{Escape}");
    await waitFor(() => expect(screen.queryByTestId("output-whole")).toBeNull());

    const written: { data: Record<string, Promise<Blob>> }[] = [];
    vi.stubGlobal(
      "ClipboardItem",
      class {
        constructor(readonly data: Record<string, Promise<Blob>>) {}
      },
    );
    vi.spyOn(navigator.clipboard, "write").mockImplementation((items) => {
      written.push(...(items as unknown as typeof written));
      return Promise.resolve();
    });
    list.focus();
    await user.keyboard("{Shift>}{ArrowDown}{/Shift}c");
    await waitFor(() => expect(written).toHaveLength(1));
    const blob = await written[0]?.data["text/plain"];
    expect(await blob?.text()).toMatch(/^\[tool read\] SPEC.md\n\[output\] # Tea timer[^]*\n\[tool read\] teas.txt\n/);
    stop();
  });

  it("shows a tool at work, and what it answered as soon as it has", async () => {
    const { backend, target } = await newest("running");
    const { stop } = show(backend, target, true);
    const state = (place: number) =>
      document.querySelector<HTMLElement>(`[data-place="${place}"] [data-testid=tool-state]`);
    await waitFor(() => expect(state(6)?.dataset.state).toBe("running"));
    backend.controls.output.print(1);
    await waitFor(() => expect(state(6)?.dataset.state).toBe("passed"));
    expect(state(6)?.closest("[role=row]")?.textContent).toContain("42");
    stop();
  });

  it("follows what is printed, lets go when one scrolls up, and comes back to the end", async () => {
    const { backend, target } = await newest("running");
    const { user, stop } = show(backend, target, true);
    await loaded();
    backend.controls.output.print(500);
    await waitFor(() => expect(Math.max(...places())).toBe(506));
    const list = screen.getByTestId("output-list");
    list.dispatchEvent(new WheelEvent("wheel", { deltaY: -100 }));
    await waitFor(() => expect(screen.getByTestId("output-follow").ariaPressed).toBe("false"));
    backend.controls.output.print(123);
    await waitFor(() => expect(screen.getByTestId("output-latest").textContent).toContain("(123 new)"));
    expect(Math.max(...places())).toBeLessThan(550);
    await user.click(screen.getByTestId("output-latest"));
    await waitFor(() => expect(Math.max(...places())).toBe(629));
    expect(screen.queryByTestId("output-latest")).toBeNull();
    stop();
  });

  it("switches to what was printed as it was", async () => {
    const { backend, target } = await newest("completed");
    const { user, stop } = show(backend, target);
    await loaded();
    await user.click(screen.getByTestId("output-source-stdout"));
    await waitFor(() => expect(entries()[0]?.dataset.kind).toBe("line"));
    await user.click(screen.getByTestId("output-source-stderr"));
    expect(await screen.findByTestId("output-nothing")).toBeTruthy();
    stop();
  });

  it("announces new errors without reading every entry aloud", async () => {
    const { backend, target } = await newest("running");
    const { stop } = show(backend, target, true);
    await loaded();
    expect(screen.getByTestId("output-list").getAttribute("aria-live")).toBeNull();
    backend.controls.output.print(50);
    await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/\d new errors in the output/));
    stop();
  });
});

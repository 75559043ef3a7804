import { fireEvent, waitFor, within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import type { MockOptions } from "$lib/backend/mock";

import { callsOf, openWindow, screen, type TestWindow } from "../../testing/window";

async function checks(options: Partial<MockOptions> = {}): Promise<TestWindow> {
  const test = await openWindow(options);
  test.app.show("checks");
  await screen.findByRole("heading", { name: "Checks", level: 1 });
  return test;
}

const names = () => screen.queryAllByTestId("check-row").map((row) => row.dataset.name);
const row = (name: string) => {
  const found = screen.getAllByTestId("check-row").find((each) => each.dataset.name === name);
  return within(found as HTMLElement);
};

/** The check in the Inspector. */
async function open({ user }: TestWindow, name: string) {
  await user.click(row(name).getByText(name));
  return within(await screen.findByTestId("check-details"));
}

const FIRST = "teas are well formed";
const SECOND = "no markers left";
const OPTIONAL = "manual mentions every option";

beforeEach(() => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
});

describe("the list of checks", () => {
  it("shows each with how it went last and how it has been going", async () => {
    await checks();
    await screen.findAllByTestId("check-row");
    expect(names()).toEqual([FIRST, SECOND, OPTIONAL, "no placeholders", "end to end"]);
    expect(row(FIRST).getByTestId("check-last").textContent).toMatch(/Passed|Failed/);
    expect(row(FIRST).getByRole("img", { name: /^The last 24: \d+ passed, \d+ failed/ })).toBeTruthy();
    expect(row("no placeholders").getByTestId("check-last").textContent).toContain("Never run");
    expect(row("end to end").getByText("Off")).toBeTruthy();
  });

  it("opens a check and leads from an issue to its line", async () => {
    const window = await checks();
    const { backend, user } = window;
    await screen.findAllByTestId("check-row");
    const details = await open(window, OPTIONAL);
    await user.click(details.getByTestId("check-run"));
    await waitFor(() => expect(row(OPTIONAL).getByTestId("check-last").textContent).toContain("Failed, 3 issues"));
    await waitFor(() => expect(screen.queryByTestId("round")).toBeNull());
    expect(details.getByTestId("check-excerpt").textContent).toContain("2 errors");
    await user.click(details.getByText("MANUAL.md:12"));
    expect(callsOf(backend, "openFile")).toEqual([{ path: "MANUAL.md", line: 12 }]);
  });

  it("moves with Alt and the arrows, and keeps the focus", async () => {
    const { backend, user } = await checks();
    await screen.findAllByTestId("check-row");
    screen.getByTestId("check-table").focus();
    await user.keyboard("{ArrowDown}{ArrowDown}{Alt>}{ArrowUp}{/Alt}");
    await waitFor(() => expect(names().slice(0, 2)).toEqual([SECOND, FIRST]));
    expect(document.activeElement).toBe(screen.getByTestId("check-table"));
    await user.keyboard("{Alt>}{ArrowUp}{/Alt}");
    expect(callsOf(backend, "moveCheck")).toEqual([{ name: SECOND, to: 0 }]);
  });

  it("moves with the pointer, and stays with Escape", async () => {
    const { backend } = await checks();
    await screen.findAllByTestId("check-row");
    screen.getAllByTestId("check-row").forEach((child, index) => {
      child.getBoundingClientRect = () => new DOMRect(0, index * 50, 100, 50);
    });
    const handle = row(FIRST).getByTestId("check-handle");
    handle.setPointerCapture = () => undefined;
    await fireEvent.pointerDown(handle, { button: 0, pointerId: 1, clientY: 25 });
    await fireEvent.pointerMove(handle, { pointerId: 1, clientY: 130 });
    await fireEvent.keyDown(screen.getByTestId("check-table"), { key: "Escape" });
    await fireEvent.pointerUp(handle, { pointerId: 1 });
    expect(callsOf(backend, "moveCheck")).toEqual([]);
    await fireEvent.pointerDown(handle, { button: 0, pointerId: 1, clientY: 25 });
    await fireEvent.pointerMove(handle, { pointerId: 1, clientY: 130 });
    await fireEvent.pointerUp(handle, { pointerId: 1 });
    await waitFor(() => expect(callsOf(backend, "moveCheck")).toEqual([{ name: FIRST, to: 2 }]));
    expect(names().slice(0, 3)).toEqual([SECOND, OPTIONAL, FIRST]);
  });

  it("switches on and off, and removes after a question", async () => {
    const window = await checks();
    const { backend, user } = window;
    await screen.findAllByTestId("check-row");
    await user.click(row(FIRST).getByTestId("check-enabled"));
    await waitFor(() => expect(row(FIRST).getByText("Off")).toBeTruthy());
    const details = await open(window, FIRST);
    expect((details.getByTestId("check-run") as HTMLButtonElement).disabled).toBe(true);
    await user.click(details.getByTestId("check-remove"));
    await user.click(await screen.findByTestId("confirm-yes"));
    await waitFor(() => expect(names()).not.toContain(FIRST));
    expect(callsOf(backend, "removeCheck")).toEqual([FIRST]);
  });
});

describe("a round", () => {
  it("runs all that are on, one after the other, and can be stopped", async () => {
    const { backend, user } = await checks();
    await screen.findAllByTestId("check-row");
    await user.click(screen.getByTestId("checks-run-all"));
    expect((await screen.findByTestId("round")).textContent).toContain("of 4");
    await waitFor(() => expect(row(FIRST).getByTestId("check-last").textContent).toContain("Running"));
    expect(row(OPTIONAL).getByTestId("check-last").textContent).toContain("Waiting");
    await user.click(screen.getByTestId("checks-stop"));
    await waitFor(() => expect(screen.queryByTestId("round")).toBeNull());
    expect(callsOf(backend, "stopChecks")).toHaveLength(1);
    expect(row("no placeholders").getByTestId("check-last").textContent).toContain("Never run");
    expect(screen.getByTestId("checks-run-all")).toBeTruthy();
  });

  it("goes on while another view is shown", async () => {
    const { app, user } = await checks();
    await screen.findAllByTestId("check-row");
    await user.click(screen.getByTestId("checks-run-all"));
    app.show("overview");
    await screen.findByTestId("plan-summary");
    app.show("checks");
    await screen.findAllByTestId("check-row");
    await waitFor(() => expect(row("no placeholders").getByTestId("check-last").textContent).toContain("Passed"));
  });

  it("is not begun while a run is at work or before the folder is trusted", async () => {
    await checks({ scenario: "running" });
    expect(await screen.findByTestId("checks-live")).toBeTruthy();
    expect((screen.getByTestId("checks-run-all") as HTMLButtonElement).disabled).toBe(true);
  });

  it("asks to trust the folder first", async () => {
    const { app, user } = await checks({ scenario: "untrusted" });
    await user.click(await screen.findByTestId("trust-review"));
    expect(app.overlay).toEqual({ kind: "trust" });
    expect((screen.getByTestId("checks-run-all") as HTMLButtonElement).disabled).toBe(true);
  });
});

describe("writing a check", () => {
  it("adds one, and says what is missing first", async () => {
    const { backend, user } = await checks({ scenario: "empty" });
    await user.click(within(await screen.findByTestId("checks-empty")).getByRole("button"));
    await user.click(await screen.findByTestId("draft-save"));
    expect(screen.getByText("Give it a name.")).toBeTruthy();
    expect(callsOf(backend, "saveCheck")).toEqual([]);
    await user.type(screen.getByTestId("draft-name"), "unit");
    await user.type(screen.getByTestId("draft-command"), "make unit && make more");
    expect(screen.getByText(/looks like shell syntax/)).toBeTruthy();
    await user.clear(screen.getByTestId("draft-command"));
    await user.type(screen.getByTestId("draft-command"), "make unit");
    await user.click(screen.getByTestId("draft-save"));
    await waitFor(() => expect(names()).toEqual(["unit"]));
    expect(screen.queryByTestId("check-dialog")).toBeNull();
  });

  it("changes one, keeps what was written when the person declines, and shows a refusal", async () => {
    const window = await checks();
    const { backend, user } = window;
    await screen.findAllByTestId("check-row");
    await user.click((await open(window, FIRST)).getByTestId("check-edit"));
    const command = (await screen.findByTestId("draft-command")) as HTMLInputElement;
    await user.clear(command);
    await user.type(command, "decline this");
    await user.click(screen.getByTestId("draft-save"));
    expect((await screen.findByTestId("draft-declined")).textContent).toContain("Nothing was changed");
    expect(command.value).toBe("decline this");
    await user.clear(screen.getByTestId("draft-name"));
    await user.type(screen.getByTestId("draft-name"), "teas");
    await user.click(screen.getByTestId("draft-save"));
    await waitFor(() => expect(names()[0]).toBe("teas"));
    expect(callsOf(backend, "saveCheck").at(-1)).toMatchObject({
      old: FIRST,
      draft: { name: "teas", command: "decline this", required: true, parser: null },
    });
  });

  it("offers the built-in ones and what goes with each way to read output", async () => {
    const { backend, user } = await checks();
    await user.click(await screen.findByTestId("check-add"));
    await user.type(await screen.findByTestId("draft-name"), "tidy");
    await user.click(screen.getByTestId("kind-builtin"));
    expect(screen.getByText(/passes when nothing differs from the last commit/)).toBeTruthy();
    await user.click(screen.getByTestId("draft-save"));
    await waitFor(() => expect(names()).toContain("tidy"));
    expect(callsOf(backend, "saveCheck")).toMatchObject([{ old: null, draft: { builtin: "clean-tree", command: "" } }]);
  });

  it("switches suggestions on, one or all, and tries each once", async () => {
    const { backend, user } = await checks({ scenario: "empty" });
    const card = await screen.findByTestId("check-suggestions");
    await user.click(within(card).getAllByTestId("suggestion-add")[1] as HTMLElement);
    await waitFor(() => expect(names()).toEqual(["lint"]));
    await waitFor(() => expect(callsOf(backend, "runChecks")).toEqual([["lint"]]));
    await user.click(screen.getByTestId("suggestion-all"));
    await waitFor(() => expect(names()).toEqual(["lint", "test", "build"]));
    expect(screen.queryByTestId("check-suggestions")).toBeNull();
    expect(callsOf(backend, "addSuggestedChecks")).toEqual([["lint"], ["test", "build"]]);
    await waitFor(() => expect(callsOf(backend, "runChecks")).toEqual([["lint"], ["test", "build"]]));
  });
});

describe("trouble", () => {
  it("says why the checks could not be read", async () => {
    await checks({ scenario: "failing" });
    expect((await screen.findByTestId("error-state")).textContent).toContain("checks could not be read");
  });

  it("shows hostile names and commands as text", async () => {
    await checks({ scenario: "hostile" });
    await screen.findAllByTestId("check-row");
    expect(document.querySelector("[data-testid=check-list] script, [data-testid=check-list] img")).toBeNull();
  });
});

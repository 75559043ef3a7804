import { render, screen, waitFor, within } from "@testing-library/svelte";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import { HOSTILE_TEXTS } from "$lib/backend/mock";
import { changesFor, reportOf } from "$lib/backend/mock/diff-data";
import { fault } from "$lib/backend/mock/faults";
import type { Scenario } from "$lib/backend/mock";
import type { FileDiff } from "$lib/backend/types";

import DiffView from "./DiffView.svelte";
import type { DiffSource } from "./source";

function sourceFor(scenario: Scenario): DiffSource & { asked: string[] } {
  const changes = changesFor(scenario);
  const asked: string[] = [];
  return {
    asked,
    files: () => Promise.resolve(reportOf(changes)),
    file: (path) => {
      asked.push(path);
      return Promise.resolve(changes.find((each) => each.file.path === path) as FileDiff);
    },
  };
}

async function show(scenario: Scenario = "completed", onopen = vi.fn()) {
  const source = sourceFor(scenario);
  render(DiffView, { source, onopen });
  await screen.findByTestId("diff-pane");
  return { source, onopen, user: userEvent.setup() };
}

const choose = async (user: ReturnType<typeof userEvent.setup>, path: string) => {
  await user.type(screen.getByTestId("diff-filter"), path.slice(path.lastIndexOf("/") + 1));
  await user.click(screen.getAllByTestId("diff-file").find((row) => row.dataset.path === path) as HTMLElement);
  await user.clear(screen.getByTestId("diff-filter"));
};
const head = (path: string) =>
  screen.getAllByTestId("diff-head").find((each) => each.dataset.path === path) as HTMLElement;
const folding = async (title: string) =>
  (await screen.findByText(title)).closest("[data-testid=diff-folded]") as HTMLElement;
const pane = () => screen.getByTestId("diff-pane").dataset.path;

describe("DiffView", () => {
  // A screen to fill: without one there is nothing to see.
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  });

  it("shows all files one below the other and reads what comes into sight", async () => {
    const { source } = await show();
    expect(screen.getByTestId("diff-summary").textContent).toBe("12 files changed");
    expect(pane()).toBe("assets/leaf.png");
    expect(await screen.findAllByTestId("diff-line")).not.toHaveLength(0);
    expect(source.asked).toContain("docs/teas.md");
    expect(source.asked).not.toContain("package-lock.json");
    expect(screen.getAllByTestId("diff-head").length).toBeGreaterThan(3);
    const row = screen.getAllByTestId("diff-file").find((each) => each.dataset.path === "assets/leaf.png");
    expect(row?.getAttribute("aria-selected")).toBe("true");
  });

  it("shows both layouts, and remembers which one is liked", async () => {
    const { user } = await show();
    const kinds = async () => (await screen.findAllByTestId("diff-line")).map((line) => line.dataset.kind);
    expect(await kinds()).toContain("removed");
    await user.click(screen.getByTestId("diff-split"));
    expect(await kinds()).not.toContain("removed");
    const pair = screen.getAllByTestId("diff-line").find((line) => line.textContent?.includes("four"));
    expect(pair?.textContent).toContain("three");
    expect(localStorage.getItem("loopwright.diff")).toContain('"layout":"split"');
  });

  it("marks words and colours code", async () => {
    const { user } = await show();
    await choose(user, "src/parse.rs");
    const lines = await screen.findByTestId("diff-lines");
    await waitFor(() =>
      expect([...lines.querySelectorAll(".keyword")].map((each) => each.textContent)).toContain("use"),
    );
    expect(lines.querySelector(".mark")).not.toBeNull();
  });

  it("shows spaces, tabs and a missing line break", async () => {
    const { user } = await show();
    await choose(user, "src/ui/timer.ts");
    await user.click(screen.getByTestId("diff-blanks"));
    const lines = await screen.findByTestId("diff-lines");
    expect(lines.querySelectorAll(".tab")).toHaveLength(1);
    expect(lines.querySelectorAll(".trailing")).toHaveLength(1);
    await choose(user, "teas.txt");
    expect((await screen.findByTestId("diff-lines")).textContent).toContain("no line break");
  });

  it.each([
    ["package-lock.json", "A lock file"],
    ["dist/app.min.js", "A generated file"],
    ["data/all-teas.csv", "A very large change"],
  ])("asks before it shows %s", async (path, title) => {
    const { user, source } = await show();
    await choose(user, path);
    const folded = await folding(title);
    expect(source.asked).not.toContain(path);
    await user.click(within(folded).getByTestId("diff-show-anyway"));
    await waitFor(() => expect(source.asked).toContain(path));
    await waitFor(() => expect(screen.queryByText(title)).toBeNull());
  });

  it("keeps the page small however large the file is, and says when it is cut", async () => {
    const { user } = await show();
    await choose(user, "data/all-teas.csv");
    await user.click(within(await folding("A very large change")).getByTestId("diff-show-anyway"));
    const rows = () => Number(screen.getByTestId("diff-lines").getAttribute("aria-rowcount"));
    await waitFor(() => expect(rows()).toBeGreaterThan(6_000));
    expect(document.querySelectorAll("*").length).toBeLessThan(2_500);
    await choose(user, "dist/app.min.js");
    await user.keyboard("p");
    expect(await screen.findByTestId("diff-cut")).toBeTruthy();
  });

  it("keeps the page small however many files there are", async () => {
    await show("large");
    expect(document.querySelectorAll("*").length).toBeLessThan(2_500);
    expect(screen.getByTestId("diff-more-files").textContent).toContain("512 further files");
  });

  it("has nothing to show of a picture, and tells of names and modes", async () => {
    const { user } = await show();
    await choose(user, "assets/leaf.png");
    expect(within(await folding("Not a text")).queryByTestId("diff-show-anyway")).toBeNull();
    await choose(user, "LICENSE.md");
    expect((await screen.findByTestId("diff-no-lines")).textContent).toContain("another name");
    expect(screen.getByTestId("diff-pane").textContent).toContain("LICENSE");
    await choose(user, "scripts/brew.sh");
    expect(within(head("scripts/brew.sh")).getByTestId("diff-mode").textContent).toBe("now executable, was a link");
  });

  it("goes from change to change with n and p, over files", async () => {
    const { user, onopen } = await show();
    await screen.findAllByTestId("diff-line");
    await choose(user, "docs/teas.md");
    screen.getByTestId("diff-lines").focus();
    await user.keyboard("n");
    await waitFor(() => expect(document.querySelectorAll(".current")).toHaveLength(1));
    await user.click(within(head("docs/teas.md")).getByTestId("diff-open"));
    expect(onopen).toHaveBeenLastCalledWith("docs/teas.md", 3);
    await user.keyboard("n");
    await user.click(within(head("docs/teas.md")).getByTestId("diff-open"));
    expect(onopen).toHaveBeenLastCalledWith("docs/teas.md", 5);
    await user.keyboard("n");
    await waitFor(() => expect(pane()).toBe("scripts/brew.sh"));
    await waitFor(() => expect(document.querySelectorAll(".current")).toHaveLength(1));
    await user.keyboard("p");
    await waitFor(() => expect(pane()).toBe("docs/teas.md"));
    await waitFor(() => expect(document.querySelectorAll(".current")).toHaveLength(1));
    await user.click(within(head("docs/teas.md")).getByTestId("diff-open"));
    expect(onopen).toHaveBeenLastCalledWith("docs/teas.md", 5);
  });

  it("folds a file that was viewed and goes on to the next, until it is marked again", async () => {
    const { user } = await show();
    await choose(user, "docs/teas.md");
    screen.getByTestId("diff-lines").focus();
    await user.keyboard("v");
    expect(pane()).toBe("scripts/brew.sh");
    expect(screen.getByTestId("diff-viewed-count").textContent).toBe("1 of 12 viewed");
    expect(within(head("docs/teas.md")).getByTestId("diff-collapse").getAttribute("aria-expanded")).toBe("false");
    await user.click(within(head("docs/teas.md")).getByTestId("diff-viewed"));
    await choose(user, "docs/teas.md");
    expect(within(head("docs/teas.md")).getByTestId("diff-collapse").getAttribute("aria-expanded")).toBe("true");
    expect(screen.queryByTestId("diff-viewed-count")).toBeNull();
  });

  it("asks for more lines around the changes, and wraps long ones", async () => {
    const { user, source } = await show();
    const file = vi.spyOn(source, "file");
    await choose(user, "docs/teas.md");
    await user.click((await screen.findAllByTestId("diff-expand"))[0] as HTMLElement);
    expect(file.mock.lastCall?.[1]).toBe(25);
    await user.click(screen.getByTestId("diff-wrap"));
    expect(screen.getByTestId("diff-lines").closest(".wrap")).not.toBeNull();
    expect(localStorage.getItem("loopwright.diff")).toContain('"wrap":true');
  });

  it("does not take letters that are typed into the filter", async () => {
    const { user } = await show();
    await user.type(screen.getByTestId("diff-filter"), "nap");
    expect(pane()).toBe("assets/leaf.png");
    expect(screen.getByText("No matching files")).toBeTruthy();
    await user.keyboard("{Escape}");
    expect(screen.getAllByTestId("diff-file").length).toBeGreaterThan(3);
  });

  it("is walked through by keyboard", async () => {
    const { user } = await show();
    const tree = screen.getByRole("treegrid");
    tree.focus();
    await user.keyboard("{Home}");
    expect(pane()).toBe("assets/leaf.png");
    await user.keyboard("{ArrowDown}{ArrowDown}{ArrowDown}");
    expect(pane()).toBe("docs/teas.md");
    await user.keyboard("{ArrowDown}{ArrowDown}");
    const folder = screen.getAllByTestId("diff-folder")[0] as HTMLElement;
    expect(tree.getAttribute("aria-activedescendant")).toBe(folder.id);
    await user.keyboard("{ArrowLeft}");
    expect(folder.getAttribute("aria-expanded")).toBe("false");
    await user.keyboard("{ArrowRight}");
    expect(folder.getAttribute("aria-expanded")).toBe("true");
  });

  it("hides the tree, copies a path and cannot open a deleted file", async () => {
    const { user } = await show();
    await choose(user, "tests/test_three_fields.py");
    const deleted = within(head("tests/test_three_fields.py"));
    expect(deleted.queryByTestId("diff-open")).toBeNull();
    await user.click(deleted.getByTestId("diff-copy-path"));
    expect(await navigator.clipboard.readText()).toBe("tests/test_three_fields.py");
    await user.click(screen.getByTestId("diff-tree-toggle"));
    expect(screen.queryByTestId("diff-tree")).toBeNull();
  });

  it("shows hostile text as text", async () => {
    await show("hostile");
    await screen.findAllByTestId("diff-line");
    expect(document.querySelector("script, iframe, img")).toBeNull();
    expect(HOSTILE_TEXTS.some((text) => screen.getByTestId("diff-pane").textContent?.includes(text))).toBe(true);
    expect("__pwned" in globalThis).toBe(false);
  });

  it("says so when nothing changed, and when it cannot be read", async () => {
    const nothing: DiffSource = { files: () => Promise.resolve(reportOf([])), file: () => Promise.reject(new Error()) };
    render(DiffView, { source: nothing, nothing: "Every file is as it was." });
    expect((await screen.findByTestId("diff-empty")).textContent).toContain("Every file is as it was.");
    const refused = new BackendError(fault("git.failed", "Git ended with an error."));
    const files = vi.fn<DiffSource["files"]>().mockRejectedValueOnce(refused).mockResolvedValue(reportOf([]));
    render(DiffView, { source: { ...nothing, files } });
    await userEvent.click(await screen.findByTestId("retry"));
    await waitFor(() => expect(screen.getAllByTestId("diff-empty")).toHaveLength(2));
  });

  it("tries a file again that could not be read", async () => {
    const source = sourceFor("completed");
    const file = vi.spyOn(source, "file").mockRejectedValueOnce(new BackendError(fault("git.locked", "Locked.")));
    render(DiffView, { source });
    await userEvent.click(await screen.findByTestId("retry"));
    expect(await screen.findAllByTestId("diff-line")).not.toHaveLength(0);
    const [first] = file.mock.calls[0] ?? [];
    expect(file.mock.calls.filter(([path]) => path === first)).toHaveLength(2);
  });
});

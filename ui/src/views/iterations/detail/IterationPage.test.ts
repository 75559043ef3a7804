import "../IterationsView.svelte";

import { within } from "@testing-library/svelte";
import { beforeEach, describe, expect, it, vi } from "vitest";

import { BackendError } from "$lib/backend/backend";
import type { MockBackend, Scenario } from "$lib/backend/mock";
import { fault } from "$lib/backend/mock/faults";
import { iterationIdOf } from "$lib/backend/mock/iteration-data";
import type { Entry, IterationDetail } from "$lib/backend/types";

import { callsOf, openWindow, screen, type TestWindow } from "../../../testing/window";

/** The page of an iteration of the newest run, by its number. */
async function openPage(scenario: Scenario, number: number, tab: string | null = null): Promise<TestWindow> {
  const window = await openWindow({ scenario });
  window.app.showIteration(iterationIdOf(2, number - 1), tab);
  await screen.findByText(`Iteration ${number}`);
  return window;
}

/** The same with another answer of the backend. */
async function openChanged(change: (detail: IterationDetail) => Partial<IterationDetail>, tab: string): Promise<void> {
  const { app, backend } = await openWindow({ scenario: "completed" });
  const detail = await backend.iteration(iterationIdOf(2, 3));
  vi.spyOn(backend, "iteration").mockResolvedValue({ ...detail, ...change(detail) });
  app.showIteration(detail.iteration.id, tab);
  await screen.findByTestId("iteration-outcome");
}

const ENTRY: Entry = {
  n: 0,
  kind: "line",
  name: null,
  text: "",
  failed: false,
  cut: false,
  answer: null,
};

const infoOf = ({ outputInfo }: MockBackend) =>
  outputInfo({ iteration: iterationIdOf(2, 3), source: { kind: "stderr" } });

describe("the page of an iteration", () => {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(800);
  });

  it("tells how it went", async () => {
    await openPage("completed", 3);
    expect(screen.getByTestId("iteration-outcome").textContent).toContain("Checks failed");
    expect(screen.getByTestId("iteration-why").textContent).toContain("A required check failed: teas are well formed.");
    expect(screen.queryByTestId("iteration-commit")).toBeNull();
    // What a person wants to see first is why.
    expect(screen.getByRole("tab", { name: /Checks/ }).getAttribute("aria-selected")).toBe("true");
  });

  it("tells who did the work, what confined it, and in which session", async () => {
    await openPage("completed", 2);
    const facts = screen.getByTestId("agent-facts").textContent;
    expect(facts).toContain("Claude · claude-sonnet-4-5");
    expect(facts).toContain("7 turns");
    expect(facts).toMatch(/10k in.*2\.7k out.*51\.9k from cache.*4\.1k to cache/s);
    expect(screen.getByTestId("confinement").textContent).toContain("In the sandbox");
    expect(screen.getByTestId("session-copy")).toBeTruthy();
    expect(screen.queryByTestId("agent-problem")).toBeNull();
  });

  it("shows the end of the error output of an agent that failed, and all of it", async () => {
    const { app, backend } = await openWindow({ scenario: "completed" });
    const detail = await backend.iteration(iterationIdOf(2, 3));
    const iteration = { ...detail.iteration, exit_code: 3, outcome: "failed" as const, cause: "agent_exit" as const };
    vi.spyOn(backend, "iteration").mockResolvedValue({ ...detail, iteration });
    const line = (n: number) => ({ ...ENTRY, n, text: `line ${n + 1}` });
    vi.spyOn(backend, "outputInfo").mockResolvedValue({ ...(await infoOf(backend)), total: 8 });
    vi.spyOn(backend, "outputPage").mockImplementation((_target, _filter, first, count) =>
      Promise.resolve({ first, total: 8, entries: Array.from({ length: count }, (_, at) => line(first + at)) }),
    );
    app.showIteration(detail.iteration.id, "journal");
    const shown = await screen.findByTestId("agent-stderr");
    expect(shown.textContent).toContain("line 4\nline 5\nline 6\nline 7\nline 8");
    expect(shown.textContent).not.toContain("line 3");
    expect(screen.getByTestId("iteration-outcome").textContent).toContain("Agent failed");
    screen.getByTestId("agent-stderr-all").click();
    expect((await screen.findByRole("tab", { name: /Transcript/ })).getAttribute("aria-selected")).toBe("true");
  });

  it("counts no time while its run is paused, and does not say that the agent works", async () => {
    const { app, backend } = await openWindow({ scenario: "running" });
    const detail = await backend.iteration(iterationIdOf(2, 8));
    const run = { ...detail.run, status: "paused" as const };
    vi.spyOn(backend, "iteration").mockResolvedValue({ ...detail, run });
    app.showIteration(detail.iteration.id, "journal");
    expect((await screen.findByTestId("iteration-outcome")).textContent?.trim()).toBe("Paused");
    expect(screen.getByTestId("iteration-took").previousElementSibling?.textContent).toBe("Took");
  });

  it("says of a check how it stood before the run", async () => {
    await openChanged(({ checks }) => {
      const [first, second] = checks;
      return {
        checks: [
          ...(first ? [{ ...first, status: "failed" as const, red_before: true }] : []),
          ...(second ? [{ ...second, red_before: false }] : []),
        ],
      };
    }, "checks");
    const before = screen.getAllByTestId("check-before").map((each) => each.textContent);
    expect(before).toEqual(["failed before this run", "passed before this run"]);
  });

  it("names the tools that were not allowed, and the setting that would allow them", async () => {
    const { app, user } = await openPage("denied", 1);
    expect(screen.getByTestId("iteration-outcome").textContent).toContain("Not allowed");
    expect(screen.getByTestId("denied").dataset.code).toBe("agent.permission");
    expect(screen.getByTestId("denied").textContent).toContain("Bash(cargo test)");
    expect(screen.getByTestId("denied").textContent).toContain("loop.automation");
    expect(screen.getByTestId("confinement").textContent).toContain("Not confined");
    await user.click(screen.getByTestId("to-automation"));
    expect([app.view, app.section]).toEqual(["settings", "agent"]);
  });

  it("gives the code of an agent's problem, and what to do", async () => {
    await openPage("waiting", 8);
    expect(screen.getByTestId("iteration-outcome").textContent).toContain("Usage limit");
    expect(screen.getByTestId("agent-problem").dataset.code).toBe("agent.limit");
    expect(screen.getByTestId("agent-problem").textContent).toContain("lifted by time");
  });

  it("goes to the neighbours and stays on the tab", async () => {
    const { user, app } = await openPage("completed", 4, "journal");
    await user.click(screen.getByTestId("iteration-next"));
    await screen.findByText("Iteration 5");
    await screen.findAllByTestId("journal-entry");
    await user.keyboard("[[[[[[");
    await screen.findByText("Iteration 2");
    await user.click(screen.getByTestId("iteration-previous"));
    await screen.findByText("Iteration 1");
    await vi.waitFor(() => expect((screen.getByTestId("iteration-previous") as HTMLButtonElement).disabled).toBe(true));
    await user.click(screen.getByTestId("iteration-back"));
    expect(app.iteration).toBeNull();
    expect(await screen.findAllByTestId("iteration-row")).not.toHaveLength(0);
  });

  it("shows the prompt and the last words", async () => {
    const { user } = await openPage("completed", 2, "prompt");
    expect(screen.getByTestId("prompt").textContent).toContain("Price every tea in teas.txt.");
    expect(screen.getByTestId("response").textContent).toContain("Added the fourth field");
    expect(screen.queryByTestId("prompt-cut")).toBeNull();
    await user.click(screen.getByTestId("prompt-copy"));
    expect(await navigator.clipboard.readText()).toContain("# Iteration 2");
  });

  it("says so when the prompt is cut or missing", async () => {
    await openChanged(() => ({ prompt: { text: "begin", bytes: 9_000_000, cut: true } }), "prompt");
    expect(screen.getByTestId("prompt-cut").textContent).toContain("5 bytes of 9.0 MB");
  });

  it("has no prompt where none was kept", async () => {
    await openChanged(() => ({ prompt: { text: "", bytes: 0, cut: false } }), "prompt");
    expect(screen.getByTestId("prompt-empty")).toBeTruthy();
  });

  it("shows the transcript", async () => {
    await openPage("completed", 2, "transcript");
    expect(await screen.findByText("I will read the specification and the file first.")).toBeTruthy();
  });

  it("opens a file where a check found something", async () => {
    const { user, backend } = await openPage("completed", 3, "checks");
    const checks = screen.getAllByTestId("check");
    expect(checks.map((check) => check.dataset.status)).toEqual(["failed", "skipped", "skipped"]);
    expect(screen.getAllByTestId("issue")).toHaveLength(3);
    await user.click(screen.getByRole("button", { name: "teas.txt:19" }));
    expect(callsOf(backend, "openFile")).toEqual([{ path: "teas.txt", line: 19 }]);
    await user.click(within(checks[1] as HTMLElement).getByRole("button"));
    expect(checks[1]?.textContent).toContain("An earlier required check failed");
  });

  it("shows all that a check printed", async () => {
    const { user, backend } = await openPage("completed", 3, "checks");
    expect(screen.getByTestId("check-excerpt").textContent).toContain("teas.txt:12");
    await user.click(screen.getByTestId("check-output"));
    await vi.waitFor(() =>
      expect(callsOf(backend, "outputInfo")).toContainEqual({
        iteration: iterationIdOf(2, 2),
        source: { kind: "check_stdout", position: 0 },
      }),
    );
  });

  it("shows the first of very many issues", async () => {
    const issue = { severity: "error" as const, file: null, line: null, message: "again" };
    await openChanged(({ checks }) => {
      const [first] = checks;
      return { checks: first ? [{ ...first, status: "failed", issues: Array(250).fill(issue) }] : [] };
    }, "checks");
    expect(screen.getAllByTestId("issue")).toHaveLength(100);
    screen.getByText("Show more of 250 issues").click();
    await vi.waitFor(() => expect(screen.getAllByTestId("issue")).toHaveLength(200));
  });

  it.each([
    ["running", 9, "Checks run when the agent has ended."],
    ["completed", 6, "The iteration ended before its checks were run."],
  ] as const)("says why there are no checks (%s)", async (scenario, number, why) => {
    await openPage(scenario, number, "checks");
    expect(screen.getByTestId("checks-empty").textContent).toContain(why);
  });

  it("shows the diff of what it changed", async () => {
    const { backend } = await openPage("completed", 2, "diff");
    await screen.findByTestId("diff-pane");
    const id = iterationIdOf(2, 1);
    expect(callsOf(backend, "diffFiles")).toEqual([
      { from: { iteration: id, side: "before" }, to: { iteration: id, side: "after" } },
    ]);
  });

  it("has no diff and nothing to restore while the agent works", async () => {
    await openPage("running", 9, "diff");
    expect(screen.getByTestId("diff-none").textContent).toContain("not saved yet");
    expect((screen.getByTestId("restore-open") as HTMLButtonElement).disabled).toBe(true);
  });

  it("shows what it used, of what the run may use", async () => {
    await openPage("completed", 1, "usage");
    expect(screen.getByTestId("usage-tokens").textContent).toBe("63.4k");
    expect(screen.getByTestId("usage-cost").textContent?.trim()).toBe("$0.18");
    const limits = screen.getAllByTestId("limit").map((limit) => limit.textContent);
    expect(limits).toHaveLength(4);
    expect(limits[0]).toContain("of $25.00");
  });

  it("says so when nobody told of tokens or money", async () => {
    await openChanged(({ iteration }) => ({ iteration: { ...iteration, usage: {}, elapsed_ms: 0 } }), "usage");
    expect(screen.getByText("The agent did not say how many tokens it used.")).toBeTruthy();
    expect(screen.getByText("Nobody said what this iteration cost.")).toBeTruthy();
  });

  it("tells what was written down, in order", async () => {
    await openPage("completed", 3, "journal");
    const types = screen.getAllByTestId("journal-entry").map((entry) => entry.dataset.type);
    expect(types.slice(0, 3)).toEqual(["iteration.started", "iteration.phase", "agent.ended"]);
    expect(screen.getAllByTestId("journal-entry").at(-1)?.textContent).toContain("Iteration 3 failed");
  });

  it("follows the iteration that goes on", async () => {
    const { backend } = await openPage("running", 9, "journal");
    expect(screen.getByTestId("iteration-outcome").textContent).toContain("Working");
    backend.controls.runs.finishIteration("good");
    await vi.waitFor(() => expect(screen.getByTestId("iteration-outcome").textContent).toContain("Succeeded"));
    expect(screen.getByTestId("iteration-commit")).toBeTruthy();
  });

  it("says why it cannot be read, and tries again", async () => {
    const { app, backend, user } = await openWindow({ scenario: "completed" });
    const refused = new BackendError(fault("run.not_found", "There is no such iteration."));
    vi.spyOn(backend, "iteration").mockRejectedValueOnce(refused);
    app.showIteration(iterationIdOf(2, 0));
    await user.click(await screen.findByTestId("retry"));
    expect(await screen.findByText("Iteration 1")).toBeTruthy();
  });
});

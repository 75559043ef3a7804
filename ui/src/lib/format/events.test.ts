import { describe, expect, it } from "vitest";

import { describe as inWords } from "./events";

describe("describe", () => {
  it.each([
    [{ type: "project.created", name: "tea", origin: "cli", sample: false }, "Project made", "tea", "in a terminal"],
    [{ type: "project.trusted", digest: "ab", origin: "app" }, "Folder trusted", undefined, "in the app"],
    [{ type: "config.changed", key: "mode", value: null, origin: "app" }, "Setting removed", "mode", "in the app"],
    [{ type: "config.changed", key: "mode", value: "x", origin: "app" }, "Setting changed", "mode = x", "in the app"],
    [
      { type: "store.recovered", moved_to: "a", reason: "b" },
      "Damaged state kept apart, started over",
      "b; kept at a",
      undefined,
    ],
    [{ type: "task.added", task: 3, title: "Brew" }, "Task #3 added", "Brew", undefined],
    [
      {
        type: "run.started",
        run: "r",
        kind: "loop",
        title: "Build it",
        harness: "h",
        max_iterations: 3,
        origin: "cli",
      },
      "Run started (loop)",
      "Build it",
      "in a terminal",
    ],
    [
      { type: "run.status", run: "r", status: "completed", reason: "promise", message: "done" },
      "Run completed",
      "done",
      undefined,
    ],
    [
      { type: "iteration.settled", run: "r", iteration: "i", number: 2, outcome: "failed", message: "exit 1" },
      "Iteration 3 failed",
      "exit 1",
      undefined,
    ],
    [
      { type: "files.committed", iteration: "i", commit: "abc", files: ["a.txt", "mine.txt"], more: 3 },
      "Committed 5 files",
      "a.txt, mine.txt and 3 more",
      undefined,
    ],
    [
      { type: "files.put_back", iteration: "i", removed: ["b"], restored: ["a"], more: 0, kept: "refs/x" },
      "Put back 2 files, kept in refs/x",
      "b, a",
      undefined,
    ],
    [
      { type: "control.requested", run: "r", control: "pause_after_iteration", origin: "app" },
      "Asked for: pause after iteration",
      undefined,
      "in the app",
    ],
    [{ type: "something.newer" }, "something.newer", undefined, undefined],
    [
      { type: "iteration.started", run: "r", iteration: "i", number: 4, task: null, attempt: 2 },
      "Iteration 5 started, attempt 2",
      undefined,
      undefined,
    ],
    [{ type: "iteration.phase", iteration: "i", phase: "checking" }, "Checks started", undefined, undefined],
    [
      { type: "agent.ended", iteration: "i", end: "exited", exit_code: 1, elapsed_ms: 12_000, strays: ["vite"] },
      "Agent ended with exit code 1 after 12 s",
      "Left behind and ended: vite",
      undefined,
    ],
    [
      { type: "check.ended", iteration: "i", name: "lint", status: "failed", issues: 2, elapsed_ms: 5 },
      "Check failed with 2 issues",
      "lint",
      undefined,
    ],
  ])("puts %o into words", (event, text, subject, by) => {
    const happening = inWords(event as Parameters<typeof inWords>[0]);
    expect([happening.text, happening.subject, happening.by]).toEqual([text, subject, by]);
  });
});

import type { Finished } from "$lib/backend/types";

export interface FinishedWords {
  tone: "good" | "bad" | "waiting" | "plain";
  /** What happened. */
  what: string;
  /** What to do next. */
  next: string;
  action?: { view: "checks" | "review"; label: string };
}

/** What finishing work by hand came to, in words. */
export function finishedWords(finished: Finished): FinishedWords {
  switch (finished.kind) {
    case "done":
      return {
        tone: "good",
        what: finished.commit === null ? "Done" : `Done, as commit ${finished.commit.slice(0, 7)}`,
        next: "The checks pass. Take the next task.",
      };
    case "gate":
      return {
        tone: "waiting",
        what: "It needs review",
        next: "The checks pass. What you changed is shown before it is committed.",
        action: { view: "review", label: "Review it" },
      };
    case "checks_failed":
      return {
        tone: "bad",
        what: `Not finished: ${finished.checks.join(", ")} ${finished.checks.length === 1 ? "fails" : "fail"}`,
        next: "Your files are as you left them. Mend what fails, then finish again.",
        action: { view: "checks", label: "See the checks" },
      };
    case "given_up":
      return {
        tone: "plain",
        what: "Given up",
        next: finished.kept === null ? "There was nothing to put back." : `What you did is kept at ${finished.kept}.`,
      };
  }
}

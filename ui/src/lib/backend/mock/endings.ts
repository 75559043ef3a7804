import type { Ending, Iteration, NextAction, RunSummary } from "../types";

const step = (action: NextAction, text: string) => ({ action, text });
const REVIEW = step("review_changes", "Look at what it changed");
const AGAIN = step("start_again", "Start it again");
const READ = step("read_iteration", "Read the last iteration");
const CHECKS = step("read_checks", "Read what fails");

const told = (headline: string, explanation: string, ...steps: Ending["steps"]): Ending => ({
  headline,
  explanation,
  steps,
});

/** What ended or stopped a run, in the words of the real thing; none while it works. */
export function endingFor(run: RunSummary, last: Iteration | null): Ending | null {
  switch (run.status) {
    case "running":
      return null;
    case "waiting":
      return run.waiting === "disk"
        ? told(
            "Waiting for room on the disk",
            "The disk is nearly full. The run goes on by itself when there is room.",
            step("free_space", "Free some space"),
          )
        : run.waiting === "approval"
          ? told("Waiting for your decision", "The run goes on when you have decided.", step("resume", "Go on"))
          : told(
              "Waiting for the agent's limit",
              "The agent's account has used what it is given for now. The run goes on by itself when that is lifted.",
              step("resume", "Try again now"),
              step("agent_settings", "Use another agent"),
            );
    case "paused":
      return told("Paused", "Everything is saved. Nothing happens until you resume.", step("resume", "Resume"), REVIEW);
    case "interrupted":
      return told(
        "Interrupted",
        "The run was stopped before its end. Everything is saved.",
        step("resume", "Resume where it stopped"),
        REVIEW,
      );
    case "cancelled":
      return told("Cancelled", "The run was ended for good. What it changed is still there.", REVIEW, AGAIN);
    default:
      return over(run, last);
  }
}

function over(run: RunSummary, last: Iteration | null): Ending {
  switch (run.reason) {
    case "promise":
      return told(
        "The agent says it is done",
        "It gave its completion promise, and no required check objects.",
        REVIEW,
      );
    case "checks_pass":
      return told("All required checks pass", "There is nothing left to mend.", REVIEW);
    case "max_iterations":
      return told(
        `Used all ${run.limits.max_iterations} iterations without finishing`,
        "The goal is not reached yet. What was done so far is kept.",
        step("raise_limit", "Give it more iterations"),
        AGAIN,
        READ,
      );
    case "money":
      return told(
        "Used all $25.00",
        "This run was given no more, so it stopped. What was done so far is kept.",
        step("raise_limit", "Give it more money"),
        REVIEW,
      );
    case "failure_threshold":
      return told(
        `Stopped after ${run.progress.consecutive_failures} failures in a row`,
        last?.message ?? "Too many iterations failed, one after another.",
        READ,
        CHECKS,
        AGAIN,
      );
    case "finished":
      return told("Every task is done", "Each one passed its checks.", REVIEW);
    case "blocked":
      return run.kind === "run"
        ? told("Some tasks are blocked", run.message ?? "Nothing else can start.", READ, AGAIN)
        : told(
            "The agent needs your help",
            "It says: I cannot find the price list.",
            READ,
            step("start_again", "Help, then start it again"),
          );
    case "workspace_damaged":
      return told(
        "The repository or the state was damaged",
        "It was deleted or changed from outside while the run worked. There is a copy of the history.",
        step("recover", "Bring it back"),
      );
    default:
      return told("The run is over", run.message ?? "What it changed is still there.", REVIEW, AGAIN);
  }
}

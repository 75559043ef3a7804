import type { CheckResult, GateDetail, RiskFlag } from "$lib/backend/types";
import { agentName } from "$lib/format/agents";
import { listText, numberText, pluralForm } from "$lib/format/locale";
import { durationText } from "$lib/format/measure";
import { plural } from "$lib/format/text";

/** As many files are named. */
const EDITED = 5;

/** The texts of the view. */
export const TEXTS = {
  title: "Review",
  section: "Review",
  nothing: "Nothing needs your review",
  decisions: (count: number) => `${plural(count, "decision")} for you`,
  reviewOf: (tasks: number) => `Review of ${plural(tasks, "task")}`,
  place: (at: number, count: number) => `${numberText(at)} of ${numberText(count)}`,
  /** Whose work it is: "Task 8, attempt 2 by claude". */
  work: ({ gate, task, run }: GateDetail) => {
    const agent = agentName(run.harness);
    if (task === null) {
      return `Work of ${agent}`;
    }
    const attempt = numberText(task.attempts + 1);
    return gate.status === "open" ? `Task ${task.id}, attempt ${attempt} by ${agent}` : `Task ${task.id} by ${agent}`;
  },
  risks: "Risks",
  risk: ({ path, line, detail }: RiskFlag) => {
    const place = path === null ? "" : line === null ? path : `${path}:${line}`;
    return place === "" ? detail : `${detail} ${place}`;
  },
  more: (count: number) => `Show ${numberText(count)} more`,
  criteria: "Criteria",
  ticked: (ticked: number, count: number) => `${numberText(ticked)} of ${numberText(count)}`,
  checks: "Checks",
  noChecks: "No check was run, so none says whether this is good.",
  /** Which they were and how long they took. */
  checksLine: (checks: readonly CheckResult[]) =>
    `${listText(checks.map(({ name }) => name))} in ${durationText(checks.reduce((sum, each) => sum + each.elapsed_ms, 0))}`,
  summary: "Agent’s summary",
  comments: "Comments",
  satisfied: "Satisfied already by",
  about: "About",
  openIteration: "Open the iteration",
  hints: {
    approve: "Approve",
    reject: "Reject",
    comment: "Comment",
    file: "File",
    change: "Change",
    undo: "Undo",
  },
  unreadable: "The reviews could not be read",
  gateUnreadable: "This gate could not be read",
  nothingText:
    "Work that needs a person stops here before it is committed: by the review mode, or because something about it is risky.",
  mode: (mode: string) => `Review mode: ${mode}`,
  gateSettings: "Gate settings",
  evidence: "What to decide by",
  unchanged: "The agent left every file as it was.",
  noDiff: "There is no diff to show",
  noDiffText: "Nothing was saved: this folder has no git repository.",
  showAll: "Show everything",
  showBare: "Show only the changes",
  previousTitle: "Previous decision ([)",
  nextTitle: "Next decision (])",
  commands: {
    undo: "Undo the approval",
    comment: "Comment on the line",
    next: "Next gate, or next file in the changes",
    previous: "Previous gate, or previous file in the changes",
    nextDecision: "Next decision",
    previousDecision: "Previous decision",
  },
  approve: { work: "Approve", plan: "Approve the plan", review: "Continue" },
  approveTitle: (approve: string) => `${approve} (A)`,
  approveEdited: "Approve with my edits",
  approveEditedTitle: "Approve with my edits (E)",
  approved: "Approved",
  sentIn: (seconds: number) => `Nothing is committed yet. Sent in ${plural(seconds, "second")}.`,
  commitNow: "Commit now",
  edited: (files: number) =>
    pluralForm(
      files,
      `You changed ${plural(files, "file")} since. It is checked again before anything is committed.`,
      `You changed ${plural(files, "file")} since. They are checked again before anything is committed.`,
    ),
  checkingEdits: "Your edits are being checked. Nothing is approved until they pass.",
  carriedOut: "The run carries it out…",
  decide: "Decide",
  reject: "Reject…",
  rejectTitle: "Reject with a reason (R)",
  skip: "Skip task…",
  skipTitle: "Skip the task (S)",
  pause: "Pause",
  pauseTitle: "Pauses the run. This decision stays open.",
  gates: "Gates",
  waiting: "Waiting",
  recent: "Recent",
  riskCount: (count: number) => plural(count, "risk"),
  leftOut:
    "The checks may have used these. What you tick goes into the commit and is checked again first; the rest stays out of it.",
  gitCannot: "Git cannot have it.",
  finishedWork: "Finished work",
  finished: (count: number) => plural(count, "finished task"),
  reverted: "Reverted",
  revert: "Revert…",
  diff: "Diff",
  plan: "The plan",
  removeComment: "Remove the comment",
  commentHere: "What should be different here?",
  commentSent: "The agent gets it when you reject.",
  discard: "Discard",
  notices: {
    decided: "Somebody decided first",
    /** What was decided, where and when; what is not known is empty. */
    decidedText: (what: string[]) => `${what.filter(Boolean).join(" ")}. Your answer changed nothing.`,
    changed: "The files changed while you looked",
    changedText: "Nothing was committed. This is what they are now: review it again, then decide.",
    refused: "Nothing was decided",
    checksFailed: (checks: readonly string[]) => `Not approved: your edits do not pass ${listText(checks)}`,
    checksFailedText: "Nothing was committed, and the gate stays open. Fix it and try again, or reject.",
  },
  dialogs: {
    secret: {
      title: "Commit something that looks like a secret?",
      text: "A secret that was committed once stays in the history and should be taken as known. Look at the flagged lines first.",
      confirm: "Approve all the same",
      cancel: "Back to the diff",
    },
    plan: {
      reject: "The agent makes another plan with your reason.",
      skip: "The task is blocked until you take it up again.",
    },
    loop: "The work stays in the files. The next iteration sees it, and is told your reason.",
    task: {
      reject:
        "The files go back to what they were before; what was made is kept. The agent tries again with your reason.",
      skip: "The files go back to what they were before; what was made is kept. The task is blocked until you take it up again.",
    },
    rejectTitle: { work: "Reject this work?", plan: "Reject this plan?" },
    skipTitle: "Skip this task?",
    edited: (files: readonly string[]) => {
      const named = files.length > EDITED ? `${files.slice(0, EDITED).join(", ")} and more` : listText(files);
      return pluralForm(
        files.length,
        `You changed ${plural(files.length, "file")} since. It stays as it is: ${named}.`,
        `You changed ${plural(files.length, "file")} since. They stay as they are: ${named}.`,
      );
    },
    different: "What should be different?",
    why: "Why?",
    missing: "Say why: it is all the next attempt learns from you.",
    along: (comments: number) =>
      pluralForm(
        comments,
        `Your ${plural(comments, "comment")} goes along:`,
        `Your ${plural(comments, "comment")} go along:`,
      ),
    back: "Back",
    reject: "Reject",
    skip: "Skip task",
    revertTitle: (title: string) => `Revert “${title}”?`,
    revertText: (commit: string) => `A new commit takes back what ${commit} changed, and the task is pending again.`,
    revert: "Revert",
    keep: "Keep",
  },
};

import Bandage from "@lucide/svelte/icons/bandage";
import BookOpen from "@lucide/svelte/icons/book-open";
import Bot from "@lucide/svelte/icons/bot";
import CircleCheck from "@lucide/svelte/icons/circle-check";
import CirclePlus from "@lucide/svelte/icons/circle-plus";
import CircleX from "@lucide/svelte/icons/circle-x";
import DatabaseBackup from "@lucide/svelte/icons/database-backup";
import Dot from "@lucide/svelte/icons/dot";
import Flag from "@lucide/svelte/icons/flag";
import FlaskConical from "@lucide/svelte/icons/flask-conical";
import FolderPlus from "@lucide/svelte/icons/folder-plus";
import GitCommitHorizontal from "@lucide/svelte/icons/git-commit-horizontal";
import Hand from "@lucide/svelte/icons/hand";
import History from "@lucide/svelte/icons/history";
import Import from "@lucide/svelte/icons/import";
import Lightbulb from "@lucide/svelte/icons/lightbulb";
import Pencil from "@lucide/svelte/icons/pencil";
import Play from "@lucide/svelte/icons/play";
import RefreshCw from "@lucide/svelte/icons/refresh-cw";
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import SlidersHorizontal from "@lucide/svelte/icons/sliders-horizontal";
import TriangleAlert from "@lucide/svelte/icons/triangle-alert";

import type {
  CheckStatus,
  EventEnvelope,
  GateStatus,
  Outcome,
  Phase,
  TaskStatus,
  TrustReason,
} from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

import { trustText } from "../chart/trust";

import { durationText } from "./measure";
import { plural } from "./text";

type Event = EventEnvelope["event"];

/** An event as a person reads it. `subject` is text from the project and stands apart from our own words. */
export interface Happening {
  icon: IconType;
  text: string;
  subject?: string;
  by?: string;
}

const PLACES: Record<string, string> = { cli: "in a terminal", app: "in the app" };

/** Puts an event into words. Events of a newer version are shown by their name rather than left out. */
export function describe(event: Event): Happening {
  switch (event.type) {
    case "project.created":
      return {
        icon: FolderPlus,
        text: event.sample ? "Sample project made" : "Project made",
        subject: event.name,
        ...by(event.origin),
      };
    case "project.trusted":
      return { icon: ShieldCheck, text: "Folder trusted", ...by(event.origin) };
    case "config.changed":
      return {
        icon: SlidersHorizontal,
        text: event.value === null ? "Setting removed" : "Setting changed",
        subject: event.value === null ? event.key : `${event.key} = ${event.value}`,
        ...by(event.origin),
      };
    case "store.recovered":
      return {
        icon: DatabaseBackup,
        text: "Damaged state kept apart, started over",
        subject: `${event.reason}; kept at ${event.moved_to}`,
      };
    default:
      return describeTask(event);
  }
}

/** Where a task stands now, as the end of a sentence. */
const TASK_ENDS: Record<TaskStatus, string> = {
  pending: "pending",
  in_progress: "is being worked on",
  awaiting_approval: "needs review",
  done: "is done",
  blocked: "is blocked",
  cancelled: "is cancelled",
};

/** What became of a gate, as the end of a sentence. */
const GATE_ENDS: Record<GateStatus, string> = {
  open: "is open",
  approved: "approved",
  rejected: "rejected",
  skipped: "skipped",
  replaced: "replaced by a newer one",
};

function describeTask(event: Event): Happening {
  switch (event.type) {
    case "task.added":
      return { icon: CirclePlus, text: `Task #${event.task} added`, subject: event.title };
    case "task.edited":
      return {
        icon: Pencil,
        text: `Task #${event.task} edited`,
        subject: event.fields.map((field) => field.replaceAll("_", " ")).join(", "),
        ...by(event.origin),
      };
    case "task.removed":
      return { icon: CircleX, text: `Task #${event.task} removed`, subject: event.title, ...by(event.origin) };
    case "task.status":
      return {
        icon: event.to === "done" ? CircleCheck : event.to === "blocked" ? CircleX : Dot,
        text: `Task #${event.task} ${TASK_ENDS[event.to] ?? event.to}`,
        ...about(event.reason),
        ...by(event.origin),
      };
    case "task.imported":
      return {
        icon: Import,
        text: `${plural(event.added, "task")} imported, ${event.updated} updated`,
        subject: event.format,
        ...by(event.origin),
      };
    case "wave.finished":
      return { icon: Flag, text: `Wave ${event.wave} finished`, ...about(event.commit?.slice(0, 7)) };
    case "plan.applied":
      return {
        icon: BookOpen,
        text: `Plan written: ${plural(event.sections, "section")}, ${plural(event.tasks, "task")}`,
        ...by(event.origin),
      };
    case "spec.changed":
      return { icon: BookOpen, text: "Spec changed", subject: event.what, ...by(event.origin) };
    default:
      return describeGate(event);
  }
}

function describeGate(event: Event): Happening {
  switch (event.type) {
    case "gate.opened":
      return {
        icon: Hand,
        text: event.task === null ? "Work needs review" : `Task #${event.task} needs review`,
      };
    case "gate.decided":
      return {
        icon: Hand,
        text: `Gate ${event.gate} ${GATE_ENDS[event.status] ?? event.status}`,
        ...about(event.reason),
        ...by(event.origin),
      };
    default:
      return describeMemory(event);
  }
}

const LEARNING_CHANGES: Record<string, string> = { added: "added", edited: "edited", removed: "removed" };

const SOLUTION_CHANGES: Record<TrustReason, string> = {
  made: "made",
  added: "added",
  imported: "imported, on trial",
  helped: "helped",
  failed_again: "did not help",
  found_again: "found again",
  decayed: "was idle",
  refreshed: "confirmed",
  edited: "edited",
  retired: "retired",
  restored: "back in use",
};

function describeMemory(event: Event): Happening {
  switch (event.type) {
    case "learning.recorded":
      return { icon: Lightbulb, text: `Learned (${event.category})`, subject: event.title || event.text };
    case "learning.changed":
      return {
        icon: Lightbulb,
        text: `Learning ${event.learning} ${LEARNING_CHANGES[event.what] ?? "changed"}`,
        ...by(event.origin),
      };
    case "memory.included": {
      const parts = [plural(event.solutions.length, "solution"), plural(event.learnings.length, "learning")];
      return { icon: Lightbulb, text: `The prompt carries ${parts.join(" and ")}` };
    }
    case "solution.recorded":
      return { icon: Bandage, text: `Solution ${event.solution} made`, subject: event.fix.title };
    case "solution.changed":
      return {
        icon: Bandage,
        text: `Solution ${event.solution} ${SOLUTION_CHANGES[event.reason] ?? "changed"}, trust ${trustText(event.after)}`,
        subject: event.title,
        ...(event.origin === null ? {} : by(event.origin)),
      };
    default:
      return describeRun(event);
  }
}

/** How an iteration ended, as the end of a sentence. */
const OUTCOMES: Record<Outcome, string> = {
  succeeded: "succeeded",
  failed: "failed",
  interrupted: "was stopped",
};

/** What begins with a phase. */
const PHASES: Record<Phase, string> = {
  planned: "Planned",
  running: "Agent started",
  agent_done: "Agent ended",
  checking: "Checks started",
  awaiting_approval: "Needs review",
  committing: "Commit begun",
  settled: "Settled",
};

/** How an agent came to its end. */
const ENDS: Record<string, string> = {
  exited: "Agent ended",
  wall_timeout: "Agent stopped: it took longer than it was given",
  idle_timeout: "Agent stopped: it was silent for too long",
  start_timeout: "Agent stopped: it never said anything",
  interrupted: "Agent asked to stop",
  killed: "Agent stopped at once",
};

/** How a check ended, as the end of a sentence. */
const CHECK_ENDS: Record<CheckStatus, string> = {
  passed: "passed",
  failed: "failed",
  timed_out: "timed out",
  broken: "could not be run",
  skipped: "was skipped",
  stopped: "was stopped",
};

const FAILED: CheckStatus[] = ["failed", "timed_out", "broken"];

function describeRun(event: Event): Happening {
  switch (event.type) {
    case "run.started":
      return { icon: Play, text: `Run started (${event.kind})`, subject: event.title, ...by(event.origin) };
    case "run.baseline": {
      const red = event.checks.filter(({ status }) => FAILED.includes(status));
      const text =
        red.length === 0
          ? "All checks pass before the run"
          : `${plural(red.length, "check")} of ${event.checks.length} already failed before the run`;
      return { icon: FlaskConical, text, ...about(red.map(({ name }) => name).join(", ")) };
    }
    case "run.resumed":
      return { icon: Play, text: "Run resumed", ...by(event.origin) };
    case "run.status":
      return { icon: Flag, text: `Run ${event.status}`, subject: event.message };
    case "run.warning":
      return { icon: TriangleAlert, text: "Warning", subject: event.message };
    case "tree.restored":
      return { icon: History, text: "Tree restored", subject: event.to };
    case "control.requested":
      return { icon: Flag, text: `Asked for: ${event.control.replaceAll("_", " ")}`, ...by(event.origin) };
    default:
      return describeIteration(event);
  }
}

function describeIteration(event: Event): Happening {
  switch (event.type) {
    case "iteration.started": {
      const again = event.attempt > 1 ? `, attempt ${event.attempt}` : "";
      return { icon: RefreshCw, text: `Iteration ${event.number + 1} started${again}` };
    }
    case "iteration.phase":
      return { icon: Dot, text: PHASES[event.phase] ?? event.phase };
    case "agent.ended": {
      const code = event.exit_code === null ? "" : ` with exit code ${event.exit_code}`;
      const left = event.strays.length > 0 ? `Left behind and ended: ${event.strays.join(", ")}` : undefined;
      const text = `${ENDS[event.end] ?? event.end}${code} after ${durationText(event.elapsed_ms)}`;
      return { icon: Bot, text, ...about(left) };
    }
    case "check.ended": {
      const found = event.issues > 0 ? ` with ${plural(event.issues, "issue")}` : "";
      const before = event.red_before && event.status !== "passed" ? ", as before this run" : "";
      const text = `Check ${CHECK_ENDS[event.status] ?? event.status}${found}${before}`;
      return { icon: FlaskConical, text, subject: event.name };
    }
    case "failure.recorded":
      return {
        icon: CircleX,
        text: `Failed: ${event.diagnosis.pattern.replaceAll("_", " ")}`,
        subject: event.diagnosis.cause,
      };
    case "files.committed": {
      const count = plural(event.files.length + event.more, "file");
      return { icon: GitCommitHorizontal, text: `Committed ${count}`, subject: listed(event.files, event.more) };
    }
    case "files.put_back": {
      const names = [...event.removed, ...event.restored];
      const count = plural(names.length + event.more, "file");
      return { icon: History, text: `Put back ${count}, kept in ${event.kept}`, subject: listed(names, event.more) };
    }
    case "iteration.settled": {
      const text = `Iteration ${event.number + 1} ${OUTCOMES[event.outcome] ?? event.outcome}`;
      return { icon: event.outcome === "succeeded" ? CircleCheck : CircleX, text, ...about(event.message) };
    }
    default:
      return { icon: Dot, text: (event as { type: string }).type };
  }
}

/** Names, and how many there are besides. */
function listed(names: string[], more: number): string {
  return more > 0 ? `${names.join(", ")} and ${more} more` : names.join(", ");
}

function about(subject: string | null | undefined): { subject?: string } {
  return subject ? { subject } : {};
}

function by(origin: string | null): { by?: string } {
  const place = PLACES[origin ?? ""];
  return place === undefined ? {} : { by: place };
}

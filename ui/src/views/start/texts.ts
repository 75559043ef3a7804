import type { RecentProject, TaskCounts } from "$lib/backend/types";
import { numberText } from "$lib/format/locale";
import { plural } from "$lib/format/text";
import type { Shape } from "$lib/ui/StatusGlyph.svelte";

/** The texts of the view. */
export const TEXTS = {
  title: "Projects",
  recent: "Recent projects",
  openFolder: "Open folder…",
  fromIdea: "From an idea…",
  newProject: "New project…",
  pitchTitle: "From a spec to committed, checked code.",
  pitch:
    "An agent takes one task at a time. Your checks decide whether it is done, and nothing is committed past a gate you control. Projects you open are listed here with how far they have come.",
  unreadable: "The recent projects could not be read",
  sampleTitle: "Try the sample",
  sampleText: "A small plan and a scripted agent. No account, no cost; it needs only git.",
  sampleTry: "Try the sample",
  sampleOpen: "Open the sample",
  sample: "sample",
  forget: (name: string) => `Forget ${name}`,
  move: "Next project",
  moveUp: "Previous project",
  hints: { move: "Move", new: "New", openFolder: "Open folder" },
};

/** How a project stood when it was last looked at: what asks for somebody first. */
export function standing({ exists, tasks }: Pick<RecentProject, "exists" | "tasks">): {
  shape: Shape | null;
  text: string;
  below: string;
  tone: "plain" | "waiting" | "danger" | "faint";
} {
  if (!exists) {
    return { shape: null, text: "Folder not found", below: "Was it moved or is a drive missing?", tone: "plain" };
  }
  if (tasks === null) {
    return { shape: null, text: "", below: "", tone: "faint" };
  }
  const below = doneOf(tasks);
  if (tasks.waiting > 0) {
    return { shape: "waiting", text: `${plural(tasks.waiting, "task")} for you to review`, below, tone: "waiting" };
  }
  if (tasks.blocked > 0) {
    return { shape: "blocked", text: `${plural(tasks.blocked, "task")} blocked`, below, tone: "danger" };
  }
  if (tasks.working > 0) {
    return { shape: "running", text: `${plural(tasks.working, "task")} begun`, below, tone: "plain" };
  }
  if (tasks.total > 0 && tasks.done === tasks.total) {
    return { shape: "done", text: "Finished", below, tone: "plain" };
  }
  if (tasks.total === 0) {
    return { shape: null, text: "No tasks yet", below: "", tone: "faint" };
  }
  return { shape: "pending", text: tasks.done === 0 ? "Not started" : "Ready to continue", below, tone: "plain" };
}

function doneOf({ done, total }: TaskCounts): string {
  return done === total ? `All ${plural(total, "task")} done` : `${numberText(done)} of ${plural(total, "task")} done`;
}

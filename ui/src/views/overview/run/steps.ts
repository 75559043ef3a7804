import ArrowRight from "@lucide/svelte/icons/arrow-right";
import BookOpen from "@lucide/svelte/icons/book-open";
import Bot from "@lucide/svelte/icons/bot";
import DatabaseBackup from "@lucide/svelte/icons/database-backup";
import FileDiff from "@lucide/svelte/icons/file-diff";
import Gauge from "@lucide/svelte/icons/gauge";
import HardDrive from "@lucide/svelte/icons/hard-drive";
import ListX from "@lucide/svelte/icons/list-x";
import Play from "@lucide/svelte/icons/play";
import RotateCcw from "@lucide/svelte/icons/rotate-ccw";

import type { App } from "$lib/app/app.svelte";
import { limitThatEnded } from "$lib/app/start/limits";
import type { Ending, NextAction, RunState } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

/** A thing to do next, as a button. Without `run` the app cannot do it by itself and says how instead. */
export interface Step {
  action: NextAction;
  text: string;
  icon: IconType;
  run: (() => void) | null;
}

/** Those that the end of a run offers. */
const ICONS: Partial<Record<NextAction, IconType>> = {
  resume: Play,
  start_again: RotateCcw,
  raise_limit: Gauge,
  read_iteration: BookOpen,
  read_checks: ListX,
  review_changes: FileDiff,
  free_space: HardDrive,
  recover: DatabaseBackup,
  agent_settings: Bot,
};

/** What can be done about a run that ended or stopped, the best first. */
export function stepsOf(app: App, state: RunState, ending: Ending): Step[] {
  return ending.steps.map(({ action, text }) => ({
    action,
    text,
    icon: ICONS[action] ?? ArrowRight,
    run: doing(app, state, action),
  }));
}

function doing(app: App, state: RunState, action: NextAction): (() => void) | null {
  const iteration = (state.current ?? state.last)?.id ?? null;
  const read = (tab: string) => () => (iteration === null ? app.show("iterations") : app.showIteration(iteration, tab));
  switch (action) {
    case "resume":
      return () => void app.run.resume(state.run.id);
    case "start_again":
      return () => app.run.again();
    case "raise_limit":
      return () => app.run.again(limitThatEnded(state.run.reason) ?? "iterations");
    case "read_iteration":
      return read("transcript");
    case "read_checks":
      return read("checks");
    case "review_changes":
      return read("diff");
    case "agent_settings":
      return () => app.show("settings", "agent");
    default:
      return null;
  }
}

/** How a person does what the app cannot do for them. */
export function explained(action: NextAction): string {
  return action === "free_space"
    ? "Delete or move files that you no longer need from the disk of this project. The run notices by itself and goes on."
    : 'Run "loopwright recover" in a terminal in the project folder. It puts back what was deleted from the copies Loopwright keeps, and says what it did.';
}

import CircleStop from "@lucide/svelte/icons/circle-stop";
import Pause from "@lucide/svelte/icons/pause";
import Play from "@lucide/svelte/icons/play";
import Rocket from "@lucide/svelte/icons/rocket";
import StepForward from "@lucide/svelte/icons/step-forward";

import type { App } from "$lib/app/app.svelte";

import type { Action } from "../actions";

/** What can be done with the project's run now. */
export function runActions(app: App): Action[] {
  if (!app.inProject) {
    return [];
  }
  const { run, live } = app;
  return [
    ...(live.active ? [] : [startAction(app)]),
    ...(run.running ? steerActions(app) : []),
    ...(run.resumable ? [resumeAction(app)] : []),
    ...(run.running || run.resumable ? [cancelAction(app)] : []),
  ];
}

function startAction(app: App): Action {
  return {
    id: "start_run",
    title: "Start a run…",
    section: "Run",
    icon: Rocket,
    keywords: "loop fix prompt procedure begin new",
    shortcuts: [{ key: "Enter", mod: true }],
    run: () => app.run.toStart(),
  };
}

function steerActions(app: App): Action[] {
  return [
    {
      id: "pause_run",
      title: "Pause the run",
      section: "Run",
      icon: Pause,
      keywords: "stop hold",
      shortcuts: [{ key: ".", mod: true }],
      run: () => void app.run.ask("pause"),
    },
    {
      id: "pause_after_iteration",
      title: "Pause after this iteration",
      section: "Run",
      icon: StepForward,
      keywords: "stop hold later",
      run: () => void app.run.ask("pause_after_iteration"),
    },
  ];
}

function resumeAction(app: App): Action {
  return {
    id: "resume_run",
    title: "Resume the run",
    section: "Run",
    icon: Play,
    keywords: "continue go on",
    shortcuts: [{ key: ".", mod: true }],
    run: () => void app.run.resume(),
  };
}

function cancelAction(app: App): Action {
  return {
    id: "cancel_run",
    title: "Cancel the run…",
    section: "Run",
    icon: CircleStop,
    keywords: "cancel stop abort kill",
    run: () => (app.overlay = { kind: "cancel-run" }),
  };
}

import Play from "@lucide/svelte/icons/play";

import type { App } from "$lib/app/app.svelte";
import type { Command } from "$lib/app/commands.svelte";
import type { TaskId, TaskRow } from "$lib/backend/types";

import { taskStoreOf } from "./store.svelte";
import { idsText } from "./words";

/** Why a run of this task alone cannot start now; none when it can. */
export function runProblem(
  row: Pick<TaskRow, "depends_on">,
  byId: ReadonlyMap<TaskId, Pick<TaskRow, "status">>,
  running: boolean,
): string | null {
  const unfinished = row.depends_on.filter((id) => byId.get(id)?.status !== "done");
  if (unfinished.length > 0) {
    return `Can run after ${idsText(unfinished)}`;
  }
  return running ? "Can run when the current run has ended" : null;
}

/** The command that runs a task, as long as it can run. */
export function runTaskCommand(app: App, id: TaskId | null): Command[] {
  const { byId } = taskStoreOf(app);
  const row = id === null ? undefined : byId.get(id);
  if (row?.status !== "pending" || runProblem(row, byId, app.live.active) !== null) {
    return [];
  }
  return [
    {
      id: "task_run",
      title: `Run task #${row.id}…`,
      section: "Tasks",
      icon: Play,
      keywords: "start this task only",
      shortcuts: [{ key: "r" }],
      run: () => app.run.toTask(row.id),
    },
  ];
}

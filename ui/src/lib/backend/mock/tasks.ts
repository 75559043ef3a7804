import type { TasksBackend } from "../tasks";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

/** Tasks in memory. */
export function createTasksMock(parts: MockParts): TasksBackend {
  const pending = (method: string) => (): Promise<never> =>
    parts.guarded(method, undefined, (): never => {
      throw refusal("internal", "this is not built yet");
    });
  return {
    taskBoard: pending("taskBoard"),
    task: pending("task"),
    addTask: pending("addTask"),
    editTask: pending("editTask"),
    editTasks: pending("editTasks"),
    moveTasks: pending("moveTasks"),
    placeTask: pending("placeTask"),
    beginTask: pending("beginTask"),
    finishTask: pending("finishTask"),
    giveUpTask: pending("giveUpTask"),
    sections: pending("sections"),
  };
}

import type {
  BulkEdit,
  Finished,
  HandWork,
  Moved,
  SectionRow,
  TaskBoard,
  TaskDetail,
  TaskDraft,
  TaskId,
  TaskMove,
} from "./types";

/** Tasks: the board, one of them, editing, and work by hand. */
export interface TasksBackend {
  taskBoard(): Promise<TaskBoard>;
  task(id: TaskId): Promise<TaskDetail>;
  addTask(draft: TaskDraft): Promise<TaskId>;
  /** Refused with `task.changed` when `seen`, the task's `updated_at` when it was read, is no longer true. */
  editTask(id: TaskId, seen: string, draft: TaskDraft): Promise<TaskDetail>;
  /** All of them or none. */
  editTasks(ids: TaskId[], edit: BulkEdit): Promise<Moved>;
  /** All of them or none. */
  moveTasks(ids: TaskId[], to: TaskMove): Promise<Moved>;
  /** Puts a task right before another one, or last, by changing priorities. */
  placeTask(id: TaskId, before: TaskId | null): Promise<Moved>;
  beginTask(id: TaskId): Promise<HandWork>;
  finishTask(summary: string): Promise<Finished>;
  giveUpTask(): Promise<Finished>;
  sections(): Promise<SectionRow[]>;
}

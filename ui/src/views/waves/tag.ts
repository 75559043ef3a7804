import type { TaskBoard, TaskId, WaveSummary } from "$lib/backend/types";

/** What of a board has a tag, in the waves it is in; all of it without one. */
export function ofTag(board: TaskBoard, tag: string | null): TaskBoard {
  if (tag === null) {
    return board;
  }
  const tasks = board.tasks.filter((row) => row.tag === tag);
  const rows = new Map(tasks.map((row) => [row.id, row]));
  const own = (id: TaskId | null) => (id !== null && rows.has(id) ? id : null);
  const waveOf = (wave: WaveSummary): WaveSummary[] => {
    const ids = wave.tasks.filter((id) => rows.has(id));
    const count = (status: string) => ids.filter((id) => rows.get(id)?.status === status).length;
    const summary = { ...wave, tasks: ids, total: ids.length, done: count("done"), blocked: count("blocked") };
    return ids.length > 0 ? [summary] : [];
  };
  return {
    ...board,
    tasks,
    waves: board.waves.flatMap(waveOf),
    held: board.held.filter(({ task }) => rows.has(task)),
    current: own(board.current),
    next: own(board.next),
    wave_commits: board.wave_commits.filter((commit) => commit.tasks.some((id) => rows.has(id))),
  };
}

import type { BulkEdit, TaskId, TaskMove, TaskRow } from "$lib/backend/types";

/** Moves that a person made, one after the other. */
export interface UndoMove {
  ids: TaskId[];
  to: TaskMove;
}

type Before = Pick<TaskRow, "id" | "status" | "blocked">;

/** The moves that bring tasks back to the status they had before a move. */
export function undoMoves(made: TaskMove["kind"], before: readonly Before[]): UndoMove[] {
  const ids = before.map(({ id }) => id);
  switch (made) {
    case "block":
      return [{ ids, to: { kind: "unblock" } }];
    case "unblock":
      return blockAgain(before);
    case "reopen":
      return [
        ...move(before, "done", { kind: "done" }), //
        ...move(before, "cancelled", { kind: "cancel" }),
      ];
    default:
      return [{ ids, to: { kind: "reopen" } }, ...blockAgain(before.filter(({ status }) => status === "blocked"))];
  }
}

function move(before: readonly Before[], was: TaskRow["status"], to: TaskMove): UndoMove[] {
  const ids = before.filter(({ status }) => status === was).map(({ id }) => id);
  return ids.length > 0 ? [{ ids, to }] : [];
}

/** Each with its own reason. */
function blockAgain(before: readonly Before[]): UndoMove[] {
  return before.map(({ id, blocked }) => ({ ids: [id], to: { kind: "block", reason: blocked?.reason ?? "" } }));
}

/** The edits that give tasks back what an edit of all of them changed; none where one of them had nothing there. */
export function undoEdits(
  edit: BulkEdit,
  before: readonly Pick<TaskRow, "id" | "priority" | "tag" | "kind" | "size">[],
): { ids: TaskId[]; edit: BulkEdit }[] | null {
  const nothing: BulkEdit = { priority: null, tag: null, kind: null, size: null };
  const undone = before.map((row) => ({
    ...nothing,
    ...(edit.priority !== null && { priority: row.priority }),
    ...(edit.tag !== null && { tag: row.tag ?? "" }),
    ...(edit.kind !== null && { kind: row.kind }),
    ...(edit.size !== null && { size: row.size }),
  }));
  const lost = undone.some(
    ({ kind, size }) => (edit.kind !== null && kind === null) || (edit.size !== null && size === null),
  );
  if (lost) {
    return null;
  }
  const groups = new Map<string, { ids: TaskId[]; edit: BulkEdit }>();
  undone.forEach((each, index) => {
    const key = JSON.stringify(each);
    const group = groups.get(key) ?? { ids: [], edit: each };
    group.ids.push(...before.slice(index, index + 1).map(({ id }) => id));
    groups.set(key, group);
  });
  return [...groups.values()];
}

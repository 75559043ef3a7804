import type { TaskBoard, TaskId, TaskRow } from "$lib/backend/types";
import { type Graph, graphOf } from "$lib/graph/graph";
import { type Layout, layoutOf } from "$lib/graph/layout";

/** Where a task is: in a wave or, in none, because it waits in a circle or will not be done. */
export type Place = number | "circle" | "cancelled";

/** The tasks as a graph that is laid out. Nodes are numbered as the board lists the tasks. */
export interface Picture {
  graph: Graph;
  layout: Layout;
  /** The node of each task. */
  nodes: ReadonlyMap<TaskId, number>;
  /** What each layer is: a wave, or what is in none. */
  places: Place[];
  /** What it was made of: a board that hangs together in the same way has the same picture. */
  rows: readonly TaskRow[];
}

/** The picture of a board, the earlier one where nothing of it moves. */
export function pictureOf(board: TaskBoard, earlier: Picture | null): Picture {
  if (earlier !== null && sameShape(earlier.rows, board.tasks)) {
    return earlier;
  }
  const rows = board.tasks;
  const nodes = new Map(rows.map((row, node) => [row.id, node]));
  const places = [...new Set(rows.map(placeOf))].sort((a, b) => rank(a) - rank(b));
  const layerOf = new Map(places.map((place, layer) => [place, layer]));
  const [from, to]: [number[], number[]] = [[], []];
  rows.forEach((row, node) => {
    // What will not be done waits for nothing.
    for (const id of row.status === "cancelled" ? [] : new Set(row.depends_on)) {
      const before = nodes.get(id);
      if (before !== undefined && before !== node) {
        from.push(before);
        to.push(node);
      }
    }
  });
  const layers = Int32Array.from(rows, (row) => layerOf.get(placeOf(row)) ?? 0);
  const graph = graphOf(layers, Int32Array.from(from), Int32Array.from(to));
  return { graph, layout: layoutOf(graph), nodes, places, rows };
}

function placeOf(row: TaskRow): Place {
  return row.status === "cancelled" ? "cancelled" : (row.wave ?? "circle");
}

/** Waves come in their order, then what is in none. */
function rank(place: Place): number {
  return place === "cancelled" ? Infinity : place === "circle" ? Number.MAX_SAFE_INTEGER : place;
}

/** Whether the same tasks wait for the same tasks in the same waves. */
function sameShape(one: readonly TaskRow[], other: readonly TaskRow[]): boolean {
  return (
    one.length === other.length &&
    one.every((row, index) => {
      const twin = other[index];
      return (
        twin !== undefined &&
        row.id === twin.id &&
        placeOf(row) === placeOf(twin) &&
        row.depends_on.length === twin.depends_on.length &&
        row.depends_on.every((id, place) => id === twin.depends_on[place])
      );
    })
  );
}

/** The edges between tasks that follow each other in a chain. */
export function chainEdges({ graph, nodes }: Picture, chain: readonly TaskId[]): number[] {
  const places = new Map(chain.map((id, place) => [nodes.get(id) ?? -1, place]));
  const found: number[] = [];
  graph.from.forEach((from, edge) => {
    const [start, end] = [places.get(from), places.get(graph.to[edge] ?? -1)];
    if (start !== undefined && end !== undefined && Math.abs(start - end) === 1) {
      found.push(edge);
    }
  });
  return found;
}

import { at, type Graph } from "./graph";
import { layGrid } from "./grid";
import { layLanes } from "./lanes";

/** How large a node is, and how far from the next. */
export const NODE = { width: 212, height: 68, gapX: 60, gapY: 16 } as const;

/** A rectangle. */
export interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** Where a layer lies. */
export interface Band {
  layer: number;
  x: number;
  width: number;
}

/** Where everything lies. */
export interface Layout {
  /** The upper left corner of each node. */
  x: Float64Array;
  y: Float64Array;
  width: number;
  height: number;
  bands: Band[];
  /** The nodes of each layer, from above and, where it has more columns than one, from the left. */
  order: number[][];
  /** The heights at which an edge passes the layers between its ends, by the edge's number; none for most. */
  lanes: ReadonlyMap<number, readonly number[]>;
}

/** With more nodes than this in all, or in one layer, room counts for more than how each edge runs. */
const LANES_UP_TO = 400;
const LAYER_UP_TO = 24;

/**
 * Lays a graph out, its layers side by side. A small one gets a lane for each edge that passes layers, and straight
 * edges where possible; a large one gets its layers folded into columns, so that it is about as tall as wide.
 */
export function layoutOf(graph: Graph): Layout {
  const counts = new Int32Array(graph.layerCount);
  graph.layers.forEach((layer) => (counts[layer] = at(counts, layer) + 1));
  const small = graph.layers.length <= LANES_UP_TO && counts.every((count) => count <= LAYER_UP_TO);
  return small ? layLanes(graph) : layGrid(graph);
}

/** The place of a node. */
export function boxOf({ x, y }: Layout, node: number): Box {
  return { x: at(x, node), y: at(y, node), width: NODE.width, height: NODE.height };
}

/** The nodes of which anything lies in the box. */
export function nodesIn({ x, y }: Layout, box: Box): number[] {
  const found: number[] = [];
  const [left, top] = [box.x - NODE.width, box.y - NODE.height];
  const [right, bottom] = [box.x + box.width, box.y + box.height];
  for (let node = 0; node < x.length; node++) {
    const [nodeX, nodeY] = [at(x, node), at(y, node)];
    if (nodeX > left && nodeX < right && nodeY > top && nodeY < bottom) {
      found.push(node);
    }
  }
  return found;
}

/** The node at a point or, where there is none, the nearest that is not further away than this. */
export function nodeAt(layout: Layout, x: number, y: number, within: number): number | null {
  const near = nodesIn(layout, { x: x - within, y: y - within, width: 2 * within, height: 2 * within });
  const distance = (node: number): number => {
    const box = boxOf(layout, node);
    const across = Math.max(box.x - x, 0, x - box.x - box.width);
    const down = Math.max(box.y - y, 0, y - box.y - box.height);
    return Math.hypot(across, down);
  };
  return near.reduce<number | null>(
    (best, node) => (best === null || distance(node) < distance(best) ? node : best),
    null,
  );
}

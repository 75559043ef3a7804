import { at, type Graph } from "./graph";
import type { Layout } from "./layout";

export type Direction = "left" | "right" | "up" | "down";

/**
 * Where a step from a node leads: along an edge to the nearest node at its other end or, where there is none, to the
 * nearest of the next layer; up and down within its layer. `null` at the rim.
 */
export function stepFrom(graph: Graph, layout: Layout, node: number, direction: Direction): number | null {
  if (direction === "left" || direction === "right") {
    const along = direction === "left" ? graph.before.of(node) : graph.after.of(node);
    const layer = at(graph.layers, node) + (direction === "left" ? -1 : 1);
    return nearest(layout, node, along) ?? nearest(layout, node, layout.order[layer] ?? []);
  }
  const nodes = layout.order[at(graph.layers, node)] ?? [];
  const place = nodes.indexOf(node) + (direction === "up" ? -1 : 1);
  return nodes[place] ?? null;
}

function nearest({ x, y }: Layout, node: number, among: ArrayLike<number>): number | null {
  let found: number | null = null;
  let least = Infinity;
  for (let index = 0; index < among.length; index++) {
    const other = at(among, index);
    const distance = Math.hypot(at(x, other) - at(x, node), at(y, other) - at(y, node));
    if (distance < least) {
      [found, least] = [other, distance];
    }
  }
  return found;
}

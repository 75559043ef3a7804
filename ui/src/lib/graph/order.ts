import { at, type Graph, nodesByLayer, type Neighbours } from "./graph";

/** How often the layers are gone through, there or back. */
const SWEEPS = 8;
/** With more edges the layers are gone through less often, and crossings are not counted. */
const MANY_EDGES = 4000;
const SWEEPS_OF_MANY = 3;

/**
 * The nodes of each layer in an order in which few edges cross: each node goes to the middle of those it is connected
 * with, layer by layer, there and back. The best order that was seen is kept.
 */
export function orderLayers(graph: Graph): number[][] {
  const many = graph.from.length > MANY_EDGES;
  const order = nodesByLayer(graph);
  const places = new Float64Array(graph.layers.length);
  order.forEach((nodes) => notePlaces(nodes, places));
  let best = order.map((nodes) => [...nodes]);
  let fewest = many ? 0 : crossings(graph, order, places);
  for (let sweep = 0; sweep < (many ? SWEEPS_OF_MANY : SWEEPS); sweep++) {
    const forward = sweep % 2 === 0;
    for (let step = 1; step < order.length; step++) {
      const layer = forward ? step : order.length - 1 - step;
      order[layer] = sorted(order[layer] ?? [], forward ? graph.before : graph.after, places);
      notePlaces(order[layer] ?? [], places);
    }
    const count = many ? 0 : crossings(graph, order, places);
    if (many || count < fewest) {
      fewest = count;
      best = order.map((nodes) => [...nodes]);
    }
  }
  return best;
}

/** Places are shares of a layer, so that layers of different sizes agree on where their middle is. */
function notePlaces(nodes: readonly number[], places: Float64Array): void {
  nodes.forEach((node, index) => (places[node] = (index + 0.5) / nodes.length));
}

/** In the order of the mean place of the neighbours; what has none stays about where it is. */
function sorted(nodes: readonly number[], neighbours: Neighbours, places: Float64Array): number[] {
  const wanted = nodes.map((node, index) => {
    const near = neighbours.of(node);
    const sum = near.reduce((total, each) => total + at(places, each), 0);
    return { node, index, place: near.length > 0 ? sum / near.length : at(places, node) };
  });
  return wanted.sort((a, b) => a.place - b.place || a.index - b.index).map(({ node }) => node);
}

/** How many pairs of edges cross between layers that lie side by side. */
export function crossings(graph: Graph, order: readonly number[][], places: Float64Array): number {
  const between: [number, number][][] = order.map(() => []);
  graph.from.forEach((from, edge) => {
    const to = at(graph.to, edge);
    if (at(graph.layers, to) === at(graph.layers, from) + 1) {
      between[at(graph.layers, from)]?.push([at(places, from), at(places, to)]);
    }
  });
  return between.reduce((sum, edges, layer) => sum + inversions(edges, order[layer + 1]?.length ?? 0), 0);
}

/** Pairs that come in one order at their beginning and in the other at their end, counted in a tree of sums. */
function inversions(edges: [number, number][], size: number): number {
  const tree = new Int32Array(size + 1);
  let count = 0;
  edges
    .sort((a, b) => a[0] - b[0] || a[1] - b[1])
    .forEach(([, end], seen) => {
      const place = Math.floor(end * size) + 1;
      count += seen;
      for (let index = place; index > 0; index -= index & -index) {
        count -= at(tree, index);
      }
      for (let index = place; index <= size; index += index & -index) {
        tree[index] = at(tree, index) + 1;
      }
    });
  return count;
}

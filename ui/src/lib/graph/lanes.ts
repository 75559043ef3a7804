import { at, type Graph, graphOf } from "./graph";
import { type Layout, NODE } from "./layout";
import { orderLayers } from "./order";
import { settle, type Wish } from "./settle";

/** How often the layers are gone through to bring connected nodes to one height. */
const SWEEPS = 10;
/** The distance between lanes, and between a lane and a node. */
const LANE_GAP = 14;
/** A lane is kept straight before a node is kept beside its neighbours. */
const LANE_PULL = 6;
/** What has no neighbours on one side gives way to what has some. */
const IDLE_PULL = 0.1;

/** A graph with lanes in it as further nodes: no edge of it passes a layer. */
interface Laned {
  graph: Graph;
  /** How many nodes are real; all after them are lanes. */
  real: number;
  /** The lanes each edge of the original graph runs in. */
  lanes: Map<number, number[]>;
}

/** Lays out a small graph: every edge that passes layers runs in a lane of its own beginning. */
export function layLanes(original: Graph): Layout {
  const laned = withLanes(original);
  const order = orderLayers(laned.graph);
  const centers = heights(laned, order);
  const top = Math.min(...centers.subarray(0, laned.real), Infinity) - NODE.height / 2;
  const size = laned.real;
  const [x, y] = [new Float64Array(size), new Float64Array(size)];
  for (let node = 0; node < size; node++) {
    x[node] = at(original.layers, node) * (NODE.width + NODE.gapX);
    y[node] = at(centers, node) - NODE.height / 2 - top;
  }
  const lanes = [...laned.lanes].map(
    ([edge, passed]) => [edge, passed.map((lane) => at(centers, lane) - top)] as const,
  );
  return {
    x,
    y,
    width: Math.max(0, original.layerCount * (NODE.width + NODE.gapX) - NODE.gapX),
    height: y.reduce((most, each) => Math.max(most, each + NODE.height), 0),
    bands: order.map((_, layer) => ({ layer, x: layer * (NODE.width + NODE.gapX), width: NODE.width })),
    order: order.map((nodes) => nodes.filter((node) => node < size)),
    lanes: new Map(lanes),
  };
}

/** All long edges of one node share their lanes up to where each turns off. */
function withLanes(graph: Graph): Laned {
  const real = graph.layers.length;
  const layers = [...graph.layers];
  const [from, to]: [number[], number[]] = [[], []];
  const lanes = new Map<number, number[]>();
  const begun = new Map<number, number[]>();
  const link = (start: number, end: number): void => {
    from.push(start);
    to.push(end);
  };
  graph.from.forEach((start, edge) => {
    const end = at(graph.to, edge);
    const passed = at(graph.layers, end) - at(graph.layers, start) - 1;
    if (passed < 0) {
      return;
    }
    const chain = begun.get(start) ?? [];
    begun.set(start, chain);
    while (chain.length < passed) {
      link(chain.at(-1) ?? start, layers.length);
      layers.push(at(graph.layers, start) + chain.length + 1);
      chain.push(layers.length - 1);
    }
    link(chain[passed - 1] ?? start, end);
    if (passed > 0) {
      lanes.set(edge, chain.slice(0, passed));
    }
  });
  return { graph: graphOf(Int32Array.from(layers), Int32Array.from(from), Int32Array.from(to)), real, lanes };
}

/** The height of the middle of each node and lane. */
function heights({ graph, real }: Laned, order: readonly number[][]): Float64Array {
  const centers = new Float64Array(graph.layers.length);
  const half = (node: number): number => (node < real ? NODE.height / 2 : 0);
  const gap = (one: number, other: number): number =>
    half(one) + half(other) + (one < real && other < real ? NODE.gapY : LANE_GAP);
  const wish = (node: number, sides: readonly Int32Array[]): Wish => {
    let [sum, weight] = [0, 0];
    for (const side of sides) {
      for (const near of side) {
        const pull = near >= real && node >= real ? LANE_PULL : 1;
        sum += at(centers, near) * pull;
        weight += pull;
      }
    }
    return weight > 0 ? { place: sum / weight, weight } : { place: at(centers, node), weight: IDLE_PULL };
  };
  for (let sweep = 0; sweep <= SWEEPS; sweep++) {
    const forward = sweep % 2 === 0;
    for (let step = 0; step < order.length; step++) {
      const nodes = order[forward ? step : order.length - 1 - step] ?? [];
      const wishes = nodes.map((node) => {
        const [before, after] = [graph.before.of(node), graph.after.of(node)];
        return wish(node, sweep === 0 ? [] : sweep === SWEEPS ? [before, after] : forward ? [before] : [after]);
      });
      settle(wishes, (index) => gap(at(nodes, index), at(nodes, index + 1))).forEach(
        (center, index) => (centers[at(nodes, index)] = center),
      );
    }
  }
  return centers;
}

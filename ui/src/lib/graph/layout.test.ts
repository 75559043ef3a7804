import { describe, expect, it } from "vitest";

import { at, type Graph, graphOf } from "./graph";
import { boxOf, type Layout, layoutOf, NODE, nodesIn } from "./layout";
import { crossings, orderLayers } from "./order";
import { settle } from "./settle";

/** Numbers between 0 and 1 that are the same every time. */
function numbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

/** A graph with edges from lower layers to higher ones, as far apart as they come. */
function randomGraph(size: number, layerCount: number, edges: number, seed: number): Graph {
  const next = numbers(seed);
  const layers = Int32Array.from({ length: size }, (_, node) => Math.floor((node * layerCount) / Math.max(1, size)));
  const [from, to]: [number[], number[]] = [[], []];
  const known = new Set<number>();
  for (let tries = 0; from.length < edges && tries < edges * 4; tries++) {
    const [a, b] = [Math.floor(next() * size), Math.floor(next() * size)].sort((one, other) => one - other);
    if (a !== undefined && b !== undefined && at(layers, a) < at(layers, b) && !known.has(a * size + b)) {
      known.add(a * size + b);
      from.push(a);
      to.push(b);
    }
  }
  return graphOf(layers, Int32Array.from(from), Int32Array.from(to));
}

/** Nothing lies over anything else, everything in the band of its layer, the bands side by side. */
function expectTidy(graph: Graph, layout: Layout): void {
  const size = graph.layers.length;
  for (let node = 0; node < size; node++) {
    const band = layout.bands[at(graph.layers, node)];
    const { x, y } = boxOf(layout, node);
    if (!(x >= (band?.x ?? NaN) && x + NODE.width <= (band?.x ?? NaN) + (band?.width ?? NaN) + 0.01)) {
      throw new Error(`node ${node} is not in its band`);
    }
    if (!(y >= -0.01 && y + NODE.height <= layout.height + 0.01 && x + NODE.width <= layout.width + 0.01)) {
      throw new Error(`node ${node} is outside`);
    }
  }
  layout.bands.slice(1).forEach((band, index) => {
    const before = layout.bands[index];
    expect(band.x).toBeGreaterThanOrEqual((before?.x ?? 0) + (before?.width ?? 0));
  });
  const columnwise = [...graph.layers.keys()]
    .map((node) => boxOf(layout, node))
    .sort((one, other) => one.x - other.x || one.y - other.y);
  columnwise.slice(1).forEach(({ x, y }, index) => {
    const above = columnwise[index];
    if (x === above?.x && y - above.y < NODE.height) {
      throw new Error("two nodes overlap");
    }
  });
  expect(layout.order.flat().sort((a, b) => a - b)).toEqual([...graph.layers.keys()]);
}

describe("a graph is laid out", () => {
  it("with nothing in it", () => {
    const layout = layoutOf(randomGraph(0, 0, 0, 1));
    expect(layout).toMatchObject({ width: 0, height: 0, bands: [], order: [] });
    expect(nodesIn(layout, { x: -1e9, y: -1e9, width: 2e9, height: 2e9 })).toEqual([]);
  });

  it("with one node", () => {
    const layout = layoutOf(randomGraph(1, 1, 0, 1));
    expect(boxOf(layout, 0)).toEqual({ x: 0, y: 0, width: NODE.width, height: NODE.height });
    expect(layout).toMatchObject({ width: NODE.width, height: NODE.height });
  });

  it.each(Array.from({ length: 30 }, (_, seed) => seed))("tidily, whatever it looks like (%i)", (seed) => {
    const next = numbers(seed + 1);
    const size = 2 + Math.floor(next() * 60);
    const graph = randomGraph(size, 1 + Math.floor(next() * 9), Math.floor(next() * size * 3), seed);
    expectTidy(graph, layoutOf(graph));
  });

  it("in a straight line when it is a chain", () => {
    const graph = randomGraph(8, 8, 0, 1);
    const chain = graphOf(
      graph.layers,
      Int32Array.from({ length: 7 }, (_, n) => n),
      Int32Array.from({ length: 7 }, (_, n) => n + 1),
    );
    const { y } = layoutOf(chain);
    expect([...y].every((each) => Math.abs(each - at(y, 0)) < 0.01)).toBe(true);
  });

  it.each([3, 17, 99])("so that no long edge runs through a node (%i)", (seed) => {
    const graph = randomGraph(40, 6, 70, seed);
    const layout = layoutOf(graph);
    expect(layout.lanes.size).toBeGreaterThan(5);
    for (const [edge, heights] of layout.lanes) {
      heights.forEach((height, index) => {
        const layer = at(graph.layers, at(graph.from, edge)) + 1 + index;
        const hit = (layout.order[layer] ?? []).find((node) => {
          const { y } = boxOf(layout, node);
          return height > y && height < y + NODE.height;
        });
        expect(hit).toBeUndefined();
      });
    }
  });

  it("with 10,000 nodes and 50,000 edges, about as tall as wide", () => {
    const graph = randomGraph(10_000, 25, 50_000, 5);
    expect(graph.from.length).toBe(50_000);
    const layout = layoutOf(graph);
    expectTidy(graph, layout);
    expect(layout.width / layout.height).toBeGreaterThan(1);
    expect(layout.width / layout.height).toBeLessThan(3);
    const seen = nodesIn(layout, { x: 1000, y: 1000, width: 1200, height: 800 });
    expect(seen.length).toBeGreaterThan(20);
    expect(seen.length).toBeLessThan(120);
  });

  it("with 10,000 layers of one node", () => {
    const graph = randomGraph(10_000, 10_000, 10_000, 5);
    expectTidy(graph, layoutOf(graph));
  });
});

describe("the order within layers", () => {
  it("has no more crossings than the one it came with, and none where none are needed", () => {
    const places = (order: number[][], size: number): Float64Array => {
      const found = new Float64Array(size);
      order.forEach((nodes) => nodes.forEach((node, index) => (found[node] = (index + 0.5) / nodes.length)));
      return found;
    };
    for (let seed = 1; seed < 12; seed++) {
      const graph = randomGraph(30, 5, 40, seed);
      const given = Array.from({ length: 5 }, (_, layer) =>
        [...graph.layers.keys()].filter((n) => at(graph.layers, n) === layer),
      );
      const order = orderLayers(graph);
      expect(crossings(graph, order, places(order, 30))).toBeLessThanOrEqual(
        crossings(graph, given, places(given, 30)),
      );
    }
    const twisted = graphOf(Int32Array.of(0, 0, 1, 1), Int32Array.of(0, 1), Int32Array.of(3, 2));
    expect(
      crossings(
        twisted,
        [
          [0, 1],
          [2, 3],
        ],
        places(
          [
            [0, 1],
            [2, 3],
          ],
          4,
        ),
      ),
    ).toBe(1);
    const order = orderLayers(twisted);
    expect(crossings(twisted, order, places(order, 4))).toBe(0);
  });
});

describe("things settle near where they want to be", () => {
  it("exactly there when there is room", () => {
    expect(
      settle(
        [
          { place: 0, weight: 1 },
          { place: 50, weight: 1 },
        ],
        () => 10,
      ),
    ).toEqual([0, 50]);
  });

  it("around the middle of their wishes when they want the same", () => {
    const same = [1, 2, 3].map(() => ({ place: 30, weight: 1 }));
    expect(settle(same, () => 10)).toEqual([20, 30, 40]);
  });

  it("in their order and with their distances, always", () => {
    const next = numbers(7);
    for (let round = 0; round < 50; round++) {
      const wishes = Array.from({ length: 12 }, () => ({ place: next() * 100, weight: 0.1 + next() * 5 }));
      const places = settle(wishes, (index) => index + 1);
      places.slice(1).forEach((place, index) => {
        expect(place - (places[index] ?? 0)).toBeGreaterThanOrEqual(index + 1 - 1e-9);
      });
    }
  });
});

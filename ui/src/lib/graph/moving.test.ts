import { describe, expect, it } from "vitest";

import { graphOf } from "./graph";
import { layoutOf } from "./layout";
import { ordinaryEdges } from "./paint";
import { Pool } from "./pool";
import { Viewport } from "./viewport.svelte";
import { stepFrom } from "./walk";

const NO_MARGIN = { x: 0, y: 0 };

function viewport(width = 1000, height = 500): Viewport {
  const view = new Viewport();
  [view.width, view.height] = [width, height];
  return view;
}

describe("the view of a graph", () => {
  it("enlarges around the pointer, within limits", () => {
    const view = viewport();
    const point = () => ({ x: (300 - view.x) / view.scale, y: (200 - view.y) / view.scale });
    const before = point();
    view.zoom(1.7, 300, 200);
    expect(point().x).toBeCloseTo(before.x);
    expect(point().y).toBeCloseTo(before.y);
    view.zoom(1e9);
    expect(view.scale).toBe(2);
    view.zoom(0);
    expect(view.scale).toBe(0.02);
  });

  it("shows all of something in the middle, but never larger than life", () => {
    const view = viewport();
    view.fit({ x: 0, y: 0, width: 4000, height: 500 }, NO_MARGIN);
    expect(view.scale).toBe(0.25);
    expect(view.seen).toMatchObject({ y: -750, width: 4000, height: 2000 });
    expect(view.seen.x).toBeCloseTo(0);
    view.fit({ x: 100, y: 100, width: 200, height: 100 }, NO_MARGIN);
    expect(view.scale).toBe(1);
    expect(view.seen.x + view.seen.width / 2).toBe(200);
  });

  it("shows the beginning of what is too long to be seen", () => {
    const view = viewport();
    view.fit({ x: 0, y: 0, width: 10_000_000, height: 68 }, { x: 20, y: 20 });
    expect(view.scale).toBe(0.02);
    expect(view.x).toBe(20);
  });

  it("leaves no room empty beside what is cut off, and has what fits in the middle", () => {
    const view = viewport();
    const margin = { x: 20, y: 20 };
    const long = { x: 0, y: 0, width: 3000, height: 100 };
    view.center({ ...long, width: 200 });
    view.fill(long, margin);
    expect([view.x, view.y]).toEqual([20, 200]);
    view.center({ ...long, x: 2900, width: 100 });
    view.fill(long, margin);
    expect(view.x).toBe(1000 - 20 - 3000);
    view.pan(500, 0);
    view.fill(long, margin);
    expect(view.x).toBe(1000 - 20 - 3000 + 500);
  });

  it("moves only as far as it must to bring something into sight", () => {
    const view = viewport();
    const box = { x: 0, y: 0, width: 100, height: 50 };
    view.reveal({ ...box, x: 200, y: 200 }, { x: 20, y: 20 });
    expect([view.x, view.y]).toEqual([0, 0]);
    view.reveal({ ...box, x: 1500, y: -300 }, { x: 20, y: 20 });
    expect([view.x, view.y]).toEqual([-620, 320]);
  });
});

/** 0 and 1 lead to 2, 1 to 3, 2 to 4; 5 is alone in the second layer. */
const graph = graphOf(Int32Array.of(0, 0, 1, 1, 2, 1), Int32Array.of(0, 1, 1, 2), Int32Array.of(2, 2, 3, 4));

describe("a step in the graph", () => {
  const layout = layoutOf(graph);
  const step = (node: number, to: Parameters<typeof stepFrom>[3]) => stepFrom(graph, layout, node, to);

  it("goes along edges, there and back", () => {
    expect(step(0, "right")).toBe(2);
    expect(step(2, "right")).toBe(4);
    expect([0, 1]).toContain(step(2, "left"));
    expect(step(3, "left")).toBe(1);
  });

  it("goes to the next layer where no edge does, and stops at the rim", () => {
    expect(step(5, "right")).toBe(4);
    expect([0, 1]).toContain(step(5, "left"));
    expect(step(4, "right")).toBeNull();
    expect(step(0, "left")).toBeNull();
  });

  it("goes through a layer from above to below", () => {
    const [first, second, third] = layout.order[1] ?? [];
    expect(step(first ?? -1, "up")).toBeNull();
    expect(step(first ?? -1, "down")).toBe(second);
    expect(step(third ?? -1, "up")).toBe(second);
    expect(step(third ?? -1, "down")).toBeNull();
  });
});

describe("the edges that are drawn", () => {
  const everything = { x: -1e6, y: -1e6, width: 2e6, height: 2e6 };

  it("are all that are in sight where there are few", () => {
    const layout = layoutOf(graph);
    expect(ordinaryEdges(graph, layout, everything, [0, 1, 2, 3, 4, 5])).toEqual([0, 1, 2, 3]);
    expect(ordinaryEdges(graph, layout, { x: 9000, y: 0, width: 10, height: 10 }, [])).toEqual([]);
  });

  it("leave out what leads back", () => {
    const back = graphOf(Int32Array.of(0, 1), Int32Array.of(0, 1), Int32Array.of(1, 0));
    expect(ordinaryEdges(back, layoutOf(back), everything, [0, 1])).toEqual([0]);
  });

  it("are those of the nodes in sight where there are many, and none when those are too many", () => {
    const half = 100;
    const layers = Int32Array.from({ length: 2 * half }, (_, node) => (node < half ? 0 : 1));
    const from = Int32Array.from({ length: half * half }, (_, edge) => Math.floor(edge / half));
    const to = Int32Array.from({ length: half * half }, (_, edge) => half + (edge % half));
    const dense = graphOf(layers, from, to);
    const layout = layoutOf(dense);
    expect(ordinaryEdges(dense, layout, everything, [0])).toHaveLength(half);
    expect(ordinaryEdges(dense, layout, everything, [...layers.keys()])).toEqual([]);
  });
});

describe("places in the page", () => {
  it("are kept by those who stay and taken over from those who go", () => {
    const pool = new Pool();
    expect(pool.give([1, 2, 3])).toEqual([1, 2, 3]);
    expect(pool.give([2, 3, 4])).toEqual([4, 2, 3]);
    expect(pool.give([3])).toEqual([4, 2, 3]);
    expect(pool.give([3, 5, 6, 7])).toEqual(expect.arrayContaining([3, 5, 6, 7]));
  });
});

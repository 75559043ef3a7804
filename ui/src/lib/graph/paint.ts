import { at, type Graph } from "./graph";
import { type Box, type Layout, NODE, nodesIn } from "./layout";

/** How much of a node the canvas draws: nothing, because it is in the page; a box with its label; a box. */
export type Detail = "none" | "labels" | "boxes";

/** What to draw beside where things lie. */
export interface Look {
  detail: Detail;
  /** For each node, its place in {@link Palette.tones}. */
  tones: Uint8Array;
  label: (node: number) => string;
  /** Edges of the chain to bring out. */
  chain: ReadonlySet<number>;
  /** Nodes whose edges are brought out. */
  chosen: readonly number[];
}

export interface Palette {
  tones: string[];
  surface: string;
  line: string;
  edge: string;
  chain: string;
  chosen: string;
  ink: string;
  font: string;
}

/** Where the plane lies on the screen. */
export interface View {
  x: number;
  y: number;
  scale: number;
  seen: Box;
}

/** Up to so many edges, all that cross the view are drawn; beyond, those of the nodes in it, if not too many. */
const DRAW_ALL = 2000;
const DRAW_SOME = 150;
/** A label is this tall on the screen; each letter takes about this much. */
const LABEL = { size: 11, letter: 6.6, room: 14 } as const;

/** Draws the graph as it is seen. */
export function paint(
  context: CanvasRenderingContext2D,
  graph: Graph,
  layout: Layout,
  view: View,
  look: Look,
  palette: Palette,
): void {
  const ratio = window.devicePixelRatio || 1;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(ratio * view.scale, 0, 0, ratio * view.scale, ratio * view.x, ratio * view.y);
  const seen = nodesIn(layout, view.seen);
  // Boxes without labels may be drawn over: there is nothing to be read in them.
  if (look.detail === "boxes") {
    paintBoxes(context, layout, view, look, palette, seen);
  }
  paintEdges(context, graph, layout, view, look, palette, seen);
  if (look.detail === "labels") {
    paintBoxes(context, layout, view, look, palette, seen);
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    paintLabels(context, layout, view, look, palette, seen);
  }
}

/** Brings out a node where it is drawn. */
function outline(
  context: CanvasRenderingContext2D,
  layout: Layout,
  node: number,
  palette: Palette,
  width: number,
): void {
  context.strokeStyle = palette.chosen;
  context.lineWidth = width;
  context.strokeRect(at(layout.x, node), at(layout.y, node), NODE.width, NODE.height);
}

function paintEdges(
  context: CanvasRenderingContext2D,
  graph: Graph,
  layout: Layout,
  view: View,
  look: Look,
  palette: Palette,
  seen: readonly number[],
): void {
  const chosen = new Set(look.chosen);
  const ofChosen = (edge: number): boolean => chosen.has(at(graph.from, edge)) || chosen.has(at(graph.to, edge));
  const width = (pixels: number): number => pixels / Math.min(1, Math.max(view.scale, 0.05));
  context.lineJoin = "round";
  context.globalAlpha = chosen.size > 0 ? 0.3 : 0.6;
  strokeEdges(context, graph, layout, ordinaryEdges(graph, layout, view.seen, seen), palette.edge, width(1.25));
  context.globalAlpha = 1;
  strokeEdges(context, graph, layout, [...look.chain], palette.chain, width(2.25));
  if (chosen.size > 0) {
    const edges = [...graph.from.keys()].filter(ofChosen);
    strokeEdges(context, graph, layout, edges, palette.chosen, width(2));
  }
}

/** The edges that are worth drawing although nobody asked for them. */
export function ordinaryEdges(graph: Graph, layout: Layout, seen: Box, nodes: readonly number[]): number[] {
  const found: number[] = [];
  if (graph.from.length <= DRAW_ALL) {
    for (let edge = 0; edge < graph.from.length; edge++) {
      if (leadsOn(graph, edge) && crosses(graph, layout, edge, seen)) {
        found.push(edge);
      }
    }
    return found;
  }
  const inView = new Uint8Array(graph.layers.length);
  nodes.forEach((node) => (inView[node] = 1));
  for (let edge = 0; edge < graph.from.length && found.length <= DRAW_SOME; edge++) {
    if (leadsOn(graph, edge) && at(inView, at(graph.from, edge)) + at(inView, at(graph.to, edge)) > 0) {
      found.push(edge);
    }
  }
  return found.length > DRAW_SOME ? [] : found;
}

/** Edges that lead back would run through everything; they are drawn only for those who ask. */
function leadsOn(graph: Graph, edge: number): boolean {
  return at(graph.layers, at(graph.from, edge)) <= at(graph.layers, at(graph.to, edge));
}

function crosses(graph: Graph, { x, y, lanes }: Layout, edge: number, seen: Box): boolean {
  const [from, to] = [at(graph.from, edge), at(graph.to, edge)];
  const across = [at(x, from) + NODE.width, at(x, to)];
  const down = [at(y, from), at(y, to), ...(lanes.get(edge) ?? [])];
  return (
    Math.max(...across) > seen.x &&
    Math.min(...across) < seen.x + seen.width &&
    Math.max(...down) + NODE.height > seen.y &&
    Math.min(...down) < seen.y + seen.height
  );
}

function strokeEdges(
  context: CanvasRenderingContext2D,
  graph: Graph,
  layout: Layout,
  edges: readonly number[],
  colour: string,
  width: number,
): void {
  if (edges.length === 0) {
    return;
  }
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  for (const edge of edges) {
    trace(context, graph, layout, edge);
  }
  context.stroke();
}

/** From the right side of one node through its lanes to the left side of the other. */
function trace(context: CanvasRenderingContext2D, graph: Graph, layout: Layout, edge: number): void {
  const [from, to] = [at(graph.from, edge), at(graph.to, edge)];
  let x = at(layout.x, from) + NODE.width;
  let y = at(layout.y, from) + NODE.height / 2;
  context.moveTo(x, y);
  const curve = (nextX: number, nextY: number): void => {
    const bow = Math.max(NODE.gapX / 2, Math.abs(nextX - x) / 2);
    context.bezierCurveTo(x + bow, y, nextX - bow, nextY, nextX, nextY);
    [x, y] = [nextX, nextY];
  };
  layout.lanes.get(edge)?.forEach((height, index) => {
    const band = layout.bands[at(graph.layers, from) + 1 + index];
    if (band !== undefined) {
      curve(band.x, height);
      x = band.x + band.width;
      context.lineTo(x, height);
    }
  });
  curve(at(layout.x, to), at(layout.y, to) + NODE.height / 2);
}

function paintBoxes(
  context: CanvasRenderingContext2D,
  layout: Layout,
  view: View,
  look: Look,
  palette: Palette,
  seen: readonly number[],
): void {
  const strip = look.detail === "labels" ? 4 / view.scale : NODE.width;
  if (look.detail === "labels") {
    fillNodes(context, layout, seen, palette.surface, NODE.width);
    context.strokeStyle = palette.line;
    context.lineWidth = 1 / view.scale;
    context.stroke();
  }
  palette.tones.forEach((colour, tone) => {
    const nodes = seen.filter((node) => at(look.tones, node) === tone);
    fillNodes(context, layout, nodes, colour, strip);
  });
  look.chosen.forEach((node) => outline(context, layout, node, palette, 2 / view.scale));
}

function fillNodes(
  context: CanvasRenderingContext2D,
  { x, y }: Layout,
  nodes: readonly number[],
  colour: string,
  width: number,
): void {
  context.fillStyle = colour;
  context.beginPath();
  for (const node of nodes) {
    context.rect(at(x, node), at(y, node), width, NODE.height);
  }
  context.fill();
}

function paintLabels(
  context: CanvasRenderingContext2D,
  { x, y }: Layout,
  view: View,
  look: Look,
  palette: Palette,
  seen: readonly number[],
): void {
  const letters = Math.floor((NODE.width * view.scale - LABEL.room) / LABEL.letter);
  context.fillStyle = palette.ink;
  context.font = `${LABEL.size}px ${palette.font}`;
  context.textBaseline = "middle";
  for (const node of seen) {
    const text = look.label(node);
    const shown = text.length > letters ? `${text.slice(0, letters - 1)}…` : text;
    const left = at(x, node) * view.scale + view.x + LABEL.room * 0.7;
    context.fillText(shown, left, (at(y, node) + NODE.height / 2) * view.scale + view.y);
  }
}

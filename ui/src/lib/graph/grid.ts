import { type Graph } from "./graph";
import { type Band, type Layout, NODE } from "./layout";
import { orderLayers } from "./order";

/** How much wider than tall the whole should be. */
const SHAPE = 1.6;
const FEWEST_ROWS = 10;
/** Between two columns of one layer no edges run: they can be nearer. */
const COLUMN_GAP = 20;

/** Folds each layer into as many columns as it needs for the whole to have a good shape. */
export function layGrid(graph: Graph): Layout {
  const order = orderLayers(graph);
  const size = graph.layers.length;
  const rows = rowsFor(size);
  const [x, y] = [new Float64Array(size), new Float64Array(size)];
  const bands: Band[] = [];
  let left = 0;
  let height = 0;
  order.forEach((nodes, layer) => {
    const columns = Math.max(1, Math.round(nodes.length / rows));
    // Columns of one layer are about equally tall.
    const tall = Math.ceil(nodes.length / columns);
    nodes.forEach((node, index) => {
      x[node] = left + Math.floor(index / tall) * (NODE.width + COLUMN_GAP);
      y[node] = (index % tall) * (NODE.height + NODE.gapY);
    });
    const width = columns * (NODE.width + COLUMN_GAP) - COLUMN_GAP;
    bands.push({ layer, x: left, width });
    left += width + NODE.gapX;
    height = Math.max(height, tall * (NODE.height + NODE.gapY) - NODE.gapY);
  });
  return { x, y, width: Math.max(0, left - NODE.gapX), height, bands, order, lanes: new Map() };
}

function rowsFor(size: number): number {
  const area = (NODE.width + COLUMN_GAP) / (NODE.height + NODE.gapY);
  return Math.max(FEWEST_ROWS, Math.round(Math.sqrt((size * area) / SHAPE)));
}

/**
 * A graph whose nodes lie in layers. Nodes are counted from 0 and edges are flat arrays: ten thousand nodes with fifty
 * thousand edges are a few arrays of numbers, and looking through all of them takes less than a frame.
 */
export interface Graph {
  /** The layer of each node. Edges lead from lower layers to higher ones, but for those of nodes that wait in a circle. */
  readonly layers: Int32Array;
  readonly layerCount: number;
  /** Where each edge begins and ends. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  readonly before: Neighbours;
  readonly after: Neighbours;
}

/** The number at a place of a flat array. */
export function at(numbers: ArrayLike<number>, place: number): number {
  return numbers[place] ?? 0;
}

/** For each node, the nodes at the other ends of its edges in one direction. */
export class Neighbours {
  readonly #starts: Int32Array;
  readonly #ends: Int32Array;

  constructor(size: number, keys: Int32Array, values: Int32Array) {
    this.#starts = new Int32Array(size + 1);
    this.#ends = new Int32Array(values.length);
    for (const key of keys) {
      this.#starts[key + 1] = at(this.#starts, key + 1) + 1;
    }
    for (let node = 0; node < size; node++) {
      this.#starts[node + 1] = at(this.#starts, node + 1) + at(this.#starts, node);
    }
    const next = this.#starts.slice(0, size);
    for (let edge = 0; edge < keys.length; edge++) {
      const key = at(keys, edge);
      const place = at(next, key);
      this.#ends[place] = at(values, edge);
      next[key] = place + 1;
    }
  }

  of(node: number): Int32Array {
    return this.#ends.subarray(at(this.#starts, node), at(this.#starts, node + 1));
  }

  count(node: number): number {
    return at(this.#starts, node + 1) - at(this.#starts, node);
  }
}

/** A graph of nodes in these layers. */
export function graphOf(layers: Int32Array, from: Int32Array, to: Int32Array): Graph {
  const size = layers.length;
  const layerCount = layers.reduce((most, layer) => Math.max(most, layer + 1), 0);
  return {
    layers,
    layerCount,
    from,
    to,
    before: new Neighbours(size, to, from),
    after: new Neighbours(size, from, to),
  };
}

/** The nodes of each layer, in their own order. */
export function nodesByLayer({ layers, layerCount }: Graph): number[][] {
  const rows: number[][] = Array.from({ length: layerCount }, () => []);
  layers.forEach((layer, node) => rows[layer]?.push(node));
  return rows;
}

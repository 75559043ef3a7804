const CHUNK = 512;

/**
 * The heights of the rows of a list that may have millions of them. A row that was never measured counts with the
 * estimate. Finding a row by its place, or a place by its row, takes one step per {@link CHUNK} rows at most.
 */
export class Heights {
  #count = 0;
  #estimate: number;
  /** Of each chunk how much taller than estimated it is. */
  #excess: number[] = [];
  /** The measured heights of each chunk; 0 stands for a row that was not measured. */
  #measured: (Float32Array | undefined)[] = [];

  constructor(estimate: number) {
    this.#estimate = estimate;
  }

  get count(): number {
    return this.#count;
  }

  get total(): number {
    return this.#count * this.#estimate + this.#excess.reduce((sum, each) => sum + each, 0);
  }

  /** The list has grown, or shrunk. What was measured of the rows that stay is kept. */
  resize(count: number): void {
    for (let row = count; row < Math.min(this.#count, this.#measured.length * CHUNK); row++) {
      this.#forget(row);
    }
    this.#count = count;
    this.#excess.length = Math.min(this.#excess.length, Math.ceil(count / CHUNK));
    this.#measured.length = this.#excess.length;
  }

  /** Rows gave way to others. What was measured of those above and below them is kept. */
  splice(at: number, removed: number, added: number): void {
    const known = Math.min(this.#count, this.#measured.length * CHUNK);
    const kept: [number, number][] = [];
    for (let row = 0; row < known; row++) {
      const height = row >= at && row < at + removed ? undefined : this.measured(row);
      if (height !== undefined) {
        kept.push([row < at ? row : row - removed + added, height]);
      }
    }
    this.reset();
    this.#count += added - removed;
    kept.forEach(([row, height]) => this.measure(row, height));
  }

  /** Forgets everything that was measured: the rows have another width, or are other rows. */
  reset(estimate = this.#estimate): void {
    this.#estimate = estimate;
    this.#excess = [];
    this.#measured = [];
  }

  of(row: number): number {
    return this.measured(row) ?? this.#estimate;
  }

  /** How tall a row was when it was measured, if it was. */
  measured(row: number): number | undefined {
    return this.#measured[Math.floor(row / CHUNK)]?.[row % CHUNK] || undefined;
  }

  /** Takes a measured height; `true` when that changes anything. */
  measure(row: number, height: number): boolean {
    if (row < 0 || row >= this.#count || !(height > 0)) {
      return false;
    }
    const rounded = Math.fround(height);
    const change = rounded - this.of(row);
    if (change === 0) {
      return false;
    }
    const chunk = Math.floor(row / CHUNK);
    while (this.#excess.length <= chunk) {
      this.#excess.push(0);
      this.#measured.push(undefined);
    }
    const heights = (this.#measured[chunk] ??= new Float32Array(CHUNK));
    heights[row % CHUNK] = rounded;
    this.#excess[chunk] = (this.#excess[chunk] ?? 0) + change;
    return true;
  }

  /** How far below the beginning of the list a row begins. */
  offsetOf(row: number): number {
    const chunk = Math.floor(row / CHUNK);
    let offset = chunk * CHUNK * this.#estimate;
    for (let before = 0; before < Math.min(chunk, this.#excess.length); before++) {
      offset += this.#excess[before] ?? 0;
    }
    for (let each = chunk * CHUNK; each < row; each++) {
      offset += this.of(each);
    }
    return offset;
  }

  /** The row that covers a place; the first or last one for places outside of the list. */
  rowAt(place: number): number {
    let chunk = 0;
    let offset = 0;
    for (; chunk < this.#excess.length; chunk++) {
      const height = CHUNK * this.#estimate + (this.#excess[chunk] ?? 0);
      if (offset + height > place) {
        break;
      }
      offset += height;
    }
    // Nothing was measured from the last of the known chunks on.
    const skipped = chunk < this.#excess.length ? 0 : Math.max(0, Math.floor((place - offset) / this.#estimate));
    let row = chunk * CHUNK + skipped;
    offset += skipped * this.#estimate;
    while (row < this.#count - 1 && offset + this.of(row) <= place) {
      offset += this.of(row);
      row++;
    }
    return Math.max(0, Math.min(row, this.#count - 1));
  }

  #forget(row: number): void {
    const chunk = Math.floor(row / CHUNK);
    const heights = this.#measured[chunk];
    if (heights?.[row % CHUNK]) {
      this.#excess[chunk] = (this.#excess[chunk] ?? 0) - ((heights[row % CHUNK] ?? 0) - this.#estimate);
      heights[row % CHUNK] = 0;
    }
  }
}

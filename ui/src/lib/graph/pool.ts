/**
 * Gives places in the page to nodes. A node keeps its place as long as it is wanted, and a new one takes the place of
 * one that is not: what is in the page is changed instead of made, which takes a fraction of the time.
 */
export class Pool {
  #places: number[] = [];

  /** The node of each place. Places that are not needed keep the node they had. */
  give(wanted: readonly number[]): readonly number[] {
    const missing = new Set(wanted);
    const free: number[] = [];
    this.#places.forEach((node, place) => {
      if (!missing.delete(node)) {
        free.push(place);
      }
    });
    const places = [...this.#places];
    for (const node of missing) {
      places[free.pop() ?? places.length] = node;
    }
    this.#places = places;
    return places;
  }
}

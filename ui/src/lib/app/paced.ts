/** Does something when it is asked for: at once when it was long enough ago, else once when it is. */
export class Paced {
  readonly #apart: number;
  readonly #work: () => void;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #last = -Infinity;

  constructor(apart: number, work: () => void) {
    this.#apart = apart;
    this.#work = work;
  }

  ask(): void {
    if (this.#timer !== undefined) {
      return;
    }
    const wait = this.#last + this.#apart - performance.now();
    if (wait <= 0) {
      this.#do();
    } else {
      this.#timer = setTimeout(() => this.#do(), wait);
    }
  }

  /** What was asked for and not done yet is not done. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  #do(): void {
    this.#timer = undefined;
    this.#last = performance.now();
    this.#work();
  }
}

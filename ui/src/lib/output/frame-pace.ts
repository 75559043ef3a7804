/** Work that lets the next frame come within this time costs nothing that a person could see, in milliseconds. */
const UNSEEN = 24;
const LONGEST_REST = 400;

/**
 * How long to rest after work that held a frame up for so long. The longer the frame, the more good ones come before
 * the next long one: whatever the machine can do, scrolling and typing stay smooth.
 */
export function restAfter(held: number): number {
  return Math.min(LONGEST_REST, Math.max(0, held - UNSEEN) * 12);
}

/** Does something once per frame at most when it is asked for, and less often on a machine that is hard put to it. */
export class FramePace {
  readonly #work: () => void;
  #frame = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Until then nothing is done. */
  #rests = 0;

  constructor(work: () => void) {
    this.#work = work;
  }

  ask(): void {
    if (this.#frame !== 0 || this.#timer !== undefined) {
      return;
    }
    const wait = this.#rests - performance.now();
    if (wait > 0) {
      this.#timer = setTimeout(() => this.#next(), wait);
    } else {
      this.#next();
    }
  }

  /** What was asked for and not done yet is not done. */
  stop(): void {
    cancelAnimationFrame(this.#frame);
    clearTimeout(this.#timer);
    this.#frame = 0;
    this.#timer = undefined;
  }

  #next(): void {
    this.#timer = undefined;
    this.#frame = requestAnimationFrame(() => {
      this.#frame = 0;
      const begun = performance.now();
      this.#work();
      requestAnimationFrame(() => {
        const now = performance.now();
        this.#rests = now + restAfter(now - begun);
      });
    });
  }
}

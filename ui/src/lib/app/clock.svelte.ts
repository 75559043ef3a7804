import { createSubscriber } from "svelte/reactivity";

/** The current time, which changes at its pace wherever it is shown. The timer runs only while something reads it. */
class Clock {
  readonly #subscribe: () => void;

  constructor(pace: number) {
    this.#subscribe = createSubscriber((update) => {
      const timer = setInterval(update, pace);
      return () => clearInterval(timer);
    });
  }

  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

/** For how long ago something was. */
export const clock = new Clock(60_000);
/** For how long something has been going on. */
export const stopwatch = new Clock(1000);

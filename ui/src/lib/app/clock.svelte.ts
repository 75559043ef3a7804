import { createSubscriber } from "svelte/reactivity";

const MINUTE = 60_000;

/** The current time, which changes once a minute wherever it is shown. The timer runs only while something reads it. */
class Clock {
  readonly #subscribe = createSubscriber((update) => {
    const timer = setInterval(update, MINUTE);
    return () => clearInterval(timer);
  });

  get now(): number {
    this.#subscribe();
    return Date.now();
  }
}

export const clock = new Clock();

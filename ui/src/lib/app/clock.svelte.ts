import { createSubscriber } from "svelte/reactivity";

/** The current time, which changes at its pace wherever it is shown. The timer runs only while something reads it. */
class Clock {
  readonly #subscribe: () => void;

  constructor(pace: number) {
    this.#subscribe = createSubscriber((update) => {
      const timer = setInterval(update, pace);
      // Timers stand still while the machine sleeps or the page is hidden: what comes back into sight is right at once.
      document.addEventListener("visibilitychange", update);
      window.addEventListener("focus", update);
      return () => {
        clearInterval(timer);
        document.removeEventListener("visibilitychange", update);
        window.removeEventListener("focus", update);
      };
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

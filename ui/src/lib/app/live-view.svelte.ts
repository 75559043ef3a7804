import { onMount } from "svelte";

import type { EventEnvelope } from "$lib/backend/types";

import type { App } from "./app.svelte";

type LoopEvent = EventEnvelope["event"];

/** Something that is read from the backend: a {@link Resource}, or several of them. */
interface Readable {
  refresh(): unknown;
}

export interface LiveOptions {
  /** Which events are answered at once. Whatever else changes is read when its turn comes. */
  now?: (event: LoopEvent) => boolean;
  /** How many milliseconds lie between two reads that nobody asked for. */
  pace?: number;
}

/**
 * Keeps what a component shows up to date while it is shown: it is read now, when the project changes, and when a person
 * asks for it (Refresh). Call it while the component is made.
 */
export function live(app: App, shown: Readable, { now, pace }: LiveOptions = {}): void {
  const read = () => void shown.refresh();
  onMount(() => {
    const endings = [
      app.whileShown(read, pace),
      ...(now ? [app.live.onEvents((events) => events.some(({ event }) => now(event)) && read())] : []),
    ];
    return () => endings.forEach((end) => end());
  });
}

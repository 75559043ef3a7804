/** Measures the output while it is printed and opened. For the browsers that tests and people drive; mock build only. */
import { tick } from "svelte";

export interface StreamFigures {
  /** The time between two frames, in milliseconds. */
  frame_gap_p50: number;
  frame_gap_p95: number;
  frame_gap_max: number;
  frames: number;
  printed: number;
  /** The most that was in the page at once. */
  elements: number;
  nodes: number;
  /** From printing an entry to the frame that shows it, in milliseconds. */
  shown_after_p95: number;
}

export interface OutputBench {
  /** Prints so many entries a second, in batches, and watches the frames meanwhile. */
  stream(perSecond: number, seconds: number): Promise<StreamFigures>;
  /** Opens the log anew; from that to the frame with its first entries, in milliseconds. */
  open(): Promise<number>;
  /** Goes to a part of the log, between 0 and 1; from that to the frame with the entries there. */
  jump(part: number): Promise<number>;
}

declare global {
  interface Window {
    loopwrightBench?: OutputBench;
  }
}

/** As often as the shell sends a batch, in milliseconds. */
const BATCH = 33;

const frame = (): Promise<number> => new Promise((resolve) => requestAnimationFrame(resolve));

function part(sorted: readonly number[], share: number): number {
  const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return Math.round(value * 10) / 10;
}

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>("[data-testid=output-entry]")];
}

/** Whether the view is full of entries that are there. */
function isShown(): boolean {
  const view = document.querySelector("[data-testid=output-list]")?.getBoundingClientRect();
  const seen = rows().filter((row) => {
    const place = row.getBoundingClientRect();
    return view !== undefined && place.bottom > view.top && place.top < view.bottom;
  });
  return seen.length > 0 && seen.every((row) => row.dataset.kind !== undefined);
}

async function untilShown(since: number): Promise<number> {
  while (!isShown()) {
    await frame();
  }
  // What is in the page now is on the screen with the next frame.
  await frame();
  return Math.round((performance.now() - since) * 10) / 10;
}

function countNodes(): { elements: number; nodes: number } {
  const walker = document.createTreeWalker(document, NodeFilter.SHOW_ALL);
  let [elements, nodes] = [0, 0];
  while (walker.nextNode()) {
    nodes++;
    elements += walker.currentNode instanceof Element ? 1 : 0;
  }
  return { elements, nodes };
}

/** The largest number of an entry in the page; entries are printed in this order. */
function newest(): number {
  return Math.max(-1, ...rows().map((row) => (row.dataset.kind ? Number(row.dataset.place) : -1)));
}

async function stream(print: (count: number) => void, perSecond: number, seconds: number): Promise<StreamFigures> {
  const gaps: number[] = [];
  const delays: number[] = [];
  const batches: { last: number; at: number }[] = [];
  const most = { elements: 0, nodes: 0 };
  let printed = 0;
  const base = newest() + 1;
  const begin = performance.now();
  const timer = setInterval(() => {
    const owed = Math.floor(((performance.now() - begin) / 1000) * perSecond) - printed;
    if (owed > 0) {
      print(owed);
      printed += owed;
      batches.push({ last: base + printed - 1, at: performance.now() });
    }
  }, BATCH);
  let before = await frame();
  for (let count = 0; performance.now() - begin < seconds * 1000; count++) {
    const now = await frame();
    gaps.push(now - before);
    before = now;
    const shown = newest();
    while (batches[0] && batches[0].last <= shown) {
      delays.push(performance.now() - (batches.shift()?.at ?? 0));
    }
    if (count % 30 === 0) {
      const { elements, nodes } = countNodes();
      most.elements = Math.max(most.elements, elements);
      most.nodes = Math.max(most.nodes, nodes);
    }
  }
  clearInterval(timer);
  const sorted = gaps.sort((a, b) => a - b);
  return {
    frame_gap_p50: part(sorted, 0.5),
    frame_gap_p95: part(sorted, 0.95),
    frame_gap_max: part(sorted, 1),
    frames: sorted.length,
    printed,
    ...most,
    shown_after_p95: part(
      delays.sort((a, b) => a - b),
      0.95,
    ),
  };
}

/** Offers the measurements to whoever drives the browser. `show` takes the panel out of the page and puts it back. */
export function offerBench(print: (count: number) => void, show: (shown: boolean) => void): void {
  window.loopwrightBench = {
    stream: (perSecond, seconds) => stream(print, perSecond, seconds),
    open: async () => {
      show(false);
      await tick();
      await frame();
      const since = performance.now();
      show(true);
      return untilShown(since);
    },
    jump: async (where) => {
      const list = document.querySelector("[data-testid=output-list]");
      const since = performance.now();
      list?.scrollTo({ top: (list.scrollHeight - list.clientHeight) * where, behavior: "instant" });
      await frame();
      await frame();
      return untilShown(since);
    },
  };
}

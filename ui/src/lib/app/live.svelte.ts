import { type Backend, faultOf, type Unsubscribe } from "$lib/backend/backend";
import type { Entry, EventEnvelope, Fault, IterationId, KindCounts, RunState, RunUpdate } from "$lib/backend/types";

/** The end of what the newest iteration printed. What lies before `first` is read page by page. */
export interface LiveOutput {
  iteration: IterationId;
  first: number;
  total: number;
  counts: KindCounts;
  entries: Entry[];
  finished: boolean;
}

const AGAIN_AFTER = 1000;
/** As many entries are kept as a window could show without asking for a page. */
const KEPT = 1000;

/**
 * What is going on in the project, as it happens. Everything comes through one stream of batches; a page that is
 * loaded anew names the last event it knows and is told all that came after.
 */
export class Live {
  /** The newest run; `undefined` until it is known. */
  state = $state.raw<RunState | null | undefined>(undefined);
  output = $state.raw<LiveOutput | null>(null);
  /** Why nothing can be followed now. It is tried again by itself. */
  fault = $state.raw<Fault | null>(null);

  readonly #backend: Backend;
  #listeners: ((events: EventEnvelope[]) => void)[] = [];
  #seq = 0;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The newest event this page knows of. */
  get seq(): number {
    return this.#seq;
  }

  /** Whether a run is going on, in this app or elsewhere. */
  get active(): boolean {
    return (this.state?.live ?? null) !== null;
  }

  /** Calls back with all events from now on. */
  onEvents(callback: (events: EventEnvelope[]) => void): Unsubscribe {
    this.#listeners.push(callback);
    return () => (this.#listeners = this.#listeners.filter((each) => each !== callback));
  }

  /** Follows until the returned function is called. */
  start(): Unsubscribe {
    let stop: Unsubscribe = () => undefined;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const follow = (): void => {
      stop = this.#backend.follow(
        this.#seq,
        (updates) => this.#take(updates),
        (thrown) => {
          this.fault = faultOf(thrown);
          timer = setTimeout(follow, AGAIN_AFTER);
        },
      );
    };
    follow();
    return () => {
      clearTimeout(timer);
      stop();
    };
  }

  #take(updates: RunUpdate[]): void {
    this.fault = null;
    for (const update of updates) {
      if (update.kind === "state") {
        this.state = update.state;
        this.#seq = Math.max(this.#seq, update.state?.seq ?? 0);
      } else if (update.kind === "events") {
        const fresh = update.events.filter((event) => event.seq > this.#seq);
        this.#seq = Math.max(this.#seq, ...fresh.map((event) => event.seq));
        this.#listeners.forEach((callback) => callback(fresh));
      } else {
        this.output = joined(this.output, update);
      }
    }
  }
}

/** The output with what was added to it. Where something lies between, only the newer part is kept. */
export function joined(before: LiveOutput | null, added: LiveOutput): LiveOutput {
  const { iteration, first, total, counts, finished } = added;
  const fits =
    before !== null &&
    before.iteration === iteration &&
    before.first <= first &&
    first <= before.first + before.entries.length;
  const kept = fits ? before.entries.slice(0, first - before.first) : [];
  const entries = [...kept, ...added.entries].slice(-KEPT);
  return { iteration, first: total - entries.length, total, counts, entries, finished };
}

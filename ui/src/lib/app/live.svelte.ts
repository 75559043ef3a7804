import { type Backend, faultOf, type Unsubscribe } from "$lib/backend/backend";
import type {
  Entry,
  EventEnvelope,
  Fault,
  IterationId,
  KindCounts,
  Phase,
  RunState,
  RunUpdate,
} from "$lib/backend/types";

/** The end of what the newest iteration printed. What lies before `first` is read page by page. */
export interface LiveOutput {
  iteration: IterationId;
  first: number;
  total: number;
  counts: KindCounts;
  entries: Entry[];
  finished: boolean;
}

/** When an iteration came to the phase it is in. */
export interface PhaseBegun {
  iteration: IterationId;
  phase: Phase;
  at: string;
}

const AGAIN_AFTER = 1000;
/** As many entries are kept as a window could show without asking for a page. */
const KEPT = 1000;

/**
 * What is going on in the project, as it happens. Everything comes through one stream of batches. A page that begins
 * reads where the run stands and follows from that place in history on; after a failure it follows from the last event
 * it knows. So no event is told twice, and none is missed.
 */
export class Live {
  /** The newest run; `undefined` until it is known. */
  state = $state.raw<RunState | null | undefined>(undefined);
  output = $state.raw<LiveOutput | null>(null);
  /** The phase that was entered last while this page looked. */
  phase = $state.raw<PhaseBegun | null>(null);
  /** Why nothing can be followed now. It is tried again by itself. */
  fault = $state.raw<Fault | null>(null);

  readonly #backend: Backend;
  #listeners: ((events: EventEnvelope[]) => void)[] = [];
  /** The newest event that was told to the listeners; `null` until the place to begin at is known. */
  #seq: number | null = null;

  constructor(backend: Backend) {
    this.#backend = backend;
  }

  /** The newest event this page knows of. */
  get seq(): number {
    return this.#seq ?? 0;
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
    const following = new Following(() => void this.#follow(following));
    void this.#follow(following);
    return () => following.end();
  }

  async #follow(following: Following): Promise<void> {
    const failed = (thrown: unknown): void => {
      if (!following.ended) {
        this.fault = faultOf(thrown);
        following.again(AGAIN_AFTER);
      }
    };
    try {
      const after = this.#seq ?? (await this.#begin());
      if (!following.ended) {
        following.use(this.#backend.follow(after, (updates) => this.#take(updates, following), failed));
      }
    } catch (thrown) {
      failed(thrown);
    }
  }

  /** Where the run stands when the page begins. What happened before is in what the views read. */
  async #begin(): Promise<number> {
    const state = await this.#backend.runState(null);
    this.state ??= state;
    this.#seq = state?.seq ?? 0;
    return this.#seq;
  }

  #take(updates: RunUpdate[], following: Following): void {
    this.fault = null;
    for (const update of updates) {
      if (update.kind === "state") {
        this.state = update.state;
      } else if (update.kind === "output") {
        this.output = joined(this.output, update);
      } else if (!this.#hear(update.events, following)) {
        return;
      }
    }
  }

  /** Tells the listeners what is new to them. Something missing between is asked for again, and then taken as it is. */
  #hear(events: EventEnvelope[], following: Following): boolean {
    const fresh = events.filter((event) => event.seq > this.seq);
    const [first] = fresh;
    const last = fresh.at(-1);
    if (first === undefined || last === undefined) {
      return true;
    }
    if (first.seq > this.seq + 1 && following.gap !== this.seq) {
      following.gap = this.seq;
      following.again(0);
      return false;
    }
    this.#seq = last.seq;
    this.#notePhase(fresh);
    this.#listeners.forEach((callback) => callback(fresh));
    return true;
  }

  #notePhase(events: EventEnvelope[]): void {
    for (const { at, event } of events) {
      if (event.type === "iteration.phase") {
        this.phase = { iteration: event.iteration, phase: event.phase, at };
      } else if (event.type === "iteration.started") {
        this.phase = { iteration: event.iteration, phase: "planned", at };
      }
    }
  }
}

/** One attempt after another to follow, until it is ended. */
class Following {
  ended = false;
  /** The place after which something was missing. */
  gap: number | null = null;
  readonly #retry: () => void;
  #stop: Unsubscribe = () => undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(retry: () => void) {
    this.#retry = retry;
  }

  use(stop: Unsubscribe): void {
    this.#stop = stop;
  }

  again(after: number): void {
    this.#stop();
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#retry, after);
  }

  end(): void {
    this.ended = true;
    clearTimeout(this.#timer);
    this.#stop();
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

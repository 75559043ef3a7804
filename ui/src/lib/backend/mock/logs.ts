import type {
  Entry,
  EntryKind,
  Iteration,
  IterationId,
  KindCounts,
  OutputFilter,
  OutputTarget,
  RunUpdate,
} from "../types";

import { refusal } from "./faults";
import { checksOf, countsOf } from "./iteration-data";
import { growing, joined, listed, type Log, rawLines, session } from "./output-data";
import type { RunWorld } from "./run-data";
import type { Scenario } from "./scenarios";

/** How many entries a single update brings at most. */
const SENT = 500;
const MILLION = 1_000_000;

/** What an update about output says. */
export type Printed = Extract<RunUpdate, { kind: "output" }>;

/** The kinds of a log's entries, known up to the end of the log as it was when it was last asked for. */
class KindIndex {
  readonly counts: KindCounts = countsOf([]);
  readonly #kinds: EntryKind[] = [];
  readonly #shown = new Map<string, { upTo: number; numbers: number[] }>();

  read(log: Log): this {
    for (let n = this.#kinds.length; n < log.total; n++) {
      const kind = log.kindAt(n);
      this.#kinds.push(kind);
      this.counts[kind]++;
    }
    return this;
  }

  /** The numbers of the entries the filter lets through; `null` for all. */
  numbers({ kinds }: OutputFilter): number[] | null {
    if (kinds.length === 0) {
      return null;
    }
    const key = [...kinds].sort().join();
    const shown = this.#shown.get(key) ?? { upTo: 0, numbers: [] };
    for (; shown.upTo < this.#kinds.length; shown.upTo++) {
      const kind = this.#kinds[shown.upTo];
      if (kind !== undefined && kinds.includes(kind)) {
        shown.numbers.push(shown.upTo);
      }
    }
    this.#shown.set(key, shown);
    return shown.numbers;
  }
}

/** A log and the filtered places of its entries. */
export class LogView {
  constructor(
    readonly log: Log,
    private readonly numbers: number[] | null,
  ) {}

  get total(): number {
    return this.numbers?.length ?? this.log.total;
  }

  at(place: number): Entry {
    return this.log.at(this.numbers?.[place] ?? place);
  }
}

/** Everything that was printed in the project's runs, and what is printed now. */
export class MockLogs {
  readonly #world: RunWorld;
  readonly #scenario: Scenario;
  readonly #indices = new Map<string, KindIndex>();
  /** What {@link print} has added to an iteration. */
  readonly #added = new Map<IterationId, number>();
  readonly #listeners = new Set<(printed: Printed) => void>();

  constructor(world: RunWorld, scenario: Scenario) {
    this.#world = world;
    this.#scenario = scenario;
  }

  /** A log, with how many entries it has of each kind. */
  open(target: OutputTarget): { log: Log; counts: KindCounts; finished: boolean; exists: boolean } {
    const { iteration } = this.#find(target.iteration);
    const log = this.#log(iteration, target);
    const finished = iteration.phase === "settled";
    // An error stream on which nothing was written is an empty file.
    const exists =
      log.total > 0 || !finished || target.source.kind === "stderr" || target.source.kind === "check_stderr";
    return { log, counts: this.#index(target, log).counts, finished, exists };
  }

  /** What the filter lets through. */
  view(target: OutputTarget, filter: OutputFilter): LogView {
    const { log } = this.open(target);
    return new LogView(log, this.#index(target, log).numbers(filter));
  }

  /** The newest iteration prints so many entries more. */
  print(count: number): void {
    const iteration = this.#world.runs[0]?.iterations.at(-1);
    if (!iteration) {
      return;
    }
    const before = this.transcript(iteration).total;
    this.#added.set(iteration.id, (this.#added.get(iteration.id) ?? 0) + count);
    const printed = this.printed(iteration, before);
    this.#listeners.forEach((tell) => tell(printed));
  }

  /** Calls back whenever {@link print} was called. */
  onPrinted(callback: (printed: Printed) => void): () => void {
    this.#listeners.add(callback);
    return () => this.#listeners.delete(callback);
  }

  /** What is told of an iteration's output from an entry on: the last entries when there are many. */
  printed(iteration: Iteration, from = 0): Printed {
    const target: OutputTarget = { iteration: iteration.id, source: { kind: "transcript" } };
    const log = this.transcript(iteration);
    // The last one that was told may have got its answer since.
    const first = Math.max(from - 1, log.total - SENT, 0);
    return {
      kind: "output",
      iteration: iteration.id,
      first,
      total: log.total,
      counts: { ...this.#index(target, log).counts },
      entries: Array.from({ length: log.total - first }, (_, index) => log.at(first + index)),
      finished: iteration.phase === "settled",
    };
  }

  transcript(iteration: Iteration): Log {
    const log = this.#said(iteration);
    return iteration.phase === "settled" ? log : growing(log);
  }

  #said(iteration: Iteration): Log {
    const newest = iteration === this.#world.runs[0]?.iterations.at(-1);
    const added = this.#added.get(iteration.id) ?? 0;
    if (this.#scenario === "hostile") {
      return session(160 + added, true);
    }
    if (newest && this.#scenario === "large") {
      return session(MILLION + added);
    }
    const own = listed(this.#world.entries(iteration));
    return added === 0 ? own : joined(own, session(added));
  }

  #log(iteration: Iteration, { source }: OutputTarget): Log {
    switch (source.kind) {
      case "transcript":
        return this.transcript(iteration);
      case "stdout": {
        const transcript = this.transcript(iteration);
        return rawLines(transcript.total, (n) =>
          JSON.stringify({ type: transcript.kindAt(n), ...raw(transcript.at(n)) }),
        );
      }
      case "stderr":
        return rawLines(iteration.outcome === "failed" ? 3 : 0, (n) => STDERR[n % STDERR.length] ?? "");
      case "check_stdout":
      case "check_stderr": {
        const check = checksOf(iteration)[source.position];
        const lines = source.kind === "check_stderr" ? [] : (check?.excerpt.split("\n") ?? []);
        return rawLines(lines.filter(Boolean).length, (n) => lines[n] ?? "");
      }
    }
  }

  #index(target: OutputTarget, log: Log): KindIndex {
    const key = JSON.stringify(target);
    const index = this.#indices.get(key) ?? new KindIndex();
    this.#indices.set(key, index);
    return index.read(log);
  }

  #find(id: IterationId): { iteration: Iteration } {
    const found = this.#world.iteration(id);
    if (!found) {
      throw refusal("run.not_found", "There is no such iteration.");
    }
    return found;
  }
}

const STDERR = [
  "warning: the connection to the model was lost, trying again",
  "    at Stream.read (https://example.org/agent/stream.js:118:24)",
  "error: giving up after 3 tries",
];

function raw({ name, text, failed, answer }: Entry): object {
  return { ...(name !== null && { name }), text, ...(failed && { failed }), ...(answer && { output: answer.text }) };
}

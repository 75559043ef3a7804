import type { EventEnvelope, Overview } from "../types";

import type { GateWorld } from "./gate-world";
import type { RunWorld } from "./run-data";
import type { Scenario } from "./scenarios";
import type { TaskWorld } from "./task-world";

/** What the parts of the mock share: how they answer, and what they know of the whole. */
export interface MockParts {
  scenario: Scenario;
  /** The project's runs, as they are now. */
  world: RunWorld;
  /** The project's tasks and spec, as they are now. */
  tasks: TaskWorld;
  /** The project's gates, as they are now. */
  gates: GateWorld;
  /** Answers as the real backend would: later, and in the failing scenario with a refusal. */
  guarded<T>(method: string, argument: unknown, produce: () => T): Promise<T>;
  /** The project as it is now. */
  overview(): Overview;
  /** The project's history, the oldest first. */
  readonly journal: EventEnvelope[];
  /** Who is told of each event as it is written. */
  readonly noted: Set<(event: EventEnvelope) => void>;
  /** Writes an event into the project's history. */
  note(event: EventEnvelope["event"]): EventEnvelope;
  /** Tells the window that the project changed. */
  announce(): void;
}

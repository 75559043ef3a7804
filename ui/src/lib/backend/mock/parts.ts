import type { EventEnvelope } from "../types";

import type { Scenario } from "./scenarios";

/** What the parts of the mock share: how they answer, and what they know of the whole. */
export interface MockParts {
  scenario: Scenario;
  /** Answers as the real backend would: later, and in the failing scenario with a refusal. */
  guarded<T>(method: string, argument: unknown, produce: () => T): Promise<T>;
  /** Writes an event into the project's history. */
  note(event: EventEnvelope["event"]): void;
  /** Tells the window that the project changed. */
  announce(): void;
}

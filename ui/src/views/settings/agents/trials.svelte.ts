import { SvelteMap } from "svelte/reactivity";

import type { AgentsBackend } from "$lib/backend/agents";
import { faultOf } from "$lib/backend/backend";
import type { AgentTrial, Fault } from "$lib/backend/types";

/** What came of asking an agent something: under way, an answer, or why nobody could be asked. */
export type Trial =
  { kind: "asking"; since: number } | { kind: "told"; trial: AgentTrial } | { kind: "failed"; fault: Fault };

/** The questions a person has put to agents in this window. */
export class Trials {
  readonly #backend: AgentsBackend;
  readonly #trials = new SvelteMap<string, Trial>();

  constructor(backend: AgentsBackend) {
    this.#backend = backend;
  }

  of(name: string): Trial | undefined {
    return this.#trials.get(name);
  }

  /** Asks an agent one question, unless one is under way. */
  async ask(name: string): Promise<void> {
    if (this.#trials.get(name)?.kind === "asking") {
      return;
    }
    this.#trials.set(name, { kind: "asking", since: Date.now() });
    try {
      this.#trials.set(name, { kind: "told", trial: await this.#backend.tryAgent(name) });
    } catch (thrown) {
      this.#trials.set(name, { kind: "failed", fault: faultOf(thrown) });
    }
  }
}

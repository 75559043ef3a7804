import type { AgentsReport, AgentTrial } from "./types";

/** The agents of this machine, and how they stand. */
export interface AgentsBackend {
  /** Every agent with version and login. Their own programs are asked, which takes a few seconds. */
  agents(): Promise<AgentsReport>;
  /** Asks an agent one question: it costs what one short answer costs. Trouble the agent has is part of the answer. */
  tryAgent(name: string): Promise<AgentTrial>;
}

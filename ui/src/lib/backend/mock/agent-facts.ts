/** Who did the work of the mock's iterations, and which agents have to rest. */
import type { AgentFacts, Hold } from "../types";

const MODELS: Record<string, string> = {
  claude: "claude-sonnet-4-5",
  codex: "gpt-5.1-codex",
  gemini: "gemini-3-pro",
};

const MINUTE = 60_000;

/** What is known of an agent that worked: the same for the same number. */
export function factsOf(number: number, harness = "claude"): AgentFacts {
  return {
    harness,
    model: MODELS[harness] ?? null,
    session: `7d1f0c3e-52aa-4c19-9b0e-${(number + 4096).toString(16).padStart(12, "0")}`,
    turns: 6 + (number % 9),
    problem: null,
    code: null,
    denied: [],
    confinement: "sandbox",
  };
}

/** An agent that was not allowed to do what it was asked for. */
export function deniedFacts(number: number): AgentFacts {
  const message = "Claude requested permissions to use Bash, but you haven't granted it yet.";
  return {
    ...factsOf(number),
    turns: 2,
    denied: ["Bash(cargo test)", "WebFetch"],
    problem: { kind: "permission", message, status: null },
    code: "agent.permission",
    confinement: "unavailable",
  };
}

/** An agent whose account is used up for now. */
export function limitedFacts(number: number): AgentFacts {
  const message = "You've hit your session limit · resets 2:05pm";
  return { ...factsOf(number), turns: 1, problem: { kind: "usage_limit", message, status: 429 }, code: "agent.limit" };
}

/** Claude rests for some more minutes. */
export function claudeRests(minutes: number): Hold {
  return {
    agent: "claude",
    kind: "usage_limit",
    code: "agent.limit",
    message: "You've hit your session limit · resets 2:05pm",
    since: new Date(Date.now() - 23 * MINUTE).toISOString(),
    until: new Date(Date.now() + minutes * MINUTE).toISOString(),
    tries: 0,
  };
}

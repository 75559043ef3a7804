import type { Hold, RunState } from "$lib/backend/types";
import { agentName } from "$lib/format/agents";
import { whenText } from "$lib/format/time";

/** The agent that a run waits for; `null` for a run that works, or that stands still for another reason. */
export function waitsFor({ run }: RunState): Hold | null {
  return run.status === "waiting" && run.waiting === "limit" ? (run.holds[0] ?? null) : null;
}

/** The agents that rest while a run works on with another. */
export function restsBeside({ run, current }: RunState): Hold[] {
  const worker = current?.agent.harness ?? run.harness;
  return run.status === "running" ? run.holds.filter((hold) => hold.agent !== worker) : [];
}

/** Who rests, and who works meanwhile: "Claude is at its limit until 14:05; Codex is working". */
export function besideText(rests: readonly Hold[], { run, current }: RunState, now: number): string {
  const who = rests.map(({ agent, until }) => {
    const end = until === null ? "" : ` until ${whenText(until, now)}`;
    return `${agentName(agent)} is at its limit${end}`;
  });
  return `${who.join(", ")}; ${agentName(current?.agent.harness ?? run.harness)} is working`;
}

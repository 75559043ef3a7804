import type { GateAnswer, GateDecision, GateDetail, GateId, GateInbox, IterationId, LineComment } from "./types";

/** Gates: what waits for a person, and the answer. */
export interface GatesBackend {
  gates(): Promise<GateInbox>;
  gate(id: GateId): Promise<GateDetail>;
  /** Refused with `gate.changed` when `tree` is not what the gate shows, with `gate.decided` when somebody was first. */
  decideGate(id: GateId, tree: string | null, decision: GateDecision): Promise<GateAnswer>;
  /** Approves, and decides about what the commit would lack: `include` goes in, the rest stays out. */
  approveWithLeftOut(id: GateId, tree: string | null, decision: GateDecision, include: string[]): Promise<GateAnswer>;
  commentGate(id: GateId, comment: LineComment): Promise<GateDetail>;
  uncommentGate(id: GateId, comment: number): Promise<GateDetail>;
  /** Reverts the commit of an iteration and puts its task back into the queue. */
  revertWork(iteration: IterationId): Promise<GateDetail>;
}

import type { GatesBackend } from "../gates";
import type { Gate, GateAnswer, GateDecision, GateId, LeftOutFile } from "../types";

import { refusal } from "./faults";
import type { MockParts } from "./parts";
import type { RunMachine } from "./run-machine";

/** What a test can do to gates that an agent, another terminal or an editor could do. */
export interface GateControls {
  /** Somebody decides it elsewhere. */
  decideElsewhere(id: GateId, decision: GateDecision): void;
  /** A person edits files while a gate shows them. */
  edit(id: GateId, files: string[]): void;
  /** Files change without anybody knowing: the next decision finds out. */
  changeTree(id: GateId): void;
  /** The commit would lack files that the checks may have used, or that look like secrets. */
  leaveOut(id: GateId, files: LeftOutFile[], kind?: "left_out" | "secret"): void;
  /** A gate of another kind is opened for the newest run; a plan names its task. */
  open(kind: "plan" | "review", task?: number): void;
}

const STATUSES: Record<GateDecision["kind"], Gate["status"]> = {
  approve: "approved",
  approve_with_edits: "approved",
  reject: "rejected",
  skip: "skipped",
};

/** Gates in memory. */
export function createGatesMock(parts: MockParts, machine: RunMachine): GatesBackend & { gateControls: GateControls } {
  const { gates, tasks, world, guarded, note, announce } = parts;
  const secretly = new Set<GateId>();

  function isLive(gate: Gate): boolean {
    return machine.holder() !== null && world.runs[0]?.summary.id === gate.run;
  }

  /** Refuses what is too late or about other files than those that are shown. */
  function refuse(gate: Gate, tree: string | null, decision: GateDecision): void {
    if (gate.status !== "open") {
      throw refusal("gate.decided", `gate ${gate.id} was ${gate.status} already`, "Look at what was decided.");
    }
    const edits = (gates.edited.get(gate.id) ?? []).length > 0;
    if (tree !== gate.tree || secretly.has(gate.id) || (edits && decision.kind === "approve")) {
      secretly.delete(gate.id);
      const next = gates.replace(gate.id);
      note({ type: "gate.decided", gate: gate.id, status: "replaced", reason: null, origin: null });
      note({
        type: "gate.opened",
        gate: next.id,
        run: next.run,
        iteration: next.iteration,
        task: next.task,
        reasons: next.reasons,
      });
      announce();
      throw refusal("gate.changed", "the files are others than those that were shown", "Look at them as they are now.");
    }
    if ("reason" in decision && decision.reason.trim() === "") {
      throw refusal("usage.invalid", "say why");
    }
  }

  function decide(id: GateId, tree: string | null, decision: GateDecision, origin: "app" | "cli"): GateAnswer {
    const gate = gates.find(id);
    refuse(gate, tree, decision);
    const failing =
      decision.kind === "approve_with_edits" && gates.edited.get(id)?.some((path) => path.includes("broken"));
    if (failing) {
      const output = "teas are well formed:\nteas.json: line 3 is broken\n";
      return { kind: "checks_failed", checks: ["teas are well formed"], output };
    }
    const live = isLive(gate);
    const status = STATUSES[decision.kind];
    gates.change(id, { status, decision, decided_at: new Date().toISOString(), decided_by: origin });
    gates.edited.delete(id);
    note({ type: "gate.decided", gate: id, status, reason: "reason" in decision ? decision.reason : null, origin });
    const answer = machine.carryOut(gate, decision);
    announce();
    return live ? { kind: "told" } : answer;
  }

  function opened(gate: Gate): void {
    const { id, run, iteration, task, reasons } = gate;
    if (task !== null) {
      tasks.setStatus(task, "awaiting_approval", { iteration }, note);
    }
    note({ type: "gate.opened", gate: id, run, iteration, task, reasons });
    announce();
  }

  const detail = (id: GateId) => gates.detail(id, isLive(gates.find(id)));

  return {
    gates: () => guarded("gates", null, () => gates.inbox),
    gate: (id) => guarded("gate", id, () => detail(id)),
    decideGate: (id, tree, decision) =>
      guarded("decideGate", { id, tree, decision }, () => decide(id, tree, decision, "app")),
    approveWithLeftOut: (id, tree, decision, include) =>
      guarded("approveWithLeftOut", { id, tree, decision, include }, () => decide(id, tree, decision, "app")),
    commentGate: (id, comment) =>
      guarded("commentGate", { id, comment }, () => {
        const { comments, status } = gates.find(id);
        if (status !== "open") {
          throw refusal("gate.decided", `gate ${id} was ${status} already`);
        }
        const next = Math.max(0, ...comments.map((each) => each.id)) + 1;
        gates.change(id, { comments: [...comments, { ...comment, id: next }] });
        return detail(id);
      }),
    uncommentGate: (id, comment) =>
      guarded("uncommentGate", { id, comment }, () => {
        gates.change(id, { comments: gates.find(id).comments.filter((each) => each.id !== comment) });
        return detail(id);
      }),
    revertWork: (iteration) =>
      guarded("revertWork", iteration, () => {
        const task = world.iteration(iteration)?.iteration.task ?? null;
        gates.reverted.add(iteration);
        if (task !== null) {
          tasks.setStatus(task, "pending", { reason: "Its commit was reverted.", origin: "app" }, note);
        }
        announce();
        const review = gates.all.findLast(({ kind }) => kind === "review");
        return detail(review?.id ?? 0);
      }),
    gateControls: {
      decideElsewhere: (id, decision) => void decide(id, gates.find(id).tree, decision, "cli"),
      edit: (id, files) => {
        gates.edited.set(id, files);
        announce();
      },
      leaveOut: (id, files, kind = "left_out") => {
        const flags = files.map(({ path, detail }) => ({ kind, path, line: null, detail }));
        gates.leftOut.set(id, [...(gates.leftOut.get(id) ?? []), ...files]);
        gates.change(id, { flags: [...gates.find(id).flags, ...flags] });
        announce();
      },
      changeTree: (id) => void secretly.add(id),
      open: (kind, task = 10) => {
        const iteration = machine.newest().iterations.at(-1);
        if (iteration) {
          opened(kind === "plan" ? gates.openPlan(iteration, task) : gates.openReview(iteration));
        }
      },
    },
  };
}

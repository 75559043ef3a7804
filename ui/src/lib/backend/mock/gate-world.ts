import type {
  Gate,
  GateDetail,
  GateId,
  GateSummary,
  Iteration,
  IterationId,
  LeftOutFile,
  ReviewedWork,
  RiskFlag,
} from "../types";

import { changesFor, reportOf } from "./diff-data";
import { refusal } from "./faults";
import { gatesFor, mockGate, PROTECTED, planGate, reviewGate, REVIEW_SUMMARY, treeOf } from "./gate-data";
import { checksOf } from "./iteration-data";
import type { RunWorld } from "./run-data";
import type { Scenario } from "./scenarios";
import type { TaskWorld } from "./task-world";

/** How many gates that were decided are told of. */
const LATELY = 20;
/** How many finished tasks a review of the mock looks back at. */
const REVIEWED = 3;

/** The project's gates, as they are now. */
export class GateWorld {
  /** The oldest first. */
  all: Gate[];
  /** What a person changed since a gate was opened, by gate. */
  readonly edited = new Map<GateId, string[]>();
  readonly leftOut = new Map<GateId, LeftOutFile[]>();
  readonly reverted = new Set<IterationId>();
  readonly #scenario: Scenario;
  readonly #world: RunWorld;
  readonly #tasks: TaskWorld;

  constructor(scenario: Scenario, world: RunWorld, tasks: TaskWorld) {
    this.#scenario = scenario;
    this.#world = world;
    this.#tasks = tasks;
    this.all = gatesFor(scenario, world);
    for (const gate of this.all) {
      if (gate.status === "open" && gate.task !== null) {
        tasks.gates.set(gate.task, gate.id);
      }
    }
  }

  find(id: GateId): Gate {
    const gate = this.all.find((each) => each.id === id);
    if (!gate) {
      throw refusal("gate.not_found", `there is no gate ${id}`);
    }
    return gate;
  }

  change(id: GateId, to: Partial<Gate>): Gate {
    const gate = { ...this.find(id), ...to };
    this.all = this.all.map((each) => (each.id === id ? gate : each));
    if (gate.task !== null) {
      if (gate.status === "open") {
        this.#tasks.gates.set(gate.task, gate.id);
      } else if (this.#tasks.gates.get(gate.task) === gate.id) {
        this.#tasks.gates.delete(gate.task);
      }
    }
    return gate;
  }

  /** Whether the work of an iteration has to wait for a person. */
  flagsOf(iteration: Iteration): RiskFlag[] {
    const task = iteration.task === null ? null : this.#tasks.find(iteration.task);
    return task?.description.includes("approval") ? PROTECTED : [];
  }

  openWork(iteration: Iteration, asked: boolean): Gate {
    const flags = this.flagsOf(iteration);
    const reasons = [...(asked ? ["mode" as const] : []), ...(flags.length > 0 ? ["risk" as const] : [])];
    return this.#add((id) => mockGate(id, iteration, { reasons, flags, tree: treeOf(id) }));
  }

  openPlan(iteration: Iteration, task: number): Gate {
    return this.#add((id) => planGate(id, iteration, this.#tasks.find(task)));
  }

  openReview(iteration: Iteration): Gate {
    return this.#add((id) => reviewGate(id, iteration));
  }

  /** The files are others than those that are shown: the gate is replaced by one that shows them. */
  replace(id: GateId): Gate {
    const shown = this.change(id, { status: "replaced", decided_at: new Date().toISOString() });
    this.edited.delete(id);
    const fresh = { status: "open" as const, decided_at: null, decision: null, decided_by: null };
    return this.#add((next) => ({
      ...shown,
      ...fresh,
      id: next,
      tree: treeOf(next),
      opened_at: new Date().toISOString(),
    }));
  }

  summary(gate: Gate): GateSummary {
    const { id, kind, status, task, reasons, flags, opened_at, decided_at } = gate;
    const { total, added, removed } = reportOf(kind === "plan" ? [] : changesFor(this.#scenario));
    const title = task === null ? REVIEW_SUMMARY : this.#tasks.find(task).title;
    return { id, kind, status, task, title, reasons, flags, files: total, added, removed, opened_at, decided_at };
  }

  get inbox(): { open: GateSummary[]; decided: GateSummary[] } {
    const open = this.all.filter(({ status }) => status === "open");
    const decided = this.all
      .filter(({ status }) => status !== "open" && status !== "replaced")
      .sort((left, right) => Date.parse(right.decided_at ?? "") - Date.parse(left.decided_at ?? ""));
    return {
      open: open.map((gate) => this.summary(gate)),
      decided: decided.slice(0, LATELY).map((gate) => this.summary(gate)),
    };
  }

  detail(id: GateId, live: boolean): GateDetail {
    const gate = this.find(id);
    const found = this.#world.iteration(gate.iteration);
    if (!found) {
      throw refusal("run.not_found", "There is no such iteration.");
    }
    const edited = this.edited.get(id) ?? [];
    const shown = gate.kind === "work";
    const tree = { iteration: gate.iteration };
    return {
      gate,
      run: found.run.summary,
      task: gate.task === null ? null : this.#tasks.find(gate.task),
      checks: shown ? checksOf({ ...found.iteration, phase: "settled" }) : [],
      comparison: shown ? { from: { ...tree, side: "before" }, to: { ...tree, side: "after" } } : null,
      satisfied_by: [],
      left_out: this.leftOut.get(id) ?? [],
      unchanged: edited.length === 0,
      edited,
      live,
      work: gate.kind === "review" ? this.#reviewed(found.run.iterations) : [],
    };
  }

  #reviewed(iterations: readonly Iteration[]): ReviewedWork[] {
    return iterations
      .filter(({ task, commit }) => task !== null && commit !== null)
      .slice(-REVIEWED)
      .map(({ id, task, commit }) => ({
        iteration: id,
        task,
        title: task === null ? "" : this.#tasks.find(task).title,
        commit: commit ?? "",
        reverted: this.reverted.has(id),
      }));
  }

  #add(make: (id: GateId) => Gate): Gate {
    const gate = make(Math.max(0, ...this.all.map(({ id }) => id)) + 1);
    this.all = [...this.all, gate];
    return this.change(gate.id, {});
  }
}

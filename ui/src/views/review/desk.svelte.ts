import { SvelteSet } from "svelte/reactivity";

import { Resource } from "$lib/app/resource.svelte";
import { faultOf } from "$lib/backend/backend";
import type {
  Gate,
  GateAnswer,
  GateDecision,
  GateDetail,
  GateId,
  IterationId,
  LineComment,
  ReviewedWork,
} from "$lib/backend/types";
import type { LinePlace } from "$lib/diff/notes";
import { plural } from "$lib/format/text";

import type { Review } from "./review.svelte";

/** What has to be said before a decision is taken. */
export type Question = "reject" | "skip" | "secret";

/** One gate on a person's desk: what is shown of it, what they have ticked and written, and their decision. */
export class Desk {
  readonly id: GateId;
  readonly detail: Resource<GateDetail>;
  /** The acceptance criteria that the person has seen to be met, by their place. It is theirs alone: nobody is told. */
  readonly ticked = new SvelteSet<number>();
  question = $state.raw<Question | null>(null);
  /** Why it is rejected or put aside, as far as it is written. */
  reason = $state("");
  /** The comment that is being written. */
  writing = $state.raw<LinePlace | null>(null);
  text = $state("");
  /** Finished work that is about to be reverted. */
  reverting = $state.raw<ReviewedWork | null>(null);

  readonly #review: Review;

  constructor(review: Review, id: GateId) {
    this.#review = review;
    this.id = id;
    this.detail = new Resource(() => review.app.backend.gate(id));
  }

  get gate(): Gate | null {
    return this.detail.data?.gate ?? null;
  }

  get open(): boolean {
    return this.gate?.status === "open";
  }

  get busy(): boolean {
    return this.#review.app.working.has("decide_gate");
  }

  /** Whether a person changed files since the gate was opened: then only what they are now can be approved. */
  get edited(): boolean {
    return this.detail.data?.unchanged === false;
  }

  get canReject(): boolean {
    return this.open && this.gate?.kind !== "review";
  }

  /** Whether something is asked of the person here and now, so that keys mean something else. */
  get asking(): boolean {
    return this.question !== null || this.reverting !== null;
  }

  /** Approves what is shown. What looks like a secret is asked about: a commit is not easily forgotten. */
  approve(): void {
    if (!this.open || this.edited || this.asking) {
      return;
    }
    if (this.gate?.flags.some(({ kind }) => kind === "secret")) {
      this.question = "secret";
    } else {
      void this.decide({ kind: "approve" });
    }
  }

  approveEdited(): void {
    if (this.open && this.edited && !this.asking) {
      void this.decide({ kind: "approve_with_edits" });
    }
  }

  ask(question: "reject" | "skip"): void {
    if (this.canReject && !this.asking) {
      this.question = question;
    }
  }

  /** Answers the question with what was written. */
  answer(): void {
    const reason = this.reason.trim();
    if (this.question === "secret") {
      void this.decide({ kind: "approve" });
    } else if (this.question !== null && reason !== "") {
      void this.decide({ kind: this.question, reason });
    }
  }

  async decide(decision: GateDecision): Promise<void> {
    const { gate } = this;
    if (gate?.status !== "open") {
      return;
    }
    const { app } = this.#review;
    await app.attempt("decide_gate", async () => {
      try {
        const answer = await app.backend.decideGate(gate.id, gate.tree, decision);
        this.question = null;
        await this.#decided(gate, answer, decision);
      } catch (thrown) {
        this.question = null;
        await this.#refused(gate, thrown);
      }
    });
  }

  async #decided(gate: Gate, answer: GateAnswer, decision: GateDecision): Promise<void> {
    const review = this.#review;
    await Promise.all([this.detail.refresh(), review.app.gates.refresh()]);
    if (answer.kind === "checks_failed") {
      review.notice = { kind: "checks_failed", gate: gate.id, checks: answer.checks };
      return;
    }
    this.reason = "";
    review.notice = null;
    review.app.notify.success(...told(gate, answer, decision));
    review.goOn();
  }

  /** Somebody was first, or the files are others by now: what is true is shown, and said. */
  async #refused(gate: Gate, thrown: unknown): Promise<void> {
    const review = this.#review;
    const { code } = faultOf(thrown);
    if (code !== "gate.decided" && code !== "gate.changed") {
      throw thrown;
    }
    await Promise.all([this.detail.refresh(), review.app.gates.refresh()]);
    const fresh = review.open.findLast(
      ({ id, kind, task }) => id !== gate.id && kind === gate.kind && task === gate.task,
    );
    if (code === "gate.changed" && fresh) {
      review.notice = { kind: "changed", gate: fresh.id };
      review.choose(fresh.id);
    } else {
      review.notice = { kind: code === "gate.decided" ? "decided" : "changed", gate: gate.id };
      review.choose(gate.id);
    }
  }

  /** Pauses the run; the gate stays open. */
  async stop(): Promise<void> {
    await this.#review.app.run.ask("pause");
  }

  commentsAt(place: LinePlace): LineComment[] {
    return (this.gate?.comments ?? []).filter(
      ({ path, line, old_side }) => path === place.path && line === place.line && old_side === place.old,
    );
  }

  writesAt({ path, line, old }: LinePlace): boolean {
    return this.writing?.path === path && this.writing.line === line && this.writing.old === old;
  }

  /** Begins a comment; one that is half written elsewhere moves along. */
  begin(place: LinePlace): void {
    if (this.open) {
      this.writing = place;
    }
  }

  async save(): Promise<void> {
    const { writing: place } = this;
    const text = this.text.trim();
    if (place === null || text === "") {
      return;
    }
    const { path, line, old } = place;
    const comment = { id: 0, path, line, old_side: old, quoted: place.text, text };
    await this.#change(
      "comment_gate",
      (backend) => backend.commentGate(this.id, comment),
      () => this.discard(),
    );
  }

  discard(): void {
    this.writing = null;
    this.text = "";
  }

  async remove(comment: number): Promise<void> {
    await this.#change("uncomment_gate", (backend) => backend.uncommentGate(this.id, comment));
  }

  async revert(iteration: IterationId): Promise<void> {
    await this.#change(
      "revert_work",
      (backend) => backend.revertWork(iteration),
      () => (this.reverting = null),
    );
  }

  async #change(
    name: string,
    work: (backend: Review["app"]["backend"]) => Promise<GateDetail>,
    done: () => void = () => undefined,
  ): Promise<void> {
    const { app } = this.#review;
    await app.attempt(name, async () => {
      this.detail.set(await work(app.backend));
      done();
    });
  }
}

/** What became of a decision, in words. */
function told(gate: Gate, answer: GateAnswer, decision: GateDecision): [string, string?] {
  const carried = answer.kind === "told" ? "The run goes on with it." : undefined;
  switch (decision.kind) {
    case "reject":
      return ["Rejected", carried ?? "The files are as they were before. What was made is kept."];
    case "skip":
      return ["Put aside", carried ?? "The files are as they were before, and the task is blocked."];
    default: {
      const commit =
        answer.kind === "committed" && answer.commit ? `Committed as ${answer.commit.slice(0, 7)}.` : carried;
      const comments = gate.comments.length;
      const unsent = comments > 0 ? ` ${plural(comments, "comment")} did not go to the agent.` : "";
      return ["Approved", `${commit ?? ""}${unsent}`.trim() || undefined];
    }
  }
}

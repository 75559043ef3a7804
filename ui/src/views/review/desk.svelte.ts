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
  /** What is left out of the commit and is to be in it, by its path. */
  readonly included = new SvelteSet<string>();
  /** The files of the shown tree that the person has marked as viewed. Another tree begins anew. */
  readonly #viewed: Record<string, SvelteSet<string>> = {};
  question = $state.raw<Question | null>(null);
  /** Why it is rejected or put aside, as far as it is written. */
  reason = $state("");
  /** The comment that is being written. */
  writing = $state.raw<LinePlace | null>(null);
  text = $state("");
  /** Finished work that is about to be reverted. */
  reverting = $state.raw<ReviewedWork | null>(null);

  /** An approval that can still be taken back: when it is sent, in milliseconds of the clock. */
  pending = $state.raw<{ until: number; send: () => void } | null>(null);

  readonly #review: Review;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(review: Review, id: GateId) {
    this.#review = review;
    this.id = id;
    this.detail = new Resource(() => review.app.backend.gate(id));
  }

  get gate(): Gate | null {
    return this.detail.data?.gate ?? null;
  }

  get viewed(): SvelteSet<string> {
    return (this.#viewed[this.gate?.tree ?? ""] ??= new SvelteSet());
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
    return this.open && this.pending === null && this.gate?.kind !== "review" && !this.checkingEdits;
  }

  /** Without a task there is nothing that could be put aside. */
  get canSkip(): boolean {
    return this.canReject && this.gate?.task !== null;
  }

  /** Whether the person's edits are being checked: only then is it decided. */
  get checkingEdits(): boolean {
    return this.open && this.gate?.decision?.kind === "approve_with_edits";
  }

  /** Whether something is asked of the person here and now, so that keys mean something else. */
  get asking(): boolean {
    return this.question !== null || this.reverting !== null;
  }

  /** Approves what is shown. What looks like a secret is asked about: a commit is not easily forgotten. */
  approve(): void {
    if (!this.open || this.edited || this.asking || this.checkingEdits || this.pending !== null) {
      return;
    }
    if (this.#commitsSecret) {
      this.question = "secret";
    } else {
      this.#decideLater({ kind: "approve" });
    }
  }

  /** Whether something that looks like a secret would be in the commit. */
  get #commitsSecret(): boolean {
    const staysOut = (path: string | null) =>
      this.detail.data?.left_out.some((file) => file.path === path && !this.included.has(file.path));
    return this.gate?.flags.some(({ kind, path }) => kind === "secret" && !staysOut(path)) ?? false;
  }

  approveEdited(): void {
    if (this.open && this.edited && !this.asking && !this.checkingEdits && this.pending === null) {
      this.#decideLater({ kind: "approve_with_edits" });
    }
  }

  /** Takes an approval back that was not sent yet. */
  undo(): void {
    clearTimeout(this.#timer);
    this.pending = null;
  }

  /**
   * Sends an approval of work after the seconds in which it can be taken back. Until then nobody knows of it: a window
   * that ends within them has approved nothing. The tree that was shown is sent along, and one that changed is refused.
   */
  #decideLater(decision: GateDecision): void {
    const { gate } = this;
    const { undoFor } = this.#review;
    if (gate?.kind !== "work" || undoFor === 0) {
      void this.decide(decision);
      return;
    }
    this.question = null;
    const send = () => {
      this.undo();
      void this.decide(decision, gate);
    };
    this.pending = { until: Date.now() + undoFor, send };
    this.#timer = setTimeout(send, undoFor);
  }

  ask(question: "reject" | "skip"): void {
    if ((question === "skip" ? this.canSkip : this.canReject) && !this.asking) {
      this.question = question;
    }
  }

  /** Answers the question with what was written. */
  answer(): void {
    const reason = this.reason.trim();
    if (this.question === "secret") {
      this.#decideLater({ kind: "approve" });
    } else if (this.question !== null && reason !== "") {
      void this.decide({ kind: this.question, reason });
    }
  }

  async decide(decision: GateDecision, gate = this.gate): Promise<void> {
    if (gate?.status !== "open") {
      return;
    }
    const { app } = this.#review;
    await app.attempt("decide_gate", async () => {
      try {
        const answer = await this.#send(gate, decision);
        this.question = null;
        await this.#decided(gate, answer, decision);
      } catch (thrown) {
        this.question = null;
        await this.#refused(gate, thrown);
      }
    });
  }

  #send(gate: Gate, decision: GateDecision): Promise<GateAnswer> {
    const { backend } = this.#review.app;
    const approves = decision.kind === "approve" || decision.kind === "approve_with_edits";
    return approves && (this.detail.data?.left_out.length ?? 0) > 0
      ? backend.approveWithLeftOut(gate.id, gate.tree, decision, [...this.included])
      : backend.decideGate(gate.id, gate.tree, decision);
  }

  async #decided(gate: Gate, answer: GateAnswer, decision: GateDecision): Promise<void> {
    const review = this.#review;
    await Promise.all([this.detail.refresh(), review.app.gates.refresh()]);
    if (answer.kind === "checks_failed") {
      const { checks, output } = answer;
      review.notice = { kind: "checks_failed", gate: gate.id, checks, output };
      return;
    }
    if (this.checkingEdits) {
      // Whoever was to check the edits has ended: nothing is approved before a resumed run has done it.
      review.notice = null;
      return;
    }
    this.reason = "";
    review.notice = null;
    review.app.notify.success(...told(gate, answer, decision));
    review.goOn();
  }

  /** Nothing was decided. What is true is shown, and why it was refused is said above it. */
  async #refused(gate: Gate, thrown: unknown): Promise<void> {
    const review = this.#review;
    const fault = faultOf(thrown);
    const { code } = fault;
    await Promise.all([this.detail.refresh(), review.app.gates.refresh()]);
    if (code !== "gate.decided" && code !== "gate.changed") {
      review.notice = { kind: "refused", gate: gate.id, fault };
      return;
    }
    const fresh = review.open.findLast(
      ({ id, kind, task }) => id !== gate.id && kind === gate.kind && task === gate.task,
    );
    if (code === "gate.changed" && fresh) {
      review.notice = { kind: "changed", gate: fresh.id, fault };
      review.choose(fresh.id);
    } else {
      const kind = code === "gate.decided" ? "decided" : this.edited ? "changed" : "refused";
      review.notice = { kind, gate: gate.id, fault };
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

/** What became of the files after a rejection. */
function files(answer: GateAnswer): string {
  const left = answer.kind === "put_back" || answer.kind === "hook_edits_put_back" ? answer.left : [];
  return left.length === 0
    ? "The files are as they were before."
    : `Left, because you changed ${left.length === 1 ? "it" : "them"} since: ${left.join(", ")}.`;
}

/** What became of a decision, in words. */
function told(gate: Gate, answer: GateAnswer, decision: GateDecision): [string, string?] {
  const carried = answer.kind === "told" ? "The run goes on with it." : undefined;
  if (answer.kind === "hook_edits_put_back") {
    return ["Rejected", `${files(answer)} Change the commit hook, then resume: the wave is not committed yet.`];
  }
  switch (decision.kind) {
    case "reject":
      if (answer.kind === "kept") {
        return ["Rejected", "The work stays in the files. The next iteration is told why."];
      }
      return ["Rejected", carried ?? `${files(answer)} What was made is kept.`];
    case "skip":
      return ["Skipped", carried ?? `${files(answer)} The task is blocked.`];
    default: {
      const commit =
        answer.kind === "committed" && answer.commit ? `Committed as ${answer.commit.slice(0, 7)}.` : carried;
      const comments = gate.comments.length;
      const unsent = comments > 0 ? ` ${plural(comments, "comment")} did not go to the agent.` : "";
      return ["Approved", `${commit ?? ""}${unsent}`.trim() || undefined];
    }
  }
}

import { faultOf } from "$lib/backend/backend";
import type {
  Automation,
  ControlKind,
  DryRun,
  Fault,
  RunId,
  RunStatus,
  StartRun,
  Task,
  TaskId,
} from "$lib/backend/types";

import type { App } from "./app.svelte";
import { type Draft, StartDraft, type StartField, type WorkKind } from "./start/draft.svelte";
import { type Problems, problemsOf, requestOf } from "./start/request";
import { selectedTasks } from "./start/selection";

const RESUMABLE: RunStatus[] = ["paused", "waiting", "interrupted"];

/** What a person does with the runs of the window's project: start, look ahead, pause, resume, end. */
export class RunSteering {
  readonly draft: StartDraft;
  /** Why the last start or preview was refused; goes when something is changed. */
  fault = $state.raw<Fault | null>(null);
  /** Whether a start was asked for with something missing: from then on it is said beside the fields. */
  checked = $state(false);
  /** What the run would do first, once it was asked for. */
  preview = $state.raw<DryRun | null>(null);
  /** Whether the start panel is unfolded where a run is shown above it. */
  open = $state(false);

  readonly #app: App;

  constructor(app: App) {
    this.#app = app;
    this.draft = new StartDraft(app.context.kind === "project" ? app.context.path : "");
  }

  /** What keeps the draft from being started. */
  get problems(): Problems {
    const choices = this.#app.choices.data;
    return choices === null ? {} : problemsOf(this.filled, choices, this.pending);
  }

  /** The pending tasks that the draft selects, in the order in which a run takes them. */
  get selected(): Task[] {
    const overview = this.#app.overview.data;
    return overview === null ? [] : selectedTasks(overview, this.draft.fields);
  }

  /** How many pending tasks the draft selects. */
  get pending(): number {
    return this.selected.length;
  }

  /** What is worked on: what was chosen, else the tasks wherever some wait to be done. */
  get kind(): WorkKind {
    const { kind, kindChosen, prompt } = this.draft.fields;
    return !kindChosen && prompt.trim() === "" && this.pending > 0 ? "tasks" : kind;
  }

  /** The draft with what nobody chose. */
  get filled(): Draft {
    return { ...this.draft.fields, kind: this.kind };
  }

  get starting(): boolean {
    return this.#app.working.has("start_run");
  }

  get previewing(): boolean {
    return this.#app.working.has("preview_run");
  }

  /** Whether the newest run can go on. */
  get resumable(): boolean {
    const state = this.#app.live.state;
    return state ? RESUMABLE.includes(state.run.status) : false;
  }

  /** Whether there is a run that does something now. */
  get running(): boolean {
    return this.#app.live.state?.run.status === "running";
  }

  /** The draft was changed. */
  changed(): void {
    this.fault = null;
    this.draft.remember();
  }

  async start(): Promise<void> {
    await this.#ask("start_run", async (request) => {
      await this.#app.backend.startRun(request);
      this.draft.clear();
      this.open = false;
      this.#app.show("overview");
      void this.#app.choices.refresh();
    });
  }

  /** Shows what a run would do first. Nothing is started. */
  async look(): Promise<void> {
    await this.#ask("preview_run", async (request) => {
      this.preview = await this.#app.backend.previewRun(request);
      this.#app.overlay = { kind: "preview" };
    });
  }

  /** Shows where a run is started, and goes to what is missing. */
  toStart(field: StartField = "prompt"): void {
    this.#app.show("overview");
    this.open = true;
    this.draft.limitsOpen ||= field !== "prompt" && field !== "start";
    this.draft.wanted = field;
  }

  /** Shows the start panel with one task chosen: a second step starts it. */
  toTask(task: TaskId): void {
    Object.assign(this.draft.fields, { kind: "tasks", kindChosen: true, task, wave: null, tag: null });
    this.checked = false;
    this.changed();
    this.toStart("start");
  }

  /** Fills the start panel with what the newest run was started with. */
  again(field: StartField = "prompt"): void {
    const state = this.#app.live.state;
    if (state) {
      this.draft.adopt(state);
      this.fault = null;
      this.checked = false;
    }
    this.toStart(field);
  }

  async resume(run: RunId | null = null): Promise<void> {
    await this.#app.attempt("resume_run", async () => {
      await this.#app.backend.resumeRun(run);
      void this.#app.choices.refresh();
    });
  }

  /** Asks the run to pause or to end, or takes such a wish back with `resume`. */
  async ask(kind: ControlKind): Promise<void> {
    await this.#app.attempt("ask_run", () => this.#app.backend.askRun(kind));
  }

  setKind(kind: WorkKind): void {
    Object.assign(this.draft.fields, { kind, kindChosen: true });
    this.checked = false;
    this.changed();
  }

  setAutomation(automation: Automation): void {
    this.draft.fields.automation = automation;
    this.changed();
  }

  async #ask(name: string, work: (request: StartRun) => Promise<void>): Promise<void> {
    const choices = this.#app.choices.data;
    if (choices === null) {
      return;
    }
    this.checked = true;
    if (Object.keys(this.problems).length > 0) {
      return;
    }
    this.fault = null;
    await this.#app.attempt(name, async () => {
      try {
        await work(requestOf(this.filled, choices));
        this.checked = false;
      } catch (thrown) {
        this.#refused(faultOf(thrown));
      }
    });
  }

  /** A refusal is shown where it belongs. What it says may have changed since the choices were read. */
  #refused(fault: Fault): void {
    if (fault.code === "confirmation.declined") {
      this.#app.notify.fault(fault);
      return;
    }
    this.fault = fault;
    this.#app.overlay = null;
    if (fault.code === "config.bad_value") {
      this.draft.limitsOpen = true;
    }
    void this.#app.choices.refresh();
  }
}

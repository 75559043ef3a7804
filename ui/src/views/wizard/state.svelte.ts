import type { App } from "$lib/app/app.svelte";
import { perWindow } from "$lib/app/per-window.svelte";
import { Resource } from "$lib/app/resource.svelte";
import { faultOf } from "$lib/backend/backend";
import type {
  Fault,
  FormShape,
  LaunchSummary,
  PhaseRequest,
  SpecTemplate,
  StartWizard,
  WizardEdit,
  WizardId,
  WizardPhase,
  WizardSummary,
  WizardUpdate,
  WizardView,
} from "$lib/backend/types";

import { LiveWork } from "./live-work.svelte";
import { remember } from "./place";

/** The plan that is made in a window, and what an agent does for it now. */
export class WizardState {
  readonly shapes: Resource<FormShape[]>;
  readonly templates: Resource<SpecTemplate[]>;
  readonly unfinished: Resource<WizardSummary[]>;
  readonly launch: Resource<LaunchSummary | null>;
  view = $state.raw<WizardView | null>(null);
  fault = $state.raw<Fault | null>(null);
  /** What an agent or a check does now, or did last, for each phase. */
  work = $state.raw<LiveWork | null>(null);

  readonly #app: App;
  #reads = 0;
  /** Edits are made one after the other: each is made to what the one before left. */
  #edits: Promise<unknown> = Promise.resolve();

  constructor(app: App) {
    this.#app = app;
    this.shapes = new Resource(() => app.backend.wizardShapes());
    this.templates = new Resource(() => app.backend.wizardTemplates());
    this.unfinished = new Resource(() => app.backend.wizards());
    this.launch = new Resource(async () => (this.id === null ? null : app.backend.wizardLaunch(this.id)));
  }

  get id(): WizardId | null {
    return this.view?.wizard.id ?? null;
  }

  get working(): boolean {
    return this.work?.running ?? false;
  }

  refresh(): void {
    void this.unfinished.refresh();
  }

  /** Shows a plan as it was left. */
  async open(id: WizardId): Promise<void> {
    if (this.id === id) {
      return;
    }
    const read = ++this.#reads;
    this.view = null;
    this.fault = null;
    try {
      const view = await this.#app.backend.wizard(id);
      if (read === this.#reads) {
        this.view = view;
        remember(this.#app, id);
      }
    } catch (thrown) {
      if (read === this.#reads) {
        this.fault = faultOf(thrown);
        remember(this.#app, null);
      }
    }
  }

  leave(): void {
    this.#reads++;
    this.view = null;
    this.fault = null;
    remember(this.#app, null);
  }

  async begin(start: StartWizard, answers: { question: string; answer: string }[]): Promise<WizardId | null> {
    const view = await this.#app.attempt("new_wizard", () => this.#app.backend.newWizard(start));
    if (view === undefined) {
      return null;
    }
    this.view = view;
    remember(this.#app, view.wizard.id);
    for (const { question, answer } of answers.filter((each) => each.answer.trim() !== "")) {
      await this.edit({ do: "answer_question", question, answer });
    }
    return view.wizard.id;
  }

  /** Does what a person asks for. False when it was refused, which is told unless it is done quietly. */
  async edit(edit: WizardEdit, manner: "aloud" | "quietly" = "aloud"): Promise<boolean> {
    const doing = this.#edits.then(() => this.#edit(edit, manner));
    this.#edits = doing;
    return doing;
  }

  async #edit(edit: WizardEdit, manner: "aloud" | "quietly"): Promise<boolean> {
    const { id } = this;
    if (id === null) {
      return false;
    }
    try {
      this.#took(await this.#app.backend.editWizard(id, edit, null));
      return true;
    } catch (thrown) {
      if (manner === "aloud") {
        this.#app.notify.fault(faultOf(thrown));
      }
      return false;
    }
  }

  /** Lets the agent work on a phase, a field of it, or a change in words. */
  async run(phase: WizardPhase, request: Partial<PhaseRequest> = {}): Promise<void> {
    const { id, view } = this;
    if (id !== null && view !== null) {
      const agent = view.wizard.agent;
      await this.#watch(new LiveWork(phase, agent?.name ?? "", request.request ?? null), (update) =>
        this.#app.backend.runWizardPhase(id, phase, { path: null, request: null, ...request }, update),
      );
    }
  }

  async tryChecks(items: string[] | null = null): Promise<void> {
    const { id } = this;
    if (id !== null) {
      await this.#watch(new LiveWork("build_test", null, null), (update) =>
        this.#app.backend.tryWizardChecks(id, items, update),
      );
    }
  }

  async stop(): Promise<void> {
    const { id } = this;
    if (id !== null) {
      await this.#app.attempt("stop_wizard", () => this.#app.backend.stopWizard(id));
    }
  }

  async addDocuments(paths: string[]): Promise<void> {
    const { id } = this;
    if (id !== null) {
      const view = await this.#app.attempt("add_documents", () => this.#app.backend.addWizardDocuments(id, paths));
      this.#took(view);
    }
  }

  async surveyCode(wanted: boolean): Promise<void> {
    const { id } = this;
    if (id !== null) {
      this.#took(await this.#app.attempt("survey_code", () => this.#app.backend.surveyCode(id, wanted)));
    }
  }

  /** Writes the plan into the project. True when it is there. */
  async apply(start: boolean): Promise<boolean> {
    const { id } = this;
    const done =
      id === null ? undefined : await this.#app.attempt("apply_wizard", () => this.#app.backend.applyWizard(id, start));
    if (done) {
      this.leave();
    }
    return done !== undefined;
  }

  async discard(): Promise<boolean> {
    const { id } = this;
    const done =
      id !== null &&
      (await this.#app.attempt("discard_wizard", async () => {
        await this.#app.backend.discardWizard(id);
        return true;
      }));
    if (done) {
      this.leave();
    }
    return done === true;
  }

  async #watch(work: LiveWork, ask: (update: (update: WizardUpdate) => void) => Promise<WizardView>): Promise<void> {
    if (this.working) {
      return;
    }
    this.work = work;
    try {
      this.#took(await ask((update) => work.take(update)));
    } catch (thrown) {
      this.#app.notify.fault(faultOf(thrown));
    } finally {
      work.running = false;
    }
  }

  /** An answer is shown only while its plan is, and never over a newer one. */
  #took(view: WizardView | undefined): void {
    if (view && this.view && view.wizard.id === this.id && view.wizard.revision >= this.view.wizard.revision) {
      this.view = view;
      if (view.wizard.current === "launch") {
        void this.launch.refresh();
      }
    }
  }
}

/** The plan of a window. */
export const wizardOf = perWindow((app) => new WizardState(app));

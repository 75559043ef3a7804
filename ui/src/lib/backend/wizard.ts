import type {
  FormShape,
  LaunchSummary,
  PhaseRequest,
  SpecTemplate,
  StartWizard,
  WizardDone,
  WizardEdit,
  WizardId,
  WizardPhase,
  WizardSummary,
  WizardUpdate,
  WizardView,
} from "./types";

/** The wizard: from an idea, documents or code to a plan that can be run. Every call saves what it changes. */
export interface WizardBackend {
  wizardShapes(): Promise<FormShape[]>;
  wizardTemplates(): Promise<SpecTemplate[]>;
  /** Those that are not finished: on the start page all, else those of the window's folder. */
  wizards(): Promise<WizardSummary[]>;
  wizard(id: WizardId): Promise<WizardView>;
  newWizard(start: StartWizard): Promise<WizardView>;
  /** Refused with `wizard.changed` when `seen`, the revision that was shown, is no longer true. */
  editWizard(id: WizardId, edit: WizardEdit, seen: number | null): Promise<WizardView>;
  addWizardDocuments(id: WizardId, paths: string[]): Promise<WizardView>;
  surveyCode(id: WizardId, wanted: boolean): Promise<WizardView>;
  /** Lets the agent work on a phase. A phase that failed is no refusal: it says so itself. */
  runWizardPhase(
    id: WizardId,
    phase: WizardPhase,
    request: PhaseRequest,
    update: (update: WizardUpdate) => void,
  ): Promise<WizardView>;
  stopWizard(id: WizardId): Promise<void>;
  /** Runs proposed checks once each; all without items. Commands are confirmed in a native dialog. */
  tryWizardChecks(id: WizardId, items: string[] | null, update: (update: WizardUpdate) => void): Promise<WizardView>;
  wizardLaunch(id: WizardId): Promise<LaunchSummary>;
  /** Writes the plan into the project, opens its window, and starts the run if that is wanted. */
  applyWizard(id: WizardId, start: boolean): Promise<WizardDone>;
  discardWizard(id: WizardId): Promise<void>;
}

import type { AgentsBackend } from "./agents";
import type { ChecksBackend } from "./checks";
import type { GatesBackend } from "./gates";
import type { HistoryBackend } from "./history";
import type { ImportBackend } from "./import";
import type { MemoryBackend } from "./memory";
import type { OutputBackend } from "./output";
import type { PromptBackend } from "./prompt";
import type { RunBackend } from "./runs";
import type { SpecBackend } from "./spec";
import type { TasksBackend } from "./tasks";
import type { WizardBackend } from "./wizard";
import type {
  AgentProgramChange,
  AppInfo,
  DoctorReport,
  EventEnvelope,
  Fault,
  FolderPurpose,
  FolderReport,
  NewProject,
  Overview,
  OwnAgent,
  ProjectRef,
  SettingChange,
  SettingsReport,
  StartPage,
  TaskId,
  WindowStart,
} from "./types";

/** Ends a subscription. */
export type Unsubscribe = () => void;

/**
 * Everything the UI can ask of the program behind it. Every method that can fail throws a {@link BackendError}.
 * There are two implementations: the desktop shell (`tauri.ts`) and a typed mock (`mock.ts`).
 */
export interface Backend
  extends
    RunBackend,
    OutputBackend,
    HistoryBackend,
    ChecksBackend,
    TasksBackend,
    ImportBackend,
    SpecBackend,
    WizardBackend,
    GatesBackend,
    MemoryBackend,
    PromptBackend,
    AgentsBackend {
  /** What this window is. It is known at once: nothing is asked for it. */
  windowStart(): WindowStart;
  appInfo(): Promise<AppInfo>;
  /** Says that this window shows its content and answers: what a start is measured by. */
  ready(): Promise<void>;
  /** Tells which items of the native menu can be carried out now, by their ids. */
  enableMenu(ids: string[]): Promise<void>;

  startPage(): Promise<StartPage>;
  forgetRecent(path: string): Promise<void>;
  /** Shows the native folder dialog; `null` when the person closed it. */
  chooseFolder(purpose: FolderPurpose): Promise<string | null>;
  inspectFolder(path: string): Promise<FolderReport>;
  /** Makes the project and opens its window. */
  createProject(request: NewProject): Promise<ProjectRef>;
  createSample(): Promise<ProjectRef>;
  /** Opens the project's window or brings it to the front. */
  openProject(path: string): Promise<ProjectRef>;

  overview(): Promise<Overview>;
  /** Trusts exactly what `digest` stands for; refused with `trust.changed` when that is no longer what is there. */
  trustProject(digest: string): Promise<Overview>;
  searchTasks(text: string): Promise<TaskId[]>;
  eventsSince(seq: number, limit: number): Promise<EventEnvelope[]>;
  /** Opens the project's folder in the file manager. */
  revealProject(): Promise<void>;

  settings(): Promise<SettingsReport>;
  setSetting(change: SettingChange): Promise<SettingsReport>;
  /** Asks the person in a native dialog before anything is written. */
  setAgentProgram(change: AgentProgramChange): Promise<SettingsReport>;
  /** Adds or changes an agent of the user's own. Asks the person in a native dialog before anything is written. */
  saveOwnAgent(agent: OwnAgent): Promise<SettingsReport>;
  doctor(): Promise<DoctorReport>;

  /** Calls back whenever the project's state, configuration or tree changed. */
  onProjectChanged(callback: () => void): Unsubscribe;
  /** Calls back with the action's name whenever a native menu item was chosen. */
  onMenuAction(callback: (action: string) => void): Unsubscribe;
  /** Calls back when something asked for from outside, such as a second start of the app, could not be done. */
  onOpenFailed(callback: (fault: Fault) => void): Unsubscribe;
}

/** A refused call, carrying the fault to decide on and to show. */
export class BackendError extends Error {
  constructor(readonly fault: Fault) {
    super(fault.message);
    this.name = "BackendError";
  }
}

/** The fault behind anything thrown. What did not come from the backend is a defect and says so. */
export function faultOf(thrown: unknown): Fault {
  if (thrown instanceof BackendError) {
    return thrown.fault;
  }
  return {
    code: "internal",
    kind: "internal",
    message: `Something went wrong inside Loopwright: ${thrown instanceof Error ? thrown.message : String(thrown)}`,
    hint: "Try again. If it happens again, please report it.",
    location: null,
  };
}

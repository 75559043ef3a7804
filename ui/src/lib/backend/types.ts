/**
 * The backend's data, by the names the rest of the UI uses. Everything comes from the generated bindings; a part of a
 * larger answer is taken from that answer.
 */
import type {
  AppInfo,
  DoctorReport,
  EventEnvelope,
  Fault,
  FilePurpose,
  FolderReport,
  ImportReport,
  ImportSpec,
  ImportTasks,
  LearningDraft as OpenLearningDraft,
  Overview,
  OwnAgent,
  ProjectRef,
  SettingsReport,
  SolutionDraft as OpenSolutionDraft,
  SpecImport,
  StartPage,
  Task,
  WindowContext,
  WindowStart,
  PhaseRequest as AskedOfPhase,
  StartWizard as AskedOfWizard,
  WizardUpdate as SentUpdate,
  WizardView as SentView,
  commands,
} from "./bindings";

export type {
  AppInfo,
  DoctorReport,
  EventEnvelope,
  Fault,
  FilePurpose,
  FolderReport,
  ImportReport,
  ImportSpec,
  ImportTasks,
  Overview,
  OwnAgent,
  ProjectRef,
  SettingsReport,
  SpecImport,
  StartPage,
  Task,
  WindowContext,
  WindowStart,
};

/** Memory and figures, as the bindings name them. */
export type {
  AgentMetrics,
  DayMetrics,
  Failure,
  FailureCategory,
  HealthDirection,
  HealthFactor,
  HealthFactorKind,
  HealthReport,
  ItemChoice,
  ItemState,
  Learning,
  LearningCategory,
  LearningScope,
  MemoryEffect,
  MemoryOrigin,
  MetricTotals,
  Metrics,
  MetricsFormat,
  PatternMetrics,
  PatternStatus,
  PromptChoice,
  PromptGroup,
  PromptItem,
  PromptItemKind,
  PromptPreview,
  Solution,
  SolutionDetail,
  SolutionState,
  TrustChange,
  TrustReason,
} from "./bindings";

/** Runs, iterations, output, checks, tasks and gates, as the bindings name them. */
export type {
  AgentCard,
  AgentFacts,
  AgentProblem,
  AgentsReport,
  AgentTrial,
  Automation,
  Baseline,
  Blocked,
  BulkEdit,
  CheckDraft,
  CheckResult,
  CheckRow,
  ChecksReport,
  CheckStatus,
  CheckUpdate,
  CloseAsked,
  CloseChoice,
  Comparison,
  ControlKind,
  ControlOutcome,
  DiffFile,
  DiffLine,
  DiffReport,
  DryRun,
  Ending,
  Entry,
  EntryKind,
  ExitReason,
  FileDiff,
  FileStatus,
  Finished,
  Folded,
  Gate,
  GateAnswer,
  GateDecision,
  GateDetail,
  GateId,
  GateInbox,
  GateKind,
  GateReason,
  GateStatus,
  GateSummary,
  HandWork,
  HarnessChoice,
  HeldTask,
  Hold,
  Holder,
  Hunk,
  Issue,
  Iteration,
  IterationColumn,
  IterationDetail,
  IterationId,
  IterationPage,
  IterationRow,
  IterationSort,
  KeptText,
  KindCounts,
  LeftOutFile,
  Limits,
  LineComment,
  LoginState,
  Moved,
  NextAction,
  NewSection,
  NextStep,
  Outcome,
  OutputFilter,
  OutputInfo,
  OutputMatches,
  OutputPage,
  OutputSource,
  OutputTarget,
  Phase,
  ProblemKind,
  ProcedureChoice,
  RestorePreview,
  ReviewedWork,
  RiskFlag,
  RiskKind,
  RunChoices,
  RunId,
  RunKind,
  RunOptions,
  RunSetting,
  RunState,
  RunStatus,
  RunSummary,
  RunUpdate,
  SandboxReport,
  SandboxState,
  Section,
  QualityFinding,
  QualityRule,
  SectionDetail,
  SectionId,
  SectionQuality,
  SectionRow,
  SectionText,
  SpecEntry,
  SpecHit,
  SpecSource,
  SpecView,
  StartDefaults,
  StartRun,
  StartWork,
  TaskBoard,
  TaskDetail,
  TaskDraft,
  TaskKind,
  TaskMove,
  TaskRow,
  TaskSize,
  TaskTrace,
  Term,
  TermDraft,
  TermEntry,
  TreeOf,
  TreeRestored,
  TreeSide,
  TrendPoint,
  ToolAnswer,
  Usage,
  WaitReason,
  WaveCommit,
  Assumption,
  CheckTrial,
  CheckTrialOutcome,
  FieldOrigin,
  FieldShape,
  FieldValue,
  Finding,
  Forecast,
  FormShape,
  LaunchSummary,
  ListShape,
  PhaseState,
  PlannedTask,
  SpecTemplate,
  WizardAgent,
  WizardDone,
  WizardEdit,
  WizardId,
  WizardPhase,
  WizardSummary,
} from "./bindings";

export type ErrorCode = Fault["code"];

/** What is written about a solution or a learning, all of it. */
export type SolutionDraft = Required<OpenSolutionDraft>;
export type LearningDraft = Required<OpenLearningDraft>;

export type AgentSummary = Overview["agent"];
export type CheckSummary = Overview["checks"][number];
export type GitSummary = NonNullable<Overview["project"]["git"]>;
export type SpecFile = Overview["spec_files"][number];
export type TrustReport = Overview["trust"];
export type TrustState = TrustReport["state"];
export type Executable = TrustReport["executables"][number];
/** Something found in a folder that could execute if an ordinary tool were let loose on it. */
export type TrustFinding = TrustReport["findings"][number];
export type WaveSummary = Overview["waves"][number];
export type TaskId = Task["id"];
export type TaskStatus = Task["status"];

export type RecentProject = StartPage["recents"][number];
export type TaskCounts = NonNullable<RecentProject["tasks"]>;
export type CheckSuggestion = FolderReport["suggestions"][number];

export type Setting = SettingsReport["settings"][number];
export type SettingOrigin = Setting["origin"];
/** The file a setting is written to. */
export type SettingScope = SettingChange["scope"];

/** One line of the doctor's report. */
export type DoctorFinding = DoctorReport["findings"][number];

/** What is asked for when a project is made. */
export type NewProject = Parameters<typeof commands.createProject>[0];
/** What the native folder dialog is for. */
export type FolderPurpose = Parameters<typeof commands.chooseFolder>[0];
/** One value to write or, with `value: null`, to remove. */
export type SettingChange = Parameters<typeof commands.setSetting>[0];
/** Which program a harness starts. */
export type AgentProgramChange = Parameters<typeof commands.setAgentProgram>[0];

/**
 * An answer as it is sent: whole. The bindings say of some fields that they may be left out, because that is allowed in
 * what is read.
 */
export type Whole<T> = T extends (infer Each)[]
  ? Whole<Each>[]
  : T extends object
    ? { [Key in keyof T]-?: Whole<Exclude<T[Key], undefined>> }
    : T;

export type WizardView = Whole<SentView>;
export type WizardUpdate = Whole<SentUpdate>;
export type StartWizard = Whole<AskedOfWizard>;
/** What an agent is asked for in a phase. */
export type PhaseRequest = Whole<AskedOfPhase>;
export type Wizard = WizardView["wizard"];
export type PhaseRecord = Wizard["phases"][number];
export type Form = PhaseRecord["form"];
export type Item = NonNullable<Form["lists"][string]>[number];
export type Field = NonNullable<Form["fields"][string]>;
export type FormChange = PhaseRecord["proposal"]["changes"][number];
/** What an agent says or does while it works on a phase. */
export type AgentEvent = Extract<WizardUpdate, { kind: "agent" }>["event"];
export type PlannedTasks = WizardView["tasks"];

/**
 * The backend's data, by the names the rest of the UI uses. Everything comes from the generated bindings; where the
 * contract gives a shape no name of its own, it is taken from the shape that holds it.
 */
import type {
  AgentSummary,
  AppInfo,
  CheckSuggestion,
  CheckSummary,
  DoctorReport,
  ErrorCode,
  EventEnvelope,
  Executable,
  Fault,
  FolderReport,
  GitSummary,
  Overview,
  ProjectRef,
  RecentProject,
  Setting,
  SettingKind,
  SettingOrigin,
  SettingsReport,
  SpecFile,
  StartPage,
  Task,
  TaskId,
  TaskStatus,
  TrustReport,
  TrustState,
  WaveSummary,
  WindowContext,
  commands,
} from "./bindings";

export type {
  AgentSummary,
  AppInfo,
  CheckSuggestion,
  CheckSummary,
  DoctorReport,
  ErrorCode,
  EventEnvelope,
  Executable,
  Fault,
  FolderReport,
  GitSummary,
  Overview,
  ProjectRef,
  RecentProject,
  Setting,
  SettingKind,
  SettingOrigin,
  SettingsReport,
  SpecFile,
  StartPage,
  Task,
  TaskId,
  TaskStatus,
  TrustReport,
  TrustState,
  WaveSummary,
  WindowContext,
};

/** What is asked for when a project is made. */
export type NewProject = Parameters<typeof commands.createProject>[0];
/** What the native folder dialog is for. */
export type FolderPurpose = Parameters<typeof commands.chooseFolder>[0];
/** One value to write or, with `value: null`, to remove. */
export type SettingChange = Parameters<typeof commands.setSetting>[0];
/** Which program a harness starts. */
export type AgentProgramChange = Parameters<typeof commands.setAgentProgram>[0];
/** The file a setting is written to. */
export type SettingScope = SettingChange["scope"];
/** One line of the doctor's report. */
export type DoctorFinding = DoctorReport["findings"][number];
/** Something found in a folder that could execute if an ordinary tool were let loose on it. */
export type TrustFinding = TrustReport["findings"][number];

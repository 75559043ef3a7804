//! What crosses to the UI and is the shell's own; everything else is described by the engine and the domain.

use loopwright_domain::wizard::WizardAgent;
use loopwright_domain::{Fault, RunId, SectionId};
use loopwright_engine::TaskCounts;
use loopwright_engine::config::Scope;
use serde::{Deserialize, Serialize};
use specta::Type;
use tauri_specta::Event;

/// What a page is told before its first script runs, so that it need not ask before it can be painted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub(crate) struct WindowStart {
    /// The app's version.
    pub(crate) version: String,
    /// The system it runs on.
    pub(crate) platform: Platform,
    /// The app's process, to tell its own runs from those of others.
    pub(crate) process: u32,
    /// What the window shows.
    pub(crate) context: WindowContext,
}

/// Which Loopwright this is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub(crate) struct AppInfo {
    /// The app's version.
    pub(crate) version: String,
    /// The system it runs on.
    pub(crate) platform: Platform,
    /// The version of the CLI that came with it; none when there is none.
    pub(crate) cli_version: Option<String>,
}

/// A desktop system.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Type)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Platform {
    /// Linux and its like.
    Linux,
    /// macOS.
    Macos,
    /// Windows.
    Windows,
}

impl Platform {
    /// The system this is.
    pub(crate) const fn here() -> Self {
        if cfg!(windows) {
            Self::Windows
        } else if cfg!(target_os = "macos") {
            Self::Macos
        } else {
            Self::Linux
        }
    }
}

/// What a window shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum WindowContext {
    /// The start page.
    Start {
        /// Why it is shown instead of what was asked for.
        problem: Option<Fault>,
    },
    /// One project.
    Project {
        /// The project folder.
        path: String,
        /// The project's name when the window was opened.
        name: String,
    },
}

/// What the start page shows.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub(crate) struct StartPage {
    /// Projects opened before, last opened first.
    pub(crate) recents: Vec<RecentProject>,
    /// Where the sample project is, or would be made.
    pub(crate) sample_path: String,
    /// Whether it is there.
    pub(crate) sample_exists: bool,
}

/// A project opened before.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub(crate) struct RecentProject {
    /// Its folder.
    pub(crate) path: String,
    /// Its name when it was last opened.
    pub(crate) name: String,
    /// Whether it is the sample.
    pub(crate) sample: bool,
    /// Whether its folder is still there.
    pub(crate) exists: bool,
    /// When it was last opened, RFC 3339.
    pub(crate) last_opened: String,
    /// Its folder as a person writes it, with `~` for the home folder.
    pub(crate) shown: String,
    /// How many tasks it had then; none where nobody knows.
    pub(crate) tasks: Option<TaskCounts>,
}

/// What a folder is chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FolderPurpose {
    /// To open the project in it.
    Open,
    /// To make a project of it.
    Create,
}

/// How figures are written to a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub(crate) enum MetricsFormat {
    /// A line for each day.
    Csv,
    /// Everything.
    Json,
}

/// What files are chosen for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, Type)]
#[serde(rename_all = "lowercase")]
pub(crate) enum FilePurpose {
    /// To import tasks from them.
    Tasks,
    /// To import them into the spec.
    Spec,
    /// To begin a plan from them.
    Plan,
}

/// Tasks that are imported.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct ImportTasks {
    /// The file: of the project, or one that was chosen in a native dialog.
    pub(crate) file: String,
    /// Only the tasks of this tag, or the tag for tasks of a file without tags.
    pub(crate) tag: Option<String>,
    /// Only say what would change.
    pub(crate) dry_run: bool,
}

/// Documents that are imported into the spec.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct ImportSpec {
    /// Files and folders of the project.
    pub(crate) files: Vec<String>,
    /// Also replace what a person changed by hand in sections of these documents.
    pub(crate) replace: bool,
    /// Only say what would change.
    pub(crate) dry_run: bool,
}

/// What a person wrote in a section.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct SectionText {
    /// The heading.
    pub(crate) title: String,
    /// The text, as Markdown.
    pub(crate) content: String,
}

/// A section to be written.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct NewSection {
    /// The heading.
    pub(crate) title: String,
    /// The text, as Markdown.
    pub(crate) content: String,
    /// The section it stands below; none puts it at the end.
    pub(crate) under: Option<SectionId>,
}

/// A term as a person writes it.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct TermDraft {
    /// The word.
    pub(crate) name: String,
    /// What it means.
    pub(crate) definition: String,
    /// Other forms that may be used.
    pub(crate) variants: Vec<String>,
    /// Words that are not to be used for it.
    pub(crate) avoid: Vec<String>,
    /// Whether it takes the place of the term with its name.
    pub(crate) replace: bool,
}

/// Files were dropped on the window. They count as chosen by the person.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct FilesDropped {
    /// Their full paths.
    pub(crate) paths: Vec<String>,
}

/// Files are dragged over the window, or no longer.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct FilesOver {
    /// Whether they are over it now.
    pub(crate) over: bool,
}

/// What a new wizard begins with.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct StartWizard {
    /// The folder of the project to be; a project's window begins one for its own folder.
    pub(crate) folder: String,
    /// The idea, in the person's own words.
    pub(crate) idea: String,
    /// Documents: of the folder, chosen in a native dialog, or dropped on the window.
    pub(crate) documents: Vec<String>,
    /// Whether to start from the code in the folder.
    pub(crate) from_code: bool,
    /// The template of the spec.
    pub(crate) template: String,
    /// The agent; none for filling in by hand.
    pub(crate) agent: Option<WizardAgent>,
}

/// A plan that was written into its project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub(crate) struct WizardDone {
    /// The project.
    pub(crate) project: ProjectRef,
    /// The run that was started.
    pub(crate) run: Option<RunId>,
}

/// What a new project is to be.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct CreateProject {
    /// Its folder, which is made if it is not there.
    pub(crate) path: String,
    /// Its name; empty for the folder's.
    pub(crate) name: String,
    /// Whether to make a git repository where there is none.
    pub(crate) git: bool,
    /// The names of the suggested checks to switch on. Commands are never taken from the UI.
    pub(crate) checks: Vec<String>,
}

/// A project that was opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Type)]
pub(crate) struct ProjectRef {
    /// Its folder.
    pub(crate) path: String,
    /// Its name.
    pub(crate) name: String,
}

/// A change to one setting.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct SetSetting {
    /// Whose file.
    pub(crate) scope: Scope,
    /// The dotted key.
    pub(crate) key: String,
    /// The new value, lists one item per line; none removes it.
    pub(crate) value: Option<String>,
}

/// A change to the program that is started for an agent.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct SetAgentProgram {
    /// The agent.
    pub(crate) name: String,
    /// The full path of its program; empty to have it looked for.
    pub(crate) program: String,
}

/// The project's state, configuration or repository changed: fetch again.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct ProjectChanged {}

/// An agent of the user's own.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize, Type)]
pub(crate) struct OwnAgent {
    /// What it is called in Loopwright.
    pub(crate) name: String,
    /// The full path of its program.
    pub(crate) program: String,
    /// Its arguments.
    pub(crate) args: Vec<String>,
    /// How the prompt is handed over: `stdin`, `arg`, `env` or `file`.
    pub(crate) prompt_mode: String,
    /// What it prints: `text`, `json` or `stream-json`.
    pub(crate) output_format: String,
}

/// A native menu item was chosen.
#[derive(Clone, Copy, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct MenuAction {
    /// Which one.
    pub(crate) action: MenuCommand,
}

/// Something that was asked for from outside of this window could not be done.
#[derive(Clone, Debug, Serialize, Deserialize, Type, Event)]
pub(crate) struct OpenFailed {
    /// Why.
    pub(crate) fault: Fault,
}

/// The menu items that the UI carries out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, Type)]
#[serde(rename_all = "snake_case")]
pub(crate) enum MenuCommand {
    /// Make a project.
    NewProject,
    /// Make a plan from an idea, documents or code.
    Plan,
    /// Open the project in a folder.
    OpenFolder,
    /// Open the sample project.
    OpenSample,
    /// Show the first view.
    ViewOverview,
    /// Show the waves.
    ViewWaves,
    /// Show the tasks.
    ViewTasks,
    /// Show the iterations of a run.
    ViewIterations,
    /// Show what waits for a person.
    ViewReview,
    /// Show the spec.
    ViewSpec,
    /// Show the checks.
    ViewChecks,
    /// Show what is remembered of failures.
    ViewMemory,
    /// Show the figures.
    ViewMetrics,
    /// Show the settings.
    ViewSettings,
    /// Start a run.
    StartRun,
    /// Pause the run.
    PauseRun,
    /// Pause the run after this iteration.
    PauseAfterIteration,
    /// Go on with the run.
    ResumeRun,
    /// End the run for good.
    CancelRun,
    /// Open the command palette.
    Palette,
    /// Open the shortcut sheet.
    Shortcuts,
    /// Follow the system's theme.
    ThemeSystem,
    /// Use the light theme.
    ThemeLight,
    /// Use the dark theme.
    ThemeDark,
    /// Import tasks from a file.
    ImportTasks,
    /// Import documents into the spec.
    ImportSpec,
    /// Look for trouble.
    Doctor,
    /// Open the documentation.
    Documentation,
    /// Tell which Loopwright this is.
    About,
}

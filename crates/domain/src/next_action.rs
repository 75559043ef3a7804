//! What a person can do next, as data: the command line renders it as commands, the app as buttons or words of its own.

use serde::{Deserialize, Serialize};

use crate::word::words;

words! {
    /// Something a person can do next, about a run, a task, a setting or anything else that was refused or has stopped.
    NextAction {
        /// Go on with the run.
        Resume = "resume",
        /// Start the same again.
        StartAgain = "start_again",
        /// Give the run more of what it used up. The subject is the exit reason that names the limit.
        RaiseLimit = "raise_limit",
        /// Read the iteration that went wrong.
        ReadIteration = "read_iteration",
        /// Read the checks that fail.
        ReadChecks = "read_checks",
        /// Look at what was changed.
        ReviewChanges = "review_changes",
        /// Make room on the disk.
        FreeSpace = "free_space",
        /// Bring back what was deleted.
        Recover = "recover",
        /// Look at the settings of the agent.
        AgentSettings = "agent_settings",
        /// Start a run, with any source of work.
        StartRun = "start_run",
        /// Begin a new run although an earlier one can go on.
        StartNew = "start_new",
        /// Go on with the earlier run instead of beginning a new one.
        ResumeEarlier = "resume_earlier",
        /// Make uncommitted changes part of the run.
        IncludeChanges = "include_changes",
        /// Start without running the checks first.
        SkipBaseline = "skip_baseline",
        /// Start although a check fails already.
        AllowRedBaseline = "allow_red_baseline",
        /// Start with another agent.
        ChooseAgent = "choose_agent",
        /// Use another model.
        ChooseModel = "choose_model",
        /// Use an HTTP API at another address.
        ChooseAddress = "choose_address",
        /// Let the agent do more without asking.
        RaiseAutomation = "raise_automation",
        /// See how a run goes on.
        WatchRun = "watch_run",
        /// End a run for good.
        CancelRun = "cancel_run",
        /// See where the project stands.
        ShowStatus = "show_status",
        /// See the runs of the project.
        ListRuns = "list_runs",
        /// See the iterations of a run with their commits and files.
        ListIterations = "list_iterations",
        /// Take back what an iteration committed.
        RevertWork = "revert_work",
        /// Take back a restore of files.
        UndoRestore = "undo_restore",
        /// See the gates that wait for a person.
        ListGates = "list_gates",
        /// See one gate in full.
        ShowGate = "show_gate",
        /// Say yes at a gate.
        Approve = "approve",
        /// Say yes at a gate to the work with one's own edits.
        ApproveEdits = "approve_edits",
        /// Say which of the files that a commit would lack are to be in it.
        IncludeFiles = "include_files",
        /// Say yes at a gate without the files that the commit would lack.
        LeaveFilesOut = "leave_files_out",
        /// Say no at a gate.
        Reject = "reject",
        /// See all tasks.
        ListTasks = "list_tasks",
        /// See which task comes next.
        ShowNextTask = "show_next_task",
        /// Write a task.
        AddTask = "add_task",
        /// Read tasks from a file.
        ImportTasks = "import_tasks",
        /// Name the tag whose tasks are meant.
        NameTag = "name_tag",
        /// Change a task.
        EditTask = "edit_task",
        /// Take up a task again that is done or cancelled.
        ReopenTask = "reopen_task",
        /// Say that a task will not be done.
        CancelTask = "cancel_task",
        /// Free a task that is blocked. The subject is its number.
        UnblockTask = "unblock_task",
        /// Let a task no longer wait for another.
        RemoveDependency = "remove_dependency",
        /// Begin to work on a task by hand.
        BeginTask = "begin_task",
        /// Finish work by hand.
        FinishTask = "finish_task",
        /// Give up work by hand.
        GiveUpTask = "give_up_task",
        /// See the sections of the spec.
        ListSections = "list_sections",
        /// See the checks.
        ListChecks = "list_checks",
        /// Write a check.
        AddCheck = "add_check",
        /// Switch a check on. The subject is its name.
        EnableCheck = "enable_check",
        /// See which checks are proposed for this folder.
        SuggestChecks = "suggest_checks",
        /// Let an agent mend failing checks.
        FixChecks = "fix_checks",
        /// See the settings with their values.
        ListSettings = "list_settings",
        /// Change a setting of the project. The subject is its key, with a placeholder for the value.
        ChangeSetting = "change_setting",
        /// Change a setting of the user. The subject is its key, with a placeholder for the value.
        ChangeUserSetting = "change_user_setting",
        /// Make a project of the folder.
        CreateProject = "create_project",
        /// Try the sample project.
        OpenSample = "open_sample",
        /// Read what the folder would execute.
        ReadTrust = "read_trust",
        /// Trust what the folder would execute.
        TrustFolder = "trust_folder",
        /// See which agents there are and how they are.
        InspectAgents = "inspect_agents",
        /// See the procedures.
        ListProcedures = "list_procedures",
        /// Make a procedure.
        NewProcedure = "new_procedure",
        /// Say what to do: a prompt, a file with one, or a procedure.
        NamePrompt = "name_prompt",
        /// See the wizard's projects.
        ListWizards = "list_wizards",
        /// See where the wizard stands.
        ShowWizard = "show_wizard",
        /// Fill a phase of the wizard in by hand.
        EditPhase = "edit_phase",
        /// Accept a phase of the wizard.
        AcceptPhase = "accept_phase",
        /// Accept every phase of the wizard at once.
        AcceptAllPhases = "accept_all_phases",
        /// Let the wizard's agents use more.
        RaiseCap = "raise_cap",
        /// See the learnings.
        ListLearnings = "list_learnings",
        /// See the failure patterns.
        ListPatterns = "list_patterns",
        /// See the solutions.
        ListSolutions = "list_solutions",
        /// Write the solutions into a file.
        ExportSolutions = "export_solutions",
    }
}

/// One thing to do next.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct NextStep {
    /// What to do: the app makes a button of it, the command line a command.
    pub action: NextAction,
    /// The same in words, as an imperative without a full stop: "Watch it".
    pub text: String,
    /// What the action is about, where it does not follow from the surroundings: a check's name, a key, a number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub subject: Option<String>,
}

impl NextStep {
    /// A step that needs no subject.
    #[must_use]
    pub fn new(action: NextAction, text: impl Into<String>) -> Self {
        Self { action, text: text.into(), subject: None }
    }

    /// The step about something that has a name.
    #[must_use]
    pub fn about(mut self, subject: impl Into<String>) -> Self {
        self.subject = Some(subject.into());
        self
    }
}

/// A hint and steps as running text: the hint, then one sentence of all steps, each as `render` words it. None when
/// there is nothing to say.
#[must_use]
pub fn advice(
    hint: Option<&str>,
    steps: &[NextStep],
    render: impl Fn(&NextStep) -> String,
) -> Option<String> {
    let mut text = hint.unwrap_or_default().to_owned();
    for (index, step) in steps.iter().enumerate() {
        let words = render(step);
        match index {
            0 if text.is_empty() => text = words,
            0 => text = format!("{text} {words}"),
            _ => {
                text = format!(
                    "{text}{} {}",
                    if index + 1 == steps.len() { ", or" } else { "," },
                    uncapitalised(&words)
                )
            }
        }
    }
    if !steps.is_empty() {
        text.push('.');
    }
    (!text.is_empty()).then_some(text)
}

fn uncapitalised(text: &str) -> String {
    let mut chars = text.chars();
    chars.next().map_or_else(String::new, |first| first.to_lowercase().chain(chars).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn advice_is_the_hint_and_one_sentence_of_all_steps() {
        let steps = [
            NextStep::new(NextAction::AddTask, "Add one"),
            NextStep::new(NextAction::ImportTasks, "Read a file"),
            NextStep::new(NextAction::ListTasks, "See them all"),
        ];
        let words = |step: &NextStep| step.text.clone();
        let cases = [
            (None, 0, None),
            (Some("Try again."), 0, Some("Try again.")),
            (None, 1, Some("Add one.")),
            (Some("Wait."), 1, Some("Wait. Add one.")),
            (None, 2, Some("Add one, or read a file.")),
            (None, 3, Some("Add one, read a file, or see them all.")),
        ];
        for (hint, count, expected) in cases {
            assert_eq!(advice(hint, &steps[..count], words).as_deref(), expected);
        }
    }

    #[test]
    fn a_step_without_a_subject_is_written_as_before() {
        let step = NextStep::new(NextAction::Resume, "Go on");
        assert_eq!(serde_json::to_string(&step).unwrap(), r#"{"action":"resume","text":"Go on"}"#);
        let about = NextStep::new(NextAction::EnableCheck, "Switch it on").about("test");
        assert_eq!(serde_json::from_str::<NextStep>(&serde_json::to_string(&about).unwrap()).unwrap(), about);
    }
}

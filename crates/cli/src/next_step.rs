//! What a person can do next, as the commands and options that do it.

use loopwright_domain::next_action::advice;
use loopwright_domain::{ExitReason, Fault, NextAction, NextStep};

/// The command or option that does a step; none where it is not done in a terminal.
pub(crate) fn command(step: &NextStep) -> Option<String> {
    let subject = step.subject.as_deref();
    let about = |verb: &str, placeholder: &str| format!("{verb} {}", subject.unwrap_or(placeholder));
    let rest = match step.action {
        NextAction::Resume => "resume".to_owned(),
        NextAction::RaiseLimit => format!("resume {}", limit_option(ExitReason::parse(subject?)?)?),
        NextAction::ReviewChanges => "diff".to_owned(),
        NextAction::Recover => "recover".to_owned(),
        NextAction::AgentSettings => "doctor".to_owned(),
        NextAction::StartRun => return Some("loopwright run, loop or fix".to_owned()),
        NextAction::WatchRun => "watch".to_owned(),
        NextAction::CancelRun => "cancel".to_owned(),
        NextAction::ShowStatus => "status".to_owned(),
        NextAction::ListRuns => "history".to_owned(),
        NextAction::ListIterations | NextAction::ReadIteration | NextAction::ReadChecks => "show".to_owned(),
        NextAction::RevertWork => "revert".to_owned(),
        NextAction::UndoRestore => "restore --undo".to_owned(),
        NextAction::ListGates => "gate list".to_owned(),
        NextAction::ShowGate => "gate show".to_owned(),
        NextAction::Approve => "approve".to_owned(),
        NextAction::ApproveEdits => "approve --with-edits".to_owned(),
        NextAction::Reject => "reject --reason \"WHY\"".to_owned(),
        NextAction::ListTasks => "task list".to_owned(),
        NextAction::ShowNextTask => "task next".to_owned(),
        NextAction::AddTask => "task add".to_owned(),
        NextAction::ImportTasks => "task import".to_owned(),
        NextAction::EditTask => "task edit".to_owned(),
        NextAction::ReopenTask => "task reopen".to_owned(),
        NextAction::CancelTask => "task cancel".to_owned(),
        NextAction::UnblockTask => about("task unblock", "ID"),
        NextAction::RemoveDependency => "task undepend".to_owned(),
        NextAction::BeginTask => about("begin", "ID"),
        NextAction::FinishTask => "finish".to_owned(),
        NextAction::GiveUpTask => "finish --give-up".to_owned(),
        NextAction::ListSections => "spec list".to_owned(),
        NextAction::ListChecks => "check list".to_owned(),
        NextAction::AddCheck => "check add".to_owned(),
        NextAction::EnableCheck => about("check enable", "NAME"),
        NextAction::SuggestChecks => "check suggest".to_owned(),
        NextAction::FixChecks => "fix".to_owned(),
        NextAction::ListSettings => "config show".to_owned(),
        NextAction::ChangeSetting => about("config set", "KEY VALUE"),
        NextAction::ChangeUserSetting => about("config set --user", "KEY VALUE"),
        NextAction::CreateProject => "init".to_owned(),
        NextAction::OpenSample => "demo".to_owned(),
        NextAction::ReadTrust => "trust --show".to_owned(),
        NextAction::TrustFolder => "trust".to_owned(),
        NextAction::InspectAgents => "doctor --agents".to_owned(),
        NextAction::ListProcedures => "procedure list".to_owned(),
        NextAction::NewProcedure => "procedure new".to_owned(),
        NextAction::ListWizards => "wizard list".to_owned(),
        NextAction::ShowWizard => "wizard show".to_owned(),
        NextAction::ListLearnings => "learning list".to_owned(),
        NextAction::ListPatterns => "pattern list".to_owned(),
        NextAction::ListSolutions => "solution list".to_owned(),
        NextAction::ExportSolutions => "solution export".to_owned(),
        NextAction::ResumeEarlier
        | NextAction::StartNew
        | NextAction::IncludeChanges
        | NextAction::SkipBaseline
        | NextAction::AllowRedBaseline
        | NextAction::ChooseAgent
        | NextAction::ChooseModel
        | NextAction::ChooseAddress
        | NextAction::RaiseAutomation
        | NextAction::RaiseCap
        | NextAction::IncludeFiles
        | NextAction::LeaveFilesOut
        | NextAction::NameTag
        | NextAction::EditPhase
        | NextAction::AcceptPhase
        | NextAction::AcceptAllPhases
        | NextAction::NamePrompt
        | NextAction::StartAgain
        | NextAction::FreeSpace => return option(step.action).map(str::to_owned),
    };
    Some(format!("loopwright {rest}"))
}

/// The option that the same command is given again with.
const fn option(action: NextAction) -> Option<&'static str> {
    Some(match action {
        NextAction::ResumeEarlier => "--resume",
        NextAction::StartNew => "--new",
        NextAction::IncludeChanges => "--dirty include",
        NextAction::SkipBaseline => "--baseline skip",
        NextAction::AllowRedBaseline => "--baseline run",
        NextAction::ChooseAgent => "--harness NAME",
        NextAction::ChooseModel => "--model NAME",
        NextAction::ChooseAddress => "--base-url URL",
        NextAction::RaiseAutomation => "--automation yolo",
        NextAction::RaiseCap => "--max-cost USD or --max-tokens N",
        NextAction::IncludeFiles => "--include PATH or --include-all",
        NextAction::LeaveFilesOut => "--leave-out",
        NextAction::NameTag => "--tag NAME",
        NextAction::AcceptAllPhases => "--yes",
        NextAction::NamePrompt => "--prompt, --prompt-file or --procedure",
        _ => return None,
    })
}

/// The option that lifts a limit.
pub(crate) const fn limit_option(reason: ExitReason) -> Option<&'static str> {
    match reason {
        ExitReason::MaxIterations => Some("--max-iterations N"),
        ExitReason::Time => Some("--max-runtime TIME"),
        ExitReason::Money => Some("--max-cost USD"),
        ExitReason::Tokens => Some("--max-tokens N"),
        _ => None,
    }
}

/// A step in words, with its command behind it.
fn rendered(step: &NextStep) -> String {
    match command(step) {
        Some(command) => format!("{} ({command})", step.text),
        None => step.text.clone(),
    }
}

/// A hint and steps as one text for the terminal.
pub(crate) fn hint(hint: Option<&str>, steps: &[NextStep]) -> Option<String> {
    advice(hint, steps, rendered)
}

/// What to do about a fault, with the commands that do it.
pub(crate) fn advice_about(fault: &Fault) -> Option<String> {
    hint(fault.hint.as_deref(), &fault.next)
}

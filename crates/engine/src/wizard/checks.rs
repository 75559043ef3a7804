//! Build & test: checks from what the folder says about itself, and running each once on the tree as it is.

use std::collections::BTreeMap;
use std::path::Path;

use loopwright_checks::{CheckDraft, CheckMode, CheckObserver, CheckRunner, suggest};
use loopwright_config::{TrustedCheck, check_edit, trust};
use loopwright_domain::wizard::edit::ItemIds;
use loopwright_domain::wizard::trial::{self, TrialFacts};
use loopwright_domain::wizard::{
    CheckTrial, FieldOrigin, FieldValue, Item, PhaseState, PlannedCheck, Wizard, WizardId, WizardPhase,
};
use loopwright_domain::{CheckResult, CheckStatus, ErrorCode, Fault};
use tokio::sync::watch;

use super::view::WizardView;
use super::{WizardObserver, WizardUpdate, Wizards, survey};

/// How many seconds a proposed check may take.
const USUAL_SECONDS: u32 = 300;

impl Wizards<'_> {
    /// Fills the checks in that the folder's own files speak of, when nobody has looked at them yet.
    pub(super) fn prepare_checks(&self, wizard: &mut Wizard) {
        let phase = WizardPhase::BuildTest;
        if wizard.current != phase || wizard.record(phase).state != PhaseState::Open {
            return;
        }
        let mut last = wizard.last_item;
        let mut items = Vec::new();
        for found in suggest(Path::new(&wizard.folder)) {
            let mut item = Item { id: ItemIds(&mut last).fresh(), fields: BTreeMap::new() };
            let origin = FieldOrigin::Code { file: Some(found.source.clone()) };
            let values = [
                ("name", FieldValue::Text(found.name)),
                ("command", FieldValue::Text(found.command)),
                ("required", FieldValue::Flag(true)),
                ("timeout", FieldValue::Number(USUAL_SECONDS)),
                ("use", FieldValue::Flag(true)),
                ("rationale", FieldValue::Text(found.why)),
            ];
            for (name, value) in values {
                item.put(name, value, origin.clone());
            }
            items.push(item);
        }
        if !items.is_empty() {
            wizard.last_item = last;
            wizard.record_mut(phase).form.lists.insert("checks".to_owned(), items);
            wizard.fill(phase);
        }
    }
    /// Runs proposed checks once each on the tree as it is: those with these items, or all. Where there is no folder yet
    /// they run in an empty one.
    ///
    /// # Errors
    /// There is no such check, or an agent asks.
    pub async fn try_checks(
        &self,
        id: &WizardId,
        items: Option<&[String]>,
        observer: WizardObserver<'_>,
    ) -> Result<WizardView, Fault> {
        trust::require_person("run commands")?;
        let wizard = self.read(id)?;
        let planned = trial::planned(wizard.form(WizardPhase::BuildTest));
        if let Some(unknown) =
            items.into_iter().flatten().find(|item| !planned.iter().any(|check| check.item == **item))
        {
            return Err(Fault::new(ErrorCode::UsageInvalid, format!("there is no check \"{unknown}\"")));
        }
        let empty = tempfile::tempdir_in(&self.host.temp_dir)
            .map_err(|error| Fault::caused(ErrorCode::IoFailed, "cannot make an empty folder", &error))?;
        let folder = Path::new(&wizard.folder);
        let root = if folder.is_dir() { folder } else { empty.path() };
        let wanted = |check: &&PlannedCheck| items.is_none_or(|items| items.contains(&check.item));
        let mut trials = Vec::new();
        for check in planned.iter().filter(wanted).filter(|check| !check.command.trim().is_empty()) {
            let trial = self.try_check(root, check).await;
            observer(WizardUpdate::Check { trial: trial.clone() });
            trials.push(trial);
        }
        let mut held = self.hold(id)?;
        for trial in trials {
            held.wizard.trials.retain(|known| known.item != trial.item);
            held.wizard.trials.push(trial);
        }
        self.saved(held)
    }

    async fn try_check(&self, root: &Path, check: &PlannedCheck) -> CheckTrial {
        let draft = draft_of(check);
        let text = check_edit::table_text(&draft, None);
        let told = |outcome, summary: String, result: Option<&CheckResult>| CheckTrial {
            item: check.item.clone(),
            command: check.command.clone(),
            outcome,
            summary,
            exit_code: result.and_then(|result| result.exit_code),
            duration_ms: result.map_or(0, |result| result.elapsed_ms),
            output: result.map(|result| result.excerpt.clone()).unwrap_or_default(),
        };
        let Some(found) = check_edit::find_check(&text, &draft.name) else {
            let summary = "Its name or command cannot be read.".to_owned();
            return told(loopwright_domain::wizard::CheckTrialOutcome::CannotRun, summary, None);
        };
        // A person asks for exactly this command, see [`Wizards::try_checks`].
        let trusted = TrustedCheck::assume_trusted(found);
        let marker = format!("wizard-check-{}-{}", std::process::id(), self.host.timestamp());
        let runner = CheckRunner::new(self.host, root, self.host.environment.clone(), marker);
        let (_stop, mut stopped) = watch::channel(false);
        let results = runner.run(&[trusted], CheckMode::All, &mut Silent, &mut stopped, None).await;
        let Some(result) = results.first() else {
            let summary = "It was not run.".to_owned();
            return told(loopwright_domain::wizard::CheckTrialOutcome::CannotRun, summary, None);
        };
        let missing = result.code == Some(ErrorCode::CheckProgram);
        let broken = result.status == CheckStatus::Broken;
        let facts = TrialFacts {
            program_found: !broken,
            program_inside: broken && !missing,
            in_time: result.status != CheckStatus::TimedOut,
            exit_code: if result.passed() { Some(0) } else { result.exit_code.filter(|code| *code != 0) },
            output: &result.excerpt,
            has_code: survey::has_code(root),
        };
        let (outcome, summary) = trial::judge(&facts);
        told(outcome, summary, Some(result))
    }
}

/// A proposed check as it is written into a project's file.
pub(super) fn draft_of(check: &PlannedCheck) -> CheckDraft {
    CheckDraft {
        required: check.required,
        timeout: check.timeout.map(|seconds| format!("{seconds}s")),
        ..CheckDraft::command(check.name.trim(), check.command.trim())
    }
}

struct Silent;

impl CheckObserver for Silent {}

//! The order of phases: what may be worked on, what is accepted, what is out of date.
//!
//! A phase builds on all phases before it, and remembers what they were. When they change it is out of date; when they
//! are again what they were, it is again what it was. Nothing in it is ever thrown away by that.

use super::edit::ItemIds;
use super::form::{Field, Form, FormProblem, Item};
use super::form_problems::form_problems;
use super::merge::{self, Proposal};
use super::mode::{self, PlanFacts};
use super::path::FieldPath;
use super::phase::{PhaseState, WizardPhase};
use super::shape::FormShape;
use super::state::{PhaseRecord, PhaseTrouble, Wizard};
use super::{finding, names, tasks, trial};
use crate::fault::{ErrorCode, Fault};
use crate::next_action::NextAction;
use crate::usage::Usage;

impl Wizard {
    /// A phase.
    #[must_use]
    pub fn record(&self, phase: WizardPhase) -> &PhaseRecord {
        // All nine are there from the beginning; [`Wizard::complete`] makes sure of it.
        self.phases.get(&phase).unwrap_or(&EMPTY)
    }

    /// A phase, to be changed.
    pub fn record_mut(&mut self, phase: WizardPhase) -> &mut PhaseRecord {
        self.phases.entry(phase).or_insert_with(|| PhaseRecord::open(phase))
    }

    /// The form of a phase.
    #[must_use]
    pub fn form(&self, phase: WizardPhase) -> &Form {
        &self.record(phase).form
    }

    /// The digest of what a phase builds on.
    #[must_use]
    pub fn basis_of(&self, phase: WizardPhase) -> String {
        let mut all = String::new();
        for earlier in phase.earlier() {
            all.push_str(&self.form(earlier).digest());
        }
        crate::digest::short_name(all.as_bytes())
    }

    /// What was supposed and nobody said, over all phases.
    #[must_use]
    pub fn assumptions(&self) -> Vec<super::Assumption> {
        let of = |record: &PhaseRecord| record.form.assumptions(FormShape::of(record.phase));
        let told = |phase: &WizardPhase| *phase <= WizardPhase::Technical;
        self.phases.values().filter(|record| told(&record.phase)).flat_map(of).collect()
    }

    /// Whether all phases of its scope are accepted.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        let wanted = |phase: &&WizardPhase| **phase <= self.scope.last() && **phase != WizardPhase::Launch;
        WizardPhase::ALL.iter().filter(wanted).all(|phase| self.record(*phase).state == PhaseState::Accepted)
    }

    /// The first phase of its scope that is not accepted.
    #[must_use]
    pub fn first_unaccepted(&self) -> Option<WizardPhase> {
        let last = self.scope.last();
        let mut phases = WizardPhase::ALL.iter().copied().filter(|phase| *phase <= last);
        phases.find(|phase| self.record(*phase).state != PhaseState::Accepted)
    }

    /// Says that something in a phase's form was changed: it needs to be reviewed, and what builds on it may be out of
    /// date.
    pub fn changed(&mut self, phase: WizardPhase) {
        self.resolve_names(phase);
        let basis = self.basis_of(phase);
        let record = self.record_mut(phase);
        if record.state != PhaseState::Working {
            record.state = PhaseState::NeedsReview;
            record.before = None;
        }
        record.basis = Some(basis);
        record.trouble = None;
        self.look_at_later();
    }

    /// Marks what builds on something else than what is there, and what does no longer.
    pub fn look_at_later(&mut self) {
        let mut gone_back = false;
        for phase in WizardPhase::ALL.iter().copied() {
            let basis = self.basis_of(phase);
            let record = self.record_mut(phase);
            let differs = record.basis.as_ref().is_some_and(|known| *known != basis) || gone_back;
            let has_content = matches!(record.state, PhaseState::Accepted | PhaseState::NeedsReview);
            match record.state {
                PhaseState::OutOfDate if !differs => {
                    record.state = record.before.take().unwrap_or(PhaseState::NeedsReview);
                }
                _ if differs && has_content && record.basis.is_some() && phase != WizardPhase::Vision => {
                    record.before = Some(record.state);
                    record.state = PhaseState::OutOfDate;
                }
                _ => {}
            }
            // Behind a phase that a person went back to and has not accepted again, nothing is up to date.
            gone_back = gone_back
                || (record.state == PhaseState::NeedsReview && record.before == Some(PhaseState::Accepted));
        }
    }

    /// Begins to work on a phase with an agent.
    ///
    /// # Errors
    /// A phase before it is not accepted, it is being worked on already, or no agent fills it in.
    pub fn begin_work(&mut self, phase: WizardPhase) -> Result<(), Fault> {
        if !phase.asks_agent() {
            return Err(refused(format!("{} is put together without an agent", phase.label())));
        }
        self.require_earlier(phase)?;
        self.current = phase;
        let record = self.record_mut(phase);
        if record.state == PhaseState::Working {
            return Err(
                refused(format!("{} is being worked on", phase.label())).hint("Wait for it, or stop it.")
            );
        }
        record.before = Some(record.state);
        record.state = PhaseState::Working;
        record.trouble = None;
        Ok(())
    }

    fn require_earlier(&self, phase: WizardPhase) -> Result<(), Fault> {
        let open = phase.earlier().find(|earlier| self.record(*earlier).state != PhaseState::Accepted);
        match open {
            Some(open) => {
                Err(refused(format!("{} comes before {} and is not accepted", open.label(), phase.label()))
                    .hint(format!("Accept {} first.", open.label())))
            }
            None => Ok(()),
        }
    }

    /// Takes an answer. The first answer fills the form in; a later one only proposes. What a person wrote stays in both
    /// cases, and what is locked is not even proposed.
    pub fn answered(
        &mut self,
        phase: WizardPhase,
        mut answer: Form,
        only: Option<&FieldPath>,
        request: Option<String>,
        remark: Option<String>,
    ) {
        let basis = self.basis_of(phase);
        let mut last = self.last_item;
        let mut ids = ItemIds(&mut last);
        merge::identify(FormShape::of(phase), self.form(phase), &mut answer, &mut ids);
        if phase == WizardPhase::Gaps {
            finding::undecided(&mut answer);
        }
        if matches!(phase, WizardPhase::Generate | WizardPhase::TaskReview) {
            let mut sections = tasks::sections(&answer);
            if sections.is_empty() {
                sections = tasks::sections(self.form(WizardPhase::Generate));
            }
            if let Some(items) = answer.lists.get_mut(tasks::TASKS) {
                names::resolve_names(items, &sections);
            }
        }
        let record = self.record_mut(phase);
        let changes = merge::propose(FormShape::of(phase), &record.form, &answer, only, &mut ids);
        let first = !record.answered && only.is_none() && request.is_none();
        let left = if first { merge::take_unprotected(&mut record.form, changes) } else { changes };
        record.proposal = Proposal { request: request.clone(), changes: left };
        record.requests.extend(request);
        record.remark = remark;
        record.answered = true;
        record.state = PhaseState::NeedsReview;
        record.before = None;
        record.basis = Some(basis);
        record.trouble = None;
        self.last_item = last;
        self.look_at_later();
    }

    /// Takes what a person filled in by hand: fields that are given, and whole lists. What is the same as before stays as
    /// it was; all else counts as the person's own words.
    pub fn filled_in(&mut self, phase: WizardPhase, mut form: Form) {
        let mut last = self.last_item;
        merge::identify(FormShape::of(phase), self.form(phase), &mut form, &mut ItemIds(&mut last));
        self.last_item = last;
        let mut sections = tasks::sections(&form);
        if sections.is_empty() {
            sections = tasks::sections(self.form(WizardPhase::Generate));
        }
        if let Some(items) = form.lists.get_mut(tasks::TASKS) {
            names::resolve_names(items, &sections);
        }
        let own = |now: Option<&Field>, given: Field| match now {
            Some(now) if now.value == given.value => now.clone(),
            now => Field { locked: now.is_some_and(|now| now.locked), ..Field::by_hand(given.value) },
        };
        let now = self.record(phase).form.clone();
        let record = self.record_mut(phase);
        for (name, field) in form.fields {
            let field = own(now.fields.get(&name), field);
            record.form.fields.insert(name, field);
        }
        for (list, items) in form.lists {
            let written = items.into_iter().map(|item| {
                let known = now.item(&list, &item.id);
                let fields = item.fields.into_iter().map(|(name, field)| {
                    let field = own(known.and_then(|known| known.fields.get(&name)), field);
                    (name, field)
                });
                Item { id: item.id, fields: fields.collect() }
            });
            let written: Vec<Item> = written.collect();
            record.form.lists.insert(list, written);
        }
        if record.form != now {
            self.changed(phase);
        }
    }

    /// Counts what an agent used.
    pub fn used(&mut self, phase: WizardPhase, usage: &Usage) {
        self.usage = self.usage.plus(usage);
        let record = self.record_mut(phase);
        record.usage = record.usage.plus(usage);
    }

    /// Says that there was no answer. What was in the form before stays.
    pub fn failed(&mut self, phase: WizardPhase, trouble: PhaseTrouble) {
        let record = self.record_mut(phase);
        record.state = PhaseState::Failed;
        record.trouble = Some(trouble);
    }

    /// Puts a phase back whose work was stopped or cut off.
    pub fn stopped(&mut self, phase: WizardPhase) {
        let record = self.record_mut(phase);
        if record.state == PhaseState::Working {
            record.state = record.before.take().unwrap_or(PhaseState::Open);
        }
        self.look_at_later();
    }

    /// Takes or leaves changes that a re-run proposed: those with these numbers, or without any all that replace nothing
    /// of a person's. Returns how many there were.
    pub fn decide_changes(&mut self, phase: WizardPhase, numbers: Option<&[u32]>, taken: bool) -> usize {
        let record = self.record_mut(phase);
        let meant = |change: &merge::FormChange| match numbers {
            Some(numbers) => numbers.contains(&change.id),
            None => !taken || !change.replaces_edit,
        };
        let all = std::mem::take(&mut record.proposal.changes);
        let (decided, left): (Vec<_>, Vec<_>) = all.into_iter().partition(meant);
        record.proposal.changes = left;
        if taken && !decided.is_empty() {
            decided.iter().for_each(|change| merge::take(&mut record.form, change));
            self.changed(phase);
        }
        decided.len()
    }

    /// What keeps a phase from being accepted.
    #[must_use]
    pub fn problems(&self, phase: WizardPhase) -> Vec<FormProblem> {
        let record = self.record(phase);
        let mut found = form_problems(phase, &record.form);
        if !record.proposal.changes.is_empty() {
            found.push(FormProblem {
                path: String::new(),
                message: format!(
                    "{} of the last run wait to be taken or left",
                    count(record.proposal.changes.len())
                ),
            });
        }
        found
    }

    /// Accepts a phase as it is, and goes on to the next.
    ///
    /// # Errors
    /// A phase before it is not accepted, it is being worked on, or something in it is missing; the first problem is
    /// named.
    pub fn accept(&mut self, phase: WizardPhase) -> Result<(), Fault> {
        self.require_earlier(phase)?;
        if self.record(phase).state == PhaseState::Working {
            return Err(
                refused(format!("{} is being worked on", phase.label())).hint("Wait for it, or stop it.")
            );
        }
        if let Some(problem) = self.problems(phase).into_iter().next() {
            return Err(refused(format!("{} cannot be accepted: {}", phase.label(), problem.message)));
        }
        let basis = self.basis_of(phase);
        let record = self.record_mut(phase);
        record.state = PhaseState::Accepted;
        record.before = None;
        record.basis = Some(basis);
        record.trouble = None;
        if let Some(next) = phase.next().filter(|next| *next <= self.scope.last()) {
            self.current = next;
        }
        self.look_at_later();
        self.prepare(self.current);
        Ok(())
    }

    /// Goes back to a phase. Later ones are out of date until it is accepted again.
    pub fn go_back(&mut self, phase: WizardPhase) {
        self.current = phase;
        let record = self.record_mut(phase);
        if record.state == PhaseState::Accepted {
            record.state = PhaseState::NeedsReview;
            record.before = Some(PhaseState::Accepted);
        }
        self.look_at_later();
    }

    /// Says that a phase that is out of date still fits as it is; it has to be accepted then.
    pub fn keep(&mut self, phase: WizardPhase) {
        let basis = self.basis_of(phase);
        let record = self.record_mut(phase);
        if record.state == PhaseState::OutOfDate {
            record.state = PhaseState::NeedsReview;
            record.before = None;
            record.basis = Some(basis);
        }
        self.look_at_later();
    }

    /// Fills in what follows from earlier phases without an agent: the tasks to review, and how to run them. What is there
    /// already stays; tasks that differ are proposed.
    pub fn prepare(&mut self, phase: WizardPhase) {
        let mut last = self.last_item;
        match phase {
            WizardPhase::TaskReview => {
                let mut answer = Form::default();
                let items = tasks::carried_over(self.form(WizardPhase::Generate).items(tasks::TASKS));
                answer.lists.insert(tasks::TASKS.to_owned(), items.clone());
                let record = self.record_mut(phase);
                if record.form.items(tasks::TASKS).is_empty() {
                    record.form.lists.insert(tasks::TASKS.to_owned(), items);
                    self.fill(phase);
                } else if record.state == PhaseState::OutOfDate {
                    let mut ids = ItemIds(&mut last);
                    let shape = FormShape::of(phase);
                    record.proposal.changes = merge::propose(shape, &record.form, &answer, None, &mut ids);
                }
            }
            WizardPhase::IterationMode => {
                let facts = self.facts();
                if self.form(phase).is_empty() {
                    let form = mode::recommended_form(&facts, &mut ItemIds(&mut last));
                    self.record_mut(phase).form = form;
                    self.fill(phase);
                }
            }
            _ => {}
        }
        self.last_item = self.last_item.max(last);
    }

    /// Says that a form was filled in by rules.
    pub fn fill(&mut self, phase: WizardPhase) {
        let basis = self.basis_of(phase);
        let record = self.record_mut(phase);
        if record.state == PhaseState::Open {
            record.state = PhaseState::NeedsReview;
            record.basis = Some(basis);
        }
    }

    /// What a recommendation of how to run is made from.
    #[must_use]
    pub fn facts(&self) -> PlanFacts {
        let tasks = tasks::layout(self.form(WizardPhase::TaskReview)).tasks;
        let large = |task: &&tasks::PlannedTask| task.size >= crate::task::TaskSize::L;
        let checks = trial::planned(self.form(WizardPhase::BuildTest));
        let open = |one: &&finding::Finding| one.status == finding::FindingStatus::Open;
        PlanFacts {
            tasks: tasks.len(),
            large_tasks: tasks.iter().filter(large).count(),
            features: self.form(WizardPhase::Functionality).items("features").len(),
            integrations: self.form(WizardPhase::Technical).items("integrations").len(),
            open_findings: finding::findings(self.form(WizardPhase::Gaps)).iter().filter(open).count(),
            required_checks: checks.iter().filter(|check| check.used && check.required).count(),
        }
    }

    /// Merges a finding into the place that its target names. The phases up to the gap analysis stay accepted; later ones
    /// are out of date.
    ///
    /// # Errors
    /// There is no such finding, or it cannot be merged there.
    pub fn merge_finding(&mut self, item: &str) -> Result<(), Fault> {
        let found = finding::findings(self.form(WizardPhase::Gaps)).into_iter().find(|one| one.item == item);
        let found = found.ok_or_else(|| no_finding(item))?;
        let (phase, name) = finding::target(&found.target)?;
        let mut last = self.last_item;
        finding::merge(&found, name, phase, &mut self.record_mut(phase).form, &mut ItemIds(&mut last))?;
        self.last_item = last;
        finding::decide(
            &mut self.record_mut(WizardPhase::Gaps).form,
            item,
            finding::FindingStatus::Merged,
            "",
        );
        for known in WizardPhase::Gaps.earlier().chain([WizardPhase::Gaps]) {
            let basis = self.basis_of(known);
            let record = self.record_mut(known);
            if record.basis.is_some() {
                record.basis = Some(basis);
            }
        }
        self.look_at_later();
        Ok(())
    }

    /// Dismisses a finding.
    ///
    /// # Errors
    /// There is no such finding, or no reason.
    pub fn dismiss_finding(&mut self, item: &str, reason: &str) -> Result<(), Fault> {
        if reason.trim().is_empty() {
            return Err(refused("a finding is dismissed with a reason"));
        }
        let form = &mut self.record_mut(WizardPhase::Gaps).form;
        if !finding::decide(form, item, finding::FindingStatus::Dismissed, reason) {
            return Err(no_finding(item));
        }
        self.look_at_later();
        Ok(())
    }

    /// Makes sure that every phase is there, and that none counts as worked on: for a wizard that was just read.
    pub fn complete(&mut self) {
        for phase in WizardPhase::ALL {
            self.record_mut(*phase);
            self.stopped(*phase);
        }
    }
}

/// Stands in for a phase that is not there; there is none.
static EMPTY: std::sync::LazyLock<PhaseRecord> =
    std::sync::LazyLock::new(|| PhaseRecord::open(WizardPhase::Launch));

fn no_finding(item: &str) -> Fault {
    refused(format!("there is no finding \"{item}\"")).next(NextAction::ShowWizard, "See them")
}

fn refused(message: impl Into<String>) -> Fault {
    Fault::new(ErrorCode::UsageInvalid, message)
}

fn count(changes: usize) -> String {
    if changes == 1 { "1 change".to_owned() } else { format!("{changes} changes") }
}

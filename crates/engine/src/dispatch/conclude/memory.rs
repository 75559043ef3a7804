//! What an attempt's outcome means for memory: solutions made, credited and debited, and a learning of its own where the
//! agent recorded none. All of it is written with the outcome, so that it happens once whatever process settles.

use loopwright_config::key;
use loopwright_domain::memory::likeness::title_of;
use loopwright_domain::memory::solution_trust::{AttemptVerdict, judge_solution};
use loopwright_domain::{
    Event, Failure, FailureCategory, Fault, Fix, Iteration, LearningCategory, MemoryOrigin, Outcome,
    Settlement, Solution, Task, TaskStatus, UNKNOWN_PATTERN,
};

use crate::dispatch::dispatcher::Dispatcher;
use crate::distil::{Distilled, TaskRecord, distil};

/// As many files as a solution names.
const NAMED_FILES: usize = 10;
/// The longest text of a solution, in characters.
const LONGEST_FIX: usize = 1_200;
/// As much as is told of what did not help, in characters.
const LONGEST_TRIED: usize = 300;

impl Dispatcher<'_> {
    /// The events by which memory changes with an iteration's outcome. Memory that cannot be read keeps no attempt from
    /// being settled.
    pub(crate) async fn memory_events(&self, iteration: &Iteration, others: &[Event]) -> Vec<Event> {
        match self.changes_of_memory(iteration, others).await {
            Ok(events) => events,
            Err(fault) => {
                tracing::warn!(iteration = %iteration.id, "memory is left as it is: {fault}");
                Vec::new()
            }
        }
    }

    async fn changes_of_memory(&self, iteration: &Iteration, others: &[Event]) -> Result<Vec<Event>, Fault> {
        let store = self.project.store();
        let Some(task) = iteration.task else { return Ok(Vec::new()) };
        let passed = match iteration.outcome {
            Some(Outcome::Succeeded) => true,
            Some(Outcome::Failed) => false,
            Some(Outcome::Interrupted) | None => return Ok(Vec::new()),
        };
        let mut events = Vec::new();
        if let Some(card) = given_up(iteration, others).filter(|_| !learned(iteration, others))
            && !store.learned_in(iteration.id).await?
        {
            events.push(card);
        }
        let last = store.failures(None, Some(task), 1).await?.pop().filter(|it| it.resolved_by.is_none());
        let Some(last) = last.filter(|it| it.iteration != iteration.id) else { return Ok(events) };
        let attempt = AttemptVerdict {
            last_pattern: Some(&last.diagnosis.pattern),
            passed,
            failed_by: others.iter().find_map(pattern_of),
            by_hand: iteration.by_hand,
        };
        let included = store.solutions_in_prompt(iteration.id).await?;
        let changes: Vec<Event> =
            included.iter().filter_map(|solution| judged(solution, &attempt, iteration)).collect();
        let fix = fix_of(&last, iteration, others).filter(|_| passed && !iteration.by_hand);
        if let Some(fix) = fix.filter(|_| changes.is_empty()) {
            if !learned(iteration, others) && !store.learned_in(iteration.id).await? {
                events.push(learned_by_rule(&fix, iteration));
            }
            let (fix, task) = (Box::new(fix), Some(task));
            events.push(Event::SolutionRecorded { solution: 0, fix, task, iteration: iteration.id });
        }
        events.extend(changes);
        Ok(events)
    }

    /// What the agent of `role.learn` writes down about a task that ends with this attempt: nothing where the one that
    /// worked recorded something itself. What it uses counts as used by the attempt. That it cannot be asked only leaves
    /// the card to a rule.
    pub(crate) async fn distilled(
        &mut self,
        iteration: &mut Iteration,
        settlement: &Settlement,
    ) -> Option<Event> {
        let role = self.config.value(key::ROLE_LEARN);
        let passed = *settlement == Settlement::Done;
        if role.trim().is_empty()
            || iteration.by_hand
            || !(passed || matches!(settlement, Settlement::Block(..)))
        {
            return None;
        }
        let task = self.task.clone()?;
        match self.ask_for_card(iteration, &task, role.trim(), passed).await {
            Ok(card) => card,
            Err(fault) => {
                tracing::warn!(iteration = %iteration.id, "{role} distilled nothing: {fault}");
                None
            }
        }
    }

    async fn ask_for_card(
        &mut self,
        iteration: &mut Iteration,
        task: &Task,
        role: &str,
        passed: bool,
    ) -> Result<Option<Event>, Fault> {
        let store = self.project.store();
        if store.learned_in(iteration.id).await? {
            return Ok(None);
        }
        let before = store.failures_of(task.id, self.run.id).await?.in_run;
        let last = store.failures(None, Some(task.id), 1).await?.pop();
        let last = last.filter(|it| it.resolved_by.is_none()).map(|failure| failure.diagnosis);
        let said = said(iteration).unwrap_or_default().to_owned();
        let (attempt, mailbox) = self.attempt(Some(iteration));
        let (stop, role) = (self.steering.stop().clone(), role.to_owned());
        let asked = async {
            let record = TaskRecord {
                task,
                passed,
                failures: before.saturating_add(u32::from(!passed)),
                last: last.as_ref(),
                said: &said,
            };
            distil(attempt.project.host(), &attempt.config, &role, &record, &stop).await
        };
        let Distilled { card, usage } = self.serve(mailbox, asked).await?;
        iteration.usage = iteration.usage.plus(&usage);
        let redact = |text: &str| self.secrets.redact(text).into_owned();
        Ok(card.map(|card| Event::LearningRecorded {
            learning: 0,
            category: card.category,
            title: redact(&card.title),
            when: redact(&card.when),
            text: redact(&card.text),
            pattern: last.map(|last| last.pattern).filter(|pattern| pattern != UNKNOWN_PATTERN),
            by: MemoryOrigin::Distilled,
            task: iteration.task,
            iteration: Some(iteration.id),
        }))
    }

    /// Takes trust from solutions that nobody has used for long.
    pub(crate) async fn decay_solutions(&self) {
        if let Err(error) = self.project.store().decay_solutions(&self.project.host().timestamp()).await {
            tracing::warn!(run = %self.run.id, "idle solutions keep their trust: {error}");
        }
    }
}

/// Whether something that was learned in an iteration is among events that are to be written.
fn learned(iteration: &Iteration, events: &[Event]) -> bool {
    let of_it = |event: &Event| matches!(event, Event::LearningRecorded { iteration: Some(id), .. } if *id == iteration.id);
    events.iter().any(of_it)
}

/// A card about a task that is given up because a check went on to fail: what it failed by, and what did not help.
fn given_up(iteration: &Iteration, others: &[Event]) -> Option<Event> {
    let is_blocked = |event: &Event| matches!(event, Event::TaskStatusChanged { task, to: TaskStatus::Blocked, .. } if Some(*task) == iteration.task);
    if iteration.by_hand || !others.iter().any(is_blocked) {
        return None;
    }
    let found = others.iter().find_map(|event| match event {
        Event::FailureRecorded { check: Some(_), diagnosis, .. } => Some(diagnosis),
        _ => None,
    })?;
    let cause = found.cause.trim();
    if cause.is_empty() {
        return None;
    }
    let tried: String = said(iteration).unwrap_or_default().chars().take(LONGEST_TRIED).collect();
    let text = match tried.as_str() {
        "" => format!("Not solved so far: {cause}"),
        tried => format!("Not solved so far: {cause}\nThis did not help: {tried}"),
    };
    Some(Event::LearningRecorded {
        learning: 0,
        category: LearningCategory::Gotcha,
        title: title_of(&format!("Not solved: {cause}")),
        when: format!("{}: {cause}", found.pattern),
        text,
        pattern: Some(found.pattern.clone()).filter(|pattern| pattern != UNKNOWN_PATTERN),
        by: MemoryOrigin::Loop,
        task: iteration.task,
        iteration: Some(iteration.id),
    })
}

/// What the agent said at its end, where it said something.
fn said(iteration: &Iteration) -> Option<&str> {
    let claim = iteration.claim_text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    claim.or_else(|| Some(iteration.preview.trim()).filter(|text| !text.is_empty()))
}

fn pattern_of(event: &Event) -> Option<&str> {
    match event {
        Event::FailureRecorded { diagnosis, .. } => Some(diagnosis.pattern.as_str()),
        _ => None,
    }
}

/// The credit or debit of a solution that was in the prompt. The store takes the trust it then has.
fn judged(solution: &Solution, attempt: &AttemptVerdict<'_>, iteration: &Iteration) -> Option<Event> {
    let reason = judge_solution(&solution.pattern, attempt)?;
    Some(Event::SolutionChanged {
        solution: solution.id,
        title: solution.title.clone(),
        reason,
        before: Some(solution.trust),
        after: reason.apply(solution.trust),
        iteration: Some(iteration.id),
        origin: None,
    })
}

/// What fixed a failure: the agent's words and the files it changed. None where no pattern fits the failure, or where
/// there are neither words nor files.
fn fix_of(failure: &Failure, iteration: &Iteration, others: &[Event]) -> Option<Fix> {
    let found = &failure.diagnosis;
    if found.pattern == UNKNOWN_PATTERN {
        return None;
    }
    let files: Vec<String> = others
        .iter()
        .find_map(|event| match event {
            Event::FilesCommitted { files, .. } => Some(files.iter().take(NAMED_FILES).cloned().collect()),
            _ => None,
        })
        .unwrap_or_default();
    let text = match said(iteration) {
        Some(said) => said.chars().take(LONGEST_FIX).collect(),
        None if files.is_empty() => return None,
        None => format!("It passed after a change of {}", files.join(", ")),
    };
    Some(Fix {
        pattern: found.pattern.clone(),
        category: found.category,
        cause: found.cause.clone(),
        title: title_of(&text),
        text,
        files,
    })
}

/// A learning from a failure and its fix.
fn learned_by_rule(fix: &Fix, iteration: &Iteration) -> Event {
    let category = match fix.category {
        FailureCategory::Build => LearningCategory::Build,
        FailureCategory::Test => LearningCategory::Test,
        FailureCategory::Import | FailureCategory::Environment => LearningCategory::Setup,
        FailureCategory::Syntax | FailureCategory::Runtime | FailureCategory::Unknown => {
            LearningCategory::Gotcha
        }
    };
    Event::LearningRecorded {
        learning: 0,
        category,
        title: fix.title.clone(),
        when: format!("{}: {}", fix.pattern, fix.cause),
        text: fix.text.clone(),
        pattern: Some(fix.pattern.clone()),
        by: MemoryOrigin::Loop,
        task: iteration.task,
        iteration: Some(iteration.id),
    }
}

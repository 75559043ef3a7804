//! What an attempt's outcome means for memory: solutions made, credited and debited, and a learning of its own where the
//! agent recorded none. All of it is written with the outcome, so that it happens once whatever process settles.

use loopwright_domain::memory::likeness::title_of;
use loopwright_domain::memory::solution_trust::{AttemptVerdict, judge_solution};
use loopwright_domain::{
    Event, Failure, FailureCategory, Fault, Fix, Iteration, LearningCategory, MemoryOrigin, Outcome,
    Solution, UNKNOWN_PATTERN,
};

use crate::dispatch::dispatcher::Dispatcher;

/// As many files as a solution names.
const NAMED_FILES: usize = 10;
/// The longest text of a solution, in characters.
const LONGEST_FIX: usize = 1_200;

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
        let last = store.failures(None, Some(task), 1).await?.pop().filter(|it| it.resolved_by.is_none());
        let Some(last) = last.filter(|it| it.iteration != iteration.id) else { return Ok(Vec::new()) };
        let attempt = AttemptVerdict {
            last_pattern: Some(&last.diagnosis.pattern),
            passed,
            failed_by: others.iter().find_map(pattern_of),
            by_hand: iteration.by_hand,
        };
        let included = store.solutions_in_prompt(iteration.id).await?;
        let mut events: Vec<Event> =
            included.iter().filter_map(|solution| judged(solution, &attempt, iteration)).collect();
        let fix = fix_of(&last, iteration, others).filter(|_| passed && !iteration.by_hand);
        if let Some(fix) = fix.filter(|_| events.is_empty()) {
            if !store.learned_in(iteration.id).await? {
                events.push(learned_by_rule(&fix, iteration));
            }
            let (fix, task) = (Box::new(fix), Some(task));
            events.push(Event::SolutionRecorded { solution: 0, fix, task, iteration: iteration.id });
        }
        Ok(events)
    }

    /// Takes trust from solutions that nobody has used for long.
    pub(crate) async fn decay_solutions(&self) {
        if let Err(error) = self.project.store().decay_solutions(&self.project.host().timestamp()).await {
            tracing::warn!(run = %self.run.id, "idle solutions keep their trust: {error}");
        }
    }
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
    let said = iteration.claim_text.as_deref().map(str::trim).filter(|text| !text.is_empty());
    let said = said.or_else(|| Some(iteration.preview.trim()).filter(|text| !text.is_empty()));
    let text = match said {
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

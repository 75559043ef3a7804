//! What memory offers for a task's prompt: related sections, known fixes, similar tasks, failures and learnings, the best
//! first. What of it goes in is decided by the budget.

use std::collections::{BTreeMap, BTreeSet};

use loopwright_domain::memory::assembly::{Candidate, Relevance, rank};
use loopwright_domain::memory::likeness::{content_words, likeness};
use loopwright_domain::memory::solution_trust::may_try;
use loopwright_domain::{
    Failure, Fault, Learning, MemoryOrigin, Outcome, PromptItemKind as Kind, Section, Solution,
    SolutionState, Task, TaskStatus,
};
use loopwright_store::Store;

use crate::prompt::quotation::{one_line, quoted};
use crate::prompt::task::section_text;

/// As many of a kind as are looked at; the caps of the budget are lower.
const RELATED_SECTIONS: u32 = 8;
const OF_PATTERN: u32 = 50;
const TRUSTED: u32 = 12;
const SIMILAR_TASKS: u32 = 16;
const RECENT_FAILURES: u32 = 12;
const SEARCHED_LEARNINGS: u32 = 24;
const MOST_USED_LEARNINGS: u32 = 10;
/// As many of each kind as are shown to be out.
const SHOWN: usize = 14;
/// As many words as are searched for.
const SEARCHED_WORDS: usize = 16;
/// Fewer words than these in common are chance.
const LEAST_SHARED: usize = 2;

/// What the task is about, and how its last attempt failed.
pub(crate) struct MemoryRequest<'a> {
    pub(crate) task: &'a Task,
    pub(crate) linked: &'a [Section],
    /// All tasks.
    pub(crate) tasks: &'a [Task],
    /// The failure of the last attempt, where that failed.
    pub(crate) failure: Option<&'a Failure>,
}

/// Everything that memory offers, each kind in its order.
///
/// # Errors
/// The state cannot be read.
pub(crate) async fn candidates(store: &Store, request: &MemoryRequest<'_>) -> Result<Vec<Candidate>, Fault> {
    let subject = Subject::of(request);
    let mut all = related_sections(store, request, &subject).await?;
    all.extend(solutions(store, request, &subject).await?);
    all.extend(similar_tasks(store, request, &subject).await?);
    all.extend(recent_failures(store, request).await?);
    all.extend(learnings(store, request, &subject).await?);
    Ok(all)
}

/// The words of a task and of its last failure.
struct Subject {
    words: BTreeSet<String>,
    cause: BTreeSet<String>,
    /// What is searched for.
    query: String,
    /// The files the failure names.
    files: BTreeSet<String>,
}

impl Subject {
    fn of(request: &MemoryRequest<'_>) -> Self {
        let draft = &request.task.draft;
        let cause = request.failure.map(|failure| failure.diagnosis.cause.as_str()).unwrap_or_default();
        let mut seen = BTreeSet::new();
        let mut query: Vec<String> = Vec::new();
        for text in [draft.title.as_str(), cause, draft.description.as_str()] {
            for word in text.split(|c: char| !c.is_alphanumeric()) {
                let word = word.to_lowercase();
                if word.chars().nth(2).is_some()
                    && !content_words(&word).is_empty()
                    && seen.insert(word.clone())
                {
                    query.push(word);
                }
            }
        }
        query.truncate(SEARCHED_WORDS);
        Self {
            words: content_words(&format!("{} {}", draft.title, draft.description)),
            cause: content_words(cause),
            query: query.join(" "),
            files: request
                .failure
                .and_then(|it| it.diagnosis.file.as_deref())
                .map(file_name)
                .into_iter()
                .collect(),
        }
    }

    fn shared(&self, text: &str) -> usize {
        self.words.intersection(&content_words(text)).count()
    }
}

fn file_name(path: &str) -> String {
    path.rsplit(['/', '\\']).next().unwrap_or(path).to_owned()
}

async fn related_sections(
    store: &Store,
    request: &MemoryRequest<'_>,
    subject: &Subject,
) -> Result<Vec<Candidate>, Fault> {
    let found = store.search_sections(&subject.query, RELATED_SECTIONS).await?;
    let is_linked = |id| request.linked.iter().any(|section| section.id == id);
    let mut all = Vec::new();
    for stored in found.into_iter().filter(|it| !is_linked(it.section.id)) {
        let section = stored.section;
        let shared = subject.shared(&format!("{} {}", section.title, section.content));
        if shared < LEAST_SHARED {
            continue;
        }
        let title = format!("{} {}", section.number, section.title);
        let key = format!("section:{}", section.id.0);
        all.push(made(key, Kind::RelatedSection, title.trim(), shares(shared), section_text(&section)));
    }
    Ok(all)
}

fn shares(words: usize) -> String {
    if words == 1 { "shares 1 word".to_owned() } else { format!("shares {words} words") }
}

fn made(key: String, kind: Kind, title: &str, why: String, text: String) -> Candidate {
    Candidate { key, kind, title: one_line(title), why, text, trust: None, held_back: None }
}

/// The solutions of the last failure's pattern, then trusted ones of other patterns, then the one that is on trial.
async fn solutions(
    store: &Store,
    request: &MemoryRequest<'_>,
    subject: &Subject,
) -> Result<Vec<Candidate>, Fault> {
    let pattern = request.failure.map(|failure| failure.diagnosis.pattern.as_str());
    let own = match pattern {
        Some(pattern) => store.solutions_of(pattern, OF_PATTERN).await?,
        None => Vec::new(),
    };
    let sum = |count: fn(&Solution) -> u32| own.iter().map(count).fold(0, u32::saturating_add);
    let may_try = may_try(sum(|it| it.helped), sum(|it| it.failed));
    let newer = ages(own.iter().map(|solution| solution.id));
    let mut ranked: Vec<(Relevance, Solution)> = own
        .into_iter()
        .map(|solution| {
            let relevance = Relevance {
                same_pattern: true,
                words: likeness(&subject.cause, &content_words(&solution.cause)),
                shared_files: shared_files(subject, &solution.files),
                newer: newer.get(&solution.id).copied().unwrap_or(u32::MAX),
                trust: solution.trust.value(),
            };
            (relevance, solution)
        })
        .collect();
    rank(&mut ranked);
    let ranked: Vec<Solution> = ranked.into_iter().map(|(_, solution)| solution).collect();
    let of_state = |state: SolutionState| ranked.iter().filter(move |it| it.state == state).take(SHOWN);
    let mut all: Vec<Candidate> =
        of_state(SolutionState::Trusted).map(|it| fix(it, Kind::KnownFix)).collect();
    let trusted = store.trusted_solutions(TRUSTED).await?;
    all.extend(
        trusted.iter().filter(|it| Some(it.pattern.as_str()) != pattern).map(|it| fix(it, Kind::Solution)),
    );
    all.extend(of_state(SolutionState::Trial).map(|it| {
        let hold = !may_try && !matches!(it.origin, MemoryOrigin::Person | MemoryOrigin::Learning);
        let held_back = hold.then(|| "such solutions did not help with this failure so far".to_owned());
        Candidate { held_back, ..fix(it, Kind::TrialSolution) }
    }));
    all.extend(of_state(SolutionState::Sinking).map(|it| fix(it, Kind::TrialSolution)));
    Ok(all)
}

/// How many of the same kind are newer than each.
fn ages(ids: impl Iterator<Item = u32>) -> BTreeMap<u32, u32> {
    let mut ids: Vec<u32> = ids.collect();
    ids.sort_unstable_by(|one, other| other.cmp(one));
    ids.into_iter().zip(0..).collect()
}

fn shared_files(subject: &Subject, files: &[String]) -> u32 {
    let shared = files.iter().filter(|file| subject.files.contains(&file_name(file))).count();
    u32::try_from(shared).unwrap_or(u32::MAX)
}

fn times(count: u32) -> String {
    match count {
        1 => "once".to_owned(),
        2 => "twice".to_owned(),
        more => format!("{more} times"),
    }
}

fn fix(solution: &Solution, kind: Kind) -> Candidate {
    let why = match kind {
        Kind::KnownFix if solution.helped > 0 => format!("fixed the same failure {}", times(solution.helped)),
        Kind::KnownFix => "trusted for this failure".to_owned(),
        Kind::Solution => "trusted, and its failure is frequent here".to_owned(),
        _ => "on trial for this failure".to_owned(),
    };
    let held_back = (solution.state == SolutionState::Sinking).then(|| match solution.failed {
        0 => "not used for long".to_owned(),
        failed => format!("failed {} when included", times(failed)),
    });
    let standing = match kind {
        Kind::TrialSolution => "on trial, it may not help",
        _ => "trusted",
    };
    let mut text = format!("- Fix {} for {} ({standing}):\n", solution.id, solution.pattern);
    text.push_str(&quoted(&titled(&solution.title, &solution.text)));
    if !solution.files.is_empty() {
        let files: Vec<&str> = solution.files.iter().take(5).map(String::as_str).collect();
        text.push('\n');
        text.push_str(&quoted(&format!("It changed {}", one_line(&files.join(", ")))));
    }
    let key = format!("solution:{}", solution.id);
    Candidate { trust: Some(solution.trust), held_back, ..made(key, kind, &solution.title, why, text) }
}

/// The title and the text; only the text where that begins with the title.
fn titled(title: &str, text: &str) -> String {
    match text.trim().starts_with(title.trim_end_matches('…').trim()) {
        true => text.trim().to_owned(),
        false => format!("{}\n{}", title.trim(), text.trim()),
    }
}

async fn similar_tasks(
    store: &Store,
    request: &MemoryRequest<'_>,
    subject: &Subject,
) -> Result<Vec<Candidate>, Fault> {
    let found = store.search_tasks(&subject.query, SIMILAR_TASKS).await?;
    let mut all = Vec::new();
    for id in found {
        let Some(task) = request.tasks.iter().find(|task| task.id == id) else { continue };
        let depends = request.task.draft.depends_on.contains(&id);
        let shared = subject.shared(&format!("{} {}", task.draft.title, task.draft.description));
        if id == request.task.id || depends || task.status != TaskStatus::Done || shared < LEAST_SHARED {
            continue;
        }
        let attempts = store.attempts_at(id, 8).await?;
        let good = attempts.into_iter().find(|it| it.outcome == Some(Outcome::Succeeded));
        let summary = good.as_ref().and_then(|it| it.claim_text.clone()).unwrap_or_default();
        let commit =
            good.and_then(|it| it.commit).map(|id| format!(" (commit {})", id.get(..7).unwrap_or(&id)));
        let text = format!(
            "- {id}{}:\n{}",
            commit.unwrap_or_default(),
            quoted(&format!("{}\n{}", task.draft.title, summary.trim()))
        );
        let title = format!("Task {id}, {}", task.draft.title);
        all.push(made(format!("task:{}", id.0), Kind::SimilarTask, &title, shares(shared), text));
    }
    Ok(all)
}

async fn recent_failures(store: &Store, request: &MemoryRequest<'_>) -> Result<Vec<Candidate>, Fault> {
    let found = store.unresolved_failures(RECENT_FAILURES).await?;
    let mut seen = BTreeSet::new();
    let others = found
        .into_iter()
        .filter(|it| it.task != Some(request.task.id) && seen.insert(it.diagnosis.fingerprint.clone()));
    let all = others.map(|failure| {
        let found = &failure.diagnosis;
        let task = failure.task.map(|task| format!(" at task {task}")).unwrap_or_default();
        let text = format!("- {}{task}:\n{}", found.pattern, quoted(&found.cause));
        let key = format!("failure:{}", failure.id);
        made(key, Kind::RecentFailure, &found.cause, "not resolved yet".to_owned(), text)
    });
    Ok(all.collect())
}

async fn learnings(
    store: &Store,
    request: &MemoryRequest<'_>,
    subject: &Subject,
) -> Result<Vec<Candidate>, Fault> {
    let pattern = request.failure.map(|failure| failure.diagnosis.pattern.as_str());
    let mut found: Vec<Learning> = match pattern {
        Some(pattern) => store.learnings_of(pattern, MOST_USED_LEARNINGS).await?,
        None => Vec::new(),
    };
    found.extend(store.search_learnings(&subject.query, SEARCHED_LEARNINGS).await?);
    found.extend(store.most_used_learnings(MOST_USED_LEARNINGS).await?);
    let mut seen = BTreeSet::new();
    found.retain(|learning| seen.insert(learning.id));
    let newer = ages(found.iter().map(|learning| learning.id));
    let mut ranked: Vec<(Relevance, Learning)> = found
        .into_iter()
        .map(|learning| {
            let text = format!("{} {} {}", learning.title, learning.when, learning.text);
            let words = content_words(&text);
            let both =
                subject.words.intersection(&words).count() + subject.cause.intersection(&words).count();
            let relevance = Relevance {
                same_pattern: pattern.is_some() && learning.pattern.as_deref() == pattern,
                // As many words as make a match a good one.
                words: f64::from(u32::try_from(both).unwrap_or(u32::MAX)) / 5.0,
                shared_files: 0,
                newer: newer.get(&learning.id).copied().unwrap_or(u32::MAX),
                trust: passed_share(&learning),
            };
            (relevance, learning)
        })
        .collect();
    rank(&mut ranked);
    let mut all = Vec::new();
    for (relevance, learning) in ranked.into_iter().take(SHOWN) {
        let held_back = on_trial(store, &learning).await?;
        let shared = subject.shared(&format!("{} {} {}", learning.title, learning.when, learning.text));
        let why = match (relevance.same_pattern, shared) {
            (true, _) => "about the same failure".to_owned(),
            (false, 0) => "learned here".to_owned(),
            (false, shared) => shares(shared),
        };
        let mut text = format!("- {}:\n", learning.category);
        text.push_str(&quoted(&titled(&learning.title, &learning.text)));
        if !learning.when.trim().is_empty() {
            text.push('\n');
            text.push_str(&quoted(&format!("When: {}", one_line(&learning.when))));
        }
        let key = format!("learning:{}", learning.id);
        all.push(Candidate { held_back, ..made(key, Kind::Learning, &learning.title, why, text) });
    }
    Ok(all)
}

/// Why a learning that the loop made stays out: it says what a solution says that is not trusted. One that an agent or a
/// person recorded is nobody's trial.
async fn on_trial(store: &Store, learning: &Learning) -> Result<Option<String>, Fault> {
    let Some(iteration) = learning.iteration.filter(|_| learning.origin == MemoryOrigin::Loop) else {
        return Ok(None);
    };
    let made = store.solution_made_in(iteration).await?;
    let untrusted = made.filter(|solution| solution.state != SolutionState::Trusted);
    Ok(untrusted.map(|solution| format!("not trusted yet as solution {}", solution.id)))
}

/// How many of the attempts with it in the prompt passed; half where that is not known.
fn passed_share(learning: &Learning) -> f64 {
    match learning.included {
        0 => 0.5,
        included => f64::from(learning.passed.min(included)) / f64::from(included),
    }
}

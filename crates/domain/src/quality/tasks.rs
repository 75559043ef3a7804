//! Rules for tasks that are not finished.

use std::collections::{HashMap, HashSet};

use super::prose::{Prose, fold};
use super::terms::TermWords;
use super::{Judged, QualityFinding, QualityRule, finding, finding_about, judged};
use crate::ids::TaskId;
use crate::task::{Task, TaskDraft, TaskSize};

/// A harder task is better split.
const MOST_COMPLEXITY: u32 = 21;
/// A task with more criteria is several tasks.
const MOST_CRITERIA: usize = 10;
/// A longer description is a section of the spec.
const MOST_WORDS: usize = 1_000;
/// A criterion with fewer words says too little.
const FEWEST_WORDS: usize = 3;
/// Shorter words do not tell what a task is about.
const SHORTEST_SUBJECT: usize = 4;

/// Judges the open tasks beside all others; whether one carries out no section matters only where there is a spec.
pub(super) fn judge(
    open: &[&Task],
    all: &[Task],
    has_spec: bool,
    terms: &TermWords<'_>,
) -> Vec<Judged<TaskId>> {
    let by_id: HashMap<TaskId, &Task> = all.iter().map(|task| (task.id, task)).collect();
    let mut titles: HashMap<String, TaskId> = HashMap::new();
    let mut judged_tasks = Vec::with_capacity(open.len());
    for task in open {
        let draft = &task.draft;
        let mut findings = Vec::new();
        judge_criteria(draft, &mut findings);
        if let Some(reason) = too_large(draft) {
            findings.push(finding(QualityRule::LargeTask, format!("{reason}: better split it")));
        }
        if has_spec && draft.sections.is_empty() {
            findings.push(finding(QualityRule::OrphanTask, "it carries out no section of the spec"));
        }
        match titles.get(&fold(&draft.title)) {
            Some(first) => {
                findings.push(finding(QualityRule::DuplicateTask, format!("it has the title of {first}")));
            }
            None => drop(titles.insert(fold(&draft.title), task.id)),
        }
        for on in draft.depends_on.iter().filter_map(|id| by_id.get(id)) {
            if !related(draft, on) {
                let message = format!("it waits for {}, and nothing says why", on.id);
                findings.push(finding(QualityRule::UnexplainedDependency, message));
            }
        }
        let text = format!("{}\n{}", draft.title, draft.description);
        let prose = Prose::new(&text);
        for word in prose.open_points() {
            let message = format!("\"{word}\": something is not decided");
            findings.push(finding_about(QualityRule::OpenPoint, word, message));
        }
        terms.judge(&text, &prose, &mut findings);
        judged_tasks.push(judged(task.id, &draft.title, findings));
    }
    judged_tasks
}

fn judge_criteria(draft: &TaskDraft, findings: &mut Vec<QualityFinding>) {
    if draft.acceptance.is_empty() {
        findings.push(finding(QualityRule::NoCriteria, "nothing says when it is done"));
        return;
    }
    for criterion in &draft.acceptance {
        let prose = Prose::new(criterion);
        let reason = match prose.vague_words().first() {
            Some(word) => format!("\"{word}\" can mean anything"),
            // Code counts as words here: "`make test` passes" says enough.
            None if criterion.split_whitespace().count() < FEWEST_WORDS => "it says too little".to_owned(),
            None => continue,
        };
        let message = format!("nobody can tell whether \"{criterion}\" is met: {reason}");
        findings.push(finding(QualityRule::UntestableCriterion, message));
    }
    if draft.test_strategy.trim().is_empty() {
        findings.push(finding(QualityRule::UncheckedCriteria, "nothing says how its criteria are tested"));
    }
}

fn too_large(draft: &TaskDraft) -> Option<String> {
    if draft.size == Some(TaskSize::XL) {
        return Some("its size is XL".to_owned());
    }
    if draft.complexity >= MOST_COMPLEXITY {
        return Some(format!("its complexity is {}", draft.complexity));
    }
    if draft.acceptance.len() > MOST_CRITERIA {
        return Some(format!("it has {} criteria", draft.acceptance.len()));
    }
    let words = draft.description.split_whitespace().count();
    (words > MOST_WORDS).then(|| format!("its description has {words} words"))
}

/// Whether a task and one it waits for have something in common: a section, a tag, a word, or a mention.
fn related(draft: &TaskDraft, on: &Task) -> bool {
    let tagged = draft.tag.is_some() && draft.tag == on.draft.tag;
    let section = draft.sections.iter().any(|section| on.draft.sections.contains(section));
    let text = |draft: &TaskDraft| format!("{}\n{}\n{}", draft.title, draft.description, draft.notes);
    let own = text(draft);
    let mentioned = own.split(|c: char| c.is_whitespace() || matches!(c, ',' | '.' | ';' | ':' | ')' | '('));
    if tagged || section || mentioned.into_iter().any(|word| word == on.id.to_string()) {
        return true;
    }
    let (own, other) = (Prose::new(&own), Prose::new(&text(&on.draft)));
    let subject = |word: &&str| word.chars().count() >= SHORTEST_SUBJECT;
    let words: HashSet<&str> = own.words().filter(subject).collect();
    other.words().filter(subject).any(|word| words.contains(word))
}

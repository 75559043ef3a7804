//! One task in full.

use std::process::ExitCode;

use loopwright_domain::{Event, EventEnvelope, Fault, SectionId, TaskId, TaskStatus};
use loopwright_engine::run::report::elapsed;
use loopwright_engine::task::TaskDetail;
use serde::Serialize;

use super::task_format;
use crate::context::Context;
use crate::output::{self, BAD, CARE, HEADING, QUIET, local_time, plain, plain_text, say, styled};

pub(super) fn show(context: &Context, id: TaskId) -> Result<ExitCode, Fault> {
    let project = context.project()?;
    let detail = context.wait(project.tasks().detail(id))?;
    let changed_sections = context.wait(project.tasks().changed_sections(id))?;
    if context.json {
        return output::json(&ShownTask::of(detail, changed_sections));
    }
    tell(&detail, &changed_sections);
    Ok(ExitCode::SUCCESS)
}

#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownTask {
    #[serde(flatten)]
    detail: TaskDetail,
    /// Sections that changed since the task was finished.
    changed_sections: Vec<SectionId>,
}

impl ShownTask {
    fn of(mut detail: TaskDetail, changed_sections: Vec<SectionId>) -> Self {
        for attempt in &mut detail.attempts {
            attempt.number = attempt.number.saturating_add(1);
        }
        let journal = std::mem::take(&mut detail.journal).into_iter();
        let counted =
            |envelope: EventEnvelope| EventEnvelope { event: envelope.event.counted_from_one(), ..envelope };
        detail.journal = journal.map(counted).collect();
        Self { detail, changed_sections }
    }
}

fn tell(detail: &TaskDetail, changed: &[SectionId]) {
    let (task, draft) = (&detail.task, &detail.task.draft);
    let status = task.status.as_str().replace('_', " ");
    let title = styled(HEADING, format!("{} {}", task.id, plain(&draft.title)));
    say!("{} {title}  {}", task_format::mark(task.status), styled(QUIET, status));
    if let Some(blocked) = &task.blocked {
        say!("  {}", styled(BAD, plain(&blocked.reason)));
    }
    say!("  {}", styled(QUIET, facts(detail)));
    let line = |title: &str, tasks: &[TaskId]| {
        if !tasks.is_empty() {
            say!("  {} {}", styled(QUIET, title), task_format::ids(tasks));
        }
    };
    if task.status == TaskStatus::Done {
        match &task.commit {
            Some(commit) => say!("  {} {}", styled(QUIET, "Commit"), commit.get(..7).unwrap_or(commit)),
            None => say!("  {}", styled(CARE, "Done without a commit.")),
        }
    }
    line("Waits for", &draft.depends_on);
    line("Needed by", &detail.dependants);
    if let Some(gate) = detail.gate {
        say!("  Waits at gate {gate}: \"loopwright approve {gate}\" or \"loopwright reject {gate}\".");
    }
    if !changed.is_empty() {
        say!("  {}", styled(CARE, "Stale: sections it carries out changed since it was finished."));
        say!("  \"loopwright task reopen {0}\" or \"loopwright task accept {0}\".", task.id.0);
    }
    text("Description", &draft.description);
    if !draft.acceptance.is_empty() {
        let criteria: Vec<String> =
            draft.acceptance.iter().map(|criterion| format!("- {criterion}")).collect();
        text("Done when", &criteria.join("\n"));
    }
    text("Tests", &draft.test_strategy);
    let sections: Vec<String> = detail
        .sections
        .iter()
        .map(|section| {
            let note = if changed.contains(&section.id) { "  (changed since)" } else { "" };
            format!("{} {} {}{note}", section.id, section.number, section.title)
        })
        .collect();
    text("Spec", &sections.join("\n"));
    text("Notes", &draft.notes);
    attempts(detail);
    history(&detail.journal);
}

fn facts(detail: &TaskDetail) -> String {
    let (task, draft) = (&detail.task, &detail.task.draft);
    let mut facts = vec![detail.wave.map_or_else(|| "in no wave".to_owned(), |wave| format!("wave {wave}"))];
    facts.push(format!("priority {}", draft.priority));
    facts.extend(draft.kind.map(|kind| kind.to_string()));
    facts.extend(draft.size.map(|size| format!("size {size}")));
    if draft.complexity > 0 {
        facts.push(format!("complexity {}", draft.complexity));
    }
    facts.extend(draft.tag.as_ref().map(|tag| format!("tag {}", plain(tag))));
    facts.extend(task.external.as_ref().map(|name| format!("called {} where it comes from", plain(name))));
    facts.join(" · ")
}

fn text(title: &str, text: &str) {
    if !text.trim().is_empty() {
        say!("\n{}", styled(HEADING, title));
        plain_text(text).trim_end().lines().for_each(|line| say!("{}", format!("  {line}").trim_end()));
    }
}

fn attempts(detail: &TaskDetail) {
    if detail.attempts.is_empty() {
        return;
    }
    let failed = detail.task.failures;
    let counted = output::count(detail.task.attempts as usize, "attempt", "attempts");
    say!("\n{}  {}", styled(HEADING, "Attempts"), styled(QUIET, format!("{counted}, {failed} failed")));
    for row in &detail.attempts {
        let outcome = row.outcome.map_or_else(|| "under way".to_owned(), |outcome| outcome.to_string());
        let message = row.message.as_deref().map(plain).unwrap_or_default();
        let when = styled(QUIET, local_time(&row.started_at));
        let which = format!("iteration {}", row.number + 1);
        say!("  {when}  {which:12}  {outcome:10} {:>7}  {}", elapsed(row.elapsed_ms), message.trim_end());
    }
}

fn history(journal: &[EventEnvelope]) {
    say!("\n{}", styled(HEADING, "History"));
    for envelope in journal {
        say!("  {}  {}", styled(QUIET, local_time(&envelope.at)), plain(&told(&envelope.event)));
    }
}

fn told(event: &Event) -> String {
    match event {
        Event::TaskAdded { .. } => "added".to_owned(),
        Event::TaskEdited { fields, .. } => format!("changed: {}", fields.join(", ").replace('_', " ")),
        Event::TaskStatusChanged { from, to, reason, .. } => {
            let reason = reason.as_ref().map(|reason| format!(": {reason}"));
            format!("{from} → {to}{}", reason.unwrap_or_default()).replace('_', " ")
        }
        Event::GateOpened { gate, .. } => format!("gate {gate} opened"),
        Event::LearningRecorded { text, .. } => format!("learned: {text}"),
        other => other.name().to_owned(),
    }
}

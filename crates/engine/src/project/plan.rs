//! A project's spec and tasks, for whoever has the project open.

use std::path::{Path, PathBuf};

use loopwright_domain::{
    ErrorCode, Fault, Issue, Iteration, NextAction, Origin, SectionId, SectionRevision, Severity, Task,
    TaskDraft, TaskFilter, TaskId, Term,
};
use loopwright_plan::import::{ExportReport, ExportRequest, ImportReport, ImportRequest, Synced};
use loopwright_plan::spec::{
    NewTerm, SectionEdit, SectionRow, SourceState, SpecCheck, SpecExport, SpecImport, SpecSection,
    SpecSource, SpecTemplate,
};
use loopwright_plan::task::{BulkEdit, HandWork, Moved, TaskBoard};
use loopwright_plan::{Authority, Plan};

use crate::project::{Project, ProjectSpec, ProjectTasks};

impl Authority for Project {
    fn require_person(&self, action: &str) -> Result<(), Fault> {
        Self::require_person(self, action)
    }
}

impl Project {
    pub(crate) fn plan(&self) -> Plan<'_> {
        Plan::new(self.host(), self.layout(), self.store(), self)
    }
}

impl ProjectSpec<'_> {
    /// What is behind the spec: finished tasks whose sections changed, and documents that changed, are gone, or depend on one
    /// that changed. What the check `spec-drift` finds.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn drift(self) -> Result<Vec<Issue>, Fault> {
        let issue = |file: Option<String>, message: String| Issue {
            severity: Severity::Error,
            file,
            line: None,
            message,
        };
        let mut found = Vec::new();
        let sections = self.sections().await?;
        for stale in self.project.store().stale_tasks().await? {
            let Some(section) = sections.iter().map(|one| &one.section).find(|one| one.id == stale.section)
            else {
                continue;
            };
            let message = format!(
                "section {} \"{}\" changed after task #{} was finished: bring its work up to date",
                section.number, section.title, stale.task.0
            );
            found.push(issue(section.file.clone(), message));
        }
        for source in self.sources().await? {
            let file = Some(source.file.clone());
            match source.state {
                SourceState::Changed => {
                    found.push(issue(file.clone(), "changed since it was imported into the spec".to_owned()));
                }
                SourceState::Missing => {
                    found.push(issue(
                        file.clone(),
                        "is gone, and its sections are still in the spec".to_owned(),
                    ));
                }
                SourceState::Current => {}
            }
            for other in &source.outdated_by {
                found.push(issue(file.clone(), format!("depends on {other}, which changed since")));
            }
        }
        Ok(found)
    }

    /// The sections in a list.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn rows(self) -> Result<Vec<SectionRow>, Fault> {
        self.project.plan().section_rows().await
    }

    /// Every section in full, in the order of its document.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn sections(self) -> Result<Vec<SpecSection>, Fault> {
        self.project.plan().spec().await
    }

    /// One section, by its id (`7` or `§7`), its dotted number, or its heading.
    ///
    /// # Errors
    /// There is none, or there are several.
    pub async fn find(self, name: &str) -> Result<SpecSection, Fault> {
        self.project.plan().section(name).await
    }

    /// What a section said before, the newest first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn history(self, id: SectionId) -> Result<Vec<SectionRevision>, Fault> {
        Ok(self.project.store().section_history(id).await?)
    }

    /// The sections that speak of some words, best first. Any text may be asked for.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn search(self, text: &str, limit: u32) -> Result<Vec<SpecSection>, Fault> {
        self.project.plan().search_spec(text, limit).await
    }

    /// What importing documents would change. Nothing is written.
    ///
    /// # Errors
    /// A document cannot be read.
    pub async fn preview_import(self, paths: &[PathBuf], replace: bool) -> Result<SpecImport, Fault> {
        self.project.plan().preview_import(paths, replace).await
    }

    /// The documents of the spec, and which of them changed since they were imported or depend on one that did.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn sources(self) -> Result<Vec<SpecSource>, Fault> {
        self.project.plan().spec_sources().await
    }

    /// Writes the whole spec as Markdown, to a file or only as text. A file that is there is left alone unless `force`
    /// says to replace it; a document of the spec is never replaced.
    ///
    /// # Errors
    /// There is such a file, or it cannot be written.
    pub async fn export(self, out: Option<&Path>, force: bool) -> Result<SpecExport, Fault> {
        self.project.plan().export_spec(out, force).await
    }

    /// Imports documents: files, and all documents of folders. Whole or not at all; sections of other documents and
    /// those written by hand are not touched.
    ///
    /// # Errors
    /// A document cannot be read, or an agent asks. Then nothing has changed.
    pub async fn import(self, paths: &[PathBuf], replace: bool, origin: Origin) -> Result<SpecImport, Fault> {
        self.project.plan().import_spec(paths, replace, origin).await
    }

    /// Writes a new section by hand, below another one or at the end.
    ///
    /// # Errors
    /// It has no title, there is no section to put it below, or an agent asks.
    pub async fn add(
        self,
        title: &str,
        content: &str,
        under: Option<&str>,
        origin: Origin,
    ) -> Result<SpecSection, Fault> {
        self.project.plan().add_section(title, content, under, origin).await
    }

    /// Changes a section. Another import of its document leaves it as it is then.
    ///
    /// # Errors
    /// There is no such section, it would have no title, or an agent asks.
    pub async fn edit(self, id: SectionId, edit: &SectionEdit, origin: Origin) -> Result<SpecSection, Fault> {
        self.project.plan().edit_section(id, edit, origin).await
    }

    /// Removes sections, and with them their links to tasks.
    ///
    /// # Errors
    /// One of them is not there, or an agent asks. Then nothing has changed.
    pub async fn remove(self, ids: &[SectionId], origin: Origin) -> Result<(), Fault> {
        self.project.plan().remove_sections(ids, origin).await
    }

    /// Judges the spec and the tasks by rules, without a model.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn check(self) -> Result<SpecCheck, Fault> {
        self.project.plan().check_spec().await
    }

    /// All templates: the project's own by name, then those built in that it does not replace.
    ///
    /// # Errors
    /// One of the project's own cannot be read.
    pub fn templates(self) -> Result<Vec<SpecTemplate>, Fault> {
        self.project.plan().templates()
    }

    /// One template by its name.
    ///
    /// # Errors
    /// There is none, or it cannot be read.
    pub fn template(self, name: &str) -> Result<SpecTemplate, Fault> {
        self.project.plan().template(name)
    }

    /// Makes a template of the project's own, as a copy of another one to be edited.
    ///
    /// # Errors
    /// The name is no word, there is such a file, or an agent asks.
    pub fn new_template(self, name: &str, from: &str) -> Result<SpecTemplate, Fault> {
        self.project.plan().new_template(name, from)
    }

    /// Every term, by name.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn terms(self) -> Result<Vec<Term>, Fault> {
        self.project.plan().terms().await
    }

    /// The terms that have some words in their names or definitions, best first. Any text may be asked for.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn search_terms(self, text: &str, limit: u32) -> Result<Vec<Term>, Fault> {
        self.project.plan().search_terms(text, limit).await
    }

    /// Adds a term, or replaces the one with its name.
    ///
    /// # Errors
    /// It cannot be as it is, one of its words belongs to another term, or an agent asks.
    pub async fn put_term(self, term: NewTerm, origin: Origin) -> Result<Term, Fault> {
        self.project.plan().put_term(term, origin).await
    }

    /// Removes terms by their names: all or none.
    ///
    /// # Errors
    /// One of them is not there, or an agent asks. Then nothing has changed.
    pub async fn remove_terms(self, names: &[String], origin: Origin) -> Result<Vec<Term>, Fault> {
        self.project.plan().remove_terms(names, origin).await
    }
}

impl ProjectTasks<'_> {
    /// One task.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn find(self, id: TaskId) -> Result<Task, Fault> {
        self.project.plan().find_task(id).await
    }

    /// What a run over the meant tasks would take next.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn next(self, filter: &TaskFilter) -> Result<Option<Task>, Fault> {
        self.project.plan().next_task(filter).await
    }

    /// Adds a task.
    ///
    /// # Errors
    /// It cannot be as it is, an agent asks, or the state cannot be written.
    pub async fn add(self, draft: TaskDraft) -> Result<TaskId, Fault> {
        self.project.plan().add_task(draft).await
    }

    /// Changes many tasks at once, all of them or none.
    ///
    /// # Errors
    /// As [`ProjectTasks::edit`].
    pub async fn edit_many(self, ids: &[TaskId], edit: &BulkEdit, origin: Origin) -> Result<Moved, Fault> {
        self.project.plan().edit_tasks(ids, edit, origin).await
    }

    /// Removes tasks that nobody ever worked on, all of them or none, and returns them as they were.
    ///
    /// # Errors
    /// There is no such task, one was worked on, another one waits for it, an agent asks, or the state cannot be written.
    pub async fn remove(self, ids: &[TaskId], origin: Origin) -> Result<Vec<Task>, Fault> {
        self.project.plan().remove_tasks(ids, origin).await
    }

    /// Lets a task wait for others.
    ///
    /// # Errors
    /// It would wait for itself, for nothing or in a circle, an agent asks, or the state cannot be written.
    pub async fn depend(self, id: TaskId, on: &[TaskId], origin: Origin) -> Result<Moved, Fault> {
        self.project.plan().depend(id, on, origin).await
    }

    /// Lets a task no longer wait for others.
    ///
    /// # Errors
    /// There is no such task, an agent asks, or the state cannot be written.
    pub async fn undepend(self, id: TaskId, on: &[TaskId], origin: Origin) -> Result<Moved, Fault> {
        self.project.plan().undepend(id, on, origin).await
    }

    /// Puts a task right before another one of its wave, or last, by changing as few priorities as can be.
    ///
    /// # Errors
    /// There is no such task, they are in different waves, an agent asks, or the state cannot be written.
    pub async fn place(self, id: TaskId, before: Option<TaskId>, origin: Origin) -> Result<Moved, Fault> {
        self.project.plan().place_task(id, before, origin).await
    }

    /// Reads tasks from a file: new ones are added, those that came from it before are brought up to date. Whole or
    /// not at all.
    ///
    /// # Errors
    /// The file cannot be read or understood, or an agent asks. Then nothing has changed.
    pub async fn import(self, request: &ImportRequest, origin: Origin) -> Result<ImportReport, Fault> {
        self.project.plan().import_tasks(request, origin).await
    }

    /// Writes tasks as a file of another tool, or as our own.
    ///
    /// # Errors
    /// There is no such tag, the format cannot hold them, or the file is something else or cannot be written.
    pub async fn export(self, request: &ExportRequest) -> Result<ExportReport, Fault> {
        self.project.plan().export_tasks(request).await
    }

    /// Writes where tasks stand into the files they came from: nothing but their statuses is changed. What could not
    /// be written is told, and is no reason to stop: a later call writes it.
    pub async fn sync_external(self, tasks: &[TaskId]) -> Synced {
        self.project.plan().sync_external(tasks).await
    }

    /// Whether a file would have to be changed, or cannot be looked at, to be in step with these tasks.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) async fn is_out_of_step(self, tasks: &[TaskId]) -> Result<bool, Fault> {
        self.project.plan().is_out_of_step(tasks).await
    }

    /// Tasks that the files they came from do not know to stand where they do: somebody ended before it was written,
    /// or it could not be. What is worked on is written when that is settled.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) async fn behind(self) -> Result<Vec<TaskId>, Fault> {
        self.project.plan().behind().await
    }

    /// Makes sure that the tasks of a SCUD tag are in the project: those of `.scud/tasks/<tag>.json`, else of the graph.
    /// Tasks that are there are brought up to date, but for where they stand. Whether there was such a file.
    ///
    /// # Errors
    /// The file cannot be understood, or the state cannot be written.
    pub async fn ensure_imported(self, tag: &str, origin: Origin) -> Result<bool, Fault> {
        self.project.plan().ensure_imported(tag, origin).await
    }

    /// All tasks as they would be after [`ProjectTasks::ensure_imported`]. Nothing is written.
    ///
    /// # Errors
    /// As there.
    pub(crate) async fn list_as_imported(self, tag: Option<&str>) -> Result<Vec<Task>, Fault> {
        self.project.plan().tasks_as_imported(tag).await
    }

    /// All tasks and how they hang together.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn board(self) -> Result<TaskBoard, Fault> {
        self.project.plan().task_board(self.work_by_hand().await?).await
    }

    /// The tasks that have failed at least so often over all runs, the most often first; without a number as often as
    /// `run.max_total_failures` allows. What a person has forgiven does not count.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn chronic(self, failures: Option<u32>) -> Result<Vec<Task>, Fault> {
        let configured = || {
            let failures = self.project.config().value(loopwright_config::key::RUN_MAX_TOTAL_FAILURES);
            u32::try_from(failures).unwrap_or(u32::MAX)
        };
        self.project.plan().chronic_tasks(failures.unwrap_or_else(configured)).await
    }

    /// What a person works on, between `begin` and `finish`.
    pub(crate) async fn work_by_hand(self) -> Result<Option<HandWork>, Fault> {
        let unsettled = self.project.store().unsettled().await?;
        let Some(iteration) = unsettled.into_iter().find(|iteration| iteration.by_hand) else {
            return Ok(None);
        };
        let prompt_file = self.project.iterations().files(&iteration).prompt().display().to_string();
        let (id, started_at) = (iteration.id, iteration.started_at);
        Ok(iteration.task.map(|task| HandWork { task, iteration: id, prompt_file, started_at }))
    }

    /// While a person works on a task, no run begins.
    pub(crate) async fn refuse_work_by_hand(self) -> Result<(), Fault> {
        match self.iteration_by_hand().await?.and_then(|iteration| iteration.task) {
            None => Ok(()),
            Some(task) => Err(Fault::new(ErrorCode::RunLocked, format!("you work on task {task} by hand"))
                .next(NextAction::FinishTask, "End it")
                .next(NextAction::GiveUpTask, "Give it up")),
        }
    }

    /// The iteration of a person at work, if there is one.
    pub(crate) async fn iteration_by_hand(self) -> Result<Option<Iteration>, Fault> {
        Ok(self.project.store().unsettled().await?.into_iter().find(|iteration| iteration.by_hand))
    }
}

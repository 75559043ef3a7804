//! Reading iterations: a page of the list in any order, and one of them in full.

use std::fs::File;
use std::io::Read;
use std::path::Path;

use loopwright_domain::sanitize;
use loopwright_domain::{ErrorCode, FailureCause, Fault, Iteration, IterationId, NextAction, Run, RunId};
use loopwright_store::IterationKey;

use crate::project::ProjectIterations;
use crate::watch::diff::not_in_git;
use crate::watch::iteration_model::{
    IterationColumn, IterationDetail, IterationPage, IterationRow, IterationSort, KeptText,
};
use crate::watch::run_state::RunSummary;

/// The longest page.
const MOST_ROWS: u32 = 500;
/// As much of a prompt or a response as is shown.
const MOST_TEXT: u64 = 1024 * 1024;
/// As many events as are shown; an iteration has a dozen.
const MOST_EVENTS: u32 = 1_000;

impl ProjectIterations<'_> {
    /// A part of the list of a run's iterations; of the last run without an id. Nothing when there was never a run.
    ///
    /// # Errors
    /// More than 500 are asked for, there is no such run, or the state cannot be read.
    pub async fn page(
        self,
        run: Option<RunId>,
        sort: IterationSort,
        offset: u32,
        limit: u32,
    ) -> Result<IterationPage, Fault> {
        if limit > MOST_ROWS {
            return Err(Fault::new(ErrorCode::UsageInvalid, "that is too much for one page")
                .hint(format!("Ask for {MOST_ROWS} iterations at most.")));
        }
        let run = match run {
            Some(_) => Some(self.project.runs().find(run).await?),
            None => self.project.store().latest_run().await?,
        };
        let Some(run) = run else { return Ok(IterationPage { total: 0, rows: Vec::new() }) };
        let total = self.project.store().iteration_count(run.id).await?;
        let (key, descending) = (key_of(sort.column), sort.descending);
        let found = self.project.store().sorted_iterations(run.id, key, descending, offset, limit).await?;
        Ok(IterationPage { total, rows: self.rows(found).await? })
    }

    /// Iterations as they are listed.
    ///
    /// # Errors
    /// The state cannot be read.
    pub(crate) async fn rows(self, iterations: Vec<Iteration>) -> Result<Vec<IterationRow>, Fault> {
        let mut rows = Vec::with_capacity(iterations.len());
        for iteration in iterations {
            let failed_checks = match iteration.cause {
                Some(FailureCause::Checks) => self.failed_checks(iteration.id).await?,
                _ => Vec::new(),
            };
            rows.push(IterationRow::new(iteration, failed_checks));
        }
        Ok(rows)
    }

    async fn failed_checks(self, id: IterationId) -> Result<Vec<String>, Fault> {
        let results = self.project.store().check_results(id).await?;
        let failed = results.into_iter().filter(|result| result.required && result.failed());
        Ok(failed.map(|result| result.name).collect())
    }

    /// An iteration by its id.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn find(self, id: IterationId) -> Result<Iteration, Fault> {
        self.project.store().iteration(id).await?.ok_or_else(|| {
            Fault::new(ErrorCode::RunNotFound, "there is no such iteration")
                .next(NextAction::ListRuns, "See the runs of this project")
        })
    }

    /// An iteration in full, but for its output and its diff.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn detail(self, id: IterationId) -> Result<IterationDetail, Fault> {
        let iteration = self.find(id).await?;
        let run = self.project.runs().find(Some(iteration.run)).await?;
        let [previous, next] = self.project.store().iterations_beside(&iteration).await?;
        let files = self.files(&iteration);
        Ok(IterationDetail {
            previous,
            next,
            prompt: kept_text(&files.prompt()),
            response: kept_text(&files.response()),
            checks: self.project.store().check_results(id).await?,
            journal: self.project.store().events_of(id, MOST_EVENTS).await?,
            no_tree: self.no_tree(&run, &iteration),
            run: RunSummary::new(&run, self.project.runs().live().is_some()),
            iteration,
        })
    }

    /// Why not both trees of an iteration are there.
    fn no_tree(self, run: &Run, iteration: &Iteration) -> Option<Fault> {
        let lacking = self.not_saved(run, iteration);
        (iteration.tree_before.is_none() || iteration.tree_after.is_none()).then_some(lacking)
    }

    /// Why a tree of an iteration was not saved, in words.
    pub(crate) fn not_saved(self, run: &Run, iteration: &Iteration) -> Fault {
        let fault = |message: &str| Fault::new(ErrorCode::TreeNotSaved, message);
        if self.project.layout().repository.is_none() {
            return not_in_git();
        }
        match (&iteration.tree_before, iteration.outcome) {
            (None, _) if !saves_trees(run) => fault("checkpoints were switched off for this run")
                .hint("Switch on git.checkpoints; the next run saves the files."),
            (None, None) => fault("the files are not saved yet").hint("Wait until the agent has begun."),
            (None, Some(_)) => {
                fault("it ended before the files were saved").hint("Look at the iteration before it.")
            }
            (Some(_), None) => fault("the agent is not done yet").hint("Wait until it has ended."),
            (Some(_), Some(_)) => fault("it was cut off before its work was saved")
                .hint("The next iteration begins with what it left."),
        }
    }
}

/// Whether a run saves the tree before its agents.
fn saves_trees(run: &Run) -> bool {
    let options: Option<crate::prepare::options::RunOptions> = serde_json::from_str(&run.options).ok();
    options.is_none_or(|options| options.git.checkpoints || options.git.auto_commit)
}

const fn key_of(column: IterationColumn) -> IterationKey {
    match column {
        IterationColumn::Number => IterationKey::Number,
        IterationColumn::Started => IterationKey::Started,
        IterationColumn::Duration => IterationKey::Duration,
        IterationColumn::Exit => IterationKey::Exit,
        IterationColumn::Outcome => IterationKey::Outcome,
        IterationColumn::Tokens => IterationKey::Tokens,
        IterationColumn::Cost => IterationKey::Cost,
    }
}

impl IterationRow {
    fn new(iteration: Iteration, failed_checks: Vec<String>) -> Self {
        Self {
            id: iteration.id,
            number: iteration.number,
            attempt: iteration.attempt,
            task: iteration.task,
            phase: iteration.phase,
            harness: iteration.agent.harness,
            model: iteration.agent.model,
            outcome: iteration.outcome,
            cause: iteration.cause,
            message: iteration.message,
            failed_checks,
            started_at: iteration.started_at,
            elapsed_ms: iteration.elapsed_ms,
            exit_code: iteration.exit_code,
            exit_signal: iteration.exit_signal,
            tokens: iteration.usage.tokens(),
            cost_micros: iteration.usage.cost_micros,
            estimated: iteration.usage.estimated,
            preview: iteration.preview,
            commit: iteration.commit,
        }
    }
}

/// The beginning of a file, without control characters. A file that is not there is empty.
fn kept_text(path: &Path) -> KeptText {
    let Ok(file) = File::open(path) else { return KeptText::default() };
    let bytes = file.metadata().map_or(0, |metadata| metadata.len());
    let mut beginning = Vec::new();
    if file.take(MOST_TEXT).read_to_end(&mut beginning).is_err() {
        return KeptText::default();
    }
    let cut = bytes > beginning.len() as u64;
    let whole = match std::str::from_utf8(&beginning) {
        // Half a character at the end goes too.
        Err(error) if cut && error.error_len().is_none() => error.valid_up_to(),
        _ => beginning.len(),
    };
    let text = String::from_utf8_lossy(&beginning[..whole]);
    KeptText { text: sanitize::strip(&text).into_owned(), bytes, cut }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_cut_between_characters_and_has_no_controls() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("prompt.md");
        assert_eq!(kept_text(&file), KeptText::default());
        std::fs::write(&file, "a\u{1b}[31mb\tc\r\n").unwrap();
        let short = kept_text(&file);
        assert_eq!((short.text.as_str(), short.bytes, short.cut), ("ab\tc\n", 11, false));
        let long = format!("x{}", "茶".repeat(400_000));
        std::fs::write(&file, &long).unwrap();
        let kept = kept_text(&file);
        assert!(kept.cut && kept.bytes == 1_200_001 && long.starts_with(&kept.text));
        assert_eq!(kept.text.len(), 1_048_576);
        std::fs::write(&file, format!("xy{}", "茶".repeat(400_000))).unwrap();
        assert_eq!(kept_text(&file).text.len(), 1_048_574);
    }
}

//! What an agent came to: its end, its claim, and what it learned.

use loopwright_domain::promise::{Expected, find_claim};
use loopwright_domain::{Claim, EndCause, Event, ExitReason, FailureCause, Fault, Iteration, Phase};

use super::agent::Performance;
use super::crash;
use super::driver::{Driver, Ending};
use super::files::IterationFiles;
use super::report;
use super::signal;

/// How much of the agent's last words is shown in lists.
const PREVIEW: usize = 500;
/// The promise that counts for a task.
const TASK_PROMISE: &str = "COMPLETE";

impl Driver<'_> {
    /// Writes down what the agent came to.
    pub(super) async fn agent_done(
        &mut self,
        iteration: &mut Iteration,
        files: &IterationFiles,
        played: Result<(Performance, signal::Said), Fault>,
    ) -> Result<Option<Ending>, Fault> {
        self.tree.look(&self.project.layout().database())?;
        iteration.phase = Phase::AgentDone;
        let (performance, said) = match played {
            Ok(played) => played,
            Err(fault) => {
                iteration.cause = Some(FailureCause::NotStarted);
                iteration.message = Some(report::fault(&fault));
                iteration.tree_after = iteration.tree_before.clone();
                let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::AgentDone };
                self.write(iteration, &[], vec![phase]).await?;
                return Ok(None);
            }
        };
        let learned = self.take_performance(iteration, &performance, &said);
        self.meet_trouble(iteration, &performance);
        iteration.tree_after = self.tree_now(iteration).await?;
        let text = self.secrets.redact(&performance.reading.own_text).into_owned();
        let kept = files.write(&files.response(), &text);
        let ended = Event::AgentEnded {
            iteration: iteration.id,
            end: performance.end,
            exit_code: performance.exit_code,
            elapsed_ms: iteration.agent_ms,
            strays: performance.strays.clone(),
        };
        self.write(iteration, &[], [ended].into_iter().chain(learned).collect()).await?;
        crash::point("agent_done.after");
        self.observer.response(iteration, &text);
        let notes =
            performance.notes.into_iter().chain(said.problem).chain(kept.err().map(|fault| fault.message));
        for note in notes {
            self.warn(Some(iteration.id), note).await?;
        }
        self.pause = performance.pause.or(self.pause);
        match performance.stopped_for {
            Some(ExitReason::Cancelled) => {
                self.settle_interrupted(iteration).await?;
                Ok(Some(ExitReason::Cancelled.into()))
            }
            // The next iteration does not start; this one is judged, for its agent ended by itself.
            Some(ExitReason::Money | ExitReason::Tokens) if performance.end == EndCause::Exited => Ok(None),
            Some(reason) if performance.end != EndCause::Exited => {
                self.settle_interrupted(iteration).await?;
                Ok(Some(reason.into()))
            }
            Some(reason) => Ok(Some(reason.into())),
            None if iteration.outcome.is_some() => Ok(None),
            None => {
                let ending = self.between_phases().await?;
                if ending.as_ref().is_some_and(|ending| ending.reason == ExitReason::Cancelled) {
                    self.settle_interrupted(iteration).await?;
                }
                Ok(ending)
            }
        }
    }

    /// Takes over what the agent came to, and returns what it learned.
    fn take_performance(
        &self,
        iteration: &mut Iteration,
        played: &Performance,
        said: &signal::Said,
    ) -> Vec<Event> {
        let reading = &played.reading;
        iteration.end = Some(played.end);
        iteration.exit_code = played.exit_code;
        iteration.exit_signal = played.exit_signal;
        iteration.agent_ms = report::millis(played.elapsed);
        iteration.elapsed_ms = iteration.agent_ms;
        iteration.usage = reading.usage;
        let secrets = &self.secrets;
        iteration.preview = report::preview(&secrets.redact(&reading.own_text), PREVIEW);
        // Who works on a task may use the usual word for the promise; a loop asks for its own.
        let promise = self.options.promise.as_deref().or(iteration.task.map(|_| TASK_PROMISE));
        let expected = Expected { promise, plain: self.options.plain_promise };
        iteration.promise_checked = true;
        let (claim, line) = find_claim(&reading.own_text, expected);
        iteration.claim = claim;
        iteration.claim_text = line.map(|line| secrets.redact(line.trim()).into_owned());
        // The signal is the stronger word, but a failure the agent tells of wins over everything.
        let said = match iteration.task {
            Some(_) => said.clone().with_words(&reading.own_text),
            None => said.clone(),
        };
        if let (true, Some((claim, text))) = (claim != Claim::Failure, said.claim()) {
            iteration.claim = claim;
            iteration.claim_text = Some(secrets.redact(&text).into_owned());
        }
        if let Some(problem) = &reading.error {
            iteration.cause = Some(FailureCause::AgentError);
            iteration.message = Some(secrets.redact(&problem.message).into_owned());
        }
        let learned = said.learnings().map(|(category, text)| Event::LearningRecorded {
            learning: 0,
            category,
            text: secrets.redact(text).into_owned(),
            task: iteration.task,
            iteration: Some(iteration.id),
        });
        learned.collect()
    }
}

//! The dispatcher's side of an attempt: every message it can send, with its answer.

use std::future::Future;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;

use loopwright_domain::{Event, Fault, Iteration, IterationId, RunStatus, Usage, WaitReason, caps};

use crate::attempt::link::{AttemptMailbox, AttemptMessage, StopOrder, channel};
use crate::attempt::unit::Attempt;
use crate::dispatch::dispatcher::Dispatcher;
use crate::dispatch::lanes::{AttemptRecord, LaneActivity};
use crate::display_text::named_paths;

/// What can happen while the dispatcher has a piece of work done.
enum ServedActivity<T> {
    Done(T),
    Message(AttemptMessage),
    RequestsDue,
    /// In the lanes work goes on meanwhile.
    Lane(LaneActivity),
}

impl<'a> Dispatcher<'a> {
    /// An attempt with all that it works by as it is now; it belongs to an iteration, or to the run as a whole.
    pub(crate) fn attempt(&self, iteration: Option<&Iteration>) -> (Attempt<'a>, AttemptMailbox) {
        let (link, mailbox) = channel();
        let attempt = Attempt {
            project: self.project,
            run: self.run.clone(),
            options: self.options.clone(),
            harness: self.harness.clone(),
            sandbox: self.sandbox.clone(),
            prices: self.prices.clone(),
            config: Arc::clone(&self.config),
            checks: self.checks.clone(),
            secrets: self.secrets.clone(),
            tree: self.tree.clone(),
            automation: self.automation(),
            number: iteration.map_or(1, |iteration| self.attempt_number(iteration)),
            last: self.last.clone(),
            not_needed: self.not_needed.clone(),
            hook_edited: self.hook_edited,
            link,
        };
        (attempt, mailbox)
    }

    /// Has a piece of an attempt's work done, and answers it meanwhile. The work is boxed at once: it is large, and would
    /// else be part of every future that waits for it.
    pub(crate) fn serve<T: Send>(
        &mut self,
        mailbox: AttemptMailbox,
        work: impl Future<Output = T> + Send,
    ) -> impl Future<Output = T> + Send {
        let work = Box::pin(work);
        self.answer_until(mailbox, work)
    }

    async fn answer_until<T>(
        &mut self,
        mut mailbox: AttemptMailbox,
        mut work: Pin<Box<impl Future<Output = T>>>,
    ) -> T {
        let mut record = AttemptRecord::default();
        loop {
            let activity = tokio::select! {
                // It is heard before it works on, so that what it tells does not pile up.
                biased;
                Some(message) = mailbox.messages.recv() => ServedActivity::Message(message),
                () = self.steering.due() => ServedActivity::RequestsDue,
                done = &mut work => ServedActivity::Done(done),
                activity = self.lanes.next_activity() => ServedActivity::Lane(activity),
            };
            let done = match activity {
                ServedActivity::Message(message) => {
                    answer_beside(&mut work, self.answer_attempt(&mut record, message)).await
                }
                ServedActivity::Lane(activity) => answer_beside(&mut work, self.answer_lane(activity)).await,
                ServedActivity::RequestsDue => {
                    let stop = &mailbox.stop;
                    let hand_on = async {
                        if let Some(order) = self.hand_on_pending().await {
                            stop.send_replace(Some(order));
                        }
                    };
                    answer_beside(&mut work, hand_on).await
                }
                ServedActivity::Done(done) => Some(done),
            };
            if let Some(done) = done {
                while let Ok(message) = mailbox.messages.try_recv() {
                    self.answer_attempt(&mut record, message).await;
                }
                return done;
            }
        }
    }

    /// Answers what happens in a lane. An end waits there until it is concluded.
    pub(crate) async fn answer_lane(&mut self, activity: LaneActivity) {
        let LaneActivity::Message(place, message) = activity else { return };
        let mut record = self.lanes.record(place).map(std::mem::take).unwrap_or_default();
        self.answer_attempt(&mut record, message).await;
        if let Some(kept) = self.lanes.record(place) {
            *kept = record;
        }
        self.stop_at_cap();
    }

    /// Stops all attempts when they reach a cap together.
    fn stop_at_cap(&self) {
        let used = self.lanes.used();
        if used != Usage::default()
            && let Some(reason) = caps::reached(&self.run.progress.usage.plus(&used), &self.run.limits)
        {
            self.lanes.stop(StopOrder::Cap(reason));
        }
    }

    /// Everything that an attempt can tell, with the answer to it.
    async fn answer_attempt(&mut self, record: &mut AttemptRecord, message: AttemptMessage) {
        match message {
            AttemptMessage::Write { iteration, checks, events, reply } => {
                let written = self.write(&iteration, &checks, events).await;
                record.iteration = Some(*iteration);
                let _ = reply.send(written);
            }
            AttemptMessage::Warn { iteration, message, reply } => {
                let _ = reply.send(self.warn(iteration, message).await);
            }
            AttemptMessage::WarnAtOnce { iteration, message, reply } => {
                if self.warn(Some(iteration), message.clone()).await.is_err() {
                    let warning = Event::RunWarning { run: self.run.id, iteration: Some(iteration), message };
                    self.journal.tell_only(self.observer, warning);
                }
                let _ = reply.send(());
            }
            AttemptMessage::Saved { reply } => {
                self.backup.before_agent(self.project, &self.tree, !self.sandbox.can_mount()).await;
                let _ = reply.send(());
            }
            AttemptMessage::DiskFull { message, reply } => {
                let told = match self.run.waiting {
                    Some(WaitReason::Disk) => Ok(()),
                    _ => self.set_status(RunStatus::Waiting, Some(WaitReason::Disk), message).await,
                };
                let _ = reply.send(told);
            }
            AttemptMessage::DiskTried { saved: true } => self.run.waiting = None,
            AttemptMessage::DiskTried { saved: false } => self.run.status = RunStatus::Running,
            AttemptMessage::Agent(event) => {
                if let Some(iteration) = &record.iteration {
                    self.observer.agent(iteration, &event);
                }
            }
            AttemptMessage::Used(usage) => record.used = usage,
            AttemptMessage::Trouble { agent, trouble, reply } => {
                let _ = reply.send(self.meet_trouble(agent, trouble));
            }
            AttemptMessage::Unstartable { agent, fault } => self.cannot_start(&agent, &fault),
            AttemptMessage::Response(text) => {
                if let Some(iteration) = &record.iteration {
                    self.observer.response(iteration, &text);
                }
            }
            AttemptMessage::CheckStarted(name) => self.observer.check_started(&name),
            AttemptMessage::CheckEnded(result) => self.observer.check_ended(&result),
            AttemptMessage::ShowAgain { from } => self.run.approved_tree = from,
            AttemptMessage::FilesMade { iteration, files, reply } => {
                let _ = reply.send(self.tell_made(iteration, files).await);
            }
            AttemptMessage::NotNeeded(files) => self.not_needed.extend(files),
        }
    }

    /// Names the new files that checks made, each once.
    async fn tell_made(&mut self, iteration: IterationId, made: Vec<PathBuf>) -> Result<(), Fault> {
        let new: Vec<PathBuf> = made.into_iter().filter(|path| self.told_made.insert(path.clone())).collect();
        if new.is_empty() {
            return Ok(());
        }
        let told = format!("checks made new files, which are not committed: {}", named_paths(&new));
        self.warn(Some(iteration), told).await
    }
}

/// Gives an answer while the work goes on, and returns what the work came to if it ended meanwhile. Work that nobody polls
/// could hold for ever what the answer waits for, such as the state's only reader.
async fn answer_beside<T>(
    work: &mut (impl Future<Output = T> + Unpin),
    answer: impl Future<Output = ()>,
) -> Option<T> {
    let mut answer = pin!(answer);
    tokio::select! {
        biased;
        () = &mut answer => None,
        done = work => {
            answer.await;
            Some(done)
        }
    }
}

#[cfg(test)]
mod tests {
    use tokio::sync::Mutex;
    use tokio::task::yield_now;

    use super::answer_beside;

    #[tokio::test]
    async fn an_answer_gets_what_the_work_holds() {
        let reader = Mutex::new(());
        let mut work = Box::pin(async {
            let held = reader.lock().await;
            yield_now().await;
            yield_now().await;
            drop(held);
            std::future::pending::<()>().await;
        });
        let begun = answer_beside(&mut work, yield_now()).await;
        assert_eq!(begun, None, "the work holds the reader and goes on");
        // Without the work going on this would never end.
        let answered = answer_beside(&mut work, async { drop(reader.lock().await) }).await;
        assert_eq!(answered, None);
    }

    #[tokio::test]
    async fn work_that_ends_meanwhile_is_kept_and_the_answer_is_given() {
        let mut told = false;
        let mut work = Box::pin(async { 7 });
        let done = answer_beside(&mut work, async {
            yield_now().await;
            yield_now().await;
            told = true;
        })
        .await;
        assert_eq!((done, told), (Some(7), true));
    }
}

//! Following a project from outside of its run: what happened, where the run stands, what its agent prints. All of it
//! is read from what the run writes down, so that it is the same for a run of this process and for any other's.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use loopwright_config::{Host, Layout};
use loopwright_domain::{ErrorCode, EventEnvelope, EventSeq, Fault, NextAction, Usage};
use loopwright_transcript::Outputs;
use tokio::sync::Notify;
use tokio::time::Instant;

use crate::background;
use crate::project::{Project, ProjectEvents};
use crate::run_lock::{self, Holder};
use crate::watch::follow_output::Followed;
use crate::watch::run_state::{RunState, RunUpdate};

/// How often is looked while a run works.
const LIVE: Duration = Duration::from_millis(50);
/// And while none does.
const IDLE: Duration = Duration::from_millis(150);
/// Batches do not come closer than this.
const APART: Duration = Duration::from_millis(33);
/// How long after a failure is tried again.
const AGAIN: Duration = Duration::from_millis(500);
/// How many events a batch holds at most.
const EVENTS: u32 = 1000;

/// Follows a project. It has its own view of the state, opened when it is needed and opened anew when the state was
/// exchanged, and never makes any.
#[derive(Debug)]
pub struct Follower {
    host: Host,
    root: PathBuf,
    project: Option<Project>,
    waker: FollowWaker,
    /// The newest event that was told.
    told: EventSeq,
    /// What was told about the run; none before anything was.
    state: Option<Seen>,
    /// What was told about the newest iteration's output.
    output: Option<Followed>,
    /// What is known about files; none when no output is to be told.
    outputs: Option<Outputs>,
    /// Whether more events are there than were told.
    behind: bool,
    /// When to look again.
    next_look: Instant,
    /// Not before this, whoever wakes.
    not_before: Instant,
}

/// What a told state was made from: it is made again when one of these changes.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Seen {
    seq: EventSeq,
    holder: Option<Holder>,
    /// What the agent under way has used.
    used: Option<Usage>,
}

/// Tells a [`Follower`] that something may have changed, so that it looks at once. Clones wake the same follower.
#[derive(Clone, Debug, Default)]
pub struct FollowWaker(Arc<Notify>);

impl FollowWaker {
    /// Makes the follower look. Never waits.
    pub fn wake(&self) {
        self.0.notify_one();
    }
}

/// What one look found.
#[derive(Default)]
struct Polled {
    newest: EventSeq,
    events: Vec<EventEnvelope>,
    state: Option<(Seen, Option<Box<RunState>>)>,
    output: Option<Followed>,
    printed: Vec<RunUpdate>,
    live: bool,
}

impl ProjectEvents<'_> {
    /// Follows this project from a place in history on. The follower is on its own: it may outlive the project.
    #[must_use]
    pub fn follow(self, after: EventSeq) -> Follower {
        let now = Instant::now();
        Follower {
            host: self.project.host().clone(),
            root: self.project.layout().root.clone(),
            project: None,
            waker: FollowWaker::default(),
            told: after,
            state: None,
            output: None,
            outputs: Some(self.project.outputs().clone()),
            behind: false,
            next_look: now,
            not_before: now,
        }
    }
}

impl Follower {
    /// A handle that makes it look at once.
    #[must_use]
    pub fn waker(&self) -> FollowWaker {
        self.waker.clone()
    }

    /// Tells events and states only.
    #[must_use]
    pub fn without_output(mut self) -> Self {
        self.outputs = None;
        self
    }

    /// Who worked here at the last look. Everything they had written down by then is told before this changes.
    #[must_use]
    pub fn live(&self) -> Option<&Holder> {
        self.state.as_ref()?.holder.as_ref()
    }

    /// Whether everything that had happened at the last look was told.
    #[must_use]
    pub const fn is_up_to_date(&self) -> bool {
        !self.behind
    }

    /// Waits for the next batch, which is never empty: events first, then the state, then what was
    /// printed. May be dropped while it waits,
    /// and called again, without losing anything.
    ///
    /// # Errors
    /// The state is gone or cannot be read. The follower tries again when it is called again.
    pub async fn next(&mut self) -> Result<Vec<RunUpdate>, Fault> {
        loop {
            self.wait().await;
            let looked = self.look().await;
            let now = Instant::now();
            self.not_before = now + APART;
            match looked {
                Ok(found) => {
                    self.next_look = now + if found.live { LIVE } else { IDLE };
                    let updates = self.take(found);
                    if !updates.is_empty() {
                        return Ok(updates);
                    }
                }
                Err(fault) => {
                    let was_open = self.project.take().is_some();
                    (self.state, self.behind) = (None, false);
                    if was_open && fault.code == ErrorCode::StoreGone {
                        // Another one may be in its place already.
                        self.next_look = now;
                        continue;
                    }
                    (self.next_look, self.not_before) = (now + AGAIN, now + AGAIN);
                    return Err(fault);
                }
            }
        }
    }

    async fn wait(&self) {
        if self.behind {
            return;
        }
        tokio::time::sleep_until(self.not_before).await;
        tokio::select! {
            () = tokio::time::sleep_until(self.next_look) => {}
            () = self.waker.0.notified() => {}
        }
    }

    /// Looks at everything once and changes nothing that was told.
    async fn look(&mut self) -> Result<Polled, Fault> {
        self.open().await?;
        let Some(project) = &self.project else { return Err(gone()) };
        // Who works is asked first: whoever stops meanwhile has written down everything before.
        let state_dir = project.layout().state_dir.clone();
        let holder = background::run(move || run_lock::holder(&state_dir)).await?;
        let used = self.output.as_ref().filter(|_| holder.is_some()).map(|followed| followed.used(project));
        let seen = Seen { seq: project.events().last().await?, holder, used };
        let mut found = Polled { newest: seen.seq, live: seen.holder.is_some(), ..Polled::default() };
        // A history that is shorter than what was told is another one: all of it is told.
        let told = if seen.seq < self.told { EventSeq(0) } else { self.told };
        if seen.seq > told {
            found.events = project.events().since(told, EVENTS).await?;
        }
        if self.state.as_ref() != Some(&seen) {
            let state = project.runs().state_beside(None, seen.holder.as_ref()).await?;
            found.state = Some((seen, state.map(Box::new)));
        }
        self.look_at_output(project, &mut found).await?;
        Ok(found)
    }

    /// Looks at what the newest iteration printed; and, when it is a new one, at the last words of the one before.
    async fn look_at_output(&self, project: &Project, found: &mut Polled) -> Result<(), Fault> {
        let Some(outputs) = &self.outputs else { return Ok(()) };
        found.output = self.output.clone();
        if let Some((_, state)) = &found.state {
            let newest = match state {
                Some(state) => project.store().last_iterations(state.run.id, 1).await?.pop(),
                None => None,
            };
            let same = newest.as_ref().map(|newest| newest.id) == found.output.as_ref().map(Followed::id);
            match (newest, &mut found.output) {
                (Some(newest), Some(followed)) if same => followed.advance(newest),
                (newest, followed) => {
                    if let Some(followed) = followed {
                        found.printed.extend(followed.look(outputs, false).await?);
                    }
                    *followed = newest.map(|newest| Followed::new(project, newest));
                }
            }
        }
        if let Some(followed) = &mut found.output {
            found.printed.extend(followed.look(outputs, found.live).await?);
        }
        Ok(())
    }

    /// Opens the project where it is now, when it is not open or its state has moved.
    async fn open(&mut self) -> Result<(), Fault> {
        let layout = Layout::of(&self.root)?;
        if !layout.database().exists() {
            return Err(gone());
        }
        let open = self.project.as_ref().map(|project| &project.layout().state_dir);
        if open != Some(&layout.state_dir) {
            self.project = Some(Project::open_layout(&self.host, layout).await?);
        }
        Ok(())
    }

    /// Makes a batch of what was found and remembers it as told.
    fn take(&mut self, found: Polled) -> Vec<RunUpdate> {
        let mut updates = Vec::new();
        if let Some(last) = found.events.last() {
            self.told = last.seq;
            updates.push(RunUpdate::Events { events: found.events });
        }
        self.behind = self.told < found.newest;
        if let Some((seen, mut state)) = found.state {
            // Whoever is told a state takes all events before it for told.
            if let Some(state) = &mut state {
                state.seq = state.seq.min(self.told);
            }
            updates.push(RunUpdate::State { state });
            self.state = Some(seen);
        }
        self.output = found.output;
        updates.extend(found.printed);
        updates
    }
}

fn gone() -> Fault {
    Fault::new(ErrorCode::StoreGone, "the project's state is not there")
        .hint("It was moved or deleted.")
        .next(NextAction::Recover, "Bring back what there is a copy of")
}

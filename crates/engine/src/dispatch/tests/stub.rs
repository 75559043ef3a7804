//! Attempts by script, and a project for them.

use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex};

use loopwright_config::Host;
use loopwright_domain::{
    AgentEvent, AgentProblem, CheckResult, CheckStatus, Claim, ControlKind, EndCause, ErrorCode, Fault,
    Iteration, Origin, Outcome, Phase, ProblemKind, Run, RunId, Task, TaskDraft, Usage,
};
use tokio::sync::Barrier;

use crate::attempt::agent::result::AgentEnd;
use crate::attempt::checks::verify::Verified;
use crate::attempt::link::{AttemptMessage, TroubleAnswer};
use crate::attempt::phases::{AttemptWorker, EndedAttempt, EndedResult, PlannedAttempt, WorkFuture};
use crate::attempt::tree::work_tree::WorkTree;
use crate::attempt::unit::Attempt;
use crate::dispatch::lanes::Lanes;
use crate::observer::Unobserved;
use crate::prepare::request::{Request, RunRequest, TaskSelection};
use crate::project::Project;
use crate::setup::create::NewProject;
use crate::stop::StopHandle;

/// What one attempt does.
#[derive(Clone)]
pub(super) struct Script {
    /// What its agent has used.
    pub(super) used: Usage,
    /// Whether its agent works until it is told to stop.
    pub(super) endless: bool,
    /// Whether it talks all that time.
    pub(super) talks: bool,
    pub(super) exit_code: Option<i32>,
    pub(super) claim: Claim,
    /// What keeps its agent from working.
    pub(super) trouble: Option<ProblemKind>,
    /// Whether its one check is content.
    pub(super) check: CheckStatus,
    /// What it comes to instead of all that.
    pub(super) fault: Option<ErrorCode>,
}

/// An attempt that says it is done, and is right.
pub(super) fn done() -> Script {
    Script {
        used: Usage::default(),
        endless: false,
        talks: false,
        exit_code: Some(0),
        claim: Claim::Signal,
        trouble: None,
        check: CheckStatus::Passed,
        fault: None,
    }
}

/// One whose agent crashes.
pub(super) fn crash() -> Script {
    Script { exit_code: None, claim: Claim::None, ..done() }
}

/// One whose agent works until it is stopped.
pub(super) fn endless() -> Script {
    Script { endless: true, claim: Claim::None, ..done() }
}

/// Which attempt does what: by the task's number, or 0, and how often it was tried.
type Scripts = Box<dyn Fn(u32, u32) -> Script + Send + Sync>;

/// Plays attempts.
pub(super) struct StubWorker {
    scripts: Scripts,
    tries: Mutex<Vec<u32>>,
    /// Holds all attempts until so many work at once.
    together: Option<Arc<Barrier>>,
    pub(super) started: Arc<AtomicU32>,
}

impl StubWorker {
    fn script(&self, iteration: &Iteration) -> Script {
        let task = iteration.task.map_or(0, |task| task.0);
        let mut tries = self.tries.lock().unwrap();
        tries.push(task);
        let count = u32::try_from(tries.iter().filter(|tried| **tried == task).count()).unwrap();
        (self.scripts)(task, count)
    }

    fn last_script(&self, iteration: &Iteration) -> Script {
        let task = iteration.task.map_or(0, |task| task.0);
        let tries = self.tries.lock().unwrap();
        let count = u32::try_from(tries.iter().filter(|tried| **tried == task).count()).unwrap();
        (self.scripts)(task, count)
    }
}

impl AttemptWorker for StubWorker {
    fn run_agent<'a>(
        &self,
        mut attempt: Attempt<'a>,
        planned: PlannedAttempt,
    ) -> WorkFuture<'a, EndedResult> {
        let mut iteration = planned.iteration;
        let script = self.script(&iteration);
        let (together, started) = (self.together.clone(), self.started.clone());
        Box::pin(async move {
            iteration.phase = Phase::Running;
            attempt.write(&iteration, &[], Vec::new()).await?;
            started.fetch_add(1, Ordering::SeqCst);
            if let Some(together) = together {
                together.wait().await;
            }
            if let Some(code) = script.fault {
                return Err(Fault::new(code, "the attempt came to nothing"));
            }
            attempt.link.tell(AttemptMessage::Used(script.used));
            let mut stopped_for = None;
            iteration.end = Some(EndCause::Exited);
            iteration.exit_code = script.exit_code;
            if script.endless {
                let order = loop {
                    tokio::select! {
                        biased;
                        order = attempt.link.next_order() => break order,
                        () = tokio::task::yield_now(), if script.talks => {
                            let said = AgentEvent::Message { text: "still at it".to_owned(), continues: false };
                            attempt.link.tell(AttemptMessage::Agent(said));
                        }
                    }
                };
                stopped_for = Some(order.reason());
                iteration.end = Some(EndCause::Interrupted);
            }
            iteration.usage = script.used;
            iteration.claim = script.claim;
            iteration.claim_text = (script.claim == Claim::Blocked).then(|| "no key".to_owned());
            if let Some(kind) = script.trouble {
                let problem = AgentProblem { kind, message: "busy".to_owned(), status: None };
                let (agent, trouble) = (attempt.options.agent.spec(), Some((problem, None)));
                let answer = attempt.link.ask(|reply| AttemptMessage::Trouble { agent, trouble, reply });
                if answer.await? == TroubleAnswer::Rest {
                    iteration.outcome = Some(Outcome::Interrupted);
                }
            }
            iteration.phase = Phase::AgentDone;
            attempt.write(&iteration, &[], Vec::new()).await?;
            let end = AgentEnd::Ended { stopped_for, by_itself: !script.endless };
            Ok(EndedAttempt { iteration, end })
        })
    }

    fn check<'w>(
        &'w self,
        attempt: &'w mut Attempt<'_>,
        iteration: &'w mut Iteration,
    ) -> WorkFuture<'w, Result<Verified, Fault>> {
        let status = self.last_script(iteration).check;
        Box::pin(async move {
            iteration.phase = Phase::Checking;
            let result = CheckResult {
                name: "taste".to_owned(),
                position: 0,
                required: true,
                status,
                exit_code: Some(0),
                elapsed_ms: 1,
                issues: Vec::new(),
                excerpt: String::new(),
                problem: None,
                code: (status == CheckStatus::Broken).then_some(ErrorCode::CheckProgram),
                red_before: None,
            };
            attempt.write(iteration, std::slice::from_ref(&result), Vec::new()).await?;
            Ok(match status {
                CheckStatus::Broken => Verified::Unable(Box::new(result)),
                _ => Verified::Done(vec![result]),
            })
        })
    }
}

/// A project without git, and a run in it.
pub(super) struct Scene {
    _folder: tempfile::TempDir,
    pub(super) project: Project,
}

/// What a run is made of.
pub(super) struct Play {
    pub(super) request: RunRequest,
    pub(super) lanes: usize,
    /// Whether all attempts wait until every lane is busy.
    pub(super) together: bool,
    pub(super) stop: StopHandle,
    pub(super) started: Arc<AtomicU32>,
}

impl Play {
    /// A run over all tasks.
    pub(super) fn tasks() -> Self {
        Self::of(RunRequest::new(Request::Tasks(TaskSelection::default())))
    }

    /// A loop over a prompt.
    pub(super) fn prompt() -> Self {
        Self::of(RunRequest::prompt("Brew tea."))
    }

    fn of(request: RunRequest) -> Self {
        let request = request.command("true").set("loop.baseline", "skip");
        let started = Arc::new(AtomicU32::new(0));
        Self { request, lanes: 1, together: false, stop: StopHandle::new(), started }
    }

    pub(super) fn set(mut self, key: &str, value: &str) -> Self {
        self.request = self.request.set(key, value);
        self
    }

    /// With so many attempts at once, all of which begin before any ends.
    pub(super) fn at_once(mut self, lanes: usize) -> Self {
        (self.lanes, self.together) = (lanes, true);
        self
    }
}

impl Scene {
    pub(super) async fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
        let place = folder.path().join("tea-house");
        let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await.unwrap();
        Self { _folder: folder, project }
    }

    /// With so many tasks that wait for nothing.
    pub(super) async fn with_tasks(count: u32) -> Self {
        let scene = Self::new().await;
        for number in 1..=count {
            scene.project.tasks().add(TaskDraft::titled(format!("cup {number}"))).await.unwrap();
        }
        scene
    }

    /// Works to the end by a script.
    pub(super) async fn play(
        &self,
        play: Play,
        scripts: impl Fn(u32, u32) -> Script + Send + Sync + 'static,
    ) -> Run {
        let runs = self.project.runs();
        let prepared = runs.prepare(&play.request).unwrap();
        let run = runs.new_run(&prepared, Origin::Cli).unwrap();
        let mut unobserved = Unobserved;
        let mut dispatcher =
            runs.dispatcher(run, prepared, WorkTree::none(), &mut unobserved, play.stop).await.unwrap();
        dispatcher.lanes = Lanes::new(play.lanes);
        dispatcher.worker = Arc::new(StubWorker {
            scripts: Box::new(scripts),
            tries: Mutex::default(),
            together: play.together.then(|| Arc::new(Barrier::new(play.lanes))),
            started: play.started,
        });
        dispatcher.note(Vec::new()).await.unwrap();
        dispatcher.drive(None).await
    }

    /// The last run's iterations, the first one first.
    pub(super) async fn iterations(&self) -> Vec<Iteration> {
        let run = self.project.store().latest_run().await.unwrap().unwrap();
        self.project.iterations().list(run.id, 0, 100).await.unwrap()
    }

    pub(super) async fn outcomes(&self) -> Vec<Option<Outcome>> {
        self.iterations().await.iter().map(|iteration| iteration.outcome).collect()
    }

    pub(super) async fn tasks(&self) -> Vec<Task> {
        self.project.store().tasks().await.unwrap()
    }

    /// Asks something of a run, as another process would.
    pub(super) async fn ask(&self, run: RunId, kind: ControlKind) {
        self.project.store().request("2026-01-01T00:00:00Z", run, kind, Origin::Cli).await.unwrap();
    }
}

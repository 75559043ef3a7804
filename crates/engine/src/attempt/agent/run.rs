//! The agent of an attempt from its checkpoint to its end: the files are saved, the process is started and listened to,
//! and what it came to is written down.

use std::fs;
use std::path::Path;
use std::time::Instant;

use loopwright_domain::{EndCause, Event, Fault, Iteration, Outcome, Phase};
use loopwright_process::Running;
use loopwright_transcript::IterationFiles;

use crate::attempt::agent::heartbeat::Heartbeat;
use crate::attempt::agent::monitor::{AgentMonitor, UsageAccount};
use crate::attempt::agent::process::{AgentLaunch, AgentResult, OutputListener, supervise};
use crate::attempt::agent::result::AgentEnd;
use crate::attempt::agent::signal::{self, signal_file};
use crate::attempt::link::AttemptMessage;
use crate::attempt::tree::work_tree::keep_tree_of;
use crate::attempt::unit::Attempt;
use crate::crash;
use crate::launch::SideFiles;
use crate::launch::write_files;
use crate::logging::log_phase;

impl Attempt<'_> {
    /// Saves the tree, starts the agent, listens to it, and writes down what it came to.
    pub(crate) async fn run_agent(
        &mut self,
        iteration: &mut Iteration,
        prompt: &str,
        files: &IterationFiles,
    ) -> Result<AgentEnd, Fault> {
        let begun = Instant::now();
        if self.options.git.checkpoints || self.options.git.auto_commit || iteration.task.is_some() {
            self.checkpoint(iteration).await?;
        }
        log_phase("checkpoint", begun, "ok");
        // No agent starts before the dispatcher knows that its work can be taken back.
        self.link.ask(|reply| AttemptMessage::Saved { reply }).await?;
        let begun = Instant::now();
        let root = self.project.layout().root.clone();
        let temp = self.project.host().temp_dir.join(format!("loopwright-{}", iteration.id));
        let signal_path = signal_file(&root);
        let nonce = crate::ids::nonce()?;
        let ended = self.launch_agent(iteration, prompt, files, &temp, &signal_path, &nonce).await;
        for folder in [&temp, &files.given()] {
            let _ = fs::remove_dir_all(folder);
        }
        let ended = match ended {
            Ok(result) => {
                let said = signal::read(&signal_path, &nonce);
                Ok((result, said))
            }
            Err(fault) => Err(fault),
        };
        let _ = signal::clear(&signal_path);
        let end = self.agent_done(iteration, files, ended).await?;
        log_phase("agent", begun, iteration.end.map_or("not_started", EndCause::as_str));
        Ok(end)
    }

    /// Saves the files before anybody works on them.
    pub(crate) async fn checkpoint(&mut self, iteration: &mut Iteration) -> Result<(), Fault> {
        let Some(checkpoint) = self.save_tree(iteration).await? else { return Ok(()) };
        crash::point("checkpoint.after");
        let kept = self.options.git.checkpoints || iteration.task.is_some();
        iteration.checkpoint = kept.then(|| checkpoint.commit.as_str().to_owned());
        iteration.tree_before = Some(checkpoint.snapshot.tree.as_str().to_owned());
        if let Some(tree) = &self.run.tree
            && iteration.tree_before.as_ref() != Some(tree)
            && self.last.as_ref().is_some_and(|last| last.outcome != Some(Outcome::Interrupted))
        {
            keep_tree_of(&self.tree, self.last.as_ref()).await;
            let message =
                "files changed since the last iteration, by you or another program; they are kept and \
                           not counted as the agent's work"
                    .to_owned();
            self.warn(Some(iteration.id), message).await?;
        }
        for note in self.tree.notes(&checkpoint.snapshot) {
            self.warn(Some(iteration.id), note).await?;
        }
        Ok(())
    }

    async fn launch_agent(
        &mut self,
        iteration: &mut Iteration,
        prompt: &str,
        files: &IterationFiles,
        temp: &Path,
        signal_path: &Path,
        nonce: &str,
    ) -> Result<AgentResult, Fault> {
        fs::create_dir_all(temp)
            .map_err(|error| loopwright_config::text_file::io_fault("make", temp, &error))?;
        // Where nothing can be kept, an agent goes without what needs a file of its own.
        let given = files.make_given().ok();
        let harness = self.harness.clone();
        let options = self.options.clone();
        let secrets = self.secrets.clone();
        let sandbox = self.sandbox.clone();
        let automation = self.automation;
        let repository = self.agent_repository(iteration).await?;
        if repository.is_none() {
            self.record_repository(iteration).await?;
        }
        let launch = AgentLaunch {
            host: self.project.host(),
            layout: self.project.layout(),
            sandbox: &sandbox,
            options: &options,
            harness: harness.as_ref(),
            work_dir: self.work_dir(),
            files,
            signal_file: signal_path,
            nonce,
            automation,
            attempt: self.number,
            secrets: &secrets,
            scratch: given.as_deref(),
            temp: Some(temp),
            time_left: self.time_left(),
            repository: repository.as_ref(),
        };
        let id = iteration.id.to_string();
        let mut invocation = launch.invocation(prompt, &id)?;
        write_files(&invocation)?;
        let side_files = SideFiles::of(&mut invocation);
        let reader = launch.reader(prompt, &id);
        let launcher = launch.launcher(temp);
        let job = launch.job(&launcher, iteration, invocation);
        let watch = launcher.watch(&job);
        iteration.agent.sandbox = Some(sandbox.state());
        crash::point("agent.before");
        let running: Running = loopwright_process::start(job)?;
        crash::point("agent.started");
        iteration.pid = Some(running.identity.pid);
        iteration.process_started = Some(running.identity.started.clone());
        iteration.phase = Phase::Running;
        let phase = Event::IterationPhase { iteration: iteration.id, phase: Phase::Running };
        self.write(iteration, &[], vec![phase]).await?;
        crash::point("running.after");
        let (monitor, alarm) = AgentMonitor::new(UsageAccount {
            prices: self.prices.clone(),
            model: options.agent.model.clone(),
            now: self.project.host().now,
        });
        let listener = OutputListener::new(files, reader, self.link.sender(), side_files, monitor);
        let grace = std::time::Duration::from_millis(options.times.grace_ms);
        let heartbeat = Heartbeat::new(files.heartbeat());
        let result = supervise(running, listener, &mut self.link, alarm, heartbeat, grace).await;
        self.tell_at_once(iteration, watch.changes()).await;
        if repository.is_none() {
            self.compare_repository(iteration).await;
        }
        drop(repository);
        crash::point("agent.ended");
        result
    }
}

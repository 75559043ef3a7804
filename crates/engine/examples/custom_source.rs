//! A source of work of one's own: hands out orders one by one, and takes an order back when its iteration failed.

use std::collections::VecDeque;
use std::error::Error;
use std::path::Path;

use loopwright_domain::{Fault, Goal, Iteration, Origin, Outcome, Run};
use loopwright_engine::run::{
    Earlier, PromptSource, RunRequest, Source, SourceFuture, StopHandle, Unobserved, WorkContext,
};
use loopwright_engine::{Host, NewProject, Project};

/// Orders of a tea house.
struct Orders {
    waiting: VecDeque<&'static str>,
    brewing: Option<&'static str>,
}

impl PromptSource for Orders {
    fn goal(&self) -> Goal {
        Goal::Iterations
    }

    fn next<'a>(&'a mut self, _context: WorkContext<'a>) -> SourceFuture<'a, Result<Option<String>, Fault>> {
        self.brewing = self.waiting.pop_front();
        let request = self.brewing.map(|tea| format!("Brew: {tea}"));
        Box::pin(async { Ok(request) })
    }

    fn settled<'a>(&'a mut self, iteration: &'a Iteration) -> SourceFuture<'a, Result<(), Fault>> {
        if iteration.outcome != Some(Outcome::Succeeded) {
            self.waiting.extend(self.brewing.take());
        }
        Box::pin(async { Ok(()) })
    }
}

/// Brews what the prompt orders; the first pot breaks.
const AGENT: &str = "sh -c 'grep Brew: >> served.txt; test $LOOPWRIGHT_ATTEMPT != 1'";

/// Lets an agent serve two orders in a new project below a folder.
pub(crate) async fn serve(folder: &Path) -> Result<Run, Fault> {
    let host = Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default());
    let place = folder.join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let orders = Orders { waiting: VecDeque::from(["Sencha", "Assam"]), brewing: None };
    let request = RunRequest::prompt("Serve the guests.").command(AGENT);
    let prepared = project.runs().prepare(&request)?.with_source(Source::Prompt(Box::new(orders)));
    project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new()).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let run = serve(folder.path()).await?;
    println!("{} after {} iterations", run.status, run.progress.iteration);
    Ok(())
}

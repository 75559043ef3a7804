//! A loop over one prompt, until the agent gives its completion promise.
//!
//! `cargo run -p loopwright-engine --example loop_with_prompt` works offline: its agent is a line of shell.

use std::error::Error;
use std::path::Path;

use loopwright_domain::{Fault, Origin, Run};
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Unobserved};
use loopwright_engine::{Host, NewProject, Project};

/// The second agent finds what the first one left, and says that it is done.
const AGENT: &str = "sh -c 'echo Sencha 4.20 >> menu.txt; test $(wc -l < menu.txt) -lt 2 || echo \"<promise>COMPLETE</promise>\"'";

/// Lets an agent write a menu in a new project below a folder.
pub(crate) async fn write_menu(folder: &Path) -> Result<Run, Fault> {
    let host = Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default());
    let place = folder.join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let request = RunRequest::prompt("Write a menu.").command(AGENT).set("loop.max_iterations", "5");
    let prepared = project.runs().prepare(&request)?;
    project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new()).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let run = write_menu(folder.path()).await?;
    println!("{} after {} iterations: {:?}", run.status, run.progress.iteration, run.message);
    Ok(())
}

//! Following a run as a stream: events of the journal, what the agent says, how checks went.

use std::error::Error;
use std::path::Path;

use loopwright_domain::{AgentEvent, Fault, Origin};
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Update, UpdateStream};
use loopwright_engine::{Host, NewProject, Project};

/// Runs a loop in a new project below a folder and gives what was seen, one line each.
pub(crate) async fn follow(folder: &Path) -> Result<Vec<String>, Fault> {
    let host = Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default());
    let place = folder.join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let request = RunRequest::prompt("Say when the tea is ready.")
        .command("sh -c 'echo The water boils.; echo \"<promise>COMPLETE</promise>\"'");
    let prepared = project.runs().prepare(&request)?;

    let (mut stream, mut updates) = UpdateStream::channel();
    let work = async move {
        // The stream ends with this future, and so does the listener.
        project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut stream, StopHandle::new()).await
    };
    let listen = async {
        let mut lines = Vec::new();
        while let Some(update) = updates.recv().await {
            lines.extend(line(&update));
        }
        lines
    };
    let (run, lines) = tokio::join!(work, listen);
    run.map(|_| lines)
}

fn line(update: &Update) -> Option<String> {
    match update {
        Update::Event(envelope) => Some(format!("{:>3} {}", envelope.seq.0, envelope.event.name())),
        Update::Agent(AgentEvent::Message { text, .. }) => Some(format!("    says: {text}")),
        Update::Agent(_) => None,
        Update::Check(result) => Some(format!("    check {}: {}", result.name, result.status)),
    }
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    for line in follow(folder.path()).await? {
        println!("{line}");
    }
    Ok(())
}

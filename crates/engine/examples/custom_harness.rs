//! An agent CLI of one's own: how it is called, and how what it prints is understood.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use loopwright_agents::{
    AgentRequest, AgentsError, Harness, Invocation, OutputParser, OutputStream, ParsedOutput,
};
use loopwright_domain::{AgentEvent, Fault, Origin, Run};
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Unobserved};
use loopwright_engine::{Host, NewProject, Project};

/// A program that marks its answers with `kettle:`, whatever else it prints.
struct Kettle;

impl Harness for Kettle {
    fn name(&self) -> &str {
        "kettle"
    }

    fn label(&self) -> &str {
        "Kettle"
    }

    fn invoke(&self, request: &AgentRequest<'_>) -> Result<Invocation, AgentsError> {
        let script = "cat > order.txt; echo '<promise>COMPLETE</promise> (a label on the box)'; \
                      echo 'kettle: The tea is ready.'; echo 'kettle: <promise>COMPLETE</promise>'";
        Ok(Invocation {
            program: "/bin/sh".into(),
            args: vec!["-c".into(), script.into()],
            stdin: request.prompt.as_bytes().to_vec(),
            shown: "sh -c SCRIPT < PROMPT".to_owned(),
            ..Invocation::default()
        })
    }

    fn output_parser(&self, _request: &AgentRequest<'_>) -> Box<dyn OutputParser> {
        Box::new(Whistle::default())
    }
}

/// Takes only the marked lines as the agent's own words.
#[derive(Default)]
struct Whistle {
    words: Vec<String>,
}

impl OutputParser for Whistle {
    fn line(&mut self, _stream: OutputStream, line: &[u8]) -> Vec<AgentEvent> {
        let text = String::from_utf8_lossy(line);
        let Some(words) = text.strip_prefix("kettle: ") else { return Vec::new() };
        self.words.push(words.to_owned());
        vec![AgentEvent::Message { text: words.to_owned(), continues: false }]
    }

    fn finish(&mut self, _exit_code: Option<i32>) -> ParsedOutput {
        ParsedOutput { own_text: self.words.join("\n"), ..ParsedOutput::default() }
    }
}

/// Lets the kettle work in a new project below a folder.
pub(crate) async fn brew(folder: &Path) -> Result<Run, Fault> {
    let host = Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default());
    let place = folder.join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    // A command has to be named for the request to be complete; the harness takes its place.
    let request = RunRequest::prompt("Brew a pot of Sencha.").command("true");
    let prepared = project.runs().prepare(&request)?.with_harness(Arc::new(Kettle));
    project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new()).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let run = brew(folder.path()).await?;
    println!("{}: {} ({:?})", run.harness, run.status, run.message);
    Ok(())
}

//! A check written in Rust: it looks at the project itself, and the loop goes on until it is content.

use std::error::Error;
use std::path::Path;
use std::sync::Arc;

use loopwright_domain::{Fault, Issue, Origin, Run, Severity};
use loopwright_engine::check::{Check, CustomCheck, Pending};
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Unobserved};
use loopwright_engine::{Host, NewProject, Project};

/// Every line of the menu needs a price.
struct Prices;

impl CustomCheck for Prices {
    fn run<'a>(&'a self, project: &'a Path) -> Pending<'a, Vec<Issue>> {
        Box::pin(async move {
            let menu = std::fs::read_to_string(project.join("menu.txt")).unwrap_or_default();
            let priced =
                |line: &str| line.split(' ').next_back().is_some_and(|word| word.parse::<f64>().is_ok());
            let unpriced = menu.lines().zip(1..).filter(|(line, _)| !priced(line));
            Ok(unpriced.map(|(line, number)| issue(number, format!("\"{line}\" has no price"))).collect())
        })
    }
}

fn issue(line: u32, message: String) -> Issue {
    Issue { severity: Severity::Error, file: Some("menu.txt".to_owned()), line: Some(line), message }
}

/// The first agent forgets the price; the second reads about it in its prompt.
const AGENT: &str = "sh -c 'if grep -q \"has no price\"; then echo Sencha 4.20 > menu.txt; else echo Sencha > menu.txt; fi; \
                     echo \"<promise>COMPLETE</promise>\"'";

/// Lets an agent write a menu in a new project below a folder, and checks the prices.
pub(crate) async fn write_menu(folder: &Path) -> Result<Run, Fault> {
    let host = Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default());
    let place = folder.join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let request = RunRequest::prompt("Write a menu.").command(AGENT);
    let prepared = project.runs().prepare(&request)?.with_check(Check::custom("prices", 0, Arc::new(Prices)));
    project.runs().start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new()).await
}

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let run = write_menu(folder.path()).await?;
    println!("{} after {} iterations: {:?}", run.status, run.progress.iteration, run.message);
    Ok(())
}

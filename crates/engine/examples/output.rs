//! Measures how fast long output is opened and paged: a plain log of a million lines and a transcript of 50 MB.
//!
//! Prints one line of JSON with milliseconds: how long it takes to know how much there is and to show the last page,
//! to show another page, one of a filter, to take in what was added, and to search all of it; and by how many KiB the
//! memory grew at its peak (on Linux only).

use std::error::Error;
use std::fs::{self, File, OpenOptions};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::time::Instant;

use loopwright_domain::{AgentEvent, Origin};
use loopwright_engine::output::{EntryKind, OutputFilter, OutputSource, OutputTarget};
use loopwright_engine::run::{Earlier, IterationFiles, RunRequest, StopHandle, Unobserved};
use loopwright_engine::{Host, NewProject, Project};

const LINES: usize = 1_000_000;
const TRANSCRIPT: u64 = 50_000_000;
const PAGE: u32 = 500;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
    let place = folder.path().join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let request = RunRequest::prompt("Brew.").command("true").set("loop.max_iterations", "1");
    let prepared = project.runs().prepare(&request)?;
    let run = project
        .runs()
        .start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new())
        .await?;
    let iteration = project.iterations().numbered(&run, None).await?;
    let files: IterationFiles = project.iterations().files(&iteration);
    write_log(&files.stdout())?;
    write_transcript(&files.transcript())?;
    let before = peak_memory_kib();
    let mut figures = Vec::new();
    for (name, source) in [("plain", OutputSource::Stdout), ("transcript", OutputSource::Transcript)] {
        // A project that has not looked at anything yet.
        let project = Project::open(&host, &place).await?;
        let target = OutputTarget { iteration: iteration.id, source };
        figures.extend(measure(&project, name, target, &files).await?);
    }
    figures.push(format!("\"extra_kib\":{}", peak_memory_kib() - before));
    println!("{{{}}}", figures.join(","));
    Ok(())
}

async fn measure(
    project: &Project,
    name: &str,
    target: OutputTarget,
    files: &IterationFiles,
) -> Result<Vec<String>, Box<dyn Error>> {
    let all = OutputFilter::default();
    let mut figures = Vec::new();
    let mut clock = Instant::now();
    let mut lap = |what: &str| {
        let took = clock.elapsed().as_secs_f64() * 1000.0;
        figures.push(format!("\"{name}_{what}_ms\":{took:.2}"));
        clock = Instant::now();
    };
    let info = project.output().info(target).await?;
    project.output().page(target, &all, info.total.saturating_sub(PAGE), PAGE).await?;
    lap("open");
    project.output().page(target, &all, info.total / 2, PAGE).await?;
    lap("page");
    let notes = OutputFilter { kinds: vec![EntryKind::Note, EntryKind::ToolCall] };
    project.output().page(target, &notes, info.total / 8, PAGE).await?;
    lap("filtered_page");
    project.output().search(target, &all, "no such words in it").await?;
    lap("search");
    project.output().find_error(target, &all, None, true).await?;
    lap("find_error");
    let path = if target.source == OutputSource::Stdout { files.stdout() } else { files.transcript() };
    writeln!(OpenOptions::new().append(true).open(path)?, "{{}}")?;
    lap("write");
    let grown = project.output().info(target).await?;
    lap("grow");
    assert_eq!(grown.total, info.total + 1);
    Ok(figures)
}

fn write_log(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    for number in 0..LINES {
        writeln!(
            file,
            "{number:>8} test kitchen::kettle::boils_water_to_the_right_temperature_for_this_tea ... ok"
        )?;
    }
    Ok(file.flush()?)
}

/// As agents work: some words in pieces, a tool, its answer, what was used.
fn write_transcript(path: &Path) -> Result<(), Box<dyn Error>> {
    let mut file = BufWriter::new(File::create(path)?);
    let (id, tool) = (Some("c1".to_owned()), "Bash".to_owned());
    let said = |text: &str, continues| AgentEvent::Message { text: text.to_owned(), continues };
    let input = r#"{"command":"cargo test -p kettle","description":"Runs the tests"}"#.to_owned();
    let output = "running 12 tests\ntest kettle::boils ... ok\n".repeat(6);
    let round = [
        said("Now the failing test; ", false),
        said("then the fix.", true),
        AgentEvent::ToolCall { id: id.clone(), name: tool.clone(), input },
        AgentEvent::ToolResult { id, tool: Some(tool), output, failed: false, denied: false },
    ];
    let mut block = String::new();
    for event in &round {
        block.push_str(&serde_json::to_string(event)?);
        block.push('\n');
    }
    for _ in 0..TRANSCRIPT / block.len() as u64 {
        file.write_all(block.as_bytes())?;
    }
    Ok(file.flush()?)
}

/// The most memory this process has had so far.
fn peak_memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

//! Measures how fast a job's output is taken in: read, redacted, framed into lines and written to a capped log.
//!
//! `drain [MEGABYTES]` starts itself as the program that prints so much, and prints one line of JSON: the rate by
//! the clock, the rate by the processor time that this process used (which a busy machine does not change much), and
//! by how much its memory grew at its peak. Processor time and memory are told on Linux only.

use std::env;
use std::error::Error;
use std::fs;
use std::io::{self, Write};
use std::time::Instant;

use loopwright_process::{
    CappedLog, Command, Job, Line, LogLimits, LogSummary, OutputSink, OutputStream, Secrets, start,
};

const MEGABYTE: usize = 1_000_000;
const PRINTER: &str = "print";
/// As agents print: events of one line each, some short, some with a tool's output in them.
const LINES: [&str; 3] = [
    r#"{"type":"assistant","message":{"content":[{"type":"text","text":"Now the failing test; then the fix."}]}}"#,
    r#"{"type":"user","content":[{"type":"tool_result","content":"   Compiling loopwright v0.1.0\nwarning: unused variable: `x`\n  --> src/lib.rs:12:9\n   |\n12 |     let x = task-list.iter().map(|task| task.id).collect::<Vec<_>>();\n   |         ^ help: if this is intentional, prefix it with an underscore: `_x`\n"}]}"#,
    r"test result: ok. 412 passed; 0 failed; 3 ignored; 0 measured; 0 filtered out; finished in 2.81s",
];

/// What an iteration does with its output.
struct Keeper {
    log: CappedLog,
    lines: u64,
}

impl OutputSink for Keeper {
    fn output(&mut self, _stream: OutputStream, bytes: &[u8]) {
        self.log.write(bytes);
    }

    fn line(&mut self, _stream: OutputStream, _line: Line<'_>) {
        self.lines += 1;
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut args = env::args().skip(1);
    match args.next().as_deref() {
        Some(PRINTER) => print(args.next().map_or(Ok(1), |count| count.parse())?),
        count => measure(count.map_or(Ok(1_000), str::parse)?),
    }
}

fn print(megabytes: usize) -> Result<(), Box<dyn Error>> {
    let mut block: String = LINES.iter().cycle().take(20_000).map(|line| format!("{line}\n")).collect();
    block.truncate(MEGABYTE);
    for _ in 0..megabytes {
        io::stdout().write_all(block.as_bytes())?;
    }
    Ok(())
}

fn measure(megabytes: usize) -> Result<(), Box<dyn Error>> {
    let folder = env::temp_dir().join(format!("loopwright-drain-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    let log = CappedLog::create(folder.join("output.log"), LogLimits::default())?;
    let command = Command::new(env::current_exe()?, &folder).args([PRINTER, &megabytes.to_string()]);
    let mut job = Job::new(command, "drain");
    job.secrets = Secrets::with_values(["a configured secret value", "and-another-one-of-them"]);
    let mut keeper = Keeper { log, lines: 0 };

    let before = peak_memory_kib();
    let started = Instant::now();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ended = runtime.block_on(async { start(job)?.finish(&mut keeper).await })?;
    let LogSummary { bytes, skipped, failure, .. } = keeper.log.finish();
    let seconds = started.elapsed().as_secs_f64();
    let processor = processor_seconds();
    let grown = peak_memory_kib() - before;
    fs::remove_dir_all(&folder)?;
    if let Some(failure) = failure {
        return Err(failure.into());
    }
    let rate = ended.stdout_bytes as f64 / MEGABYTE as f64 / seconds;
    let processor_rate = ended.stdout_bytes as f64 / MEGABYTE as f64 / processor.max(0.01);
    let lines = keeper.lines;
    println!(
        r#"{{"bytes":{bytes},"seconds":{seconds:.3},"mb_per_s":{rate:.0},"mb_per_processor_s":{processor_rate:.0},"extra_kib":{grown},"lines":{lines},"skipped":{skipped}}}"#
    );
    Ok(())
}

/// The most memory this process has had so far.
fn peak_memory_kib() -> u64 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:")).unwrap_or_default();
    line.trim().trim_end_matches(" kB").parse().unwrap_or_default()
}

/// The processor time this process has used so far.
fn processor_seconds() -> f64 {
    const TICKS_PER_SECOND: f64 = 100.0;
    let stat = fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_ascii_whitespace();
    let ticks: u32 = fields.skip(11).take(2).filter_map(|field| field.parse::<u32>().ok()).sum();
    f64::from(ticks) / TICKS_PER_SECOND
}

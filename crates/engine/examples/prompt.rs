//! Measures how long a prompt takes to be assembled in a project with much memory, for `cargo xtask bench memory`: 10,000
//! learnings, 5,000 failures, 2,000 sections. Prints one line of JSON with milliseconds.

use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

use loopwright_config::Layout;
use loopwright_domain::{
    Diagnosis, Event, FailureCategory, Iteration, IterationId, LearningCategory, LearningDraft, Limits,
    MemoryOrigin, Origin, Outcome, Phase, Progress, Run, RunId, RunKind, RunStatus, TaskDraft, TaskId,
};
use loopwright_engine::{Host, NewProject, Project};
use loopwright_store::{Entry, NewLearning, Store};

const LEARNINGS: u32 = 10_000;
const FAILURES: u32 = 5_000;
const SECTIONS: u32 = 2_000;
const TASKS: u32 = 50;
const ROUNDS: usize = 21;
const AT: &str = "2026-01-02T03:04:05Z";

/// What texts are made of. Each has some of these, so that a search finds many and ranks them.
const WORDS: &[&str] = &[
    "price", "currency", "kettle", "booking", "table", "receipt", "menu", "rounding", "opening", "guest",
    "order", "stock", "delivery", "invoice", "holiday", "discount", "teapot", "refund", "shift", "payment",
];

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
    std::fs::create_dir_all(&host.config_dir)?;
    std::fs::write(
        host.user_config_file(),
        "default_harness = \"cook\"\n[harness.cook]\ncommand = \"true\"\n",
    )?;
    let place = folder.path().join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    for number in 0..TASKS {
        project.tasks().add(TaskDraft::titled(format!("Set the {} of tea", words(number, 3)))).await?;
    }
    std::fs::write(place.join("spec.md"), document())?;
    project.spec().import(&["spec.md".into()], false, Origin::Cli).await?;
    let (store, _) = Store::open(&Layout::of(&place)?.database(), AT).await?;
    fill(&store).await?;

    let mut times = Vec::with_capacity(ROUNDS);
    let mut first = None;
    for _ in 0..ROUNDS {
        let began = Instant::now();
        let preview = project.memory().preview(Some(TaskId(7)), None).await?;
        times.push(began.elapsed().as_secs_f64() * 1000.0);
        assert!(preview.items.len() > 15 && preview.context_tokens > 300, "memory is in the prompt");
        let prompt = first.get_or_insert_with(|| preview.prompt.clone());
        assert_eq!(prompt, &preview.prompt, "the same state gives the same bytes");
    }
    times.sort_by(f64::total_cmp);
    let median = times.get(ROUNDS / 2).copied().unwrap_or(f64::NAN);
    println!("{{\"prompt_ms\":{median:.2}}}");
    Ok(())
}

/// Some words, others for each number.
fn words(number: u32, count: u32) -> String {
    let word = |place: u32| {
        let index = number.wrapping_mul(7).wrapping_add(place.wrapping_mul(place + 3)) as usize;
        WORDS[index % WORDS.len()]
    };
    (0..count).map(word).collect::<Vec<_>>().join(" ")
}

fn document() -> String {
    let mut text = "# Tea house\n\n".to_owned();
    for section in 0..SECTIONS {
        let _ = writeln!(text, "## Section {section}\n\nThe {} of room {section}.\n", words(section, 12));
    }
    text
}

async fn fill(store: &Store) -> Result<(), Box<dyn Error>> {
    let draft = |number: u32| LearningDraft {
        category: LearningCategory::Gotcha,
        text: format!("Case {number}: look at {} and at {}", words(number, 6), words(number / 20, 4)),
        pattern: number.is_multiple_of(10).then(|| "assertion_failed".to_owned()),
        ..LearningDraft::default()
    };
    let drafts: Vec<LearningDraft> = (0..LEARNINGS).map(draft).collect();
    let new: Vec<(String, NewLearning<'_>)> = drafts
        .iter()
        .enumerate()
        .map(|(place, draft)| {
            let origin = MemoryOrigin::Person;
            (
                format!("bench:{place}"),
                NewLearning { draft, stack: None, origin, task: None, iteration: None },
            )
        })
        .collect();
    store.take_over_learnings(AT, &new).await?;

    let run = run();
    for number in 0..FAILURES {
        let id = IterationId::from_parts(u64::from(number), [9; 10]);
        let task = Some(TaskId(1 + number % TASKS));
        let mut iteration = Iteration::planned(id, run.id, number, 1, AT.into());
        iteration.task = task;
        iteration.phase = Phase::Settled;
        iteration.outcome = Some(Outcome::Failed);
        iteration.ended_at = Some(AT.into());
        let cause = format!("AssertionError: {} of case {number}", words(number, 5));
        let found = Diagnosis::new("assertion_failed", FailureCategory::Test, cause.clone(), None, cause);
        let event = Event::FailureRecorded {
            failure: 0,
            run: run.id,
            iteration: id,
            task,
            check: Some("test".to_owned()),
            diagnosis: Box::new(found),
        };
        let events = [event];
        let run = (number == 0).then_some(&run);
        store
            .journal(AT, Entry { run, iteration: Some(&iteration), events: &events, ..Entry::default() })
            .await?;
    }
    Ok(())
}

fn run() -> Run {
    Run {
        id: RunId::from_parts(1, [7; 10]),
        kind: RunKind::Run,
        title: "run".to_owned(),
        procedure: None,
        harness: "cook".into(),
        status: RunStatus::Running,
        waiting: None,
        reason: None,
        code: None,
        message: None,
        limits: Limits::default(),
        progress: Progress::default(),
        goal: true,
        origin: Origin::Cli,
        started_at: AT.into(),
        last_iteration_at: None,
        ended_at: Some(AT.into()),
        head: None,
        tree: None,
        baseline: None,
        start_tree: None,
        approved_tree: None,
        holds: Vec::new(),
        options: "{}".into(),
    }
}

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::time::Duration;

use loopwright_config::check::{CustomCheck, DEFAULT_TIMEOUT, Parser, Pending};
use loopwright_domain::{ErrorCode, Issue, Severity, Verdict};
use loopwright_testkit::Sandbox;

use super::*;

/// A check that runs a script with the shell, which is a program like any other here.
fn script(position: u32, name: &str, script: &str) -> Check {
    let argv = vec!["sh".to_owned(), "-c".to_owned(), script.to_owned()];
    Check {
        name: name.into(),
        position,
        required: true,
        enabled: true,
        edits: true,
        order: 0,
        timeout: DEFAULT_TIMEOUT,
        work: CheckWork::Command(Box::new(CheckCommand {
            text: argv.join(" "),
            argv,
            dir: ".".into(),
            env: BTreeMap::new(),
            success: vec![0],
            warn: Vec::new(),
            parser: Parser::Text,
        })),
    }
}

fn with(mut check: Check, change: impl FnOnce(&mut CheckCommand)) -> Check {
    if let CheckWork::Command(command) = &mut check.work {
        change(command);
    }
    check
}

fn runner(sandbox: &Sandbox) -> CheckRunner {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let host = Host::in_folder(sandbox.root(), path.clone());
    let variables = [("PATH", path), ("GITHUB_TOKEN", "ghost-writer-7".into()), ("LC_ALL", "de_DE".into())];
    let variables = variables.map(|(name, value)| (OsString::from(name), value));
    CheckRunner::new(&host, &sandbox.work(), variables, format!("test-{}", sandbox.root().display()))
}

fn trusted(checks: &[Check]) -> Vec<TrustedCheck> {
    checks.iter().cloned().map(TrustedCheck::assume_trusted).collect()
}

async fn run(sandbox: &Sandbox, checks: &[Check], mode: CheckMode) -> Vec<CheckResult> {
    let (_keep, mut stop) = watch::channel(false);
    runner(sandbox).run(&trusted(checks), mode, &mut (), &mut stop, Some(&sandbox.root().join("out"))).await
}

async fn run_one(sandbox: &Sandbox, check: Check) -> CheckResult {
    run(sandbox, &[check], CheckMode::All).await.remove(0)
}

fn statuses(results: &[CheckResult]) -> Vec<&'static str> {
    results.iter().map(|result| result.status.as_str()).collect()
}

#[tokio::test]
async fn all_run_or_the_first_required_failure_skips_the_rest() {
    let sandbox = Sandbox::new();
    let optional = Check { required: false, ..script(0, "optional", "exit 3") };
    let off = Check { enabled: false, ..script(1, "off", "exit 1") };
    let checks = [optional, off, script(2, "bad", "exit 1"), script(3, "good", "true")];
    let all = run(&sandbox, &checks, CheckMode::All).await;
    assert_eq!(statuses(&all), ["failed", "failed", "passed"]);
    assert_eq!(all[0].exit_code, Some(3));
    let some = run(&sandbox, &checks, CheckMode::StopAtFirstRequiredFailure).await;
    assert_eq!(statuses(&some), ["failed", "failed", "skipped"]);
    assert_eq!(Verdict::of(&some), Verdict::Failed);
}

#[tokio::test]
async fn both_streams_are_kept_in_files_and_secrets_are_not() {
    let sandbox = Sandbox::new();
    let check = script(4, "a/b ünd", "echo out $PWD; echo err sekret-value-1 >&2; exit 1");
    let (_keep, mut stop) = watch::channel(false);
    let runner = runner(&sandbox).secrets(Secrets::with_values(["sekret-value-1"]));
    let folder = sandbox.root().join("deep/out");
    let results = runner.run(&trusted(&[check]), CheckMode::All, &mut (), &mut stop, Some(&folder)).await;
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).unwrap();
    assert_eq!(read("check-4-a_b__nd.stdout"), format!("out {}\n", sandbox.work().display()));
    assert!(read("check-4-a_b__nd.stderr").starts_with("err "));
    let told = format!("{}{:?}", read("check-4-a_b__nd.stderr"), results[0]);
    assert!(!told.contains("sekret-value-1"), "{told}");
    assert!(results[0].issues[0].message.starts_with("exited with 1\nstdout:\nout .\nstderr:\nerr "));
}

#[tokio::test]
async fn a_check_gets_an_environment_of_its_own() {
    let sandbox = Sandbox::new();
    let show = "echo $LOOPWRIGHT_CHECK,$LC_ALL,$TZ,$LEVEL,$GITHUB_TOKEN,${NO_COLOR-unset}; exit 1";
    let check = with(script(0, "env", show), |command| {
        command.env =
            [("LEVEL".to_owned(), "3".to_owned()), ("TZ".to_owned(), "Asia/Tokyo".to_owned())].into();
    });
    assert_eq!(run_one(&sandbox, check).await.excerpt, "env,C.UTF-8,Asia/Tokyo,3,,unset");
}

#[tokio::test]
async fn what_cannot_be_run_is_broken_with_advice() {
    let sandbox = Sandbox::new();
    sandbox.write("plain.txt", "not a program");
    let named = |program: &str| with(script(0, "x", ""), |command| command.argv = vec![program.to_owned()]);
    let cases = [
        (
            named("no-such-program"),
            "the program \"no-such-program\" was not found on the search path. Install it",
        ),
        (named("./no/such"), "the program \"./no/such\" was not found in the project."),
        (named("../../bin/sh"), "was not found in the project."),
        (named("./plain.txt"), "plain.txt may not be executed. Make the file executable."),
        (
            with(script(0, "x", ""), |command| command.dir = "gone".into()),
            "its folder \"gone\" does not exist.",
        ),
    ];
    for (check, problem) in cases {
        let result = run_one(&sandbox, check).await;
        assert_eq!(result.status, CheckStatus::Broken);
        let told = result.problem.unwrap();
        assert!(told.contains(problem), "{told}");
        assert_eq!(result.issues[0].message, format!("could not be run: {told}"));
        assert!(!told.contains(&sandbox.work().display().to_string()), "{told}");
    }
}

#[cfg(unix)]
#[tokio::test]
async fn a_program_or_folder_that_leads_out_of_the_project_is_refused() {
    let sandbox = Sandbox::new();
    std::os::unix::fs::symlink("/bin/sh", sandbox.work().join("sh")).unwrap();
    std::os::unix::fs::symlink("/", sandbox.work().join("out")).unwrap();
    let program = with(script(0, "x", ""), |command| command.argv[0] = "./sh".into());
    let folder = with(script(0, "x", ""), |command| command.dir = "out".into());
    for check in [program, folder] {
        let problem = run_one(&sandbox, check).await.problem.unwrap();
        assert!(problem.contains("leads out of the project"), "{problem}");
    }
}

/// DIAL let a step of one second sleep for four and pass.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn dial_7_a_silent_check_is_stopped_in_time_with_all_it_started() {
    let sandbox = Sandbox::new();
    let family = "sleep 300 & echo $! > a.pid; setsid sleep 300 & echo $! > b.pid; sleep 300";
    let check = Check { timeout: Duration::from_secs(1), ..script(0, "slow", family) };
    let result = run_one(&sandbox, check).await;
    assert_eq!((result.status, result.exit_code), (CheckStatus::TimedOut, None));
    assert_eq!(result.issues[0].message, "did not end within 1s and was stopped");
    assert_all_ended(&sandbox);
}

#[cfg(target_os = "linux")]
fn assert_all_ended(sandbox: &Sandbox) {
    for file in ["a.pid", "b.pid"] {
        let pid = sandbox.read(file);
        let cmdline = std::fs::read_to_string(format!("/proc/{}/cmdline", pid.trim())).unwrap_or_default();
        assert!(!cmdline.contains("sleep"), "{file} {pid} lives");
    }
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn stopping_ends_the_running_check_and_begins_no_other() {
    let sandbox = Sandbox::new();
    let family = "sleep 300 & echo $! > a.pid; setsid sleep 300 & echo $! > b.pid; touch ready; sleep 300";
    let checks = [script(0, "one", family), script(1, "two", "touch two")];
    let (sender, mut stop) = watch::channel(false);
    let runner = runner(&sandbox);
    let ready = sandbox.work().join("ready");
    let asked = async {
        while !ready.exists() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        sender.send(true).unwrap();
    };
    let mut nobody = ();
    let checks = trusted(&checks);
    let round = runner.run(&checks, CheckMode::All, &mut nobody, &mut stop, None);
    let ((), results) = tokio::join!(asked, round);
    assert_eq!(statuses(&results), ["stopped", "stopped"]);
    assert_eq!(Verdict::of(&results), Verdict::Stopped);
    assert!(results[0].issues.is_empty() && !sandbox.work().join("two").exists());
    assert_all_ended(&sandbox);
}

#[tokio::test]
async fn a_flood_of_any_bytes_is_taken() {
    let sandbox = Sandbox::new();
    let flood = "head -c 12000000 /dev/urandom; printf '\\nthe end ☕'; exit 1";
    let check = with(script(0, "flood", flood), |command| command.parser = Parser::Lines);
    let result = run_one(&sandbox, check).await;
    assert!(result.excerpt.ends_with("the end ☕"));
    assert!(result.issues.iter().all(|issue| issue.severity <= Severity::Info));
    let kept = std::fs::metadata(sandbox.root().join("out/check-0-flood.stdout")).unwrap().len();
    assert!(kept < 11 * 1024 * 1024, "{kept}");
}

#[derive(Default)]
struct Diary(Vec<String>);

impl CheckObserver for Diary {
    fn started(&mut self, check: &Check) {
        self.0.push(format!("started {}", check.name));
    }

    fn finished(&mut self, check: &Check, result: &CheckResult) {
        self.0.push(format!("{} {}", result.status, check.name));
    }
}

#[tokio::test]
async fn an_observer_is_told_everything_in_order() {
    let sandbox = Sandbox::new();
    let mut diary = Diary::default();
    let (_keep, mut stop) = watch::channel(false);
    let checks = [script(0, "a", "exit 1"), script(1, "b", "true")];
    let mode = CheckMode::StopAtFirstRequiredFailure;
    runner(&sandbox).run(&trusted(&checks), mode, &mut diary, &mut stop, None).await;
    assert_eq!(diary.0, ["started a", "failed a", "skipped b"]);
}

/// Finds that the readme is missing; looks for ever when told so.
struct Readme {
    patient: bool,
}

impl CustomCheck for Readme {
    fn run<'a>(&'a self, project: &'a Path) -> Pending<'a, Vec<Issue>> {
        Box::pin(async move {
            if self.patient {
                std::future::pending::<()>().await;
            }
            match std::fs::read_to_string(project.join("README.md")) {
                Ok(text) if text.is_empty() => Err(Fault::new(ErrorCode::IoFailed, "the readme is empty")),
                Ok(_) => Ok(Vec::new()),
                Err(_) => Ok(vec![judge::error("there is no README.md".into())]),
            }
        })
    }
}

#[tokio::test]
async fn a_program_brings_its_own_checks() {
    let sandbox = Sandbox::new();
    let check = || Check::custom("readme", 7, Arc::new(Readme { patient: false }));
    let missing = run_one(&sandbox, check()).await;
    assert_eq!((missing.status, missing.position), (CheckStatus::Failed, 7));
    assert_eq!(missing.issues[0].message, "there is no README.md");
    sandbox.write("README.md", "");
    assert_eq!(run_one(&sandbox, check()).await.problem.as_deref(), Some("the readme is empty"));
    sandbox.write("README.md", "Tea");
    assert_eq!(run_one(&sandbox, check()).await.status, CheckStatus::Passed);
    let patient = Check::custom("readme", 0, Arc::new(Readme { patient: true }));
    let late = run_one(&sandbox, Check { timeout: Duration::from_millis(50), ..patient }).await;
    assert_eq!(late.status, CheckStatus::TimedOut);
}

/// Files that are another with every check that writes `changed`.
struct Watched(std::path::PathBuf, std::sync::Mutex<Vec<u8>>);

impl Watched {
    fn bytes(&self) -> Vec<u8> {
        std::fs::read(self.0.join("changed")).unwrap_or_default()
    }
}

#[expect(clippy::unwrap_used, reason = "in a test a panic is the report")]
impl EditWatch for Watched {
    fn note(&self) -> Pending<'_, ()> {
        *self.1.lock().unwrap() = self.bytes();
        Box::pin(async { Ok(()) })
    }

    fn edited(&self) -> Pending<'_, Vec<String>> {
        let before = std::mem::replace(&mut *self.1.lock().unwrap(), self.bytes());
        let edited = if before == self.bytes() { Vec::new() } else { vec!["changed".to_owned()] };
        Box::pin(async { Ok(edited) })
    }
}

#[tokio::test]
async fn only_a_check_that_must_not_edit_fails_when_it_does() {
    let checks = [
        script(0, "formats", "echo a >> changed"),
        Check { edits: false, ..script(1, "looks", "true") },
        Check { edits: false, ..script(2, "forbidden", "echo b >> changed") },
        Check { edits: false, ..script(3, "fails anyway", "echo c >> changed; exit 3") },
        script(4, "formats again", "echo d >> changed"),
    ];
    let cases = [
        (NoEdits::Forbidden, ["passed", "passed", "failed", "failed", "passed"]),
        (NoEdits::Again, ["failed", "passed", "failed", "failed", "failed"]),
    ];
    for (no_edits, expected) in cases {
        let sandbox = Sandbox::new();
        let watched = Arc::new(Watched(sandbox.work(), std::sync::Mutex::default()));
        let (_keep, mut stop) = watch::channel(false);
        let runner = runner(&sandbox).watch(watched, no_edits);
        let results = runner.run(&trusted(&checks), CheckMode::All, &mut (), &mut stop, None).await;
        assert_eq!(statuses(&results), expected, "{no_edits:?}");
        assert_eq!(
            results[2].problem.as_deref(),
            Some("it changed changed though it may not (edits = false)")
        );
        assert_eq!(results[2].issues[0].file.as_deref(), Some("changed"));
        assert_eq!(results[3].exit_code, Some(3));
    }
}

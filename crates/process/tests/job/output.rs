//! Input, output, environment.
use crate::support::{Heard, finished, shell};
use loopwright_process::{
    AGENT_MARKER, Command, Job, OutputSink, OutputStream, ProcessError, Secrets, start,
};
use tempfile::tempdir;

#[tokio::test]
async fn streams_are_kept_apart_and_framed() {
    let script = "printf 'one\\r\\ntwo\\n\\nlast'; printf 'err\\n' >&2";
    let (ended, heard) = finished(shell(script, "/".as_ref())).await;
    assert_eq!(heard.out, b"one\r\ntwo\n\nlast");
    assert_eq!(heard.err, b"err\n");
    assert_eq!((ended.stdout_bytes, ended.stderr_bytes), (14, 4));
    let out: Vec<&str> = heard
        .lines
        .iter()
        .filter(|(stream, _)| *stream == OutputStream::Stdout)
        .map(|(_, line)| line.as_str())
        .collect();
    assert_eq!(out, ["one", "two", "", "last"]);
}

#[tokio::test]
async fn secrets_never_reach_the_sink_however_they_are_written() {
    let secret = "correct-horse-battery";
    let script = "printf 'a correct-hor'; sleep 0.2; printf 'se-battery b\\n'; printf correct-horse-battery | base64 >&2";
    let mut job = shell(script, "/".as_ref());
    job.secrets = Secrets::with_values([secret]);
    let (ended, heard) = finished(job).await;
    assert_eq!(heard.out, b"a [redacted:secret] b\n");
    assert!(String::from_utf8_lossy(&heard.err).starts_with("[redacted:secret]"));
    assert!(
        heard.lines.contains(&(OutputStream::Stdout, "a [redacted:secret] b".to_owned())),
        "{:?}",
        heard.lines
    );
    assert_eq!(ended.redactions, 2);
}

#[tokio::test]
async fn the_job_sees_its_marker_and_nothing_else_that_was_not_given() {
    let dir = tempdir().unwrap();
    let mut job = Job::new(Command::new("/usr/bin/env", dir.path()).env("ONLY", "this"), "run-1/7");
    job.command.args.push("-0".into());
    let (_, heard) = finished(job).await;
    assert_eq!(String::from_utf8_lossy(&heard.out), format!("{AGENT_MARKER}=run-1/7\0ONLY=this\0"));
}

#[tokio::test]
async fn the_job_leads_its_own_session() {
    let (_, heard) = finished(shell("ps -o pid=,sid=,pgid= -p $$", "/".as_ref())).await;
    let text = String::from_utf8(heard.out).unwrap();
    let ids: Vec<&str> = text.split_ascii_whitespace().collect();
    assert!(ids.len() == 3 && ids[0] == ids[1] && ids[1] == ids[2], "{ids:?}");
}

/// Files that were handed to us without care are in the way of nobody else. The program's own look at its folder
/// of files is the fourth.
#[cfg(target_os = "linux")]
#[tokio::test]
async fn the_job_inherits_no_files() {
    let careless = std::fs::File::open("/dev/null").unwrap();
    nix::fcntl::fcntl(&careless, nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::empty())).unwrap();
    let (_, heard) = finished(Job::new(Command::new("/bin/ls", "/").args(["/proc/self/fd"]), "files")).await;
    assert_eq!(String::from_utf8_lossy(&heard.out), "0\n1\n2\n3\n");
}

#[tokio::test]
async fn input_is_written_and_closed_and_need_not_be_read() {
    let bytes: Vec<u8> = (0..2_000_000u32).map(|n| b'a' + (n % 23) as u8).collect();
    let mut job = shell("cat; echo; echo done", "/".as_ref());
    job.command.stdin = bytes.clone();
    let (_, heard) = finished(job).await;
    assert!(heard.out == [&bytes[..], b"\ndone\n"].concat(), "the input came back changed");
    for script in ["exit 0", "exec <&-; echo closed", "sleep 0.2; echo slow"] {
        let mut job = shell(script, "/".as_ref());
        job.command.stdin = bytes.clone();
        assert!(finished(job).await.0.exit.success(), "{script}");
    }
}

#[tokio::test]
async fn a_job_without_outputs_still_gets_its_input() {
    let dir = tempdir().unwrap();
    let mut job = shell("exec >&- 2>&-; sleep 0.2; cat > copy", dir.path());
    job.command.stdin = vec![b'x'; 2_000_000];
    let (ended, heard) = finished(job).await;
    assert!(ended.exit.success() && heard.out.is_empty());
    assert_eq!(std::fs::metadata(dir.path().join("copy")).unwrap().len(), 2_000_000);
}

#[tokio::test]
async fn a_prompt_that_is_too_long_for_an_argument_says_so() {
    let job = Job::new(Command::new("/bin/echo", "/").args(["x".repeat(200_000)]), "long");
    let Err(error) = start(job) else { panic!("it should have been refused") };
    assert!(matches!(error, ProcessError::ArgumentsTooLong { .. }), "{error:?}");
    let fault = loopwright_domain::Fault::from(error);
    assert!(fault.hint.is_some_and(|hint| hint.contains("standard input")));
}

#[tokio::test]
async fn a_line_beyond_the_limit_does_not_hide_the_next() {
    let script = "head -c 9000000 /dev/zero | tr '\\0' x; echo; echo next";
    let (_, heard) = finished(shell(script, "/".as_ref())).await;
    let lines: Vec<&str> = heard.lines.iter().map(|(_, line)| line.as_str()).collect();
    assert_eq!(lines, ["9000000 bytes", "next"]);
    assert_eq!(heard.out.len(), 9_000_006);
}

#[tokio::test]
async fn many_jobs_run_at_once() {
    let one = |number: u32| finished(shell(&format!("sleep 0.1; echo {number}"), "/".as_ref()));
    let results = tokio::join!(one(1), one(2), one(3), one(4));
    let printed = [results.0.1, results.1.1, results.2.1, results.3.1].map(|heard: Heard| heard.out);
    assert_eq!(printed, [b"1\n", b"2\n", b"3\n", b"4\n"]);
}

/// How often everything was handed on.
#[derive(Default)]
struct Pauses(u32);

impl OutputSink for Pauses {
    fn caught_up(&mut self) {
        self.0 += 1;
    }
}

#[tokio::test]
async fn whoever_listens_to_a_silent_job_gets_to_write_what_was_held_back() {
    let mut pauses = Pauses::default();
    let job = shell("echo once; sleep 1.8", "/".as_ref());
    start(job).unwrap().finish(&mut pauses).await.unwrap();
    assert!(pauses.0 >= 3, "{}", pauses.0);
}

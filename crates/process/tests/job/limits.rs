//! Time limits and stopping.
use std::time::{Duration, Instant};

use crate::support::{Heard, finished, process, shell};
use loopwright_process::{EndCause, Exit, Job, TimeLimits, start};
use loopwright_testkit::eventually_async;
use tempfile::tempdir;

const SHORT: Duration = Duration::from_millis(400);

fn limited(script: &str, limits: TimeLimits) -> Job {
    Job { limits, ..shell(script, "/".as_ref()) }
}

#[tokio::test]
async fn each_limit_ends_a_silent_job() {
    let none = TimeLimits::none();
    let cases = [
        (TimeLimits { wall: Some(SHORT), ..none }, EndCause::WallTimeout),
        (TimeLimits { idle: Some(SHORT), ..none }, EndCause::IdleTimeout),
        (TimeLimits { start: Some(SHORT), ..none }, EndCause::StartTimeout),
    ];
    for (limits, cause) in cases {
        let (ended, _) = finished(limited("exec sleep 600", limits)).await;
        assert_eq!((ended.cause, ended.exit), (cause, Exit::Signal(15)));
        assert!(ended.elapsed >= SHORT);
    }
}

#[tokio::test]
async fn output_satisfies_the_start_limit_and_holds_off_the_idle_limit() {
    let limits = TimeLimits {
        start: Some(Duration::from_secs(10)),
        idle: Some(Duration::from_secs(5)),
        ..TimeLimits::none()
    };
    let (ended, heard) = finished(limited("for i in 1 2 3; do echo $i; sleep 0.2; done", limits)).await;
    assert_eq!((ended.cause, ended.exit), (EndCause::Exited, Exit::Code(0)));
    assert_eq!(heard.out, b"1\n2\n3\n");

    let limits = TimeLimits { start: Some(SHORT), idle: Some(SHORT * 3), ..TimeLimits::none() };
    let (ended, _) = finished(limited("echo at once; exec sleep 600", limits)).await;
    assert_eq!(ended.cause, EndCause::IdleTimeout);
}

#[tokio::test]
async fn output_on_either_stream_counts() {
    let limits = TimeLimits { idle: Some(Duration::from_secs(3)), ..TimeLimits::none() };
    let script = "for i in 1 2 3 4 5 6 7 8; do echo $i >&2; sleep 0.5; done";
    let (ended, _) = finished(limited(script, limits)).await;
    assert_eq!(ended.cause, EndCause::Exited);
}

#[tokio::test]
async fn a_job_may_use_its_grace_to_say_goodbye() {
    let script = "trap 'echo bye; exit 7' TERM; echo hello; while :; do sleep 0.05; done";
    let limits = TimeLimits { idle: Some(Duration::from_secs(2)), ..TimeLimits::none() };
    let (ended, heard) = finished(limited(script, limits)).await;
    assert_eq!((ended.cause, ended.exit), (EndCause::IdleTimeout, Exit::Code(7)));
    assert_eq!(heard.out, b"hello\nbye\n");
}

#[tokio::test]
async fn a_job_that_ignores_every_request_is_ended_after_its_grace() {
    let limits = TimeLimits { wall: Some(SHORT), grace: SHORT, ..TimeLimits::none() };
    let started = Instant::now();
    let (ended, _) = finished(limited("trap '' TERM INT HUP; while :; do sleep 1; done", limits)).await;
    assert_eq!((ended.cause, ended.exit), (EndCause::WallTimeout, Exit::Signal(9)));
    assert!(started.elapsed() >= SHORT * 2);
}

#[tokio::test]
async fn a_job_that_stopped_itself_is_ended() {
    let limits = TimeLimits { idle: Some(SHORT), grace: SHORT, ..TimeLimits::none() };
    for script in ["kill -STOP $$; sleep 600", "trap '' TERM; kill -STOP $$; while :; do sleep 1; done"] {
        let (ended, _) = finished(limited(script, limits)).await;
        assert_eq!(ended.cause, EndCause::IdleTimeout, "{script}");
        assert!(matches!(ended.exit, Exit::Signal(15 | 9)), "{script}: {:?}", ended.exit);
    }
}

#[tokio::test]
async fn an_interrupted_job_gets_its_grace_and_a_second_wish_cuts_it_short() {
    let dir = tempdir().unwrap();
    let script = "trap 'echo asked' TERM; echo $$ > pid; while :; do sleep 0.05; done";
    let mut job = shell(script, dir.path());
    job.limits.grace = Duration::from_secs(600);
    let running = start(job).unwrap();
    let stopper = running.stopper();
    let task = tokio::spawn(async move {
        let mut heard = Heard::default();
        (running.finish(&mut heard).await.unwrap(), heard)
    });
    eventually_async("the start", async || process(dir.path(), "pid")).await;
    stopper.interrupt();
    tokio::time::sleep(SHORT).await;
    assert!(!task.is_finished());
    stopper.kill();
    let (ended, heard) = task.await.unwrap();
    assert_eq!((ended.cause, ended.exit), (EndCause::Interrupted, Exit::Signal(9)));
    assert_eq!(heard.out, b"asked\n");
}

#[tokio::test]
async fn every_way_to_end_by_oneself_is_told() {
    let cases = [
        ("exit 0", Exit::Code(0)),
        ("exit 127", Exit::Code(127)),
        ("exit 137", Exit::Code(137)),
        ("kill -SEGV $$", Exit::Signal(11)),
        ("kill -KILL $$", Exit::Signal(9)),
    ];
    for (script, exit) in cases {
        let (ended, _) = finished(limited(script, TimeLimits::none())).await;
        assert_eq!((ended.cause, ended.exit), (EndCause::Exited, exit), "{script}");
    }
}

#[tokio::test]
async fn a_wish_from_before_the_start_of_supervision_is_kept() {
    let running = start(shell("exec sleep 600", "/".as_ref())).unwrap();
    running.stopper().interrupt();
    let ended = running.finish(&mut Heard::default()).await.unwrap();
    assert_eq!((ended.cause, ended.exit), (EndCause::Interrupted, Exit::Signal(15)));
}

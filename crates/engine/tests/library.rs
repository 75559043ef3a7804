//! The examples do what they say: they are the engine as others use it.
#![cfg(unix)]

use std::fs;

use loopwright_domain::{ExitReason, Goal, RunStatus};

/// Takes an example in; its `main` is for people.
macro_rules! example {
    ($name:ident, $file:literal) => {
        #[expect(dead_code, reason = "the example's own main")]
        #[path = $file]
        mod $name;
    };
}

example!(custom_check, "../examples/custom_check.rs");
example!(custom_harness, "../examples/custom_harness.rs");
example!(custom_source, "../examples/custom_source.rs");
example!(event_stream, "../examples/event_stream.rs");
example!(loop_with_prompt, "../examples/loop_with_prompt.rs");

#[tokio::test]
async fn loop_with_prompt_ends_with_the_promise() {
    let folder = tempfile::tempdir().unwrap();
    let run = loop_with_prompt::write_menu(folder.path()).await.unwrap();
    assert_eq!((run.status, run.reason), (RunStatus::Completed, Some(ExitReason::Promise)));
    assert_eq!(run.progress.iteration, 2);
    let menu = fs::read_to_string(folder.path().join("tea-house/menu.txt")).unwrap();
    assert_eq!(menu, "Sencha 4.20\nSencha 4.20\n");
}

#[tokio::test]
async fn event_stream_tells_everything_in_order_and_ends() {
    let folder = tempfile::tempdir().unwrap();
    let lines = event_stream::follow(folder.path()).await.unwrap();
    let seen: Vec<&str> = lines.iter().map(|line| line[4..].trim()).collect();
    let expected = [
        "run.started",
        "run.warning",
        "iteration.started",
        "iteration.phase",
        "says: The water boils.",
        "says: <promise>COMPLETE</promise>",
        "agent.ended",
        "iteration.settled",
        "run.status",
    ];
    assert_eq!(seen, expected);
}

#[tokio::test]
async fn custom_harness_decides_what_the_agents_own_words_are() {
    let folder = tempfile::tempdir().unwrap();
    let run = custom_harness::brew(folder.path()).await.unwrap();
    assert_eq!((run.harness.as_str(), run.reason), ("kettle", Some(ExitReason::Promise)));
    let order = fs::read_to_string(folder.path().join("tea-house/order.txt")).unwrap();
    assert!(order.starts_with("Brew a pot of Sencha.\n"), "{order}");
}

#[tokio::test]
async fn custom_check_holds_the_loop_until_it_is_content() {
    let folder = tempfile::tempdir().unwrap();
    let run = custom_check::write_menu(folder.path()).await.unwrap();
    assert_eq!((run.progress.iteration, run.reason), (2, Some(ExitReason::Promise)));
    let menu = fs::read_to_string(folder.path().join("tea-house/menu.txt")).unwrap();
    assert_eq!(menu, "Sencha 4.20\n");
}

#[tokio::test]
async fn custom_source_hands_out_work_until_there_is_none() {
    let folder = tempfile::tempdir().unwrap();
    let run = custom_source::serve(folder.path()).await.unwrap();
    assert_eq!((run.status, run.progress.iteration), (RunStatus::Completed, 3));
    let served = fs::read_to_string(folder.path().join("tea-house/served.txt")).unwrap();
    assert_eq!(served, "Brew: Sencha\nBrew: Assam\nBrew: Sencha\n", "what failed is done again");
    assert!(!run.goal, "{}: nothing but its work", Goal::Iterations);
}

//! Messages to a person who looks elsewhere.

use std::sync::atomic::Ordering;

use loopwright_domain::{ExitReason, Run, RunStatus};
use loopwright_testkit::eventually_async;

use crate::desktop::{Messages, Shown};
use crate::scene::{Scene, Work, block_on_test};

const PROMISE: &str = "echo '<promise>COMPLETE</promise>'";
const MARKUP: &[&str] = &["actions", "body", "body-markup"];

/// Lets a run end that the app has seen at work: what ended before the first look is not told.
async fn seen_to_its_end(scene: &Scene, work: Work) -> Run {
    scene.sees(true).await;
    let run = work.finish().await;
    scene.sees(false).await;
    run
}

async fn first(messages: &Messages) -> Shown {
    eventually_async("a message comes", async || !messages.shown.lock().unwrap().is_empty()).await;
    messages.shown.lock().unwrap()[0].clone()
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_an_ending_is_told_and_a_click_shows_it() {
    block_on_test(async {
        let (messages, scene) = (Messages::listen(MARKUP).await, Scene::open().await);
        let work = scene.start("Steep the tea", PROMISE, &[]);
        assert_eq!(seen_to_its_end(&scene, work).await.reason, Some(ExitReason::Promise));
        let shown = first(&messages).await;
        assert_eq!(shown.summary, "Tea: The agent says it is done");
        assert!(shown.body.starts_with("Steep the tea\nIt gave its completion promise"), "{}", shown.body);
        assert_eq!((shown.urgency, shown.actions), (1, vec!["default".into(), "Show the run".into()]));
        messages.click(1).await;
        eventually_async("the run is shown", async || scene.windows.asked() == ["show tea"]).await;
        assert_eq!(messages.shown.lock().unwrap().len(), 1, "an ending is told once");
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_a_failure_is_told_and_nobodys_words_become_markup() {
    block_on_test(async {
        let (messages, scene) = (Messages::listen(MARKUP).await, Scene::open().await);
        let prompt = "<img src=\"http://evil.example\"> & <a href='x'>tea</a> http://evil.example";
        let settings = [("loop.failure_threshold", "1")];
        let work = scene.start(prompt, "exit 3", &settings);
        assert_eq!(seen_to_its_end(&scene, work).await.status, RunStatus::Aborted);
        let shown = first(&messages).await;
        assert_eq!((shown.summary.as_str(), shown.urgency), ("Tea: Stopped after a failure", 1));
        assert!(!shown.body.contains(['<', '>', '"', '\'']), "{}", shown.body);
        assert!(!shown.body.contains("://"), "{}", shown.body);
        assert!(shown.body.contains("&lt;a href=&#39;x&#39;&gt;tea&lt;/a&gt;"), "{}", shown.body);
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_a_desktop_without_markup_gets_text_as_it_is() {
    block_on_test(async {
        let (messages, scene) = (Messages::listen(&["body"]).await, Scene::open().await);
        seen_to_its_end(&scene, scene.start("Milk & sugar", PROMISE, &[])).await;
        assert!(first(&messages).await.body.starts_with("Milk & sugar\n"));
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_a_run_that_needs_a_person_says_so() {
    block_on_test(async {
        let (messages, scene) = (Messages::listen(MARKUP).await, Scene::open().await);
        seen_to_its_end(&scene, scene.start("Steep the tea", PROMISE, &[])).await;
        first(&messages).await;
        // Nobody said that the first iteration may start.
        let work = scene.start("Pour the tea", PROMISE, &[("loop.automation", "manual")]);
        assert_eq!(work.finish().await.reason, Some(ExitReason::NeedsPerson));
        eventually_async("it is told", async || messages.shown.lock().unwrap().len() > 1).await;
        let shown = messages.shown.lock().unwrap().last().unwrap().clone();
        assert_eq!((shown.summary.as_str(), shown.urgency), ("Tea: Your turn", 2));
        assert!(shown.body.starts_with("Pour the tea\n"), "{}", shown.body);
    });
}

#[test]
#[ignore = "needs a bus of its own"]
fn with_a_bus_nobody_is_told_who_looks_or_does_not_want_it() {
    block_on_test(async {
        let (messages, scene) = (Messages::listen(MARKUP).await, Scene::open().await);
        scene.windows.focused.store(true, Ordering::SeqCst);
        seen_to_its_end(&scene, scene.start("Seen", PROMISE, &[])).await;
        scene.windows.focused.store(false, Ordering::SeqCst);
        scene.set("[app]\nnotifications = false\n");
        seen_to_its_end(&scene, scene.start("Unwanted", PROMISE, &[])).await;
        scene.set("");
        seen_to_its_end(&scene, scene.start("Told", PROMISE, &[])).await;
        assert!(first(&messages).await.body.starts_with("Told\n"));
    });
}

//! A run executes what was trusted when it began: settings that change meanwhile are told and start nothing.

use std::path::PathBuf;

use loopwright_domain::{ErrorCode, Event, EventEnvelope, ExitReason, Origin, Run};
use loopwright_engine::run::{Earlier, Observer, Prepared, StopHandle};

use crate::scene::{LIMIT, Scene, WORKED, request};

/// Writes the project's settings anew as soon as the run has begun: after the trust check, before any agent.
struct Editor {
    file: PathBuf,
    text: String,
}

impl Observer for Editor {
    fn event(&mut self, envelope: &EventEnvelope) {
        if let Event::RunStarted { .. } = envelope.event {
            std::fs::write(&self.file, &self.text).unwrap();
        }
    }
}

/// A run during which the project's settings begin to name another program for an agent; and whether it was started.
async fn edited(scene: &Scene, agent: &str, settings: &[(&str, &str)]) -> (Run, bool) {
    let (script, trace) = (scene.root().join("untrusted.sh"), scene.root().join("untrusted-was-started"));
    std::fs::write(&script, format!("touch '{}'\n", trace.display())).unwrap();
    let command = format!("\n[harness.{agent}]\ncommand = \"sh {}\"\n", script.display());
    let file = scene.project.layout().config_file();
    let text = std::fs::read_to_string(&file).unwrap_or_default() + &command;
    let prepared = scene.project.runs().prepare(&request(settings)).unwrap();
    let mut editor = Editor { file, text };
    let run = scene
        .project
        .runs()
        .start(prepared, Earlier::Leave, Origin::Cli, &mut editor, StopHandle::new())
        .await
        .unwrap();
    (run, trace.exists())
}

#[tokio::test]
async fn who_takes_over_at_a_limit_is_who_was_trusted() {
    let scene = Scene::new(&["first", "second"]).await;
    scene.says("first", 1, LIMIT, 0);
    let (run, started) = edited(&scene, "second", &[("fallback", "second"), ("limit.recheck", "1h")]).await;
    assert!(!started, "a program that nobody trusted was started");
    assert_eq!((run.reason, scene.starts("second")), (Some(ExitReason::Promise), 1));
    let told = scene.told().await;
    let changes: Vec<&String> = told.iter().filter(|line| line.contains("does nothing until")).collect();
    assert!(matches!(changes.as_slice(), [line] if line.ends_with(": agent second")), "told once: {told:#?}");
}

#[tokio::test]
async fn the_stronger_agent_after_failures_is_the_one_that_was_trusted() {
    let scene = Scene::new(&["weak", "strong"]).await;
    scene.says("weak", 1, WORKED, 1);
    let settings = [("escalation", "strong"), ("escalate_after", "1"), ("loop.failure_threshold", "5")];
    let (run, started) = edited(&scene, "strong", &settings).await;
    assert!(!started, "a program that nobody trusted was started");
    assert_eq!((run.reason, scene.starts("strong")), (Some(ExitReason::Promise), 1));
}

#[tokio::test]
async fn an_unknown_option_asks_only_a_trusted_program_for_its_version() {
    let scene = Scene::new(&["first"]).await;
    let script = scene.root().join("claude.sh");
    std::fs::write(&script, "echo \"error: unknown option '--verbose'\" >&2\nexit 1\n").unwrap();
    let own =
        format!("default_harness = \"claude\"\n[harness.claude]\ncommand = \"sh {}\"\n", script.display());
    std::fs::write(scene.project.host().user_config_file(), own).unwrap();
    let (run, started) = edited(&scene, "claude", &[("loop.max_iterations", "1")]).await;
    assert!(!started, "a program that nobody trusted was asked for its version");
    assert_ne!(run.reason, Some(ExitReason::Promise));
}

#[tokio::test]
async fn what_a_person_agreed_to_is_what_starts_or_nothing_does() {
    let scene = Scene::new(&["first", "second"]).await;
    let prepare = |settings: &[(&str, &str)]| scene.project.runs().prepare(&request(settings)).unwrap();
    let agreed = prepare(&[]).digest().unwrap();
    assert!(prepare(&[]).require(&agreed).is_ok());
    let code = |prepared: Prepared| prepared.require(&agreed).unwrap_err().code;
    assert_eq!(code(prepare(&[("loop.automation", "yolo")])), ErrorCode::TrustChanged);
    scene.add_settings("first", "args = [\"--other\"]");
    assert_eq!(code(prepare(&[])), ErrorCode::TrustChanged, "another command line");
}

//! Caps: warned about once, never passed, never reset; and prices for agents that tell none.

use std::fmt::Write as _;

use loopwright_domain::{ExitReason, Outcome, RunStatus};

use crate::scene::{DONE, LIMIT, Scene, WORKED};

fn used(cost: &str, tokens: u32) -> String {
    format!(r#"{{"type":"usage","usage":{{"input_tokens":{tokens},"output_tokens":0}},"cost_usd":{cost}}}"#)
}

#[tokio::test]
async fn four_fifths_are_warned_about_once_and_nothing_resets_what_was_used() {
    let scene = Scene::new(&["rich"]).await;
    scene.says("rich", 1, &format!("{}\n{WORKED}", used("0.85", 10)), 0);
    scene.says("rich", 2, &format!("{}\n{LIMIT}", used("0.05", 10)), 0);
    scene.says("rich", 3, &format!("{}\n{WORKED}", used("0.20", 10)), 0);
    let run = scene.run(&[("loop.max_cost", "1"), ("on_limit", "stop")]).await;
    assert_eq!(run.reason, Some(ExitReason::AgentLimit));
    assert_eq!(run.progress.usage.cost_micros, Some(900_000), "an interruption costs what it cost");
    let run = scene.resume().await;
    assert_eq!((run.status, run.reason), (RunStatus::Aborted, Some(ExitReason::Money)));
    assert_eq!(run.progress.usage.cost_micros, Some(1_100_000));
    let told = scene.told().await;
    let warnings: Vec<&String> = told.iter().filter(|line| line.contains("at the limit")).collect();
    assert_eq!(warnings, ["$0.85 of $1.00 are used; at the limit the run stops"], "{told:#?}");
}

#[tokio::test]
async fn an_agent_that_passes_a_cap_is_ended_while_it_works() {
    for (key, value, reason) in
        [("loop.max_cost", "0.50", ExitReason::Money), ("loop.max_tokens", "500", ExitReason::Tokens)]
    {
        let scene = Scene::new(&["greedy"]).await;
        scene.says("greedy", 1, &used("0.60", 600), 0);
        scene.does("greedy", 1, "sleep 600");
        let run = scene.run(&[(key, value)]).await;
        assert_eq!((run.status, run.reason), (RunStatus::Aborted, Some(reason)));
        assert_eq!(scene.outcomes().await, [Outcome::Interrupted]);
        assert_eq!(run.progress.usage.tokens(), 600);
    }
}

#[tokio::test]
async fn what_an_agent_does_not_tell_is_estimated_by_the_price_of_its_model() {
    let scene = Scene::new(&["frugal"]).await;
    let mut lines = String::new();
    writeln!(lines, r#"{{"type":"session","id":"s","model":"house-blend-2"}}"#).unwrap();
    writeln!(lines, r#"{{"type":"usage","usage":{{"input_tokens":1000000,"output_tokens":100000}}}}"#)
        .unwrap();
    scene.says("frugal", 1, &format!("{lines}{DONE}"), 0);
    let config = scene.project.layout().config_file();
    let mut text = std::fs::read_to_string(&config).unwrap();
    text.push_str("\n[prices.house-blend]\ninput = 2\noutput = 10\n");
    std::fs::write(&config, text).unwrap();
    let run = scene.run(&[]).await;
    let usage = run.progress.usage;
    assert_eq!((usage.cost_micros, usage.estimated), (Some(3_000_000), true));
}

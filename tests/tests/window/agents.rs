//! Agents in a real window: who they are, whether they answer, and what happens when one is used up.

use std::os::unix::fs::PermissionsExt as _;

use loopwright_testkit::eventually;

use crate::machine::Machine;
use crate::page::{id, journey};
use crate::scripted_project::{ScriptedProject, start};

/// Answers as Claude Code does: to `--version`, to `auth status`, and to a prompt.
const CLAUDE: &str = r#"#!/bin/sh
case "$1" in
  --version) echo '2.1.197 (Claude Code)' ;;
  auth) echo '{"loggedIn":true,"authMethod":"oauth"}' ;;
  *)
    cat >/dev/null
    echo '{"type":"system","subtype":"init","session_id":"s","model":"house-blend"}'
    echo '{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"ready"}],"usage":{"input_tokens":9,"output_tokens":1}}}'
    echo '{"type":"result","subtype":"success","is_error":false,"result":"ready","num_turns":1,"session_id":"s","total_cost_usd":0.01,"usage":{"input_tokens":9,"output_tokens":1}}'
    ;;
esac
"#;

#[test]
fn an_agent_is_found_asked_and_made_the_default() {
    let machine = Machine::new();
    let project = machine.project("plain");
    let claude = machine.sandbox().root().join("claude");
    std::fs::write(&claude, CLAUDE).unwrap();
    std::fs::set_permissions(&claude, std::fs::Permissions::from_mode(0o755)).unwrap();
    let command = claude.display().to_string();
    for agent in ["claude", "codex"] {
        machine.cli(&project, &["config", "set", "--user", &format!("harness.{agent}.command"), &command]);
    }
    journey("agents", &machine, Some(&project), async |page| {
        page.click(&id("nav-settings")).await;
        page.click(&id("section-agent")).await;
        let tile = |inside: &str| format!("[data-agent=claude] {}", id(inside));
        page.see_text("[data-agent=claude]", "2.1.197").await;
        page.see_text("[data-agent=claude]", "Logged in").await;
        page.see_text("[data-agent=codex]", "Ready").await;
        page.see_text(&id("agents-several"), "Several agents are installed").await;
        page.picture("found").await;
        page.click(&tile("agent-ask")).await;
        page.see_text(&tile("trial"), "ready").await;
        page.click(&tile("agent-choose")).await;
        page.see(&tile("agent-chosen")).await;
        page.picture("chosen").await;
    });
    let event = machine.last_event(&project, "config.changed").unwrap();
    assert_eq!((&event["key"], &event["origin"]), (&"default_harness".into(), &"app".into()));
    assert_eq!(machine.cli(&project, &["config", "get", "default_harness"])["value"], "claude");
}

#[test]
fn a_run_waits_for_its_agents_limit_and_goes_on_when_told() {
    let scripted = ScriptedProject::new(
        "if [ -e \"$BENCH/lifted\" ]; then echo hot > tea.txt\n\
         printf '%s\\n' '{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"result\":\"The tea is **ready**.\\n<promise>COMPLETE</promise>\"}'\n\
         else echo '{\"type\":\"limit\",\"message\":\"five hours are used\"}'; fi\n",
    )
    .in_json_lines();
    journey("limit", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Make the tea.").await;
        page.see_text(&id("limit-banner"), "Five hours are used").await;
        page.see(&id("limit-left")).await;
        page.picture("waiting").await;
        let run = scripted.run();
        assert_eq!((&run["status"], &run["waiting"]), (&"waiting".into(), &"limit".into()));
        page.click(&id("nav-tasks")).await;
        page.see(&id("limit-strip")).await;
        page.click(&id("nav-overview")).await;
        scripted.allow("lifted");
        page.click(&id("limit-resume")).await;
        page.see("[data-testid=ending][data-reason=promise]").await;
        page.see_no(&id("limit-banner")).await;
        page.picture("went-on").await;
    });
    eventually("the run is written as completed", || scripted.run()["status"] == "completed");
    assert_eq!(scripted.run()["iteration"], 1, "waiting cost no iteration");
}

//! A run from its preview to its end, and steering it on the way.

use fantoccini::key::Key;

use crate::page::{id, journey};
use crate::scripted_project::{ScriptedProject, start};

#[test]
fn a_run_is_previewed_started_watched_and_explained() {
    let scripted = ScriptedProject::new(
        "echo 'I look at the kettle.'\nwait_for boil\necho tea >> tea.txt\necho '<promise>COMPLETE</promise>'\n",
    );
    journey("run", &scripted.machine, Some(&scripted.project), async |page| {
        page.fill(&id("prompt"), "Make the tea.").await;
        page.click(&id("preview")).await;
        page.see_text(&id("preview-prompt"), "Make the tea.").await;
        page.see_text(&id("preview-command"), "agent.sh").await;
        page.picture("preview").await;
        assert!(scripted.run().is_null(), "a preview starts nothing");
        page.choose(&id("preview-start")).await;
        page.see_text(&id("output-entry"), "I look at the kettle.").await;
        page.see_text(&id("progress"), "1/20").await;
        page.see("[data-testid=phases][data-phase=running]").await;
        page.picture("running").await;
        assert_eq!(scripted.run()["status"], "running");
        scripted.allow("boil");
        page.see("[data-testid=ending][data-reason=promise]").await;
        page.see("[data-testid=recent-iteration][data-outcome=succeeded] [aria-label=succeeded]").await;
        page.picture("ended").await;
    });
    let run = scripted.run();
    assert_eq!((&run["status"], &run["exit_reason"]), (&"completed".into(), &"promise".into()));
    assert_eq!(scripted.read("tea.txt"), "tea\n");
    let started = scripted.machine.last_event(&scripted.project, "run.started").unwrap();
    assert_eq!((&started["origin"], &started["harness"]), (&"app".into(), &"worker".into()));
}

/// Calls two tools at once; the second answers first, and fails.
const TOOLS: &str = r#"
tool() { printf '%s\n' '{"type":"assistant","message":{"id":"m","content":[{"type":"tool_use","id":"'$1'","name":"'$2'","input":{"command":"'$3'"}}],"usage":{"input_tokens":9,"output_tokens":1}}}'; }
answer() { printf '%s\n' '{"type":"user","message":{"content":[{"type":"tool_result","tool_use_id":"'$1'","content":"'$2'","is_error":'$3'}]}}'; }
tool t1 Bash 'boil-water'
tool t2 Read menu.txt
wait_for milk
answer t2 no-milk true
wait_for boil
answer t1 'hot\nvery-hot' false
echo hot > tea.txt
echo '{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}'
"#;

#[test]
fn tools_are_seen_at_work_and_each_keeps_its_answer() {
    let scripted = ScriptedProject::new(TOOLS).in_json_lines();
    let state = |state: &str| format!("{}[data-state={state}]", id("tool-state"));
    journey("tools", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Make the tea.").await;
        page.see_text("[data-kind=tool_call]", "boil-water").await;
        page.see_text("[data-kind=tool_call]", "menu.txt").await;
        page.see_count(&state("running"), 2).await;
        page.picture("at-work").await;
        scripted.allow("milk");
        page.see_text("[data-kind=tool_call].failed", "no-milk").await;
        page.see_count(&state("running"), 1).await;
        scripted.allow("boil");
        page.see("[data-testid=ending][data-reason=promise]").await;
        page.click(&id("nav-iterations")).await;
        page.see_text(&id("iteration-agent"), "worker").await;
        page.click(&id("iteration-row")).await;
        page.see_text(&state("passed"), "2 lines").await;
        page.click(&id("output-fold")).await;
        page.see_text(&id("tool-input"), "boil-water").await;
        page.see_text(&id("tool-output"), "very-hot").await;
        page.see_count("[data-kind=tool_call]", 2).await;
        page.see_count("[data-kind=tool_result]", 0).await;
        page.picture("answered").await;
    });
}

#[test]
fn a_run_is_paused_resumed_and_cancelled() {
    let scripted = ScriptedProject::new(
        "echo \"cup $LOOPWRIGHT_ATTEMPT\"\nwait_for \"go-$LOOPWRIGHT_ATTEMPT\"\necho cup >> cups.txt\n",
    );
    journey("steer", &scripted.machine, Some(&scripted.project), async |page| {
        start(page, "Pour cups for ever.").await;
        page.see_text(&id("output-entry"), "cup 1").await;
        page.click(&id("pause-more")).await;
        page.click(&id("menu-pause-after")).await;
        page.see("[data-testid=asked][data-asked=pause_after_iteration]").await;
        page.picture("asked").await;
        scripted.allow("go-1");
        page.see("[data-testid=run][data-status=paused]").await;
        page.picture("paused").await;
        assert_eq!(scripted.run()["status"], "paused");
        assert_eq!(scripted.read("cups.txt"), "cup\n");
        page.click(&id("step-resume")).await;
        page.see_text(&id("output-entry"), "cup 2").await;
        page.click(&id("cancel")).await;
        page.choose(&id("confirm-yes")).await;
        page.see("[data-testid=run][data-status=cancelled]").await;
        page.picture("cancelled").await;
    });
    let run = scripted.run();
    assert_eq!((&run["status"], &run["iteration"]), (&"cancelled".into(), &1.into()));
    assert_eq!(scripted.read("cups.txt"), "cup\n", "the second cup was never poured");
}

#[test]
fn the_keyboard_starts_and_the_palette_steers() {
    let scripted = ScriptedProject::new("echo 'at work'\nwait_for never\n");
    journey("run-keys", &scripted.machine, Some(&scripted.project), async |page| {
        page.fill(&id("prompt"), "Wait.").await;
        page.ctrl(Key::Enter.into()).await;
        page.see_text(&id("output-entry"), "at work").await;
        page.ctrl('k').await;
        for letter in "cancel".chars() {
            page.press(&[letter]).await;
        }
        page.press(&[Key::Enter.into()]).await;
        page.choose(&id("confirm-yes")).await;
        page.see("[data-testid=run][data-status=cancelled]").await;
    });
    assert_eq!(scripted.run()["exit_reason"], "cancelled");
}

//! What an agent leaves in its own folders and in git's, for a person to use later.

use loopwright_testkit::Output;

use crate::fenced::fenced;
use crate::place::Place;

/// One iteration of an agent that is known by the name of its program.
fn turn_of(place: &Place, name: &str, script: &str) -> Output {
    let agent = place.program(name, script);
    let args =
        ["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1", "--dirty", "include"];
    place.sandbox.run(&mut place.fenced_command(&args))
}

#[test]
fn what_an_agent_planted_is_told_also_when_it_broke_the_repository() {
    let Some(place) = fenced("") else { return };
    let script = "echo '{}' > ~/.claude/settings.json; echo x > ~/.claude/CLAUDE.md; mkdir .git/rebase-merge";
    let output = turn_of(&place, "claude", script);
    assert_ne!(output.code, 0, "{output:?}");
    let told = output.stdout + &output.stderr;
    for planted in ["settings.json", "CLAUDE.md"] {
        assert!(told.contains(&format!(".claude/{planted} was made while the agent worked")), "{told}");
    }
}

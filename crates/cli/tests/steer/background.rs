//! Runs in the background: begun before the command returns, and on their own from then on.

use std::os::unix::process::CommandExt;

use loopwright_testkit::eventually;

use crate::common::json;
use crate::live::Live;

fn background_log(live: &Live) -> String {
    let folder = live.sandbox.work().join(".git/loopwright/background");
    let logs: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    let [log] = logs.as_slice() else { panic!("one log and no answer is left: {logs:?}") };
    std::fs::read_to_string(log).unwrap()
}

fn works_alone(live: &Live) {
    live.go();
    eventually("the run ends", || live.last_run()["live"].is_null());
    assert_eq!(live.outcomes(), [(1, "succeeded".to_owned()), (2, "succeeded".to_owned())]);
}

#[test]
fn a_run_goes_on_when_its_terminal_is_gone() {
    let live = Live::new();
    let looping = live.looping(&["--detach"]);
    let mut terminal = live.sandbox.command("sh");
    terminal.args(["-c", "\"$@\" && touch begun; sleep 600", "sh"]).arg(looping.get_program());
    let terminal = live.start(terminal.args(looping.get_args()).process_group(0));
    eventually("the run begins", || live.sandbox.work().join("begun").exists());
    std::fs::remove_file(live.sandbox.work().join("begun")).unwrap();
    let group = format!("-{}", terminal.id());
    for signal in ["HUP", "INT", "KILL"] {
        let kill = ["-c", "kill -s $0 -- $1", signal, &group];
        assert_eq!(live.sandbox.run(live.sandbox.command("sh").args(kill)).code, 0);
    }
    eventually("the agent works", || live.lines("started") == 1);
    assert!(live.last_run()["live"]["pid"].as_u64().is_some());
    works_alone(&live);
    assert!(background_log(&live).contains("Iteration 2/2 completed"), "{}", background_log(&live));
}

#[test]
fn it_says_which_run_works_where_and_can_be_steered() {
    let live = Live::new();
    let begun = live.sandbox.run(live.looping(&["--detach", "--json"]).args(["--verbose"]));
    assert_eq!(begun.code, 0, "{begun:?}");
    let (begun, run) = (json(&begun), live.last_run());
    assert_eq!((&begun["run"], &begun["pid"]), (&run["run"], &run["live"]["pid"]));
    assert_eq!(live.run(&["pause"]).code, 0);
    eventually("the agent works", || live.lines("started") == 1);
    live.go();
    eventually("it pauses", || live.status() == "paused");
    assert_eq!(live.run(&["resume", "--detach"]).stdout, "The run goes on.\n");
    works_alone(&live);
}

#[test]
fn a_stopped_run_is_taken_up_in_the_background() {
    let live = Live::new();
    let worker = live.at_work(&["-c", "agent.interrupt_grace=1ms"]);
    worker.signal(&live, "INT");
    assert_eq!(worker.finish().code, 130);
    let resumed = live.run(&["resume", "--detach"]);
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(resumed.stdout.starts_with("Started. Run "), "{resumed:?}");
    live.go();
    eventually("the run ends", || live.last_run()["live"].is_null());
    assert_eq!(live.outcomes().last().unwrap(), &(2, "succeeded".to_owned()));
}

#[test]
fn what_cannot_begin_says_why_as_in_the_foreground() {
    let live = Live::new();
    live.sandbox.write("mine.txt", "not committed");
    let dirty = live.sandbox.run(&mut live.looping(&["--detach"]));
    assert_eq!(dirty.code, 2, "{dirty:?}");
    assert!(dirty.stderr.contains("uncommitted changes: mine.txt"), "{dirty:?}");
    let dirty = live.sandbox.run(&mut live.looping(&["--detach", "--json"]));
    assert_eq!(json(&dirty)["error"]["code"], "run.dirty");
    std::fs::remove_file(live.sandbox.work().join("mine.txt")).unwrap();
    let begun = live.sandbox.run(&mut live.looping(&["--detach"]));
    assert_eq!(begun.code, 0, "{begun:?}");
    let second = live.sandbox.run(&mut live.looping(&["--detach"]));
    assert_eq!(second.code, 6, "{second:?}");
    let pid = live.last_run()["live"]["pid"].to_string();
    assert!(second.stderr.contains(&format!("process {pid}")), "{second:?}");
    works_alone(&live);
}

#[test]
fn a_prompt_from_standard_input_reaches_the_background() {
    let live = Live::new();
    let words = "the whole prompt\n".repeat(20_000);
    live.outside("prompt", &words);
    let agent = format!("sh -c 'wc -l > {}/counted'", live.sandbox.root().display());
    let mut command = live.command(&["loop", "--prompt-file", "-", "--command", &agent, "--detach"]);
    command.args(["--prompt-mode", "stdin", "-n", "1"]);
    command.stdin(std::fs::File::open(live.sandbox.root().join("prompt")).unwrap());
    let begun = live.sandbox.run(&mut command);
    assert_eq!(begun.code, 0, "{begun:?}");
    eventually("the run ends", || live.last_run()["live"].is_null());
    let counted = std::fs::read_to_string(live.sandbox.root().join("counted")).unwrap();
    assert!(counted.trim().parse::<usize>().unwrap() >= 20_000, "{counted}");
}

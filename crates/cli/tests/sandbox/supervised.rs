//! Runs with a sandbox are stopped, resumed and decided about as those without one.

use loopwright_testkit::eventually;

use crate::common::{installed, json};
use crate::place::alive;
use crate::sandboxed::{DONE, sandboxed};

#[test]
fn an_agent_in_the_sandbox_decides_nothing() {
    let check = "[[checks]]\nname = \"menu\"\ncommand = \"test -f menu.txt\"\n";
    let Some(place) = sandboxed(&format!("mode = \"review_each\"\n{check}")) else { return };
    for task in ["First", "Second"] {
        assert_eq!(place.run(&["task", "add", task]).code, 0);
    }
    let work = place.agent(&format!("echo tea >> menu.txt{DONE}echo 'LOOPWRIGHT_COMPLETE: did it'\n"));
    let first = place.sandbox.run(&mut place.fenced_command(&["run", "--task", "1", "--command", &work]));
    assert_eq!(first.code, 5, "{first:?}");
    let tries = [
        "approve 1 --yes",
        "config set mode autonomous",
        "config set --user sandbox off",
        "trust --yes",
        "resume",
    ];
    let ways = ["", "env -u LOOPWRIGHT_ITERATION ", "env -i setsid "];
    let mut script = format!("L={}\n", installed(&place.sandbox).display());
    for (number, (way, attempt)) in
        ways.iter().flat_map(|way| tries.iter().map(move |one| (way, one))).enumerate()
    {
        script
            .push_str(&format!("{way}$L {attempt} > try-{number} 2>&1 < /dev/null && touch done-{number}\n"));
    }
    script.push_str("(env -i setsid sh -c \"sleep 0.3; $L approve 1 --yes > orphan 2>&1\" &)\nsleep 1.5\n");
    let args =
        ["loop", "--prompt", "Go.", "--max-iterations", "1", "--new", "--dirty", "include", "--command"];
    let agent = place.agent(&format!("{script}{DONE}"));
    let output = place.sandbox.run(&mut place.fenced_command(&[&args[..], &[&agent]].concat()));
    // The mode is what it was: its good end waits for a person.
    assert_eq!(output.code, 5, "{output:?}");
    for number in 0..ways.len() * tries.len() {
        let said = place.file(&format!("try-{number}")).unwrap();
        assert!(said.contains("may not"), "{number}: {said}");
        assert_eq!(place.file(&format!("done-{number}")), None, "{number}");
    }
    assert!(place.file("orphan").unwrap().contains("may not"), "{:?}", place.file("orphan"));
    assert_eq!(place.sandbox.git("", &["log", "--format=%s"]), "Begin\n");
}

#[test]
fn a_killed_run_is_resumed_and_its_agent_ended() {
    let Some(place) = sandboxed("") else { return };
    let agent = place.agent(&format!(
        "if [ -e begun ]; then{DONE}exit 0; fi\nsetsid sleep 600 & touch begun; sleep 600\n"
    ));
    let args = ["loop", "--prompt", "Go.", "--max-iterations", "2", "--command", &agent];
    let live = place.launch_command(&mut place.fenced_command(&args));
    eventually("the agent has begun", || place.sandbox.work().join("begun").exists());
    eventually("its start is written down", || {
        place.last_run()["current"]["pid"].is_u64() || place.iteration(1)["iteration"]["pid"].is_u64()
    });
    let pid = place.iteration(1)["iteration"]["pid"].as_u64().unwrap().to_string();
    live.signal("KILL");
    let _ = live.end();
    assert!(alive(&place, &pid), "as without a sandbox, the agent lives on until somebody looks");
    let resumed = place.sandbox.run(&mut place.fenced_command(&["resume"]));
    assert_eq!(resumed.code, 0, "{resumed:?}");
    assert!(!alive(&place, &pid));
    let told = resumed.stdout + &resumed.stderr;
    assert!(told.contains("was still running from before and was ended"), "{told}");
    assert_eq!(place.last_run()["status"], "completed");
}

#[test]
fn an_agent_is_stopped_with_all_it_started_and_strays_are_told() {
    let Some(place) = sandboxed("") else { return };
    let agent = place.agent("trap 'echo bye > ended; exit 0' TERM\nsetsid sleep 600 &\ntouch begun\nwhile :; do sleep 0.05; done\n");
    let live = place.launch_command(&mut place.fenced_command(&[
        "loop",
        "--prompt",
        "Go.",
        "--command",
        &agent,
        "-c",
        "agent.interrupt_grace=1s",
    ]));
    eventually("the agent has begun", || place.sandbox.work().join("begun").exists());
    live.signal("TERM");
    let output = live.end();
    assert_eq!(output.code, 143, "{output:?}");
    assert_eq!(place.file("ended").as_deref(), Some("bye\n"), "it was asked and had its time");
    let events = place.run(&["history", "--json"]);
    assert!(json(&events).is_object() || json(&events).is_array());
    let strays = place.sandbox.run(place.sandbox.command("ps").args(["-eo", "args="])).stdout;
    assert!(!strays.lines().any(|line| line.contains(&*place.sandbox.work().to_string_lossy())), "{strays}");
}

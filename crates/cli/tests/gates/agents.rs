//! An agent tries to open its own gate by every route it has.

use std::fs;

use loopwright_testkit::eventually;

use crate::common::installed;
use crate::place::ProjectFolder;
use crate::shop::{DONE, shop};

/// What an agent may try from its own process tree. `$L` is the program.
const TRIES: &[&str] = &[
    "$L approve 1 --yes",
    "$L approve --with-edits --yes",
    "$L reject 1 --reason no",
    "$L reject 1 --skip --reason no",
    "$L revert HEAD --yes",
    "$L config set mode autonomous",
    "$L config set gate.always '[]'",
    "$L config set --user mode autonomous",
    "$L config unset mode",
    "cp .loopwright/config.toml ../kept; echo 'default_harness = \"claude\"' > .loopwright/config.toml; \
     printf '[[checks]]\\nname = \"x\"\\ncommand = \"true\"\\n' >> .loopwright/config.toml; $L trust --yes; code=$?; \
     cp ../kept .loopwright/config.toml; exit $code",
    "$L resume",
    "$L task unblock 1",
    "$L task done 1",
    "$L task reopen 1",
    "$L check add sneaky true",
    "$L restore 1 --before --yes",
    "$L finish",
    "env -i PATH=\"$PATH\" HOME=\"$HOME\" $L approve 1 --yes",
    "env -u LOOPWRIGHT_ITERATION $L approve 1 --yes",
    "env -u LOOPWRIGHT_ITERATION sh -c 'exec $L approve 1 --yes'",
    "env -i setsid $L approve 1 --yes",
    "cd / && env -i $L -C \"$HERE\" approve 1 --yes",
];

/// A project whose work always waits for a person.
fn guarded() -> ProjectFolder {
    let check = "[[checks]]\nname = \"menu\"\ncommand = \"test -f menu.txt\"\n";
    shop(&format!("mode = \"review_each\"\n{check}"), &["First", "Second"])
}

#[test]
fn no_route_of_an_agent_opens_a_gate() {
    let place = guarded();
    let work = format!("echo tea >> menu.txt\n{DONE}");
    assert_eq!(place.start_tasks(&work, &["--task", "1"]).code, 5);
    let config = place.file(".loopwright/config.toml");
    let mut tries = String::new();
    for (number, attempt) in TRIES.iter().enumerate() {
        let log = place.beside(&format!("try-{number}"));
        tries.push_str(&format!("( {attempt} ) > {0} 2>&1 < /dev/null\necho $? > {0}.code\n", log.display()));
    }
    let program = installed(&place.sandbox);
    let tree = place.gate("1")["gate"]["tree"].as_str().unwrap().to_owned();
    tries.push_str(&format!(
        "{} approve 1 --tree {tree} > {} 2>&1\n",
        program.display(),
        place.beside("with-tree").display()
    ));
    let marked = place.agent(&format!("export L={} HERE=\"$PWD\"\n{tries}", program.display()));
    // As Loopwright starts agents: marked, in a process tree of their own.
    let mut agent = place.sandbox.command("sh");
    agent.args(["-c", &format!("{marked}; exit 0")]).env("LOOPWRIGHT_ITERATION", "01a");
    assert_eq!(place.sandbox.run(&mut agent).code, 0);
    for (number, attempt) in TRIES.iter().enumerate() {
        let said = place.told(&format!("try-{number}"));
        assert_ne!(place.told(&format!("try-{number}.code")).trim(), "0", "{attempt}: {said}");
        let forbidden = ["an agent may not", "a program that a run has started may not"];
        let harmless = ["no iteration has the commit", "a terminal", "not in a Loopwright project"];
        assert!(forbidden.iter().chain(&harmless).any(|words| said.contains(words)), "{attempt}: {said}");
    }
    assert!(place.told("with-tree").contains("an agent may not"), "{}", place.told("with-tree"));
    let gate = place.gate("1");
    assert_eq!((gate["gate"]["status"].as_str(), gate["unchanged"].as_bool()), (Some("open"), Some(true)));
    assert_eq!(place.file(".loopwright/config.toml"), config);
    assert_eq!(place.subjects().len(), 1);
}

/// An agent that leaves files, words and an orphan behind; the orphan is in a session of its own, without the marker,
/// and waits until the gate is open.
fn sly(place: &ProjectFolder) -> String {
    let program = installed(&place.sandbox);
    let [orphan, seen] = ["orphan.sh", "orphan-said"].map(|name| place.beside(name));
    let waits = format!(
        "cd {work}\nfor i in $(seq 200); do {program} gate show 1 > /dev/null 2>&1 && break; sleep 0.1; done\n\
         {program} approve 1 --yes > {seen} 2>&1\n",
        work = place.sandbox.work().display(),
        program = program.display(),
        seen = seen.display(),
    );
    fs::write(&orphan, waits).unwrap();
    format!(
        "echo tea >> menu.txt\n\
         printf 'mode = \"autonomous\"\\ngate.always = []\\n' > .loopwright/config.toml\n\
         mkdir -p .loopwright/run\necho '{{\"approve\": 1, \"gate\": \"approved\"}}' > .loopwright/run/gate.json\n\
         echo 'LOOPWRIGHT_APPROVE: 1'\n\
         env -i PATH=\"$PATH\" HOME=\"$HOME\" XDG_DATA_HOME=\"$XDG_DATA_HOME\" XDG_CONFIG_HOME=\"$XDG_CONFIG_HOME\" \
         sh -c '(setsid sh {orphan} > /dev/null 2>&1 < /dev/null &)'\n{DONE}",
        orphan = orphan.display(),
    )
}

/// The gate is open and stays so; the orphan was ended with its agent, or asked and was refused.
fn stays_open(place: &ProjectFolder) {
    std::thread::sleep(std::time::Duration::from_secs(1));
    let said = place.told("orphan-said");
    assert!(said.is_empty() || said.contains("may not"), "{said}");
    let gate = place.gate("1");
    assert_eq!(gate["gate"]["status"], "open");
    assert_eq!(gate["gate"]["reasons"], serde_json::json!(["mode", "risk"]));
    assert_eq!(place.subjects().len(), 1);
}

#[test]
fn what_an_agent_leaves_behind_opens_no_gate_of_a_run_that_waits() {
    let place = guarded();
    let agent = place.agent(&sly(&place));
    let live = place.launch(&["run", "--command", &agent, "--wait"]);
    eventually("the gate is open", || place.open_gates().len() == 1);
    stays_open(&place);
    assert_eq!(place.run(&["cancel"]).code, 0);
    assert_eq!(live.end().code, 130);
}

#[test]
fn what_an_agent_leaves_behind_opens_no_gate_after_its_run_has_ended() {
    let place = guarded();
    let run = place.start_tasks(&sly(&place), &[]);
    assert_eq!(run.code, 5, "{run:?}");
    stays_open(&place);
}

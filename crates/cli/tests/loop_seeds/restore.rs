//! Going back to what an iteration left, and taking that back.

use std::fs;

use loopwright_testkit::eventually;

use crate::common::json;
use crate::place::ProjectFolder;

/// Each iteration adds a line, makes a file and takes one of the iteration before away.
const WORKS: &str = "n=$(wc -l < menu.txt | tr -d ' ')\necho \"Tea $n\" >> menu.txt\necho made > \"made $n.txt\"\n\
    rm -f \"made $((n - 1)).txt\"\n";

fn shop() -> ProjectFolder {
    let place = ProjectFolder::git("");
    place.sandbox.write(".gitignore", "*.log\n");
    place.sandbox.git("", &["add", ".gitignore"]);
    place.sandbox.git("", &["commit", "--quiet", "--message", "ignore"]);
    let run = place.start_loop(WORKS, &["-n", "3"]);
    assert_eq!(run.code, 3, "{run:?}");
    place
}

fn kept(place: &ProjectFolder) -> Vec<String> {
    let refs = place
        .sandbox
        .git("", &["for-each-ref", "--format=%(objectname)", "refs/loopwright/checkpoints/restore"]);
    refs.lines().map(str::to_owned).collect()
}

#[test]
fn the_files_of_an_iteration_come_back_and_the_way_back_is_open() {
    let place = shop();
    place.sandbox.write("mine.txt", "my own\n");
    place.sandbox.write("keep.log", "ignored\n");
    let shown = |args: &[&str]| {
        let mut text = place.shown(&place.run(args));
        for commit in kept(&place) {
            text = text.replace(&commit, "[COMMIT]");
        }
        text
    };
    let index = fs::read(place.sandbox.work().join(".git/index")).unwrap();
    insta::assert_snapshot!("restore_dry_run", shown(&["restore", "1", "--dry-run"]));
    insta::assert_snapshot!("restore_unasked", shown(&["restore", "1"]));
    assert!(kept(&place).is_empty() && place.file("mine.txt").is_some(), "nothing was done so far");
    insta::assert_snapshot!("restore", shown(&["restore", "1", "--yes"]));
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\nTea 1\n");
    assert_eq!(place.file("made 1.txt").unwrap(), "made\n");
    assert_eq!(place.file("mine.txt"), None);
    assert_eq!(place.file("keep.log").unwrap(), "ignored\n");
    insta::assert_snapshot!("restore_again", shown(&["restore", "1", "--yes"]));
    insta::assert_snapshot!("restore_undo", shown(&["restore", "--undo", "--yes"]));
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\nTea 1\nTea 2\nTea 3\n");
    assert_eq!((place.file("made 1.txt"), place.file("mine.txt").as_deref()), (None, Some("my own\n")));
    assert_eq!(index, fs::read(place.sandbox.work().join(".git/index")).unwrap());
    assert_eq!(place.sandbox.git("", &["stash", "list"]), "");
    // Taking back what was taken back goes forward again; a commit names any of them.
    let commits = kept(&place);
    assert_eq!(commits.len(), 2);
    assert_eq!(place.run(&["restore", "--undo", "--yes"]).code, 0);
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\nTea 1\n");
    let first = format!("--undo={}", &commits[0][..12]);
    assert_eq!(place.run(&["restore", &first, "--yes"]).code, 0);
    assert_eq!(place.file("mine.txt").as_deref(), Some("my own\n"));
    assert_eq!(place.run(&["restore", "--undo=0123456789", "--yes"]).code, 2);
}

#[test]
fn json_says_what_would_be_done_and_what_was() {
    let place = shop();
    let preview = json(&place.run(&["restore", "2", "--before", "--dry-run", "--json"]));
    assert_eq!(preview["writes_total"], 2, "{preview}");
    assert_eq!(preview["deletes"], serde_json::json!(["made 3.txt"]));
    let unasked = place.run(&["restore", "2", "--before", "--json"]);
    assert_eq!((unasked.code, json(&unasked)["error"]["code"].as_str()), (2, Some("confirmation.declined")));
    let restored = json(&place.run(&["restore", "2", "--before", "--yes", "--json"]));
    assert_eq!((&restored["written"], &restored["deleted"]), (&2.into(), &1.into()), "{restored}");
    assert_eq!(restored["safety"].as_str().unwrap(), kept(&place)[0]);
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\nTea 1\n");
}

#[test]
fn nobody_restores_while_a_run_works_and_no_agent_does() {
    let place = ProjectFolder::git("");
    let program = place.command(&[]).get_program().to_owned();
    let script = format!(
        "echo changed >> menu.txt\n\"{}\" restore 1 --before --yes > ../answer 2>&1\necho $? >> ../answer\ntouch ../tried\n\
         while [ ! -e ../go ]; do sleep 0.05; done\n",
        program.to_string_lossy()
    );
    let live = place.launch_loop(&script, &["-n", "1"]);
    live.wait_for("tried");
    let answer = place.told("answer");
    assert!(answer.ends_with("2\n") || answer.ends_with("6\n"), "{answer}");
    let refused = place.run(&["restore", "1", "--before", "--yes"]);
    assert_eq!(refused.code, 6, "{refused:?}");
    assert_eq!(place.file("menu.txt").unwrap(), "Sencha 4.20\nchanged\n");
    fs::write(place.beside("go"), "").unwrap();
    assert_eq!(live.end().code, 3);
}

#[test]
fn an_agent_left_alone_with_a_finished_run_may_not_restore_either() {
    let place = shop();
    let program = place.command(&[]).get_program().to_owned();
    let refused = place.sandbox.run(
        place
            .sandbox
            .command(&program)
            .args(["restore", "1", "--yes", "--json"])
            .env("LOOPWRIGHT_ITERATION", "x"),
    );
    assert_eq!((refused.code, json(&refused)["error"]["code"].as_str()), (2, Some("agent.forbidden")));
}

#[test]
fn a_restore_that_is_killed_loses_nothing() {
    let place = ProjectFolder::git("");
    let many = "i=0; while [ $i -lt 1500 ]; do echo \"$1 $i\" > \"f$i.txt\"; i=$((i+1)); done\n";
    let script = format!("set -- \"$(wc -l < menu.txt)\"\n{many}echo more >> menu.txt\n");
    assert_eq!(place.start_loop(&script, &["-n", "2"]).code, 3);
    place.sandbox.write("mine.txt", "my own\n");
    let before = place.sandbox.git("", &["status", "--porcelain"]);
    for _ in 0..3 {
        let known = kept(&place).len();
        let live = place.launch(&["restore", "1", "--yes"]);
        eventually("the safety checkpoint is there", || kept(&place).len() > known);
        live.signal("KILL");
        drop(live.end());
        assert_eq!(place.run(&["restore", "--undo", "--yes"]).code, 0);
        assert_eq!(place.file("mine.txt").as_deref(), Some("my own\n"));
        assert_eq!(place.file("f1499.txt").unwrap().trim().rsplit_once(' ').unwrap().0.trim(), "2");
        assert_eq!(before, place.sandbox.git("", &["status", "--porcelain"]));
    }
    // Or it is simply done again.
    let live = place.launch(&["restore", "1", "--yes"]);
    live.signal("KILL");
    drop(live.end());
    assert_eq!(place.run(&["restore", "1", "--yes"]).code, 0);
    assert_eq!(place.file("f1499.txt").unwrap().trim().rsplit_once(' ').unwrap().0.trim(), "1");
    assert_eq!(place.file("mine.txt"), None);
}

#[test]
fn two_iterations_are_compared_by_what_they_left() {
    let place = shop();
    let shown = |args: &[&str]| place.shown(&place.run(args));
    insta::assert_snapshot!("diff_stat", shown(&["diff", "--stat"]));
    insta::assert_snapshot!("diff_two", shown(&["diff", "1", "3"]));
    assert_eq!(shown(&["diff", "1..3"]), shown(&["diff", "1", "3"]));
    let runs = json(&place.run(&["history", "--json"]));
    let first = format!("{}:1", runs[0]["id"].as_str().unwrap());
    assert_eq!(shown(&["diff", &first, "3"]), shown(&["diff", "1", "3"]));
    let report = json(&place.run(&["diff", "1..3", "--stat", "--json"]));
    assert_eq!(
        (&report["total"], &report["files"][0]["path"]),
        (&2.into(), &"made 3.txt".into()),
        "{report}"
    );
    for wrong in ["x", "1..", "0", "1..9", "nobody:1"] {
        assert_eq!(place.run(&["diff", wrong]).code, 2, "{wrong}");
    }
}

#[test]
fn a_redirected_diff_is_byte_for_byte_what_git_apply_takes() {
    let place = ProjectFolder::git("");
    let script = r"printf 'tab\there\r\npay \342\200\256001\n\377 \033[2J\n' >> menu.txt";
    assert_eq!(place.start_loop(script, &["-n", "1"]).code, 3);
    let printed = place.command(&["diff"]).output().unwrap();
    assert!(printed.status.success(), "{printed:?}");
    let added = b"+tab\there\r\n+pay \xe2\x80\xae001\n+\xff \x1b[2J\n";
    assert!(printed.stdout.ends_with(added), "{:?}", String::from_utf8_lossy(&printed.stdout));
    let patch = place.beside("work.patch");
    fs::write(&patch, &printed.stdout).unwrap();
    place.sandbox.git("", &["apply", "--reverse", patch.to_str().unwrap()]);
    assert_eq!(place.file("menu.txt").as_deref(), Some("Sencha 4.20\n"));
}

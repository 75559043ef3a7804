//! Steps that write, change and delete files, and run commands.

use std::fs;

use crate::support::Rehearsal;

#[test]
fn files_are_written_appended_edited_and_deleted() {
    let rehearsal = Rehearsal::of(
        r#"
        { write = "a/b/new.txt", content = "one\r\ntwo\n" },
        { append = "a/b/new.txt", content = "three" },
        { append = "log/fresh.txt", content = "first" },
        { edit = "a/b/new.txt", find = "two", replace = "2" },
        { write = "twice.txt", content = "x x" },
        { edit = "twice.txt", find = "x", replace = "y", all = true },
        { write = "gone.txt", content = "" },
        { delete = "gone.txt" },
        { write = "folder/deep/gone.txt", content = "" },
        { delete = "folder" },
        "#,
    );
    rehearsal.run(&[]).well();
    assert_eq!(rehearsal.names(), ["a", "log", "twice.txt"]);
    assert_eq!(rehearsal.read("a/b/new.txt"), "one\r\n2\nthree");
    assert_eq!(rehearsal.read("log/fresh.txt"), "first");
    assert_eq!(rehearsal.read("twice.txt"), "y y");
}

#[test]
fn a_file_step_that_cannot_work_stops_the_scene_with_its_line() {
    let cases = [
        (r#"{ edit = "a.txt", find = "z", replace = "" },"#, "does not hold the text to replace"),
        (r#"{ edit = "a.txt", find = "x", replace = "" },"#, "holds the text to replace 2 times"),
        (r#"{ edit = "none.txt", find = "x", replace = "" },"#, "\"none.txt\": "),
        (r#"{ delete = "none.txt" },"#, "\"none.txt\": "),
        (r#"{ write = "a.txt/b", content = "" },"#, "\"a.txt/b\": "),
    ];
    for (step, reason) in cases {
        let rehearsal = Rehearsal::of(&format!(
            "{{ write = \"a.txt\", content = \"x x\" }},\n{step}\n{{ say = \"unreached\" }},"
        ));
        let printed = rehearsal.run(&[]);
        assert_eq!(printed.code, Some(1), "{step}");
        let complaint = printed.complaint();
        assert!(
            complaint.starts_with("error: in the scene of line 1: the step of line 4 failed: "),
            "{complaint}"
        );
        assert!(complaint.contains(reason), "{complaint}");
        assert!(!printed.text().contains("unreached"));
        assert_eq!(rehearsal.read("a.txt"), "x x");
    }
}

#[cfg(unix)]
#[test]
fn a_symlink_out_of_the_folder_is_not_followed() {
    for step in [
        r#"{ write = "way/new.txt", content = "" },"#,
        r#"{ append = "way/keep.txt", content = "x" },"#,
        r#"{ edit = "way/keep.txt", find = "safe", replace = "" },"#,
        r#"{ delete = "way/keep.txt" },"#,
        r#"{ save_prompt = "way/prompt.txt" },"#,
        r#"{ spawn = "child", for = "1s", pid_file = "way/pid" },"#,
    ] {
        let rehearsal = Rehearsal::of(step);
        let outside = rehearsal.beside("outside");
        fs::create_dir(&outside).unwrap();
        fs::write(outside.join("keep.txt"), "safe").unwrap();
        std::os::unix::fs::symlink(&outside, rehearsal.work().join("way")).unwrap();
        let printed = rehearsal.run(&[]);
        assert_eq!(printed.code, Some(1), "{step}");
        assert!(printed.complaint().contains("leads out of the working folder"), "{}", printed.complaint());
        assert_eq!(fs::read_dir(&outside).unwrap().count(), 1);
        assert_eq!(fs::read_to_string(outside.join("keep.txt")).unwrap(), "safe");
    }
}

#[test]
fn a_command_runs_without_a_shell_and_its_output_is_reported() {
    let rehearsal = Rehearsal::of(
        r#"
        { run = ["git", "config", "--file", "out.cfg", "a.b", "$(touch pwned); a  b * %PATH%"] },
        { run = ["git", "config", "--file", "out.cfg", "--get", "a.b"] },
        "#,
    );
    let printed = rehearsal.run(&[]).well();
    assert_eq!(rehearsal.names(), ["out.cfg"]);
    assert!(printed.text().ends_with("\n  $(touch pwned); a  b * %PATH%\n"), "{}", printed.text());
}

#[test]
fn the_script_goes_on_after_a_failed_or_missing_command() {
    let rehearsal = Rehearsal::of(
        r#"
        { run = ["git", "config", "--file", "none.cfg", "--get", "a.b"] },
        { run = ["loopwright-no-such-program"] },
        { say = "still here" },
        "#,
    );
    let printed = rehearsal.run(&[]).well();
    let lines: Vec<&str> = printed.text().lines().collect();
    assert_eq!(lines[0], "> run git config --file none.cfg --get a.b (failed)");
    assert_eq!(lines[1], "> run loopwright-no-such-program (failed)");
    assert!(lines[2].starts_with("  loopwright-no-such-program: "));
    assert_eq!(lines[3], "still here");
}

//! Each thing that an agent needs, done for real in the sandbox.

use std::fs;

use crate::place::ProjectFolder;
use crate::sandboxed::{DONE, sandboxed};

#[test]
fn an_agent_edits_commits_keeps_temporary_files_and_starts_programs() {
    let Some(place) = sandboxed("") else { return };
    let script = "set -e\n\
        echo Gyokuro >> menu.txt; mkdir -p src/deep; echo x > src/deep/file; mv menu.txt list.txt; mv list.txt menu.txt\n\
        git add menu.txt; git commit -q -m 'By the agent'; git tag mine; git branch other\n\
        echo x > \"$TMPDIR/one\"; echo x > /tmp/two; test -s /tmp/one; test -s \"$TMPDIR/two\"; mktemp > /dev/null\n\
        (sleep 0.1; echo child > child) & wait\n\
        cat \"$LOOPWRIGHT_PROMPT_FILE\" > prompt; ls /usr/bin > /dev/null; echo x > /dev/null; test -c /dev/urandom\n";
    place.one_turn(script, &[]);
    assert_eq!(place.sandbox.git("", &["log", "-1", "--format=%s"]), "By the agent\n");
    assert!(place.file("prompt").unwrap().contains("Go.") && place.file("child").is_some());
    let left =
        fs::read_dir("/tmp").unwrap().filter_map(Result::ok).filter(|entry| entry.file_name() == "two");
    assert_eq!(left.count(), 0, "the machine's own folder for temporary files is another one");
}

#[test]
fn an_agent_writes_its_own_folders_and_not_those_of_others() {
    let Some(place) = sandboxed("") else { return };
    let script =
        "echo x > ~/.codex/history || echo refused > own; echo x > ~/.claude/history || echo refused > other";
    let agent = place.program("codex", script);
    let args = ["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1"];
    let output = place.sandbox.run(&mut place.fenced_command(&args));
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(place.file("own"), None);
    assert_eq!(place.file("other").as_deref(), Some("refused\n"));
    assert!(place.beside("home/.codex/history").is_file());
}

#[test]
fn a_folder_that_the_user_opened_is_open() {
    let Some(place) = sandboxed("") else { return };
    let opened = format!("sandbox_write=[\"{}\", \"~/.cargo/registry\"]", place.beside("outside").display());
    fs::create_dir_all(place.beside("home/.cargo/registry")).unwrap();
    place.one_turn("set -e\necho x > ../outside/file; echo x > ~/.cargo/registry/file", &["-c", &opened]);
    assert!(place.beside("outside/file").is_file() && place.beside("home/.cargo/registry/file").is_file());
}

#[test]
fn signals_and_questions_reach_loopwright() {
    let check = "[[checks]]\nname = \"menu\"\ncommand = \"grep -q Oolong menu.txt\"\n";
    let Some(place) = sandboxed(check) else { return };
    assert_eq!(place.run(&["task", "add", "Add Oolong"]).code, 0);
    let script = "set -e\n\
        $L check --prompt > asked || test $? = 1\n\
        $L status > status; $L task list > tasks; $L task show 1 > task\n\
        echo 'Oolong 5.00' >> menu.txt; $L check --prompt >> asked\n\
        say() { printf '{\"jsonrpc\":\"2.0\",%s}\\n' \"$1\"; }\n\
        { say '\"id\":1,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\
              \"clientInfo\":{\"name\":\"t\",\"version\":\"1\"}}'; say '\"method\":\"notifications/initialized\"'; \
          say '\"id\":2,\"method\":\"tools/list\"'; sleep 1; } | $L mcp > tools\n\
        $L signal learning 'tea is hot'; $L signal complete 'added'\n";
    let folders = format!(
        "export LOOPWRIGHT_CONFIG_DIR={} LOOPWRIGHT_DATA_DIR={}\nL={}\n",
        place.sandbox.config_dir().display(),
        place.sandbox.data_dir().display(),
        crate::common::installed(&place.sandbox).display()
    );
    let program = place.agent(&(folders + script));
    let output = place.sandbox.run(&mut place.fenced_command(&["run", "--command", &program]));
    assert_eq!(output.code, 0, "{output:?}\n{:?}", place.iteration(1));
    let told = place.sandbox.git("", &["show", "HEAD"]);
    assert!(told.contains("Oolong 5.00") && told.contains("Loopwright-Task"), "{told}");
    assert!(place.file("task").unwrap().contains("Add Oolong"));
    assert!(place.file("tools").unwrap().contains("report_complete"));
    assert_eq!(place.iteration(1)["iteration"]["claim"], "signal");
}

#[test]
fn a_linked_work_tree_is_open_and_its_repository_keeps_its_keys() {
    let Some(place) = sandboxed("") else { return };
    let tree = place.beside("tree");
    place.sandbox.git("", &["add", "--all"]);
    place.sandbox.git("", &["commit", "--quiet", "--allow-empty", "--message", "Set up"]);
    place.sandbox.git("", &["worktree", "add", "--quiet", &tree.display().to_string()]);
    let script = "echo x > made && git add made && git commit -q -m 'In the tree' || exit 9\n\
        { echo canary > .git; echo canary > ../work/menu.txt; git config core.pager canary; \
          echo canary > \"$(git rev-parse --git-dir)/commondir\"; \
          echo canary > \"$(git rev-parse --git-common-dir)/hooks/x\"; } 2>/dev/null";
    let agent = place.agent(&format!("{script}{DONE}"));
    let at = tree.display().to_string();
    let args = ["-C", &at, "loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1"];
    let output = place.sandbox.run(&mut place.fenced_command(&args));
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(place.sandbox.git(&tree, &["log", "-1", "--format=%s"]), "In the tree\n");
    assert_eq!(place.file("menu.txt").as_deref(), Some("Sencha 4.20\n"));
    for file in [".git/config", ".git/worktrees/tree/commondir"] {
        assert!(!place.file(file).unwrap().contains("canary"), "{file}");
    }
    assert!(fs::read_to_string(tree.join(".git")).unwrap().starts_with("gitdir: "));
    assert!(!place.sandbox.work().join(".git/hooks/x").exists());
}

#[test]
fn a_folder_without_git_keeps_its_state() {
    let Some(_) = sandboxed("") else { return };
    let place = ProjectFolder::plain("");
    let script = "echo x > made; echo x >> .loopwright/state/state.db; echo x > .loopwright/config.toml";
    place.one_turn(&format!("{{ {script}; }} 2>/dev/null"), &[]);
    assert_eq!(place.file("made").as_deref(), Some("x\n"));
    assert_eq!(place.file(".loopwright/config.toml").as_deref(), Some(""));
    assert_eq!(place.run(&["status"]).code, 0);
}

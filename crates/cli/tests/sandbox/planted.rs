//! What an agent leaves in its own folders and in git's, for a person to use later.

use std::fs;

use loopwright_testkit::Output;

use crate::place::ProjectFolder;
use crate::sandboxed::sandboxed;

/// One iteration of an agent that is known by the name of its program.
fn turn_of(place: &ProjectFolder, name: &str, script: &str) -> Output {
    let agent = place.program(name, script);
    let args =
        ["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "1", "--dirty", "include"];
    place.sandbox.run(&mut place.fenced_command(&args))
}

/// Puts a file of the user's into the home folder.
fn put(place: &ProjectFolder, file: &str, text: &str) {
    let path = place.beside("home").join(file);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, text).unwrap();
}

/// Tries to write `canary` into files below the home folder; all complaints are thrown away.
fn overwrite(files: &[&str]) -> String {
    let tries =
        files.iter().map(|file| format!("mkdir -p \"$(dirname ~/{file})\"; echo canary > ~/{file}\n"));
    format!("{{\n{}}} 2>/dev/null", tries.collect::<String>())
}

#[test]
fn programs_and_plugins_of_agents_stay_as_they_are() {
    let programs: &[(&str, &[&str])] = &[
        (
            "claude",
            &[
                ".claude/local/claude",
                ".claude/plugins/installed.json",
                ".local/share/claude/versions/2.1",
                ".npm/_npx/abc/node_modules/.bin/tool",
            ],
        ),
        ("opencode", &[".opencode/bin/opencode", ".cache/opencode/bin/rg", ".npm/_npx/abc/tool"]),
        ("copilot", &[".cache/copilot/pkg/linux/1.0/index.js", ".copilot/installed-plugins/one"]),
        ("cursor-agent", &[".local/share/cursor-agent/versions/1/cursor-agent"]),
        ("pi", &[".pi/agent/bin/rg"]),
    ];
    let Some(place) = sandboxed("") else { return };
    for (name, files) in programs {
        files.iter().for_each(|file| put(&place, file, "mine"));
        let output = turn_of(&place, name, &overwrite(files));
        assert_eq!(output.code, 0, "{output:?}");
        for file in *files {
            assert_eq!(fs::read_to_string(place.beside("home").join(file)).unwrap(), "mine", "{file}");
        }
    }
}

#[test]
fn npm_works_and_keeps_nothing_that_the_user_would_start() {
    let Some(place) = sandboxed("") else { return };
    let script = "echo x > \"$npm_config_cache/one\" || echo refused > own; \
                  mkdir -p ~/.npm/_npx/evil 2>/dev/null && echo open > users";
    let output = turn_of(&place, "codex", script);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!((place.file("own"), place.file("users")), (None, None));
    assert!(place.sandbox.data_dir().join("npm/one").is_file());
}

#[test]
fn a_program_that_new_settings_would_start_is_told() {
    let Some(place) = sandboxed("") else { return };
    put(&place, ".claude.json", r#"{"startups": 1, "mcpServers": {"mine": {"command": "x"}}}"#);
    let quiet = r#"echo '{"startups": 2, "mcpServers": {"mine": {"command": "x"}}}' > ~/.claude.json"#;
    let output = turn_of(&place, "claude", quiet);
    assert_eq!(output.code, 0, "{output:?}");
    let told = output.stdout + &output.stderr;
    assert!(!told.contains("while the agent worked"), "{told}");
    let loud = r#"echo '{"startups": 3, "mcpServers": {"mine": {"command": "evil"}}}' > ~/.claude.json
                  mkdir -p ~/.claude/plugins/evil"#;
    let output = turn_of(&place, "claude", loud);
    let told = output.stdout + &output.stderr;
    assert!(
        told.contains(".claude.json was changed while the agent worked") && told.contains("mcpServers"),
        "{told}"
    );
    assert!(told.contains(".claude/plugins was made while the agent worked"), "{told}");
}

#[test]
fn settings_in_folders_that_are_not_there_yet_are_told() {
    let Some(place) = sandboxed("") else { return };
    let output = turn_of(&place, "pi", "mkdir ~/.pi/agent; echo '{\"x\": 1}' > ~/.pi/agent/settings.json");
    let told = output.stdout + &output.stderr;
    assert!(told.contains(".pi/agent/settings.json was made while the agent worked"), "{told}");
}

#[test]
fn no_repository_is_planted_inside_of_git() {
    let Some(place) = sandboxed("") else { return };
    let tries = ["modules/sub", "worktrees/other"].map(|folder| {
        format!("mkdir -p .git/{folder}/hooks; echo canary > .git/{folder}/hooks/post-checkout\n")
    });
    let output = turn_of(&place, "claude", &format!("{{ {}\n}} 2>/dev/null", tries.concat()));
    assert_eq!(output.code, 0, "{output:?}");
    for folder in [".git/modules", ".git/worktrees"] {
        let planted = fs::read_dir(place.sandbox.work().join(folder)).map_or(0, Iterator::count);
        assert_eq!(planted, 0, "{folder}");
    }
    assert_eq!(place.sandbox.git("", &["worktree", "list"]).lines().count(), 1);
}

#[test]
fn what_codex_makes_at_its_first_start_is_no_alarm() {
    let Some(place) = sandboxed("") else { return };
    let script = "mkdir -p ~/.codex/skills/.system/one; echo x > ~/.codex/skills/.system/one/SKILL.md\n\
                  printf '[projects.\"%s\"]\\ntrust_level = \"trusted\"\\n' \"$PWD\" > ~/.codex/config.toml";
    let output = turn_of(&place, "codex", script);
    assert_eq!(output.code, 0, "{output:?}");
    let told = output.stdout + &output.stderr;
    assert!(!told.contains("while the agent worked"), "{told}");
    assert!(place.beside("home/.codex/config.toml").is_file(), "it could be made");
}

#[test]
fn what_would_start_something_is_an_alarm_at_the_first_start_too() {
    let Some(place) = sandboxed("") else { return };
    let script = "mkdir -p ~/.codex/skills/mine; echo 'notify = [\"evil\"]' > ~/.codex/config.toml";
    let output = turn_of(&place, "codex", script);
    let told = output.stdout + &output.stderr;
    for planted in ["config.toml", "skills"] {
        assert!(told.contains(&format!(".codex/{planted} was made while the agent worked")), "{told}");
    }
}

#[test]
fn what_an_agent_planted_is_told_also_when_it_broke_its_own_git_folder() {
    let Some(place) = sandboxed("") else { return };
    let script = "echo '{\"hooks\": {}}' > ~/.claude/settings.json; echo x > ~/.claude/CLAUDE.md; mkdir .git/rebase-merge";
    let output = turn_of(&place, "claude", script);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(!place.sandbox.work().join(".git/rebase-merge").exists());
    let told = output.stdout + &output.stderr;
    for planted in ["settings.json", "CLAUDE.md"] {
        assert!(told.contains(&format!(".claude/{planted} was made while the agent worked")), "{told}");
    }
}

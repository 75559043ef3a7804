//! The sample project, played from the first task to the last with the real agent, the real checks and real git.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use loopwright_domain::{Task, TaskDraft, TaskGraph, TaskId};
use loopwright_rehearsal::cue::Cue;
use loopwright_rehearsal::scenario::Scenario;
use serde_json::Value;
use tempfile::TempDir;
use toml_edit::{Document, Item, Table};

use crate::support::{program, rehearsal, tree};

/// What goes wrong on purpose: task, attempt, and the one check that finds it.
const FAILURES: [(u32, u32, &str); 2] = [(3, 1, "Prices match the list"), (4, 1, "No loose ends")];
/// The task that touches a protected path.
const PROTECTED_TASK: u32 = 7;

fn sample(part: &str) -> PathBuf {
    Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("../engine/sample").join(part)
}

fn toml(path: &Path) -> Document<String> {
    Document::parse(fs::read_to_string(path).unwrap()).unwrap()
}

fn tables<'a>(document: &'a Document<String>, key: &str) -> Vec<&'a Table> {
    document.get(key).and_then(Item::as_array_of_tables).unwrap().iter().collect()
}

fn texts(item: &Item) -> Vec<String> {
    item.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

fn tasks() -> Vec<Task> {
    let document = toml(&sample("tasks.toml"));
    let tables = tables(&document, "task");
    let number = |key: &str| {
        let at = tables.iter().position(|table| table["key"].as_str() == Some(key)).unwrap();
        TaskId(u32::try_from(at + 1).unwrap())
    };
    let task = |table: &&Table| {
        let draft = TaskDraft {
            description: table["description"].as_str().unwrap().to_owned(),
            priority: u32::try_from(table["priority"].as_integer().unwrap()).unwrap(),
            depends_on: texts(&table["depends_on"]).iter().map(|key| number(key)).collect(),
            ..TaskDraft::titled(table["title"].as_str().unwrap())
        };
        Task::new(number(table["key"].as_str().unwrap()), draft, "")
    };
    tables.iter().map(task).collect()
}

/// A fresh copy of the sample in a repository of its own.
struct Project {
    temp: TempDir,
    checks: Vec<(String, Vec<String>, Vec<i64>)>,
    protected: Vec<String>,
}

impl Project {
    fn new() -> Self {
        let temp = tempfile::tempdir().unwrap();
        for (name, content) in tree(&sample("files")) {
            let path = temp.path().join("project").join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        }
        let config = toml(&temp.path().join("project/.loopwright/config.toml"));
        let check = |table: &Table| {
            let argv = shell_words::split(table["command"].as_str().unwrap()).unwrap();
            let success = table.get("success").and_then(Item::as_array);
            let success = success
                .map_or(vec![0], |codes| codes.iter().map(|code| code.as_integer().unwrap()).collect());
            (table["name"].as_str().unwrap().to_owned(), argv, success)
        };
        let checks = tables(&config, "checks").into_iter().map(check).collect();
        let protected = texts(&config["gate"]["protected"]);
        let project = Self { temp, checks, protected };
        project.git(&["init", "--quiet", "--initial-branch=main"]);
        project.commit("The sample as it begins");
        project
    }

    fn root(&self) -> PathBuf {
        self.temp.path().join("project")
    }

    /// A program in the project, without the settings of whoever runs the test.
    fn program(&self, name: &str) -> Command {
        let mut command = program(name);
        command.current_dir(self.root()).stdin(Stdio::null());
        command.env("GIT_CONFIG_NOSYSTEM", "1").env("GIT_CONFIG_GLOBAL", self.temp.path().join("no-config"));
        command
    }

    fn git(&self, arguments: &[&str]) -> String {
        let output = self.program("git").args(arguments).output().unwrap();
        assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
        String::from_utf8(output.stdout).unwrap()
    }

    fn commit(&self, message: &str) {
        self.git(&["add", "--all"]);
        let identity = ["-c", "user.name=Test", "-c", "user.email=test@example.org"];
        self.git(&[&identity[..], &["commit", "--quiet", "--message", message]].concat());
    }

    fn restore(&self) {
        self.git(&["checkout", "--quiet", "--", "."]);
        self.git(&["clean", "--quiet", "-d", "--force"]);
        assert_eq!(self.changed(), [""; 0]);
    }

    /// Plays one attempt as Loopwright would start it. Returns what was said and the signals.
    fn attempt(&self, task: u32, attempt: u32) -> (String, Value) {
        let signals = self.temp.path().join("signal.json");
        let _ = fs::remove_file(&signals);
        let output = rehearsal()
            .current_dir(self.root())
            .arg("--fast")
            .env("LOOPWRIGHT_TASK", task.to_string())
            .env("LOOPWRIGHT_ATTEMPT", attempt.to_string())
            .env("LOOPWRIGHT_SIGNAL_FILE", &signals)
            .env("LOOPWRIGHT_NONCE", "nonce")
            .output()
            .unwrap();
        assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
        let document: Value = serde_json::from_slice(&fs::read(&signals).unwrap()).unwrap();
        assert_eq!(document["nonce"], "nonce");
        (String::from_utf8(output.stdout).unwrap(), document["signals"].clone())
    }

    /// The names of the checks that fail now.
    fn failing(&self) -> Vec<&str> {
        let fails = |argv: &[String], success: &[i64]| {
            let output = self.program(&argv[0]).args(&argv[1..]).output().unwrap();
            let errors = String::from_utf8_lossy(&output.stderr);
            assert_eq!(errors, "", "{argv:?}");
            !success.contains(&i64::from(output.status.code().unwrap()))
        };
        self.checks
            .iter()
            .filter(|(_, argv, success)| fails(argv, success))
            .map(|(name, _, _)| name.as_str())
            .collect()
    }

    fn changed(&self) -> Vec<String> {
        let status = self.git(&["status", "--porcelain", "--untracked-files=all", "-z"]);
        status.split_terminator('\0').map(|entry| entry[3..].to_owned()).collect()
    }

    fn touches_protected(&self) -> bool {
        let folders: Vec<&str> = self.protected.iter().map(|glob| glob.strip_suffix("**").unwrap()).collect();
        self.changed().iter().any(|path| folders.iter().any(|folder| path.starts_with(folder)))
    }
}

#[test]
fn the_tasks_lie_in_three_waves() {
    let tasks = tasks();
    let waves = TaskGraph::new(&tasks).waves();
    let numbers: Vec<Vec<u32>> =
        waves.iter().map(|wave| wave.tasks.iter().map(|task| task.0).collect()).collect();
    assert_eq!(numbers, [vec![1, 2], vec![3, 4, 5], vec![6, 7]]);
}

#[test]
fn the_whole_story_happens_as_told() {
    let project = Project::new();
    assert_eq!(project.checks.len(), 4);
    assert_eq!(project.failing(), [""; 0], "the sample begins with a failing check");
    for wave in TaskGraph::new(&tasks()).waves() {
        for task in wave.tasks {
            play_task(&project, task.0);
        }
    }
    assert_final_tree(&project);
}

fn play_task(project: &Project, task: u32) {
    for attempt in 1..=2 {
        let (said, signals) = project.attempt(task, attempt);
        assert!(!said.is_empty());
        let last = signals.as_array().unwrap().last().unwrap();
        assert_eq!(last["type"], "complete", "task {task} does not claim to be done");
        assert!(!project.changed().is_empty());
        let planned = FAILURES.iter().find(|failure| (failure.0, failure.1) == (task, attempt));
        let expected: Vec<&str> = planned.iter().map(|failure| failure.2).collect();
        assert_eq!(project.failing(), expected, "task {task}, attempt {attempt}");
        if planned.is_none() {
            assert_eq!(project.touches_protected(), task == PROTECTED_TASK, "task {task}");
            project.commit(&format!("Task {task}"));
            return;
        }
        project.restore();
    }
    panic!("task {task} is not done after two attempts");
}

fn assert_final_tree(project: &Project) {
    let mut expected: BTreeMap<String, Vec<u8>> = tree(&sample("files"));
    expected.extend(tree(&sample("finished")));
    let found = tree(&project.root());
    assert_eq!(found.keys().collect::<Vec<_>>(), expected.keys().collect::<Vec<_>>());
    for (name, content) in expected {
        let found = String::from_utf8_lossy(&found[&name]);
        assert_eq!(found, String::from_utf8_lossy(&content), "{name}");
    }
    let commits = project.git(&["rev-list", "--count", "HEAD"]);
    assert_eq!(commits.trim(), "8");
}

#[test]
fn the_false_claim_is_made_in_words_and_by_signal() {
    let project = Project::new();
    let (said, signals) = project.attempt(4, 1);
    assert!(said.contains("<promise>COMPLETE</promise>"));
    assert_eq!(signals[0]["type"], "complete");
}

#[test]
fn tasks_of_a_wave_can_be_done_in_any_order() {
    let project = Project::new();
    for task in [2, 1, 5, 4, 3, 7, 6] {
        for attempt in 1..=2 {
            project.attempt(task, attempt);
            if project.failing().is_empty() {
                break;
            }
            project.restore();
        }
        project.commit(&format!("Task {task}"));
    }
    assert_final_tree(&project);
}

#[test]
fn every_check_can_fail() {
    let spoil = |file: &str, content: &str| {
        let project = Project::new();
        fs::write(project.root().join(file), content).unwrap();
        project.failing().join(", ")
    };
    let footer = "<footer>The Quiet Kettle, 3 Willow Lane</footer>\n";
    assert_eq!(spoil("site/a.html", &format!("<p>Lorem ipsum</p>\n{footer}")), "No loose ends");
    assert_eq!(spoil("site/a.html", &format!("<li>Sencha 4.21</li>\n{footer}")), "Prices match the list");
    assert_eq!(spoil("site/a.html", "<p>hello</p>\n"), "Footer on every page");
    assert_eq!(spoil("site/hours.txt", "always open\n"), "Agreed texts are exact");
    assert_eq!(spoil("site/a.html", &format!("<li>Sencha 4.20</li>\n{footer}")), "");
}

#[test]
fn a_task_of_the_users_own_is_declined_kindly() {
    let project = Project::new();
    let (said, signals) = project.attempt(8, 1);
    assert!(said.contains("choose a real agent"));
    assert_eq!(signals[0]["type"], "blocked");
    assert_eq!(project.changed(), [""; 0]);
}

#[test]
fn the_story_is_short_enough_to_watch() {
    let scenario = Scenario::load(&sample("files/.loopwright/rehearsal.toml")).unwrap();
    let attempts = (1..=7).map(|task| (task, 1)).chain([(3, 2), (4, 2)]);
    let pause = |(task, attempt)| {
        let cue = Cue { task: Some(task), attempt, prompt: Vec::new() };
        cue.pick(&scenario).unwrap().pauses()
    };
    let pauses: Vec<Duration> = attempts.map(pause).collect();
    assert!(pauses.iter().all(|pause| *pause >= Duration::from_secs(1)), "{pauses:?}");
    assert!(pauses.iter().sum::<Duration>() < Duration::from_secs(30), "{pauses:?}");
}

#[test]
fn the_texts_are_plain() {
    let mut files = tree(&sample("files"));
    files.insert("tasks.toml".to_owned(), fs::read(sample("tasks.toml")).unwrap());
    for (name, content) in files {
        let text = String::from_utf8(content).unwrap();
        assert!(text.is_ascii() && !text.contains(['\r', '\t']), "{name}");
        assert!(text.ends_with('\n') && !text.ends_with("\n\n"), "{name}");
        for line in text.lines() {
            assert_eq!(line.trim_end(), line, "{name}: {line}");
            assert!(line.len() <= 120 || line.starts_with("command = "), "{name}: {line}");
        }
    }
}

//! A project with tasks, and an agent that is a script.

use serde_json::Value;

use crate::common::json;
use crate::place::ProjectFolder;

/// Says that the task is done, as an agent does.
pub(crate) const DONE: &str = "echo '<promise>COMPLETE</promise>'\necho 'LOOPWRIGHT_COMPLETE: did it'\n";

/// A trusted project with some tasks.
pub(crate) fn shop(config: &str, tasks: &[&str]) -> ProjectFolder {
    let place = ProjectFolder::git(config).trusted();
    for task in tasks {
        let added = place.run(&["task", "add", task]);
        assert_eq!(added.code, 0, "{added:?}");
    }
    place
}

impl ProjectFolder {
    /// A run over the tasks with a script as its agent.
    pub(crate) fn start_tasks(&self, script: &str, more: &[&str]) -> loopwright_testkit::Output {
        let agent = self.agent(script);
        self.run(&[&["run", "--command", &agent], more].concat())
    }

    /// The open gates.
    pub(crate) fn open_gates(&self) -> Vec<Value> {
        json(&self.run(&["gate", "list", "--json"]))["open"].as_array().unwrap().clone()
    }

    /// A gate in full.
    pub(crate) fn gate(&self, id: &str) -> Value {
        json(&self.run(&["gate", "show", id, "--json"]))
    }

    /// Where a task stands.
    pub(crate) fn task_status(&self, id: u32) -> String {
        let shown = json(&self.run(&["task", "show", &id.to_string(), "--json"]));
        shown["task"]["status"].as_str().unwrap().to_owned()
    }

    /// The subjects of the commits, the newest first.
    pub(crate) fn subjects(&self) -> Vec<String> {
        self.sandbox.git("", &["log", "--format=%s"]).lines().map(str::to_owned).collect()
    }
}

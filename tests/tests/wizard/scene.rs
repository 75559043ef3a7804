//! A machine of its own with the scripted agent.

use std::process::Command;

use loopwright_testkit::{Output, Sandbox, built};
use serde_json::Value;

/// Good answers to every phase, and the work of the two tasks.
pub(crate) const SCENARIO: &str = include_str!("scenario.toml");
pub(crate) const IDEA: &str = "A small site for our tea house. Guests read the menu. No accounts.";

pub(crate) struct Scene {
    pub(crate) sandbox: Sandbox,
}

impl Scene {
    /// With the scripted agent playing a scenario.
    pub(crate) fn playing(scenario: &str) -> Self {
        let scene = Self { sandbox: Sandbox::new() };
        let file = scene.sandbox.root().join("scenario.toml");
        std::fs::write(&file, scenario).unwrap();
        std::fs::create_dir_all(scene.sandbox.config_dir()).unwrap();
        let text = format!(
            "sandbox = \"off\"\ndefault_harness = \"rehearsal\"\n\n[harness.rehearsal]\ncommand = {:?}\nargs = [\"--scenario\", {:?}, \"--fast\"]\n",
            built("loopwright-rehearsal").display().to_string(),
            file.display().to_string()
        );
        std::fs::write(scene.sandbox.config_dir().join("config.toml"), text).unwrap();
        scene
    }

    pub(crate) fn command(&self, args: &[&str]) -> Command {
        let mut command = self.sandbox.command(built("loopwright"));
        command.args(args);
        command
    }

    pub(crate) fn run(&self, args: &[&str]) -> Output {
        self.sandbox.run(&mut self.command(args))
    }

    pub(crate) fn ok(&self, args: &[&str]) -> Output {
        let output = self.run(args);
        assert_eq!(output.code, 0, "{args:?}: {output:?}");
        output
    }

    pub(crate) fn json(&self, args: &[&str]) -> Value {
        let output = self.ok(args);
        serde_json::from_str(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
    }

    /// The wizard as `wizard show --json` has it.
    pub(crate) fn wizard(&self) -> Value {
        let all = self.json(&["wizard", "list", "--json"]);
        let id = all[0]["id"].as_str().unwrap_or_else(|| panic!("{all}")).to_owned();
        self.json(&["wizard", "show", &id, "--json"])
    }

    /// A phase of it, counted from 1.
    pub(crate) fn phase(&self, number: usize) -> Value {
        self.wizard()["wizard"]["phases"][number - 1].clone()
    }
}

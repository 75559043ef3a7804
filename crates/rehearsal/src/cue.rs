//! The cue: what picks a scene.

use crate::scenario::{Scenario, Scene};

/// Which task and attempt this is, and what the agent was told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cue {
    /// The task's number, when there is one.
    pub task: Option<u32>,
    /// The attempt, counted from 1.
    pub attempt: u32,
    /// The prompt as it was given; empty when it was not read.
    pub prompt: Vec<u8>,
}

impl Cue {
    /// The first scene that fits, in the order of the file.
    #[must_use]
    pub fn pick<'a>(&self, scenario: &'a Scenario) -> Option<&'a Scene> {
        scenario.scenes.iter().find(|scene| self.fits(scene))
    }

    fn fits(&self, scene: &Scene) -> bool {
        scene.task.is_none_or(|task| self.task == Some(task))
            && scene.attempt.is_none_or(|attempt| self.attempt == attempt)
            && scene.prompt_contains.as_ref().is_none_or(|text| contains(&self.prompt, text.as_bytes()))
    }

    /// The cue in words, for messages.
    #[must_use]
    pub fn describe(&self) -> String {
        match self.task {
            Some(task) => format!("task {task}, attempt {}", self.attempt),
            None => format!("attempt {} without a task", self.attempt),
        }
    }
}

fn contains(text: &[u8], wanted: &[u8]) -> bool {
    wanted.is_empty() || text.windows(wanted.len()).any(|window| window == wanted)
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENARIO: &str = r#"
[[scene]]
name = "first try"
task = 3
attempt = 1
steps = [{ say = "a" }]

[[scene]]
name = "later tries"
task = 3
steps = [{ say = "b" }]

[[scene]]
name = "asked nicely"
prompt_contains = "please"
steps = [{ say = "c" }]
"#;

    fn picked(task: Option<u32>, attempt: u32, prompt: &str) -> Option<String> {
        let scenario = Scenario::parse("s.toml", SCENARIO).unwrap();
        let cue = Cue { task, attempt, prompt: prompt.into() };
        cue.pick(&scenario).and_then(|scene| scene.name.clone())
    }

    #[test]
    fn the_first_scene_that_fits_is_played() {
        assert_eq!(picked(Some(3), 1, "please").as_deref(), Some("first try"));
        assert_eq!(picked(Some(3), 2, "").as_deref(), Some("later tries"));
        assert_eq!(picked(Some(4), 1, "yes, please!").as_deref(), Some("asked nicely"));
        assert_eq!(picked(None, 1, "please").as_deref(), Some("asked nicely"));
        assert_eq!(picked(Some(4), 1, "PLEASE"), None);
    }
}

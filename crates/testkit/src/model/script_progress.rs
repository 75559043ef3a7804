//! Which turn is due.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use super::script::{Rule, Script, Turn};
use super::trouble::{Status, Trouble};

/// A script being played.
#[derive(Debug, Default)]
pub(super) struct ScriptProgress {
    script: Script,
    /// How often each turn of each rule was given.
    given: Mutex<HashMap<(usize, usize), u32>>,
}

/// A turn, and where in the script it stands.
#[derive(Clone, Debug)]
pub(super) struct Due {
    pub(super) turn: Turn,
    /// `rule 1, turn 2`, counted from 1.
    pub(super) place: String,
}

impl ScriptProgress {
    pub(super) fn new(script: Script) -> Self {
        Self { script, given: Mutex::default() }
    }

    pub(super) fn script(&self) -> &Script {
        &self.script
    }

    /// The turn for a prompt to a model, after which that has spoken `depth` times.
    pub(super) fn due(&self, model: &str, prompt: &str, depth: usize) -> Due {
        let mut given = self.given.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = self.script.rules.iter().enumerate();
        let mut fitting = rules.filter(|(_, rule)| {
            prompt.contains(&rule.when) && rule.model.as_deref().is_none_or(|asked| asked == model)
        });
        let chosen = fitting.find(|(number, rule)| !is_used_up(rule, *number, &given));
        let Some((number, rule)) = chosen else { return lost("No rule of the script fits this prompt.") };
        let Some(turn) = position(rule, depth, |turn| given.get(&(number, turn)).copied().unwrap_or(0))
        else {
            return lost("The rule that fits this prompt has no turn.");
        };
        *given.entry((number, turn)).or_default() += 1;
        Due { turn: rule.turns[turn].clone(), place: format!("rule {}, turn {}", number + 1, turn + 1) }
    }
}

/// A rule is used up when its last turn was given as often as it may lead a conversation.
fn is_used_up(rule: &Rule, number: usize, given: &HashMap<(usize, usize), u32>) -> bool {
    let last = rule.turns.iter().rposition(|turn| turn.trouble.is_none());
    let ended = last.and_then(|last| given.get(&(number, last)).copied()).unwrap_or(0);
    rule.times.is_some_and(|times| ended >= times)
}

/// Steps over what was said and over trouble that is past.
fn position(rule: &Rule, depth: usize, given: impl Fn(usize) -> u32) -> Option<usize> {
    let mut left = depth;
    for (number, turn) in rule.turns.iter().enumerate() {
        match &turn.trouble {
            Some(_) if left == 0 && turn.times.is_none_or(|times| given(number) < times) => {
                return Some(number);
            }
            Some(_) => {}
            None if left == 0 => return Some(number),
            None => left -= 1,
        }
    }
    rule.turns.iter().rposition(|turn| turn.trouble.is_none())
}

/// A script that does not know what to say is a mistake of the test: no CLI can take this for an answer.
fn lost(message: &str) -> Due {
    let mut status = Status::new(400);
    status.message = message.to_owned();
    Due { turn: Turn::trouble(Trouble::Status(status)), place: "none".to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(progress: &ScriptProgress, prompt: &str, depth: usize) -> String {
        progress.due("m", prompt, depth).turn.say
    }

    #[test]
    fn turns_follow_the_depth_and_the_last_one_stays() {
        let progress = ScriptProgress::new(Script::always([Turn::say("one"), Turn::say("two")]));
        assert_eq!(said(&progress, "p", 0), "one");
        assert_eq!(said(&progress, "p", 1), "two");
        assert_eq!(said(&progress, "p", 7), "two");
        assert_eq!(said(&progress, "p", 0), "one");
    }

    #[test]
    fn a_rule_for_a_model_is_for_that_model() {
        let rules =
            vec![Rule::any().model("m").turns([Turn::say("mine")]), Rule::any().turns([Turn::say("all")])];
        let progress = ScriptProgress::new(Script::from(rules));
        assert_eq!(
            (progress.due("m", "p", 0).turn.say, progress.due("n", "p", 0).turn.say),
            ("mine".into(), "all".into())
        );
    }

    #[test]
    fn the_first_rule_that_fits_speaks_for_as_many_conversations_as_it_may() {
        let rules = vec![
            Rule::when("greet").times(1).turns([Turn::say("a"), Turn::say("b")]),
            Rule::any().turns([Turn::say("c")]),
        ];
        let progress = ScriptProgress::new(Script::from(rules));
        assert_eq!(said(&progress, "leave", 0), "c");
        assert_eq!(said(&progress, "greet me", 0), "a");
        assert_eq!(said(&progress, "greet me", 0), "a", "a conversation begun twice is not ended");
        assert_eq!(said(&progress, "greet me", 1), "b");
        assert_eq!(said(&progress, "greet me", 0), "c");
    }

    #[test]
    fn trouble_strikes_as_often_as_it_may_and_is_no_step_of_the_conversation() {
        let turns = [Turn::fail(529).times(2), Turn::say("one"), Turn::fail(500).times(1), Turn::say("two")];
        let progress = ScriptProgress::new(Script::always(turns));
        assert!(progress.due("m", "p", 0).turn.trouble.is_some());
        assert!(progress.due("m", "p", 0).turn.trouble.is_some());
        assert_eq!(said(&progress, "p", 0), "one");
        assert!(progress.due("m", "p", 1).turn.trouble.is_some());
        assert_eq!(said(&progress, "p", 1), "two");
        let forever = ScriptProgress::new(Script::always([Turn::fail(401)]));
        assert!((0..5).all(|_| forever.due("m", "p", 0).turn.trouble.is_some()));
    }

    #[test]
    fn a_script_without_words_is_told_of() {
        assert!(ScriptProgress::default().due("m", "p", 0).turn.trouble.is_some());
    }
}

//! From what the page asks for to what a run works by. The page never names a program, and nothing it sends can widen
//! what a run may do without a person's native yes.

use loopwright_domain::{Automation, ErrorCode, Fault};
use loopwright_engine::config::{Group, ValueKind, key, schema, unknown_key};
use loopwright_engine::run::{Prepared, Request, RunRequest, TaskSelection};

use crate::desktop::Question;
use crate::run_dto::{RunSetting, StartRun, StartWork};

/// More text than this is no prompt.
const LONGEST_PROMPT: usize = 1024 * 1024;
/// More text than this is no setting and no name.
const LONGEST_VALUE: usize = 4 * 1024;

/// What the page asks for, as the engine takes it.
///
/// # Errors
/// A text is too long, or a setting is not one of those that may be set for a run.
pub(crate) fn resolve(start: StartRun) -> Result<RunRequest, Fault> {
    let request = match start.work {
        StartWork::Prompt { text } => Request::Prompt(bounded(text, LONGEST_PROMPT)?),
        StartWork::Procedure { name } => Request::Procedure(bounded(name, LONGEST_VALUE)?),
        StartWork::Tasks { tag, task, wave } => {
            let tag = tag.map(|name| bounded(name, LONGEST_VALUE)).transpose()?;
            Request::Tasks(TaskSelection { tag, task, wave, ..TaskSelection::default() })
        }
        StartWork::Fix { extra } => {
            Request::Fix(extra.map(|text| bounded(text, LONGEST_PROMPT)).transpose()?)
        }
    };
    let mut request = RunRequest::new(request);
    request.harness = start.harness.map(|name| bounded(name, LONGEST_VALUE)).transpose()?;
    request.model = start.model.map(|name| bounded(name, LONGEST_VALUE)).transpose()?;
    for RunSetting { key, value } in start.settings {
        if !may_be_set(&key) {
            return Err(unknown_key(&key));
        }
        request = request.set(key, bounded(value, LONGEST_VALUE)?);
    }
    Ok(match start.automation {
        Some(automation) => request.set(key::LOOP_AUTOMATION.name(), automation.as_str()),
        None => request,
    })
}

/// Whether a page may set a setting for one run: what the loop, its limits and git do, how long agents may take, and
/// when a person looks at the work. What is risky waits for a person in every mode, and no page can change that.
fn may_be_set(key: &str) -> bool {
    schema::find(key).is_some_and(|spec| match spec.group {
        Group::Loop | Group::Git => true,
        Group::Agent => spec.kind == ValueKind::Time,
        Group::Gates => spec.key == "mode",
        _ => false,
    })
}

fn bounded(text: String, longest: usize) -> Result<String, Fault> {
    if text.len() > longest {
        return Err(Fault::new(ErrorCode::UsageInvalid, "that is too much text")
            .hint("Use less, or put it into a file of the project and name that."));
    }
    Ok(text)
}

/// What a person has to agree to before a run may begin; none when nothing about it is dangerous.
pub(crate) fn confirm_risk(prepared: &Prepared) -> Option<Question> {
    let options = &prepared.options;
    (options.automation == Automation::Yolo).then(|| Question {
        title: "Let the agent do anything it wants?".to_owned(),
        text: format!(
            "In yolo mode {} is never asked and never held back. It can run any program, change and delete any file \
             you can, and use the network. Only do this where nothing can be lost.",
            options.agent.name
        ),
        yes: "Start in yolo mode".to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_sets_limits_and_never_programs() {
        for key in [
            "loop.max_iterations",
            "run.max_attempts",
            "run.commit",
            "mode",
            "git.auto_commit",
            "agent.timeout",
            "loop.dirty",
        ] {
            assert!(may_be_set(key), "{key}");
        }
        for key in [
            "default_harness",
            "loop.automation",
            "harness.x.command",
            "gate.protected",
            "gate.always",
            "checks",
            "",
        ] {
            assert!(!may_be_set(key), "{key}");
        }
    }

    #[test]
    fn texts_without_end_are_refused() {
        let start = |text: String| StartRun {
            work: StartWork::Prompt { text },
            harness: None,
            model: None,
            automation: None,
            settings: Vec::new(),
            leave_earlier: false,
        };
        assert!(resolve(start("x".repeat(LONGEST_PROMPT))).is_ok());
        assert_eq!(resolve(start("x".repeat(LONGEST_PROMPT + 1))).unwrap_err().code, ErrorCode::UsageInvalid);
    }
}

//! Begins a procedure of a project's own: a file with comments, ready to be changed.

use std::fmt::Write;
use std::path::{Path, PathBuf};

use loopwright_config::text_file;
use loopwright_domain::{ErrorCode, Fault};

use super::{FragmentSource, Phase, PhaseName, Procedure, builtin, is_name, label, path_of, unknown};

/// What each phase of a new procedure says until somebody says it better.
const BEGINNINGS: [&str; 4] = [
    "Read what the work needs: name the files and the commands here.",
    "Work out what it means: what is missing, what is wrong, what can be used.",
    "Choose one thing to do, and how you will know that it is done.",
    "Do it, run the checks, and write down what the next iteration has to know.",
];

/// Writes a new procedure file and gives its path. It begins as a copy of the built-in procedure `from`, or of the
/// one with the same name; else with a line for each phase.
///
/// # Errors
/// The name cannot be one, the file is there already, nothing built in is called `from`, or it cannot be written.
pub fn create(root: &Path, name: &str, from: Option<&str>) -> Result<PathBuf, Fault> {
    if !is_name(name) {
        let message = format!("\"{name}\" cannot be the name of a procedure");
        return Err(Fault::new(ErrorCode::UsageInvalid, message)
            .hint("Use small letters, digits, \"-\" and \"_\", at most 64 of them, like \"tidy-docs\"."));
    }
    let path = path_of(root, name);
    if path.symlink_metadata().is_ok() {
        let message = format!("{} is there already", label(name));
        return Err(Fault::new(ErrorCode::ProcedureExists, message).hint("Edit it, or choose another name."));
    }
    let base = match from {
        Some(from) => Some(builtin::find(from).ok_or_else(|| unknown(None, from))?),
        None => builtin::find(name),
    };
    text_file::write_inside(root, &path, &file(name, base.as_ref()))?;
    Ok(path)
}

fn file(name: &str, base: Option<&Procedure>) -> String {
    let mut text = format!("# The procedure \"{name}\". Run it with: loopwright loop --procedure {name}\n");
    text.push_str(
        "# A phase is a list of { text = \"…\" }, { file = \"path\" } and { builtin = \"name\" }, in this order.\n\
         # With params = { key = \"value\" } in one of them, {key} in its text is filled in.\n",
    );
    let same_name = base.is_some_and(|base| base.name == name);
    if same_name {
        text.push_str(
            "# This name is built in: what is left out here stays as it is built in, phase by phase.\n",
        );
    }
    text.push('\n');
    let quoted = |value: &str| toml_edit::Value::from(value).to_string();
    let title = base.map_or(name, |base| &base.title);
    let summary = base.map_or("What it does, in a line.", |base| &base.summary);
    let _infallible = write!(
        text,
        "title = {}\nsummary = {}\n# description = \"When to use it, and what it leaves behind.\"\n\n",
        quoted(title),
        quoted(summary)
    );
    text.push_str(&settings(base));
    for (index, name) in PhaseName::ALL.into_iter().enumerate() {
        let lines = match base {
            Some(base) => base.phases.get(index).map(|phase| copied(base, phase)).unwrap_or_default(),
            None => format!("  {{ text = {} }},\n", quoted(BEGINNINGS[index])),
        };
        let _infallible = write!(text, "\n# {}\n{} = [\n{lines}]\n", purpose(name), name.key());
    }
    text
}

fn settings(base: Option<&Procedure>) -> String {
    let iterations = match base.and_then(|base| base.max_iterations) {
        Some(count) => format!("max_iterations = {count}   # 0: without end\n"),
        None => "# max_iterations = 5   # 0: without end; left out: as the settings say\n".to_owned(),
    };
    format!(
        "{iterations}promise = \"COMPLETE\"   # what the agent gives when the goal is reached; \"\": use all iterations\n\
         # harness = \"claude\"   # the agent to use\n\
         # timeout = \"30m\"   # how long one agent may work\n"
    )
}

const fn purpose(phase: PhaseName) -> &'static str {
    match phase {
        PhaseName::Observe => "What to look at",
        PhaseName::Orient => "What to make of it",
        PhaseName::Decide => "What to choose",
        PhaseName::Act => "What to do",
    }
}

/// The lines of a built-in phase.
fn copied(base: &Procedure, phase: &Phase) -> String {
    let line = |source: &FragmentSource| match source {
        FragmentSource::Builtin { name } if builtin::wants_report(name) => {
            let report = builtin::report(&base.name);
            format!("  {{ builtin = \"{name}\", params = {{ file = \"{report}\" }} }},\n")
        }
        FragmentSource::Builtin { name } => format!("  {{ builtin = \"{name}\" }},\n"),
        FragmentSource::File { .. } | FragmentSource::Inline => String::new(),
    };
    phase.fragments.iter().map(|fragment| line(&fragment.source)).collect()
}

//! The test programs that cargo built, read from its messages, and how they are run.

use std::path::{Path, PathBuf};

use crate::step::Step;
use crate::workspace::Workspace;

/// These take longest, so they begin first and nothing waits for them at the end.
const LONGEST: &[&str] = &["verdicts", "crash", "vcs", "loop_seeds"];

/// A program full of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TestProgram {
    pub(crate) name: String,
    file: PathBuf,
    /// The folder of its package.
    package: PathBuf,
}

impl TestProgram {
    /// Whether its package is in the folder of this name.
    pub(crate) fn is_in(&self, folder: &str) -> bool {
        self.package.ends_with(folder)
    }

    /// Runs it as `cargo test` would: in the folder of its package, which it can also ask for.
    pub(crate) fn step(&self, workspace: &Workspace) -> Step {
        workspace.step(&self.file).dir(&self.package).env("CARGO_MANIFEST_DIR", &self.package)
    }
}

/// The test programs among cargo's messages (one JSON object in each line), in the order in which they should begin.
pub(crate) fn of_messages(messages: &str) -> Vec<TestProgram> {
    let mut programs: Vec<_> = messages.lines().filter_map(of_message).collect();
    programs.sort_by_key(|program| place(&program.name));
    programs
}

fn of_message(message: &str) -> Option<TestProgram> {
    let (_, profile) = message.split_once(r#""profile":{"#)?;
    let (profile, _) = profile.split_once('}')?;
    if !profile.contains(r#""test":true"#) {
        return None;
    }
    let (_, target) = message.split_once(r#""target":{"#)?;
    let manifest = text(message, "manifest_path")?;
    Some(TestProgram {
        name: text(target, "name")?,
        file: text(message, "executable")?.into(),
        package: Path::new(&manifest).parent()?.to_owned(),
    })
}

fn place(name: &str) -> usize {
    LONGEST.iter().position(|long| *long == name).unwrap_or(LONGEST.len())
}

/// The text that `key` has; in a path nothing is escaped but Windows' separators.
fn text(object: &str, key: &str) -> Option<String> {
    let (_, rest) = object.split_once(&format!(r#""{key}":""#))?;
    Some(rest.split('"').next()?.replace(r"\\", r"\"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(name: &str, kind: &str, is_test: bool, executable: &str) -> String {
        format!(
            r#"{{"reason":"compiler-artifact","package_id":"path+file:///w/a#1","manifest_path":"/w/a/Cargo.toml","target":{{"kind":["{kind}"],"crate_types":["bin"],"name":"{name}","src_path":"/w/a/x.rs","test":true}},"profile":{{"opt_level":"0","test":{is_test}}},"features":[],"filenames":["/t/x"],"executable":{executable},"fresh":true}}"#
        )
    }

    #[test]
    fn test_programs_are_told_from_others_and_the_long_ones_begin() {
        let messages = [
            message("help", "test", true, r#""/t/debug/deps/help-1""#),
            message("loopwright", "bin", false, r#""/t/debug/loopwright""#),
            message("a", "lib", false, "null"),
            message("vcs", "test", true, r#""/t/debug/deps/vcs-2""#),
            r#"{"reason":"build-finished","success":true}"#.to_owned(),
        ];
        let programs = of_messages(&messages.join("\n"));
        let names: Vec<_> = programs.iter().map(|program| program.name.as_str()).collect();
        assert_eq!(names, ["vcs", "help"]);
        assert!(programs.iter().all(|program| program.package == Path::new("/w/a")));
        assert!(programs.iter().any(|program| program.file == Path::new("/t/debug/deps/help-1")));
    }

    #[test]
    fn separators_of_windows_are_read() {
        assert_eq!(text(r#"{"executable":"C:\\t\\x.exe"}"#, "executable").as_deref(), Some(r"C:\t\x.exe"));
    }
}

//! What a start asks for. Arguments may come from anyone (a desktop entry, another program, a second start), so the
//! only thing ever taken from them is one folder.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault};

/// Printed for `--help`.
pub(crate) const HELP: &str = "\
Loopwright's desktop app.

Usage: loopwright-app [FOLDER]

Opens the project in FOLDER, or the start page. A running app is asked to show it instead of starting a second one.
For everything without a window use \"loopwright\".";

/// What a start asks for.
#[derive(Debug, PartialEq, Eq)]
pub(crate) enum Wish {
    /// Print how to use it.
    Help,
    /// Print the version.
    Version,
    /// Show a window: a project's, or the start page, with what was wrong with the arguments.
    Show(Result<Option<PathBuf>, Fault>),
}

/// Reads the arguments of a first start, which has a terminal of its own to answer to.
pub(crate) fn first_start(arguments: impl IntoIterator<Item = OsString>) -> Wish {
    let arguments: Vec<OsString> = arguments.into_iter().collect();
    match arguments.first().and_then(|argument| argument.to_str()) {
        Some("--help" | "-h") if arguments.len() == 1 => Wish::Help,
        Some("--version" | "-V") if arguments.len() == 1 => Wish::Version,
        _ => Wish::Show(folder(arguments, None)),
    }
}

/// Reads the arguments of a second start, handed over by the system: the program's name, then what was typed in
/// `working_folder`.
pub(crate) fn second_start(arguments: Vec<String>, working_folder: &str) -> Result<Option<PathBuf>, Fault> {
    folder(arguments.into_iter().skip(1).map(OsString::from), Some(Path::new(working_folder)))
}

fn folder(
    arguments: impl IntoIterator<Item = OsString>,
    working_folder: Option<&Path>,
) -> Result<Option<PathBuf>, Fault> {
    let mut arguments = arguments.into_iter();
    let Some(only) = arguments.next() else { return Ok(None) };
    if arguments.next().is_some() || looks_like_an_option(&only) || only.is_empty() {
        return Err(Fault::new(ErrorCode::UsageInvalid, "the app takes one folder to open and nothing else")
            .hint("Start it as \"loopwright-app FOLDER\". Everything else is done with \"loopwright\"."));
    }
    let path = match working_folder {
        Some(start) => start.join(only),
        None => std::path::absolute(&only).unwrap_or_else(|_| PathBuf::from(only)),
    };
    Ok(Some(path))
}

fn looks_like_an_option(argument: &OsStr) -> bool {
    argument.as_encoded_bytes().starts_with(b"-")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(line: &[&str]) -> Vec<OsString> {
        line.iter().map(OsString::from).collect()
    }

    #[test]
    fn one_folder_is_taken_and_made_absolute() {
        assert_eq!(first_start(words(&[])), Wish::Show(Ok(None)));
        let Wish::Show(Ok(Some(path))) = first_start(words(&["some/folder"])) else { panic!("a folder") };
        assert!(path.is_absolute() && path.ends_with("some/folder"), "{}", path.display());
        let second = second_start(vec!["app".into(), "inner".into()], "/work").unwrap();
        assert_eq!(second, Some(PathBuf::from("/work/inner")));
    }

    #[test]
    fn options_and_several_words_are_refused() {
        for line in [&["--inspect"][..], &["a", "b"], &["-"], &[""], &["--version", "x"]] {
            let Wish::Show(Err(fault)) = first_start(words(line)) else { panic!("{line:?} was taken") };
            assert_eq!(fault.code, ErrorCode::UsageInvalid);
        }
    }

    #[test]
    fn help_and_version_are_for_a_terminal_only() {
        assert_eq!(first_start(words(&["--help"])), Wish::Help);
        assert_eq!(first_start(words(&["-V"])), Wish::Version);
        assert!(second_start(vec!["app".into(), "--version".into()], "/").is_err());
    }

    proptest! {
        #[test]
        fn any_arguments_give_a_folder_or_a_refusal(
            line in proptest::collection::vec(".{0,40}", 0..4),
            working_folder in ".{0,40}",
        ) {
            let taken = second_start(line.clone(), &working_folder);
            match line.as_slice() {
                [] | [_] => prop_assert_eq!(taken, Ok(None)),
                [_, only] if !only.is_empty() && !only.starts_with('-') => {
                    prop_assert_eq!(taken, Ok(Some(Path::new(&working_folder).join(only))));
                }
                _ => prop_assert!(taken.is_err()),
            }
            first_start(line.into_iter().map(OsString::from));
        }
    }
}

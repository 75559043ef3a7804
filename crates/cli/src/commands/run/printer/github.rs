//! What GitHub Actions reads from a log: a group for each attempt, and annotations for what failed.

use loopwright_domain::Diagnosis;

/// Whether this is a job of GitHub Actions.
pub(super) fn is_here() -> bool {
    std::env::var_os("GITHUB_ACTIONS").is_some_and(|value| value == "true")
}

/// Begins a group.
pub(super) fn group(title: &str) -> String {
    format!("::group::{}", data(title))
}

/// Ends the group.
pub(super) const END_GROUP: &str = "::endgroup::";

/// An annotation at the place of a failure.
pub(super) fn error(check: &str, diagnosis: &Diagnosis) -> String {
    let mut properties = vec![format!("title={}", property(check))];
    properties.extend(diagnosis.file.iter().map(|file| format!("file={}", property(file))));
    properties.extend(diagnosis.line.map(|line| format!("line={line}")));
    format!("::error {}::{}", properties.join(","), data(&diagnosis.cause))
}

/// A line that is no command: what an agent or a check printed must not become one.
pub(super) fn inert(line: &str) -> String {
    let begins_command = |text: &str| text.starts_with("::") || text.starts_with("##[");
    if begins_command(line.trim_start()) { format!("| {line}") } else { line.to_owned() }
}

fn data(text: &str) -> String {
    text.replace('%', "%25").replace('\r', "%0D").replace('\n', "%0A")
}

fn property(text: &str) -> String {
    data(text).replace(':', "%3A").replace(',', "%2C")
}

#[cfg(test)]
mod tests {
    use loopwright_domain::FailureCategory;

    use super::*;

    #[test]
    fn an_annotation_names_the_place_and_cannot_be_broken_out_of() {
        let place = Some(("src/a,b.rs".to_owned(), Some(12)));
        let cause = "left != right\n::set-env name=X::y".to_owned();
        let diagnosis =
            Diagnosis::new("assertion_failed", FailureCategory::Test, cause, place, String::new());
        assert_eq!(
            error("unit: tests", &diagnosis),
            "::error title=unit%3A tests,file=src/a%2Cb.rs,line=12::left != right%0A::set-env name=X::y"
        );
    }

    #[test]
    fn what_others_print_is_no_command() {
        assert_eq!(inert("           ::add-mask::x"), "|            ::add-mask::x");
        assert_eq!(inert("  ##[group]x"), "|   ##[group]x");
        assert_eq!(inert("a ::b"), "a ::b");
    }
}

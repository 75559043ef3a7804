//! Adds, changes and removes patterns of failures in a configuration file, and changes nothing else.

use loopwright_domain::{Fault, UserPattern};

use crate::file::{self, tables::PATTERNS};
use crate::schema::Scope;

/// The text of a file with this pattern: a new one, or in place of the one of that name.
///
/// # Errors
/// The file cannot be read, or the pattern is not right.
pub fn set(label: &str, text: &str, pattern: &UserPattern) -> Result<String, Fault> {
    let key = |name: &'static str| [PATTERNS, pattern.name.as_str(), name];
    let mut changed = text.to_owned();
    for (name, value) in [
        ("regex", Some(pattern.regex.as_str())),
        ("category", Some(pattern.category.as_str())),
        ("about", Some(pattern.about.as_str()).filter(|about| !about.is_empty())),
        ("status", Some(pattern.status.as_str())),
    ] {
        changed = super::change(label, &changed, &key(name), value.map(Into::into))?;
    }
    let placeless = |fault: Fault| Fault { location: None, ..fault };
    let problems = |text: &str| -> Vec<Fault> {
        file::read(label, text, Scope::Project).problems.into_iter().map(placeless).collect()
    };
    let before = problems(text);
    match problems(&changed).into_iter().find(|fault| !before.contains(fault)) {
        Some(fault) => Err(fault),
        None => Ok(changed),
    }
}

/// The text of a file without the pattern of this name.
///
/// # Errors
/// The file cannot be read.
pub fn remove(label: &str, text: &str, name: &str) -> Result<String, Fault> {
    super::change(label, text, &[PATTERNS, name], None)
}

#[cfg(test)]
mod tests {
    use loopwright_domain::{FailureCategory, PatternStatus};

    use super::*;

    fn pattern(regex: &str, status: PatternStatus) -> UserPattern {
        UserPattern {
            name: "time_zone".to_owned(),
            category: FailureCategory::Test,
            regex: regex.to_owned(),
            about: String::new(),
            status,
        }
    }

    #[test]
    fn a_pattern_is_added_changed_and_removed_and_the_rest_stays() {
        let before = "# ours\nname = \"shop\"\n";
        let added = set("f", before, &pattern("UTC", PatternStatus::Suggested)).unwrap();
        assert_eq!(
            added,
            "# ours\nname = \"shop\"\n\n[patterns.time_zone]\nregex = \"UTC\"\ncategory = \"test\"\nstatus = \"suggested\"\n"
        );
        let promoted = set("f", &added, &pattern("UTC", PatternStatus::Confirmed)).unwrap();
        assert_eq!(promoted, added.replace("suggested", "confirmed"));
        assert_eq!(remove("f", &promoted, "time_zone").unwrap().trim_end(), before.trim_end());
    }

    #[test]
    fn a_pattern_that_is_not_right_changes_nothing() {
        let fault = set("f", "", &pattern("(", PatternStatus::Suggested)).unwrap_err();
        assert!(fault.message.contains("no regular expression"), "{fault:?}");
        // A mistake that was there before is not this one's.
        assert!(set("f", "nam = 1\n", &pattern("x", PatternStatus::Suggested)).is_ok());
    }
}

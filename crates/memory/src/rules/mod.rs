//! The rules by which outputs are read: a text that has to be there, and what its line looks like.

mod environment;
mod javascript;
mod native;
mod other;
mod python;
mod rust;

/// How much a line that fits says about the cause; the first line of the strongest kind wins.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Strength {
    /// It names the cause.
    Cause,
    /// It tells that something failed, with few words about why: wins where no cause is named.
    Hint,
    /// It only says that something before it failed.
    Symptom,
}

/// One way in which a pattern shows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Rule {
    pub(crate) pattern: &'static str,
    pub(crate) strength: Strength,
    /// One of these is in the line, as it is written here.
    pub(crate) texts: &'static [&'static str],
    /// What the line and the two after it look like; empty when the text is enough.
    pub(crate) regex: &'static str,
    /// What has to be somewhere in the output; empty for nothing.
    pub(crate) along: &'static str,
}

impl Rule {
    const fn along(self, along: &'static str) -> Self {
        Self { along, ..self }
    }
}

const fn rule(
    pattern: &'static str,
    strength: Strength,
    texts: &'static [&'static str],
    regex: &'static str,
) -> Rule {
    Rule { pattern, strength, texts, regex, along: "" }
}

const fn cause(pattern: &'static str, texts: &'static [&'static str], regex: &'static str) -> Rule {
    rule(pattern, Strength::Cause, texts, regex)
}

const fn hint(pattern: &'static str, texts: &'static [&'static str], regex: &'static str) -> Rule {
    rule(pattern, Strength::Hint, texts, regex)
}

const fn symptom(pattern: &'static str, texts: &'static [&'static str], regex: &'static str) -> Rule {
    rule(pattern, Strength::Symptom, texts, regex)
}

/// Every rule. Where two fit the same line, the first one wins.
pub(crate) fn all() -> impl Iterator<Item = &'static Rule> {
    [
        environment::RULES,
        rust::RULES,
        javascript::RULES,
        python::RULES,
        native::RULES,
        other::RULES,
        environment::LATE_RULES,
    ]
    .into_iter()
    .flatten()
}

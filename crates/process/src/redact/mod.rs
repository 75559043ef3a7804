//! Hiding secrets before anything reaches a disk, an event or a window.

mod forms;
mod named_values;
mod pem;
mod rules;
mod split;
mod stream;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use rules::Rule;
use split::{Split, Splits};
pub use stream::Redactor;

static BUILT_IN: LazyLock<Secrets> = LazyLock::new(|| Secrets::compile(&BTreeSet::new()));
/// The values that were asked for last and what was made of them: every job of a run asks for the same.
static LATEST: Mutex<Option<(BTreeSet<Vec<u8>>, Secrets)>> = Mutex::new(None);

/// What must not be shown: the forms that tokens of well-known services have, values under names such as
/// `DB_PASSWORD`, and values known to be secret.
///
/// A value of fewer than 6 bytes is ignored. Others are also found as JSON string, percent-encoded, in hexadecimal, in
/// base64 at any offset, line by line, and with line ends or terminal codes inside. Cheap to clone.
#[derive(Clone)]
pub struct Secrets {
    compiled: Arc<Compiled>,
}

struct Compiled {
    rules: Vec<Rule>,
    /// For each byte the rules that begin with it, in their order, each with its second byte.
    by_first_byte: Vec<Vec<(u8, usize)>>,
    /// Without it, which only happens beyond all sensible sizes, every position is looked at.
    anchors: Option<AhoCorasick>,
    longest_anchor: usize,
    splits: Splits,
}

impl Secrets {
    /// Only the forms that are known everywhere.
    #[must_use]
    pub fn built_in() -> Self {
        BUILT_IN.clone()
    }

    /// These values too.
    #[must_use]
    pub fn with_values<V: AsRef<[u8]>>(values: impl IntoIterator<Item = V>) -> Self {
        let forms: BTreeSet<Vec<u8>> =
            values.into_iter().flat_map(|value| forms::forms(value.as_ref())).collect();
        if forms.is_empty() {
            return Self::built_in();
        }
        let mut latest = LATEST.lock().unwrap_or_else(PoisonError::into_inner);
        match &*latest {
            Some((known, secrets)) if *known == forms => secrets.clone(),
            _ => {
                let secrets = Self::compile(&forms);
                *latest = Some((forms, secrets.clone()));
                secrets
            }
        }
    }

    fn compile(values: &BTreeSet<Vec<u8>>) -> Self {
        let mut rules: Vec<Rule> = values.iter().cloned().map(Rule::value).collect();
        rules.sort_by_key(|rule| Reverse(rule.length()));
        rules.extend(Rule::built_in().into_iter().chain(Rule::named()));
        let mut by_first_byte = vec![Vec::new(); 256];
        for (index, rule) in rules.iter().enumerate() {
            by_first_byte[usize::from(rule.anchor[0])].push((rule.anchor[1], index));
        }
        let longest_anchor = rules.iter().map(|rule| rule.anchor.len()).max().unwrap_or_default();
        let anchors = search_for(&rules);
        Self {
            compiled: Arc::new(Compiled {
                rules,
                by_first_byte,
                anchors,
                longest_anchor,
                splits: Splits::new(values.iter()),
            }),
        }
    }

    /// The text without its secrets.
    #[must_use]
    pub fn redact<'text>(&self, text: &'text str) -> Cow<'text, str> {
        let mut clean = Vec::new();
        let mut redactor = Redactor::new(self.clone());
        redactor.push(text.as_bytes(), &mut |bytes| clean.extend_from_slice(bytes));
        redactor.finish(&mut |bytes| clean.extend_from_slice(bytes));
        if redactor.redactions() == 0 {
            return Cow::Borrowed(text);
        }
        Cow::Owned(String::from_utf8_lossy(&clean).into_owned())
    }

    /// Whether a known value stands in a text, or a token or key that has the same shape wherever it stands. A telling
    /// name alone is no proof here: source files are full of examples.
    #[must_use]
    pub fn stands_in(&self, text: &str) -> bool {
        let mut redactor = Redactor::new(self.clone()).without_names();
        redactor.push(text.as_bytes(), &mut |_| {});
        redactor.finish(&mut |_| {});
        redactor.redactions() > 0
    }

    /// The first position from `from` on at which some rule's anchor stands, or at which one may have begun.
    fn next_candidate(&self, buffer: &[u8], from: usize, undecided: Option<usize>) -> Option<usize> {
        let found = match &self.compiled.anchors {
            Some(anchors) => anchors.find(Input::new(buffer).range(from..)).map(|found| found.start()),
            None => {
                (from..buffer.len()).find(|position| self.rules_at(&buffer[*position..]).next().is_some())
            }
        };
        match (found, undecided) {
            (Some(found), Some(undecided)) => Some(found.min(undecided)),
            (found, undecided) => found.or(undecided),
        }
    }

    /// The first position from `from` on at which the buffer ends in the middle of an anchor.
    fn unfinished(&self, buffer: &[u8], from: usize, last: bool) -> Option<usize> {
        if last {
            return None;
        }
        let earliest = (buffer.len() + 1).saturating_sub(self.compiled.longest_anchor).max(from);
        (earliest..buffer.len()).find(|position| {
            let text = &buffer[*position..];
            self.rules_at(text).any(|rule| rule.anchor.len() > text.len() && rule.anchor.starts_with(text))
        })
    }

    /// The first known value in pieces, of which something lies behind `from`.
    fn next_split(&self, buffer: &[u8], from: usize, last: bool) -> Option<Split> {
        self.compiled.splits.next(buffer, from, last)
    }

    /// The rules whose anchor may begin a text, as far as its first two bytes tell.
    fn rules_at(&self, text: &[u8]) -> impl Iterator<Item = &Rule> {
        let compiled = &self.compiled;
        let second = text.get(1).copied();
        let begun = text.first().map_or(&[][..], |first| &compiled.by_first_byte[usize::from(*first)]);
        let fits = move |(other, _): &&(u8, usize)| second.is_none_or(|second| second == *other);
        begun.iter().filter(fits).map(|(_, index)| &compiled.rules[*index])
    }
}

/// A table for many anchors at once: the fastest kind, unless the values are so many that it would grow large.
fn search_for(rules: &[Rule]) -> Option<AhoCorasick> {
    const LARGE: usize = 16 * 1024;
    let bytes: usize = rules.iter().map(|rule| rule.anchor.len()).sum();
    let kind = (bytes < LARGE).then_some(AhoCorasickKind::DFA);
    AhoCorasick::builder()
        .match_kind(MatchKind::LeftmostFirst)
        .kind(kind)
        .build(rules.iter().map(|rule| &rule.anchor))
        .ok()
}

/// Tells how much is known, not what.
impl fmt::Debug for Secrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Secrets").field("rules", &self.compiled.rules.len()).finish_non_exhaustive()
    }
}

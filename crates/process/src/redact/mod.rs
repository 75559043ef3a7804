//! Hiding secrets before anything reaches a disk, an event or a window.

mod alphabet;
mod forms;
mod pem;
mod rules;
mod stream;
mod tokens;

use std::borrow::Cow;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::fmt;
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

use aho_corasick::{AhoCorasick, AhoCorasickKind, Input, MatchKind};

use rules::Rule;
pub use stream::Redactor;

static BUILT_IN: LazyLock<Secrets> = LazyLock::new(|| Secrets::compile(&BTreeSet::new()));
/// The values that were asked for last and what was made of them: every job of a run asks for the same.
static LATEST: Mutex<Option<(BTreeSet<Vec<u8>>, Secrets)>> = Mutex::new(None);

/// What must not be shown: the forms that tokens of well-known services have, and values known to be secret.
///
/// A value of fewer than 6 bytes is ignored. Others are also found as JSON string, percent-encoded, in base64 at
/// any offset, and line by line. Cheap to clone.
#[derive(Clone)]
pub struct Secrets {
    compiled: Arc<Compiled>,
}

struct Compiled {
    rules: Vec<Rule>,
    /// The rules that can begin with each byte, in their order.
    by_first_byte: Vec<Vec<usize>>,
    /// Without it, which only happens beyond all sensible sizes, every position is looked at.
    anchors: Option<AhoCorasick>,
    longest_anchor: usize,
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
        rules.extend(Rule::built_in());
        let mut by_first_byte = vec![Vec::new(); 256];
        for (index, rule) in rules.iter().enumerate() {
            by_first_byte[usize::from(rule.anchor[0])].push(index);
        }
        let longest_anchor = rules.iter().map(|rule| rule.anchor.len()).max().unwrap_or_default();
        let anchors = search_for(&rules);
        Self { compiled: Arc::new(Compiled { rules, by_first_byte, anchors, longest_anchor }) }
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

    /// The first position from `from` on at which some rule's anchor stands, or at which one may have begun.
    fn next_candidate(&self, buffer: &[u8], from: usize, undecided: Option<usize>) -> Option<usize> {
        let found = match &self.compiled.anchors {
            Some(anchors) => anchors.find(Input::new(buffer).range(from..)).map(|found| found.start()),
            None => (from..buffer.len()).find(|position| self.rules_at(buffer[*position]).next().is_some()),
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
            self.rules_at(text[0]).any(|rule| rule.anchor.len() > text.len() && rule.anchor.starts_with(text))
        })
    }

    fn rules_at(&self, byte: u8) -> impl Iterator<Item = &Rule> {
        let compiled = &self.compiled;
        compiled.by_first_byte[usize::from(byte)].iter().map(|index| &compiled.rules[*index])
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

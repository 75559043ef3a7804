//! Redaction of a stream in pieces.

use super::Secrets;
use super::rules::{Rest, Verdict};
use super::split::{CONTEXT, Split};

/// How many bytes before an anchor a rule may look at.
const BEFORE: usize = 16;

/// Hides secrets in a stream that comes in pieces, however it is cut.
///
/// Bytes that may be the beginning of a secret are held back until it is certain; that is never more than the
/// longest known value or a few kilobytes. What the pieces give together is what the whole would have given.
pub struct Redactor {
    secrets: Secrets,
    /// Bytes already passed on, for context, and then those that are not decided yet.
    buffer: Vec<u8>,
    passed: usize,
    /// Set while the end of a secret has not been reached.
    swallowing: Rest,
    redactions: u64,
    /// Whether the name of a value counts.
    by_names: bool,
}

impl Redactor {
    /// Begins a stream.
    #[must_use]
    pub fn new(secrets: Secrets) -> Self {
        Self {
            secrets,
            buffer: Vec::new(),
            passed: 0,
            swallowing: Rest::Nothing,
            redactions: 0,
            by_names: true,
        }
    }

    /// Leaves alone what only its name would make a secret.
    pub(super) fn without_names(mut self) -> Self {
        self.by_names = false;
        self
    }

    /// How many secrets have been hidden so far.
    #[must_use]
    pub const fn redactions(&self) -> u64 {
        self.redactions
    }

    /// Takes the next piece and passes on what is certain.
    pub fn push(&mut self, piece: &[u8], pass: &mut dyn FnMut(&[u8])) {
        self.buffer.extend_from_slice(piece);
        self.advance(false, pass);
    }

    /// Passes on the rest: nothing follows.
    pub fn finish(&mut self, pass: &mut dyn FnMut(&[u8])) {
        self.advance(true, pass);
        self.buffer.clear();
        self.passed = 0;
        self.swallowing = Rest::Nothing;
    }

    fn advance(&mut self, last: bool, pass: &mut dyn FnMut(&[u8])) {
        let mut cursor = self.passed;
        cursor += self.swallow(cursor);
        let mut shown = cursor;
        let mut undecided = self.secrets.unfinished(&self.buffer, cursor, last);
        let mut split = self.secrets.next_split(&self.buffer, cursor, last);
        loop {
            let at = self.secrets.next_candidate(&self.buffer, cursor, undecided);
            if let Some(Split { from, until }) = split.filter(|split| at.is_none_or(|at| split.from <= at)) {
                self.pass_on(shown, from, pass);
                let Some(until) = until else { return self.forget(from) };
                pass(&placeholder("secret"));
                // What was on lines stays on lines.
                if self.buffer[from..until].contains(&b'\n') {
                    pass(b"\n");
                }
                self.redactions += 1;
                (cursor, shown) = (until, until);
            } else if let Some(at) = at {
                match self.judge(at, last) {
                    (Verdict::No, _) => cursor = at + 1,
                    (Verdict::Wait, _) => {
                        self.pass_on(shown, at, pass);
                        return self.forget(at);
                    }
                    (Verdict::Secret { shown: kept, hidden, rest }, kind) => {
                        self.pass_on(shown, at + kept, pass);
                        pass(&placeholder(kind));
                        self.redactions += 1;
                        self.swallowing = rest;
                        cursor = at + kept + hidden;
                        cursor += self.swallow(cursor);
                        shown = cursor;
                    }
                }
            } else {
                break;
            }
            if undecided.is_some_and(|position| position < cursor) {
                undecided = self.secrets.unfinished(&self.buffer, cursor, last);
            }
            if split.is_some_and(|split| split.from < cursor) {
                split = self.secrets.next_split(&self.buffer, cursor, last);
            }
        }
        let end = self.buffer.len();
        self.pass_on(shown, end, pass);
        self.forget(end);
    }

    /// The first rule, in their order, that has a say at this position.
    fn judge(&self, at: usize, last: bool) -> (Verdict, &'static str) {
        let (before, text) = self.buffer.split_at(at);
        let before = &before[before.len().saturating_sub(BEFORE)..];
        for rule in self.secrets.rules_at(text).filter(|rule| self.by_names || !rule.is_by_name()) {
            let verdict = if text.starts_with(&rule.anchor) {
                rule.judge(before, text, last)
            } else if !last && rule.anchor.starts_with(text) {
                Verdict::Wait
            } else {
                Verdict::No
            };
            if !matches!(verdict, Verdict::No) {
                return (verdict, rule.kind);
            }
        }
        (Verdict::No, "")
    }

    /// How many bytes from here on still belong to the secret before.
    fn swallow(&mut self, from: usize) -> usize {
        let text = &self.buffer[from.min(self.buffer.len())..];
        let taken = match &mut self.swallowing {
            Rest::Nothing => 0,
            Rest::Run(alphabet) => alphabet.run(text),
            Rest::Pem(pem) => pem.take(text),
        };
        if taken < text.len() {
            self.swallowing = Rest::Nothing;
        }
        taken
    }

    fn pass_on(&self, from: usize, to: usize, pass: &mut dyn FnMut(&[u8])) {
        if from < to {
            pass(&self.buffer[from..to]);
        }
    }

    /// Drops what has been dealt with but for a little context.
    fn forget(&mut self, until: usize) {
        let from = until.saturating_sub(CONTEXT);
        self.buffer.drain(..from);
        self.passed = until - from;
    }
}

/// What stands in a secret's place. It fits into JSON, addresses and shell words.
fn placeholder(kind: &str) -> Vec<u8> {
    [b"[redacted:", kind.as_bytes(), b"]"].concat()
}

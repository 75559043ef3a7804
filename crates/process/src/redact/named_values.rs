//! Values under a name that tells what they are: `DB_PASSWORD="…"`, `X-Api-Key: …`, `"api_key": "…"`.
//!
//! Programs have variables of these names, and texts speak of passwords; so a value has to look like one, the more so
//! the less its surroundings prove.

use loopwright_domain::secret::{
    Alphabet, NAMES, NameKind, is_mixed, is_name, is_path_of_names, is_placeholder, is_random,
};

use super::rules::{Rest, Verdict};

/// How much may stand between a name and its value: `": "`, `=`, ` => `, `\": \"`.
const SEPARATOR_LIMIT: usize = 8;
/// The longest value; what is longer in quotes is text, unless it has no spaces.
const VALUE_LIMIT: usize = 256;
/// What stands directly behind a name that has a value. Together with the name it is what is searched for, so that
/// words such as "tokens" cost nothing.
const BEHIND: &[&str] = &["=", ":", "\"", "'", "\\\"", " =", " :", "\t="];

/// A name that is searched for.
#[derive(Clone, Copy)]
pub(super) struct Name {
    text: &'static str,
    kind: NameKind,
}

impl Name {
    /// Every name, with the texts that lead to it.
    pub(super) fn all() -> impl Iterator<Item = (Self, String)> {
        let names =
            NAMES.iter().flat_map(|(kind, names)| names.iter().map(|text| Self { text, kind: *kind }));
        names.flat_map(|name| BEHIND.iter().map(move |behind| (name, format!("{}{behind}", name.text))))
    }

    /// Judges a text that begins with the name.
    pub(super) fn judge(self, text: &[u8], last: bool) -> Verdict {
        let rest = &text[self.text.len()..];
        let is_separator = |byte: &&u8| b" \t\"':=>\\".contains(byte);
        let gap = rest.iter().take(SEPARATOR_LIMIT + 1).take_while(is_separator).count();
        if gap == rest.len() && gap <= SEPARATOR_LIMIT {
            return Verdict::too_short(last);
        }
        let separator = &rest[..gap];
        if gap > SEPARATOR_LIMIT || !separator.iter().any(|byte| matches!(byte, b'=' | b':')) {
            return Verdict::No;
        }
        let shown = self.text.len() + gap;
        let quote = separator.last().copied().filter(|byte| matches!(byte, b'"' | b'\''));
        let verdict = match quote {
            Some(quote) => self.quoted(separator, quote, &rest[gap..], last),
            None => self.bare(separator, &rest[gap..], last),
        };
        verdict.after(shown)
    }

    fn quoted(self, separator: &[u8], quote: u8, rest: &[u8], last: bool) -> Verdict {
        let escaped = separator.ends_with(&[b'\\', quote]);
        let ends = |byte: &u8| *byte == quote || *byte == b'\n' || escaped && *byte == b'\\';
        let window = &rest[..rest.len().min(VALUE_LIMIT)];
        let value = match window.iter().position(ends) {
            Some(end) if rest[end] == b'\n' => return Verdict::No,
            Some(end) => &window[..end],
            None if window.len() < VALUE_LIMIT => return Verdict::too_short(last),
            None if window.iter().any(u8::is_ascii_whitespace) => return Verdict::No,
            None => window,
        };
        let tight = !separator.iter().any(u8::is_ascii_whitespace) && separator.contains(&b'=');
        let certain = match self.kind {
            NameKind::Password if tight && self.is_shouted() => value.len() >= 6,
            NameKind::Password => value.len() >= 6 && is_mixed(value),
            NameKind::Key if tight && self.is_shouted() => value.len() >= 8 && is_mixed(value),
            NameKind::Key => value.len() >= 12 && is_random(value),
        };
        found(certain, value, window.len() == VALUE_LIMIT && value.len() == VALUE_LIMIT)
    }

    fn bare(self, separator: &[u8], rest: &[u8], last: bool) -> Verdict {
        let window = &rest[..rest.len().min(VALUE_LIMIT)];
        let run = Alphabet::BARE.run(window);
        if run == window.len() && run < VALUE_LIMIT && !last {
            return Verdict::Wait;
        }
        let value = &window[..run];
        // A call, an index, a type with parameters.
        if matches!(rest.get(run), Some(b'(' | b'[' | b'{' | b'<')) || is_path_of_names(value) {
            return Verdict::No;
        }
        let tight = separator == b"=";
        let header = self.text.contains('-');
        let certain = match self.kind {
            NameKind::Password if tight && self.is_shouted() => value.len() >= 6,
            NameKind::Password if tight || self.is_shouted() => value.len() >= 6 && is_mixed(value),
            NameKind::Password => value.len() >= 8 && is_mixed(value) && !is_name(value),
            NameKind::Key if header || tight && self.is_shouted() => value.len() >= 8 && is_mixed(value),
            NameKind::Key if tight => value.len() >= 12 && is_random(value),
            NameKind::Key => value.len() >= 16 && is_random(value) && !is_name(value),
        };
        found(certain, value, run == VALUE_LIMIT)
    }

    fn is_shouted(self) -> bool {
        self.text.bytes().all(|byte| byte.is_ascii_uppercase() || byte == b'_')
    }
}

fn found(certain: bool, value: &[u8], goes_on: bool) -> Verdict {
    if !certain || is_placeholder(value) {
        return Verdict::No;
    }
    let rest = if goes_on { Rest::Run(Alphabet::CREDENTIAL) } else { Rest::Nothing };
    Verdict::Secret { shown: 0, hidden: value.len(), rest }
}

//! How to tell, from where a secret may begin, whether one does.
//!
//! A rule is asked with all that is known of the text from its anchor on. It answers from those bytes alone, or
//! says that it has to see more; so the answer never depends on how the text arrived.

use loopwright_domain::secret::{Alphabet, KEY_BEGINS, TOKENS};

use super::named_values::Name;
use super::pem::Pem;

/// The longest part of an address that is taken for a user name, and for a password.
const USERINFO_LIMIT: usize = 256;
/// The longest first part of a JWT. Real ones hold two or three short claims.
const JWT_HEADER_LIMIT: usize = 1024;
/// How much may stand between a name and its value: `": "`, `=`, ` => `.
const SEPARATOR_LIMIT: usize = 8;

/// How much of a known value is looked for at first; the rest is compared where this was found.
const VALUE_ANCHOR: usize = 16;

/// What a Discord bot's token begins with: two digits in base64.
const DISCORD: &[&str] = &["MD", "MT", "Mj", "Mz", "ND", "NT", "Nj", "Nz", "OD", "OT"];

/// Tokens of more than one part.
const SERVICES: &[(&str, &[&str], Shape)] = &[
    ("discord", DISCORD, Shape::Discord),
    ("telegram", &[":AA"], Shape::Telegram),
    ("airtable", &["pat"], Shape::Dotted { word: 14, run: 64 }),
    ("okta", &["SSWS "], Shape::Bearer),
];

/// What a rule says about the text at its anchor.
#[derive(Clone, Copy)]
pub(crate) enum Verdict {
    /// There is no secret here.
    No,
    /// The text ends too early to say.
    Wait,
    /// After `shown` bytes a secret begins that has at least `hidden` bytes, and goes on as `rest` says.
    Secret {
        /// Bytes that stay.
        shown: usize,
        /// Bytes that go.
        hidden: usize,
        /// What else goes.
        rest: Rest,
    },
}

/// How a secret goes on beyond the bytes that proved it.
#[derive(Clone, Copy)]
pub(crate) enum Rest {
    /// Not at all.
    Nothing,
    /// With every byte of this alphabet.
    Run(Alphabet),
    /// With the body of a private key.
    Pem(Pem),
}

/// One way to recognise a secret.
pub(crate) struct Rule {
    /// What to call it.
    pub(crate) kind: &'static str,
    /// The bytes that lead to it.
    pub(crate) anchor: Vec<u8>,
    shape: Shape,
}

#[derive(Clone)]
enum Shape {
    /// A known value, of which the anchor is the beginning.
    Value(Vec<u8>),
    /// The anchor, at the beginning of a word, and a run of characters.
    Token { alphabet: Alphabet, min: usize, max: Option<usize> },
    /// A name, a separator, and a run. The name stays. Where the name alone is no proof, because programs have
    /// variables of that name, the run has to look like a value.
    Assigned { alphabet: Alphabet, min: usize, proven: bool },
    /// A name that tells what its value is.
    Named(Name),
    /// Two parts with a full stop between: a word, and a run of exactly so many characters.
    Dotted { word: usize, run: usize },
    /// A Discord bot's token: the bot's number in base64, a time and a signature, with full stops between.
    Discord,
    /// The second part of a Telegram bot's token, behind the bot's number.
    Telegram,
    /// An Okta token, which begins with two zeros.
    Okta,
    /// `Authorization`, a separator, and a scheme with its credentials.
    Authorization,
    /// A scheme in front of credentials.
    Bearer,
    /// A password in an address: between the colon after the user and the `@` before the host.
    Address,
    /// Three dotted parts of base64, the first two of which are JSON objects.
    Jwt,
    /// A private key with its armour.
    Pem,
}

impl Rule {
    /// A value that is known to be a secret.
    pub(crate) fn value(value: Vec<u8>) -> Self {
        let anchor = value[..value.len().min(VALUE_ANCHOR)].to_vec();
        Self { kind: "secret", anchor, shape: Shape::Value(value) }
    }

    /// Whether it goes by the name of a value.
    pub(crate) const fn is_by_name(&self) -> bool {
        matches!(self.shape, Shape::Named(_))
    }

    /// How many bytes it asks for at least.
    pub(crate) fn length(&self) -> usize {
        match &self.shape {
            Shape::Value(value) => value.len(),
            _ => self.anchor.len(),
        }
    }

    /// Every rule that needs no knowledge of this machine's secrets, the more exact ones first.
    pub(crate) fn built_in() -> Vec<Self> {
        let tokens = TOKENS.iter().flat_map(|token| {
            token.prefixes.iter().map(|prefix| {
                let shape = Shape::Token { alphabet: token.alphabet, min: token.min, max: token.max };
                Self::new(token.kind, prefix, shape)
            })
        });
        let assigned = |kind, names: &[&str], alphabet, min, proven| -> Vec<Self> {
            names
                .iter()
                .map(|name| Self::new(kind, name, Shape::Assigned { alphabet, min, proven }))
                .collect()
        };
        let mut rules: Vec<Self> = tokens.collect();
        rules.push(Self::new("private-key", KEY_BEGINS, Shape::Pem));
        rules.push(Self::new("jwt", "eyJ", Shape::Jwt));
        rules.push(Self::new("password", "://", Shape::Address));
        for scheme in ["Bearer ", "bearer ", "BEARER "] {
            rules.push(Self::new("authorization", scheme, Shape::Bearer));
        }
        for name in ["uthorization", "UTHORIZATION"] {
            rules.push(Self::new("authorization", name, Shape::Authorization));
        }
        let aws = ["aws_secret_access_key", "AWS_SECRET_ACCESS_KEY", "ecretAccessKey"];
        rules.extend(assigned("aws", &aws, Alphabet::BASE64, 40, true));
        rules.extend(assigned("azure", &["AccountKey", "SharedAccessKey"], Alphabet::BASE64, 40, true));
        rules.extend(assigned("npm", &["_authToken"], Alphabet::CREDENTIAL, 16, true));
        rules.extend(SERVICES.iter().flat_map(|(kind, anchors, shape)| {
            anchors.iter().map(|anchor| Self::new(kind, anchor, shape.clone()))
        }));
        let third = (b'a'..=b'z').chain(b'A'..=b'Z').chain(*b"_-").map(char::from);
        rules.extend(third.map(|letter| Self::new("okta", &format!("00{letter}"), Shape::Okta)));
        let oauth = ["access_token", "refresh_token", "client_secret", "X-Amz-Signature"];
        rules.extend(assigned("oauth", &oauth, Alphabet::CREDENTIAL, 20, false));
        rules
    }

    /// The rules that go by the name of a value.
    pub(crate) fn named() -> Vec<Self> {
        Name::all().map(|(name, anchor)| Self::new("value", &anchor, Shape::Named(name))).collect()
    }

    fn new(kind: &'static str, anchor: &str, shape: Shape) -> Self {
        Self { kind, anchor: anchor.as_bytes().to_vec(), shape }
    }

    /// Judges the text that begins with this rule's anchor. `before` is what comes directly before it, and
    /// `last` says that nothing follows.
    pub(crate) fn judge(&self, before: &[u8], text: &[u8], last: bool) -> Verdict {
        let anchor = self.anchor.len();
        let rest = &text[anchor..];
        match &self.shape {
            Shape::Value(value) if text.starts_with(value) => {
                Verdict::Secret { shown: 0, hidden: value.len(), rest: Rest::Nothing }
            }
            Shape::Value(value) if value.starts_with(text) => Verdict::too_short(last),
            Shape::Value(_) => Verdict::No,
            Shape::Telegram => telegram(before, rest, last).after(anchor),
            Shape::Token { .. } | Shape::Jwt | Shape::Dotted { .. } | Shape::Discord | Shape::Okta
                if !begins_word(before) =>
            {
                Verdict::No
            }
            // Parts of one long run, each of which would be followed to its end.
            Shape::Jwt if before.ends_with(b"-") => Verdict::No,
            Shape::Token { alphabet, min, max } => token(anchor, rest, last, *alphabet, *min, *max),
            Shape::Assigned { alphabet, min, proven } => {
                assigned(rest, last, *alphabet, *min, *proven).after(anchor)
            }
            Shape::Named(name) => name.judge(text, last),
            Shape::Dotted { word, run } => dotted(anchor, rest, last, *word, *run),
            Shape::Discord => discord(text, last),
            Shape::Okta => okta(text, last),
            Shape::Authorization => authorization(rest, last).after(anchor),
            Shape::Bearer => credentials(rest, last, 16).after(anchor),
            Shape::Address => address(rest, last).after(anchor),
            Shape::Jwt => jwt(anchor, rest, last),
            Shape::Pem => Pem::judge(text, last),
        }
    }
}

impl Verdict {
    /// The same verdict about a text that begins so many bytes earlier.
    pub(crate) fn after(self, bytes: usize) -> Self {
        match self {
            Self::Secret { shown, hidden, rest } => Self::Secret { shown: shown + bytes, hidden, rest },
            other => other,
        }
    }

    /// What a text that was too short means.
    pub(crate) const fn too_short(last: bool) -> Self {
        if last { Self::No } else { Self::Wait }
    }
}

/// Whether a word can begin after these bytes: not in the middle of one, unless what looks like its beginning is
/// an escape (`\n`) or a colour.
fn begins_word(before: &[u8]) -> bool {
    match before {
        [.., b'\\', b'n' | b't' | b'r' | b'b' | b'f'] => true,
        [.., last] if !Alphabet::WORD.holds(*last) => true,
        [colour @ .., b'm'] => {
            let digits =
                colour.iter().rev().take_while(|byte| byte.is_ascii_digit() || **byte == b';').count();
            colour[..colour.len() - digits].ends_with(b"[")
        }
        [] => true,
        _ => false,
    }
}

fn token(
    anchor: usize,
    rest: &[u8],
    last: bool,
    alphabet: Alphabet,
    min: usize,
    max: Option<usize>,
) -> Verdict {
    let enough = max.map_or(min, |max| max + 1);
    let run = alphabet.run(&rest[..rest.len().min(enough)]);
    match max {
        _ if run == rest.len() && run < enough && !last => Verdict::Wait,
        _ if run < min => Verdict::No,
        None => Verdict::Secret { shown: 0, hidden: anchor + run, rest: Rest::Run(alphabet) },
        Some(max) if run <= max => Verdict::Secret { shown: 0, hidden: anchor + run, rest: Rest::Nothing },
        Some(_) => Verdict::No,
    }
}

fn assigned(rest: &[u8], last: bool, alphabet: Alphabet, min: usize, proven: bool) -> Verdict {
    let separator = |byte: &&u8| b" \t\"':=>\\".contains(byte);
    let gap = rest.iter().take(SEPARATOR_LIMIT + 1).take_while(separator).count();
    if gap == rest.len() && gap <= SEPARATOR_LIMIT {
        return Verdict::too_short(last);
    }
    let value = &rest[gap..];
    let run = alphabet.run(&value[..value.len().min(min)]);
    if gap == 0 || gap > SEPARATOR_LIMIT || (run < min && run < value.len()) {
        return Verdict::No;
    }
    if run < min {
        return Verdict::too_short(last);
    }
    if !proven && !looks_assigned(&rest[..gap], &value[..run]) {
        return Verdict::No;
    }
    Verdict::Secret { shown: gap, hidden: run, rest: Rest::Run(alphabet) }
}

/// In quotes, or after an equals sign without space and with a digit in it; not another variable.
fn looks_assigned(separator: &[u8], value: &[u8]) -> bool {
    match separator.last() {
        Some(b'"' | b'\'') => true,
        Some(b'=') => value.iter().any(u8::is_ascii_digit),
        _ => false,
    }
}

fn authorization(rest: &[u8], last: bool) -> Verdict {
    const SCHEMES: [&[u8]; 4] = [b"basic", b"token", b"bearer", b"apikey"];
    let gap = rest.iter().take(SEPARATOR_LIMIT + 1).take_while(|byte| b" \t\"':=>\\".contains(byte)).count();
    let named = &rest[gap..];
    let word = Alphabet::ALNUM.run(&named[..named.len().min(SEPARATOR_LIMIT)]);
    if gap > SEPARATOR_LIMIT || gap == 0 && !rest.is_empty() {
        return Verdict::No;
    }
    if word == named.len() {
        return Verdict::too_short(last);
    }
    let known = SCHEMES.iter().any(|scheme| scheme.eq_ignore_ascii_case(&named[..word]));
    if !known || named[word] != b' ' {
        return Verdict::No;
    }
    credentials(&named[word + 1..], last, 8).after(gap + word + 1)
}

fn credentials(rest: &[u8], last: bool, min: usize) -> Verdict {
    let run = Alphabet::CREDENTIAL.run(&rest[..rest.len().min(min)]);
    if run == min {
        Verdict::Secret { shown: 0, hidden: run, rest: Rest::Run(Alphabet::CREDENTIAL) }
    } else if run == rest.len() {
        Verdict::too_short(last)
    } else {
        Verdict::No
    }
}

fn address(rest: &[u8], last: bool) -> Verdict {
    let user = Alphabet::USERINFO.run(&rest[..rest.len().min(USERINFO_LIMIT)]);
    match rest.get(user) {
        None => return Verdict::too_short(last),
        Some(b':') => {}
        Some(_) => return Verdict::No,
    }
    let password = &rest[user + 1..];
    let length = Alphabet::USERINFO.run(&password[..password.len().min(USERINFO_LIMIT)]);
    match password.get(length) {
        None => Verdict::too_short(last),
        Some(b'@') if length > 0 && password[0] != b'$' => {
            Verdict::Secret { shown: user + 1, hidden: length, rest: Rest::Nothing }
        }
        Some(_) => Verdict::No,
    }
}

fn jwt(anchor: usize, rest: &[u8], last: bool) -> Verdict {
    let header = Alphabet::URL.run(&rest[..rest.len().min(JWT_HEADER_LIMIT)]);
    let payload = &rest[header..];
    if header < 8 && header < rest.len() || header == JWT_HEADER_LIMIT {
        return Verdict::No;
    }
    if payload.starts_with(b".eyJ") {
        return Verdict::Secret { shown: 0, hidden: anchor + header + 4, rest: Rest::Run(Alphabet::DOTTED) };
    }
    if b".eyJ".starts_with(payload) { Verdict::too_short(last) } else { Verdict::No }
}

/// A word of `word` letters and digits, a full stop and `run` hexadecimal digits.
fn dotted(anchor: usize, rest: &[u8], last: bool, word: usize, run: usize) -> Verdict {
    let first = Alphabet::ALNUM.run(&rest[..rest.len().min(word + 1)]);
    match rest.get(first) {
        None if first <= word => return Verdict::too_short(last),
        Some(b'.') if first == word => {}
        _ => return Verdict::No,
    }
    let second = &rest[word + 1..];
    token(anchor + word + 1, second, last, Alphabet::HEX, run, Some(run))
}

/// Parts of at least 23, exactly 6 and at least 27 characters.
fn discord(text: &[u8], last: bool) -> Verdict {
    let mut from = 0;
    for (least, most) in [(23, 28), (6, 6)] {
        let part = &text[from..];
        let run = Alphabet::URL.run(&part[..part.len().min(most + 1)]);
        match part.get(run) {
            None if run <= most => return Verdict::too_short(last),
            Some(b'.') if (least..=most).contains(&run) => from += run + 1,
            _ => return Verdict::No,
        }
    }
    token(from, &text[from..], last, Alphabet::URL, 27, None)
}

/// Exactly 33 characters, behind a number of 8 to 10 digits.
fn telegram(before: &[u8], rest: &[u8], last: bool) -> Verdict {
    let digits = before.iter().rev().take_while(|byte| byte.is_ascii_digit()).count();
    if !(8..=10).contains(&digits) || !begins_word(&before[..before.len() - digits]) {
        return Verdict::No;
    }
    token(0, rest, last, Alphabet::URL, 33, Some(33))
}

/// Exactly 42 characters, with capitals, small letters and digits among them.
fn okta(text: &[u8], last: bool) -> Verdict {
    let verdict = token(0, text, last, Alphabet::URL, 42, Some(42));
    let word = &text[..text.len().min(42)];
    let mixed = word.iter().any(u8::is_ascii_uppercase) && word.iter().any(u8::is_ascii_lowercase);
    if mixed || matches!(verdict, Verdict::Wait) { verdict } else { Verdict::No }
}

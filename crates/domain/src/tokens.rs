//! How many tokens a text is.
//!
//! An estimate without a vocabulary: the text is taken apart as the tokenizers of current models do (a word with the one
//! sign before it, up to three digits, a run of signs with the ends of lines after it, blanks), and each piece counts
//! what pieces of its kind and length are on average in `o200k_base`. A test compares it with that tokenizer.

/// The kind of a character, as far as it matters here.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Upper,
    /// Small letters, and those of scripts without capitals.
    Lower,
    /// Letters of other alphabets than the Latin one without marks.
    Foreign,
    Digit,
    /// Chinese characters, kana, and their signs.
    Ideograph,
    Hangul,
    Sign,
    Blank,
    LineEnd,
}

impl Kind {
    fn of(c: char) -> Self {
        match c {
            'a'..='z' => Self::Lower,
            'A'..='Z' => Self::Upper,
            '0'..='9' => Self::Digit,
            '\n' | '\r' => Self::LineEnd,
            '\u{1100}'..='\u{11ff}' | '\u{ac00}'..='\u{d7af}' => Self::Hangul,
            '\u{2e80}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff00}'..='\u{ffef}' => Self::Ideograph,
            c if c.is_whitespace() => Self::Blank,
            c if c.is_alphabetic() => Self::Foreign,
            _ => Self::Sign,
        }
    }

    const fn is_letter(self) -> bool {
        matches!(self, Self::Upper | Self::Lower | Self::Foreign)
    }
}

/// Walks over the pieces of a text.
struct Pieces<'a> {
    chars: std::iter::Peekable<std::str::Chars<'a>>,
}

impl Pieces<'_> {
    fn next_kind(&mut self) -> Option<Kind> {
        self.chars.peek().copied().map(Kind::of)
    }

    /// Takes characters of these kinds, at most so many, and says how many there were.
    fn take(&mut self, kinds: impl Fn(Kind) -> bool, most: u64) -> u64 {
        let mut taken = 0;
        while taken < most && self.next_kind().is_some_and(&kinds) {
            self.chars.next();
            taken += 1;
        }
        taken
    }

    /// The hundredths of a token that the next piece is; none at the end.
    fn next(&mut self) -> Option<u64> {
        let first = self.next_kind()?;
        Some(match first {
            Kind::Upper | Kind::Lower | Kind::Foreign => self.word(false),
            Kind::Digit => {
                self.take(|kind| kind == Kind::Digit, 3);
                100
            }
            Kind::Ideograph => 70 * self.take(|kind| kind == Kind::Ideograph, u64::MAX),
            Kind::Hangul => 50 * self.take(|kind| kind == Kind::Hangul, u64::MAX) + 55,
            Kind::Sign => self.signs(),
            Kind::Blank | Kind::LineEnd => self.blanks(),
        })
    }

    /// A word: capitals, then small letters.
    fn word(&mut self, after_sign: bool) -> u64 {
        let mut foreign = 0;
        let capitals = self.take(|kind| kind == Kind::Upper, u64::MAX);
        let mut small = 0;
        while let Some(kind) = self.next_kind().filter(|kind| matches!(kind, Kind::Lower | Kind::Foreign)) {
            foreign += u64::from(kind == Kind::Foreign);
            small += 1;
            self.chars.next();
        }
        let length = capitals + small;
        if foreign * 2 > length {
            return (30 * length).max(100);
        }
        let marks = 30 * foreign;
        marks
            + match (length, after_sign) {
                (0..=4, false) => 101,
                (5..=7, false) => 106,
                (8..=9, false) => 120,
                (10..=13, false) => 136,
                (14.., false) => 136 + 30 * (length - 13),
                (0..=2, true) => 103,
                (3, true) => 120,
                (4..=6, true) => 130,
                (7, true) => 164,
                (8, true) => 186,
                (9..=12, true) => 215,
                (13.., true) => 215 + 30 * (length - 12),
            }
    }

    /// A word behind one sign, or a run of signs with the ends of lines after it.
    fn signs(&mut self) -> u64 {
        let wide = u64::from(self.chars.next().is_some_and(|c| !c.is_ascii()));
        if self.next_kind().is_some_and(Kind::is_letter) {
            return self.word(true) + 100 * wide;
        }
        let mut count = 1;
        let mut wide = wide;
        while self.next_kind() == Some(Kind::Sign) {
            wide += u64::from(self.chars.next().is_some_and(|c| !c.is_ascii()));
            count += 1;
        }
        self.take(|kind| kind == Kind::LineEnd, u64::MAX);
        let signs = match count {
            0..=2 => 100,
            3 => 108,
            4 => 122,
            5 => 160,
            more => 210 + 5 * (more - 6),
        };
        signs + 100 * wide
    }

    /// Blanks: up to the last end of a line, or up to the blank that belongs to the word after them.
    fn blanks(&mut self) -> u64 {
        let blanks = self.take(|kind| kind == Kind::Blank, u64::MAX);
        if self.next_kind() == Some(Kind::LineEnd) {
            while self.take(|kind| kind == Kind::LineEnd, u64::MAX) > 0 {}
            return 100;
        }
        // One blank is part of the word or the signs after it; numbers and ideographs take none.
        let taken = self
            .next_kind()
            .is_some_and(|next| next.is_letter() || next == Kind::Sign || next == Kind::Hangul);
        if blanks == 1 && taken { 0 } else { 100 }
    }
}

/// How many tokens a text is, roughly. The only place that guesses.
#[must_use]
pub fn estimate_tokens(text: &str) -> u64 {
    let mut pieces = Pieces { chars: text.chars().peekable() };
    let mut hundredths: u64 = 0;
    while let Some(piece) = pieces.next() {
        hundredths = hundredths.saturating_add(piece);
    }
    // A text of one short word is one token, not two.
    (hundredths.saturating_sub(25)).div_ceil(100).max(u64::from(!text.is_empty()))
}

/// As much of a text's beginning as is at most so many tokens, whole lines where that is not much less.
#[must_use]
pub fn cut_to_tokens(text: &str, most: u64) -> &str {
    let ends: Vec<usize> = text.char_indices().map(|(place, _)| place).chain([text.len()]).collect();
    let begins = |end: usize| text.get(..end).unwrap_or_default();
    let fitting = ends.partition_point(|end| estimate_tokens(begins(*end)) <= most);
    let longest = fitting.checked_sub(1).and_then(|last| ends.get(last)).copied().unwrap_or(0);
    if longest == text.len() {
        return text;
    }
    let cut = begins(longest);
    let at = |sign: char| cut.rfind(sign).filter(|place| *place > longest / 2);
    at('\n').or_else(|| at(' ')).map_or(cut, begins)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn short_texts_are_what_they_are() {
        for (text, tokens) in
            [("", 0), ("a", 1), ("hello world", 2), ("12345", 2), ("let x = 1;\n", 6), ("\n\n\n", 1)]
        {
            assert_eq!(estimate_tokens(text), tokens, "{text:?}");
        }
    }

    #[test]
    fn a_cut_ends_with_a_whole_line() {
        let text = "one two three\n".repeat(50);
        let cut = cut_to_tokens(&text, 40);
        assert!(cut.ends_with("three") && estimate_tokens(cut) <= 40 && !cut.is_empty(), "{cut}");
        assert_eq!(cut_to_tokens("short", 10), "short");
        assert_eq!(cut_to_tokens("short", 0), "");
    }

    proptest! {
        #[test]
        fn a_cut_fits_and_is_a_beginning(text in "[ -~\n茶ä]{0,400}", most in 0_u64..120) {
            let cut = cut_to_tokens(&text, most);
            prop_assert!(text.starts_with(cut));
            prop_assert!(estimate_tokens(cut) <= most);
        }
    }
}

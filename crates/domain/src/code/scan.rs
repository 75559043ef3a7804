//! Tells code, comments and texts apart, line by line. Any file is read to its end without harm; in one that does not
//! follow its language's rules the borders may be wrong.

use super::language::{Language, Quote};

/// One line of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ScannedLine {
    /// The code, with `""` in place of each text.
    pub code: String,
    /// What comments say, without their marks.
    pub comment: String,
    /// The texts on this line.
    pub texts: Vec<String>,
}

impl ScannedLine {
    /// How far it is indented.
    #[must_use]
    pub fn indent(&self) -> usize {
        self.code.len() - self.code.trim_start().len()
    }
}

/// Reads a file.
#[must_use]
pub fn scan(language: Language, text: &str) -> Vec<ScannedLine> {
    let mut scanner = Scanner { language, rest: text, line: ScannedLine::default(), lines: Vec::new() };
    while !scanner.rest.is_empty() {
        scanner.step();
    }
    scanner.lines.push(scanner.line);
    scanner.lines
}

/// Where what is read goes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Code,
    Comment,
    Text,
}

struct Scanner<'a> {
    language: Language,
    rest: &'a str,
    line: ScannedLine,
    lines: Vec<ScannedLine>,
}

impl Scanner<'_> {
    fn step(&mut self) {
        let known =
            self.comment() || self.pattern() || self.raw_text() || self.character() || self.quoted_text();
        if !known {
            self.push(self.first_length(), Part::Code);
        }
    }

    fn comment(&mut self) -> bool {
        if self.take(self.language.line_comment()) {
            let end = self.rest.find('\n').unwrap_or(self.rest.len());
            self.push(end, Part::Comment);
            return true;
        }
        let block = self.language.has_block_comments() && self.take("/*");
        if block {
            self.block_comment();
        }
        block
    }

    fn quoted_text(&mut self) -> bool {
        let mut quotes = self.language.quotes().iter();
        let Some(quote) = quotes.find(|quote| self.rest.starts_with(quote.open)) else {
            return false;
        };
        self.take(quote.open);
        self.quoted(quote);
        true
    }

    fn first_length(&self) -> usize {
        self.rest.chars().next().map_or(0, char::len_utf8)
    }

    /// Passes over a word, when it is next.
    fn take(&mut self, word: &str) -> bool {
        let next = self.rest.strip_prefix(word);
        self.rest = next.unwrap_or(self.rest);
        next.is_some()
    }

    /// Moves so many bytes to a part of the line; a line's end begins the next line.
    fn push(&mut self, length: usize, part: Part) {
        let (taken, rest) = self.rest.split_at_checked(length).unwrap_or((self.rest, ""));
        self.rest = rest;
        for (index, piece) in taken.split('\n').enumerate() {
            if index > 0 {
                self.lines.push(std::mem::take(&mut self.line));
                if part == Part::Text {
                    self.begin_text();
                }
            }
            match part {
                Part::Code => self.line.code.push_str(piece),
                Part::Comment => self.line.comment.push_str(piece),
                Part::Text => {
                    if let Some(text) = self.line.texts.last_mut() {
                        text.push_str(piece);
                    }
                }
            }
        }
    }

    fn begin_text(&mut self) {
        self.line.code.push_str("\"\"");
        self.line.texts.push(String::new());
    }

    /// Rust's comments may lie in each other; in the other languages the first `*/` ends them.
    fn block_comment(&mut self) {
        let mut depth = 1;
        while depth > 0 && !self.rest.is_empty() {
            if self.take("*/") {
                depth -= 1;
            } else if self.language == Language::Rust && self.take("/*") {
                depth += 1;
            } else {
                self.push(self.first_length(), Part::Comment);
            }
        }
        self.line.comment.push(' ');
    }

    fn quoted(&mut self, quote: &Quote) {
        self.begin_text();
        while !self.rest.is_empty() {
            if quote.doubles && self.rest.starts_with("\"\"") {
                self.push(2, Part::Text);
            } else if self.take(quote.close) || (!quote.many_lines && self.rest.starts_with('\n')) {
                return;
            } else if quote.escapes && self.rest.starts_with('\\') {
                let escaped = self.rest.chars().nth(1).map_or(0, char::len_utf8);
                self.push(1 + escaped, Part::Text);
            } else {
                self.push(self.first_length(), Part::Text);
            }
        }
    }

    /// Rust's `r"…"`, `br##"…"##` and the like.
    fn raw_text(&mut self) -> bool {
        if self.language != Language::Rust {
            return false;
        }
        let in_word = self.line.code.ends_with(|c: char| c.is_alphanumeric() || c == '_');
        let prefix = ["r", "br", "cr"].into_iter().find(|prefix| {
            let after = self.rest.strip_prefix(prefix).map(|after| after.trim_start_matches('#'));
            after.is_some_and(|after| after.starts_with('"'))
        });
        let Some(prefix) = prefix.filter(|_| !in_word) else { return false };
        self.take(prefix);
        let hashes = self.rest.len() - self.rest.trim_start_matches('#').len();
        self.rest = self.rest.get(hashes + 1..).unwrap_or_default();
        self.begin_text();
        let close = format!("\"{}", "#".repeat(hashes));
        let end = self.rest.find(&close).unwrap_or(self.rest.len());
        self.push(end, Part::Text);
        self.take(&close);
        true
    }

    /// A character of Rust such as `'"'`, which is no lifetime.
    fn character(&mut self) -> bool {
        if self.language != Language::Rust {
            return false;
        }
        let mut next = self.rest.chars();
        let (quote, first, second) = (next.next(), next.next(), next.next());
        if quote != Some('\'') || first.is_none() || (first != Some('\\') && second != Some('\'')) {
            return false;
        }
        self.take("'");
        self.quoted(&Quote { open: "'", close: "'", escapes: true, many_lines: false, doubles: false });
        true
    }

    /// Whether `/` begins a regular expression and does not divide, judged by what is before it.
    fn pattern_may_begin(&self) -> bool {
        let before = self.line.code.trim_end();
        before.is_empty()
            || before.ends_with(['(', ',', '=', ':', '[', '!', '&', '|', '?', '{', '}', ';', '>'])
            || before.ends_with("return")
    }

    /// A regular expression of JavaScript.
    fn pattern(&mut self) -> bool {
        let script = self.language == Language::Script && self.rest.starts_with('/');
        let begins = script && self.pattern_may_begin() && self.take("/");
        if begins {
            self.pattern_body();
        }
        begins
    }

    fn pattern_body(&mut self) {
        self.begin_text();
        let mut in_class = false;
        while !self.rest.is_empty() && !self.rest.starts_with('\n') {
            match self.rest.chars().next() {
                Some('/') if !in_class => {
                    self.take("/");
                    return;
                }
                Some('\\') => {
                    let escaped = self.rest.chars().nth(1).filter(|c| *c != '\n').map_or(0, char::len_utf8);
                    self.push(1 + escaped, Part::Text);
                }
                first => {
                    in_class = match first {
                        Some('[') => true,
                        Some(']') => false,
                        _ => in_class,
                    };
                    self.push(self.first_length(), Part::Text);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn parts(language: Language, text: &str) -> Vec<(String, String)> {
        scan(language, text).into_iter().map(|line| (line.code, line.comment.trim().to_owned())).collect()
    }

    fn pair(code: &str, comment: &str) -> (String, String) {
        (code.to_owned(), comment.to_owned())
    }

    #[test]
    fn rust_texts_lifetimes_and_nested_comments_are_told_apart() {
        let text = "let a: &'a str = \"// no\"; // yes\nlet b = r#\"/* \" no */\"#; /* one /* two */ three */ c('\"');";
        assert_eq!(
            parts(Language::Rust, text),
            [pair("let a: &'a str = \"\"; ", "yes"), pair("let b = \"\";  c(\"\");", "one  two  three")]
        );
    }

    #[test]
    fn python_docstrings_go_over_lines() {
        let text = "def f():\n    \"\"\"A # no\n    TODO no\"\"\"\n    pass  # yes";
        let expected =
            [pair("def f():", ""), pair("    \"\"", ""), pair("\"\"", ""), pair("    pass  ", "yes")];
        assert_eq!(parts(Language::Python, text), expected);
    }

    #[test]
    fn script_templates_and_patterns_hide_what_looks_like_a_comment() {
        let text = "const a = /[/\"]\\/\\/ no/; // yes\nconst b = `// no\n// no`; const c = 4 / 2; // yes";
        assert_eq!(
            parts(Language::Script, text),
            [
                pair("const a = \"\"; ", "yes"),
                pair("const b = \"\"", ""),
                pair("\"\"; const c = 4 / 2; ", "yes")
            ]
        );
    }

    #[test]
    fn go_and_csharp_have_texts_without_escapes() {
        assert_eq!(parts(Language::Go, "a := `\\`// yes"), [pair("a := \"\"", "yes")]);
        assert_eq!(
            parts(Language::CSharp, "var a = @\"c:\\ \"\"x\"\" \\\"; // yes"),
            [pair("var a = \"\"; ", "yes")]
        );
    }

    proptest! {
        #[test]
        fn any_text_has_as_many_lines_as_it_has_line_ends(text in "([a-z '\"`/*\\\\#@r$\\n]|\\PC){0,200}") {
            for language in
                [Language::Rust, Language::Python, Language::Script, Language::Go, Language::Java, Language::CSharp]
            {
                let ends = text.matches('\n').count();
                prop_assert_eq!(scan(language, &text).len(), ends + 1);
            }
        }
    }
}

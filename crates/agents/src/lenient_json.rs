//! JSON as people and models write it, with one reader for all of it: settings of agents, answers of models, answers of
//! people. Taken as meant: comments, commas before an end, single and curly quotes, keys without quotes, line ends in
//! texts, `True` and `None`. Everything else is refused with its place.
//!
//! The reader is our own because a model's answer may also be cut off, which no library reads: its objects and lists then
//! end where the text does, and a value that is not complete is left out: half a text is worse than none.

use std::iter::Peekable;
use std::str::CharIndices;

use serde_json::{Map, Number, Value};

/// Deeper values are refused.
const DEPTH: usize = 100;

/// Reads the value that a text begins with, also where the text was cut off. What stands behind it does not count.
///
/// # Errors
/// There is no such value; the message names the line.
pub fn read_answer(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).or_else(|_| lenient(text, false))
}

/// Reads a text that is one whole value.
///
/// # Errors
/// It is not, or ends too early; the message names the line.
pub fn read(text: &str) -> Result<Value, String> {
    serde_json::from_str(text).or_else(|_| lenient(text, true))
}

fn lenient(text: &str, whole: bool) -> Result<Value, String> {
    let text = text.trim_end();
    let mut reader = LenientReader { text, whole, rest: text.char_indices().peekable() };
    let value = reader.value(0).and_then(|value| if whole { reader.nothing_more(value) } else { Ok(value) });
    value.map_err(|problem| match problem {
        Stop::End => "its JSON was cut off before anything was complete".to_owned(),
        Stop::Early => "its JSON ends too early".to_owned(),
        Stop::Bad(place, what) => {
            let line = text.get(..place).unwrap_or_default().matches('\n').count() + 1;
            format!("{what} in line {line} of its JSON")
        }
    })
}

/// Why no value was read.
enum Stop {
    /// The text ends.
    End,
    /// The text ends inside of a value, and only a whole one was wanted.
    Early,
    /// Here is something that does not belong there.
    Bad(usize, &'static str),
}

struct LenientReader<'t> {
    text: &'t str,
    /// Whether a text that was cut off is refused.
    whole: bool,
    rest: Peekable<CharIndices<'t>>,
}

impl<'t> LenientReader<'t> {
    fn place(&mut self) -> usize {
        self.rest.peek().map_or(self.text.len(), |(place, _)| *place)
    }

    fn bad<T>(&mut self, what: &'static str) -> Result<T, Stop> {
        let place = self.place();
        Err(Stop::Bad(place, what))
    }

    /// What stands in the text from a place on.
    fn from(&self, place: usize) -> &'t str {
        self.text.get(place..).unwrap_or_default()
    }

    /// The value, if only spaces and comments follow.
    fn nothing_more(&mut self, value: Value) -> Result<Value, Stop> {
        match self.next() {
            Err(Stop::End) => Ok(value),
            Ok(_) => self.bad("there is more than one value"),
            Err(problem) => Err(problem),
        }
    }

    /// The next character that is neither space nor comment, without taking it.
    fn next(&mut self) -> Result<char, Stop> {
        loop {
            let Some((place, c)) = self.rest.peek().copied() else { return Err(Stop::End) };
            let ahead = self.from(place);
            let skip = if c.is_whitespace() || c == '\u{feff}' {
                c.len_utf8()
            } else if ahead.starts_with("//") {
                ahead.find(['\n', '\r', '\u{2028}', '\u{2029}']).unwrap_or(ahead.len())
            } else if ahead.starts_with("/*") {
                ahead.find("*/").map_or(ahead.len(), |end| end + 2)
            } else {
                return Ok(c);
            };
            self.skip_to(place + skip);
        }
    }

    fn skip_to(&mut self, end: usize) {
        while self.rest.next_if(|(place, _)| *place < end).is_some() {}
    }

    fn value(&mut self, depth: usize) -> Result<Value, Stop> {
        match self.next()? {
            _ if depth > DEPTH => self.bad("values are nested too deeply"),
            '{' => self.object(depth),
            '[' => self.list(depth),
            '"' | '\'' | '“' | '”' | '‘' => self.string().map(Value::String),
            _ => self.word(),
        }
    }

    fn object(&mut self, depth: usize) -> Result<Value, Stop> {
        self.rest.next();
        let mut fields = Map::new();
        loop {
            match self.field(depth) {
                Ok(Some((name, value))) => {
                    fields.insert(name, value);
                }
                Ok(None) => break,
                Err(Stop::End) => {
                    self.cut_off()?;
                    break;
                }
                Err(bad) => return Err(bad),
            }
            self.comma('}')?;
        }
        Ok(Value::Object(fields))
    }

    /// The next field; none at the object's end.
    fn field(&mut self, depth: usize) -> Result<Option<(String, Value)>, Stop> {
        let name = match self.next()? {
            '}' => {
                self.rest.next();
                return Ok(None);
            }
            '"' | '\'' | '“' | '”' | '‘' => self.string()?,
            c if c.is_alphabetic() || matches!(c, '_' | '$') => {
                self.run(|c| c.is_alphanumeric() || matches!(c, '_' | '$' | '-')).to_owned()
            }
            _ => return self.bad("a key is missing"),
        };
        if self.next()? != ':' {
            return self.bad("a colon is missing");
        }
        self.rest.next();
        Ok(Some((name, self.value(depth + 1)?)))
    }

    /// Ends a value where the text was cut off.
    fn cut_off(&self) -> Result<(), Stop> {
        if self.whole { Err(Stop::Early) } else { Ok(()) }
    }

    fn list(&mut self, depth: usize) -> Result<Value, Stop> {
        self.rest.next();
        let mut items = Vec::new();
        loop {
            match self.next() {
                Ok(']') => {
                    self.rest.next();
                    break;
                }
                Ok(_) => {}
                Err(_) => {
                    self.cut_off()?;
                    break;
                }
            }
            match self.value(depth + 1) {
                Ok(item) => items.push(item),
                Err(Stop::End) => {
                    self.cut_off()?;
                    break;
                }
                Err(bad) => return Err(bad),
            }
            self.comma(']')?;
        }
        Ok(Value::Array(items))
    }

    /// Takes the comma between two values; before the end none is needed.
    fn comma(&mut self, end: char) -> Result<(), Stop> {
        match self.next() {
            Ok(',') => {
                self.rest.next();
                Ok(())
            }
            Ok(c) if c != end => self.bad("a comma is missing"),
            _ => Ok(()),
        }
    }

    fn string(&mut self) -> Result<String, Stop> {
        let quote = self.rest.next().map_or('"', |(_, c)| c);
        let mut text = String::new();
        while let Some((place, c)) = self.rest.next() {
            match c {
                '\\' => self.escape(&mut text)?,
                c if closes(quote, c) && self.is_end(quote, place + c.len_utf8()) => return Ok(text),
                c => text.push(c),
            }
        }
        Err(Stop::End)
    }

    /// Whether a quote here ends its text. An apostrophe does so only where something must follow a text.
    fn is_end(&self, quote: char, after: usize) -> bool {
        let follows = self.from(after).trim_start().chars().next();
        quote == '"' || matches!(follows, None | Some(',' | ':' | '}' | ']'))
    }

    fn escape(&mut self, text: &mut String) -> Result<(), Stop> {
        let (_, c) = self.rest.next().ok_or(Stop::End)?;
        match c {
            'n' => text.push('\n'),
            't' => text.push('\t'),
            'r' => text.push('\r'),
            'b' => text.push('\u{8}'),
            'f' => text.push('\u{c}'),
            '"' | '\\' | '/' | '\'' => text.push(c),
            'u' => text.push(self.unicode()?),
            '\n' => {}
            // A path or a pattern whose backslash was not doubled.
            other => text.extend(['\\', other]),
        }
        Ok(())
    }

    /// The character of four digits, or of two pairs of four.
    fn unicode(&mut self) -> Result<char, Stop> {
        let first = self.four_digits()?;
        let place = self.place();
        if (0xd800..0xdc00).contains(&first) && self.from(place).starts_with("\\u") {
            self.skip_to(place + 2);
            let second = self.four_digits()?;
            let joined = 0x10000 + ((first - 0xd800) << 10) + (second.wrapping_sub(0xdc00) & 0x3ff);
            return Ok(char::from_u32(joined).unwrap_or(char::REPLACEMENT_CHARACTER));
        }
        Ok(char::from_u32(first).unwrap_or(char::REPLACEMENT_CHARACTER))
    }

    fn four_digits(&mut self) -> Result<u32, Stop> {
        let mut number = 0;
        for _ in 0..4 {
            let digit = self.rest.next().ok_or(Stop::End)?.1.to_digit(16);
            let Some(digit) = digit else { return self.bad("an escape is broken") };
            number = number * 16 + digit;
        }
        Ok(number)
    }

    /// Takes characters as long as they are wanted.
    fn run(&mut self, wanted: impl Fn(char) -> bool) -> &'t str {
        let begin = self.place();
        while self.rest.next_if(|(_, c)| wanted(*c)).is_some() {}
        let end = self.place();
        self.text.get(begin..end).unwrap_or_default()
    }

    fn word(&mut self) -> Result<Value, Stop> {
        let begin = self.place();
        let word = self.run(|c| c.is_alphanumeric() || matches!(c, '+' | '-' | '.' | '_'));
        // At the very end, nobody knows whether more was to come.
        if self.rest.peek().is_none() && !self.whole {
            return Err(Stop::End);
        }
        match word {
            "true" | "True" => Ok(Value::Bool(true)),
            "false" | "False" => Ok(Value::Bool(false)),
            "null" | "None" => Ok(Value::Null),
            number => serde_json::from_str::<Number>(number)
                .map(Value::Number)
                .map_err(|_| Stop::Bad(begin, "a value cannot be read")),
        }
    }
}

/// Whether a quote may close what another one opened.
fn closes(open: char, c: char) -> bool {
    match open {
        '“' | '”' => matches!(c, '“' | '”'),
        '‘' => matches!(c, '‘' | '’'),
        open => c == open,
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use serde_json::json;

    use super::*;

    #[test]
    fn comments_and_last_commas_are_read_over() {
        let text =
            "// mine\n{ \"a\": [1, 2, /* three, */ ], // \"b\": 1\n \"c\": \"// ,} \\\" /* */\", } // end";
        assert_eq!(read(text), Ok(json!({ "a": [1, 2], "c": "// ,} \" /* */" })));
        assert_eq!(read("{ a: 1, 'b': None }"), Ok(json!({ "a": 1, "b": null })));
        assert_eq!(
            read("// one\r{\"a\": 1} // two\r\n"),
            Ok(json!({ "a": 1 })),
            "a comment ends with its line"
        );
    }

    #[test]
    fn what_is_not_whole_is_an_answer_at_most() {
        for (text, answer) in [
            ("{", Some(json!({}))),
            ("{\"a\": [1", Some(json!({ "a": [] }))),
            ("{\"a\": 1, \"b", Some(json!({ "a": 1 }))),
            ("{\"a\": 1} or so", Some(json!({ "a": 1 }))),
            ("", None),
            ("/*", None),
            ("{,}x", None),
        ] {
            assert!(read(text).is_err(), "{text}");
            assert_eq!(read_answer(text).ok(), answer, "{text}");
        }
        assert_eq!(read("{\"a\": [").unwrap_err(), "its JSON ends too early");
        assert_eq!(read("{}\n{}").unwrap_err(), "there is more than one value in line 2 of its JSON");
    }

    proptest! {
        #[test]
        fn nothing_is_too_strange(text in r#"[{}\[\],:"'/*\\\nä 1]{0,40}"#) {
            let _ = read(&text);
            let _ = read_answer(&text);
        }

        #[test]
        fn what_stands_in_quotes_is_not_touched(text in ".{0,40}") {
            let value = json!({ "text": text });
            prop_assert_eq!(read(&format!("{value} // end")), Ok(value));
        }

        #[test]
        fn leniency_changes_nothing_about_valid_json(text in any::<String>(), number in any::<i64>()) {
            let value = json!({ "text": text, "list": [number, true, null, { "a": text }] });
            prop_assert_eq!(lenient(&value.to_string(), true), Ok(value.clone()));
            prop_assert_eq!(lenient(&value.to_string(), false), Ok(value));
        }
    }
}

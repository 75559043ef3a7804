//! Strangers' text on its way to a window: names whatever they are made of, and characters that cannot be seen.

use std::borrow::Cow;
use std::fmt::Write;
use std::path::Path;

/// A path with forward slashes, as [`shown_name`] has it.
pub(crate) fn shown_path(path: &Path) -> String {
    let parts = path.components().map(|part| shown_name(part.as_os_str().as_encoded_bytes()));
    parts.collect::<Vec<_>>().join("/")
}

/// A name as git has it. What is no text in it is spelled out, so that two names are not shown as one.
pub(super) fn shown_name(name: &[u8]) -> String {
    name.utf8_chunks().fold(String::new(), |mut shown, chunk| {
        shown.push_str(chunk.valid());
        for byte in chunk.invalid() {
            let _ = write!(shown, "\\x{byte:02x}");
        }
        shown
    })
}

/// A text in which what cannot be seen, or turns around what is seen, is visible. Tabs stay.
pub(super) fn visible(text: &str) -> Cow<'_, str> {
    if !text.chars().any(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            letter if !is_hidden(letter) => shown.push(letter),
            '\u{7f}' => shown.push('␡'),
            '\0'..='\u{1f}' => shown.extend(char::from_u32(0x2400 + u32::from(letter))),
            letter => {
                let _ = write!(shown, "<U+{:04X}>", u32::from(letter));
            }
        }
    }
    Cow::Owned(shown)
}

/// Control characters, and those that change the direction of the text around them.
fn is_hidden(letter: char) -> bool {
    (letter.is_control() && letter != '\t')
        || matches!(letter, '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2060}'..='\u{2069}' | '\u{feff}')
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn what_hides_is_shown() {
        assert_eq!(visible("let a\t= 1; // ünï 茶"), "let a\t= 1; // ünï 茶");
        assert_eq!(visible("a\u{1b}[2J\r"), "a␛[2J␍");
        assert_eq!(visible("if x\u{202e}y\u{7f}"), "if x<U+202E>y␡");
    }

    #[test]
    fn paths_have_forward_slashes() {
        assert_eq!(shown_path(Path::new("a b/ünï\n/-x")), "a b/ünï\n/-x");
    }

    #[cfg(unix)]
    #[test]
    fn names_that_are_no_text_stay_apart() {
        use std::os::unix::ffi::OsStrExt;
        let shown = |bytes: &[u8]| shown_path(Path::new(std::ffi::OsStr::from_bytes(bytes)));
        assert_eq!(shown(b"a/\xff\xfe.txt"), "a/\\xff\\xfe.txt");
        assert_eq!(shown(b"a/\xff\xfe.txt"), shown_name(b"a/\xff\xfe.txt"));
        assert_ne!(shown(b"\xff"), shown(b"\xfe"));
    }

    proptest! {
        #[test]
        fn nothing_shown_is_hidden(text in any::<String>()) {
            prop_assert!(!visible(&text).chars().any(is_hidden));
        }
    }
}

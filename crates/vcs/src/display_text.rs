//! Text from outside, in messages.

use loopwright_domain::sanitize::escape_line;

/// How many characters of a foreign text a message quotes.
const QUOTED: usize = 160;

/// One line that is safe to show: unsafe characters are escaped, and what is too long is cut.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut rest = text.trim().chars();
    let quoted: String = rest.by_ref().take(QUOTED).collect();
    let mut shown = escape_line(&quoted).into_owned();
    if rest.next().is_some() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn escapes_and_reversals_are_spelled_out() {
        assert_eq!(shown(b"a\x1b[2Jb\n"), r"a\u{1b}[2Jb");
        assert_eq!(shown("x\u{202e}y".as_bytes()), r"x\u{202e}y");
        assert_eq!(shown("größe 茶".as_bytes()), "größe 茶");
        assert_eq!(shown(&[b'x'; 500]).chars().count(), QUOTED + 1);
    }

    proptest! {
        #[test]
        fn nothing_unsafe_is_shown(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let text = shown(&bytes);
            prop_assert!(!text.chars().any(loopwright_domain::sanitize::is_unsafe));
        }
    }
}

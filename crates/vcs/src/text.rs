//! Strangers' text, made fit to be shown to people.

/// As much of a strange text as is shown.
const SHOWN: usize = 160;

/// One line of harmless characters: control and direction-changing characters are spelled out, and what is too
/// long is cut.
pub(crate) fn shown(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut shown = String::new();
    for (index, letter) in text.trim().chars().enumerate() {
        if index == SHOWN {
            shown.push('…');
            break;
        }
        if letter.is_control() || changes_direction(letter) {
            shown.extend(letter.escape_default());
        } else {
            shown.push(letter);
        }
    }
    shown
}

fn changes_direction(letter: char) -> bool {
    matches!(letter, '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
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
        assert_eq!(shown(&[b'x'; 500]).chars().count(), SHOWN + 1);
    }

    proptest! {
        #[test]
        fn nothing_shown_can_move_a_cursor(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let text = shown(&bytes);
            prop_assert!(!text.chars().any(|letter| letter.is_control() || changes_direction(letter)));
        }
    }
}

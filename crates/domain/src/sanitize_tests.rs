use proptest::prelude::*;

use super::*;

#[test]
fn controls_direction_marks_and_invisible_characters_are_unsafe() {
    let unsafe_characters = "\0\u{7}\u{8}\t\n\r\u{1b}\u{7f}\u{9b}\u{9d}\u{61c}\u{200b}\u{200f}\u{202e}\u{2066}\u{2069}\u{feff}\u{e0041}";
    for c in unsafe_characters.chars() {
        assert!(is_unsafe(c) && is_unsafe_in_code(c), "{c:?}");
    }
    for c in "aä茶 \u{a0}👩\u{200d}💻\u{200c}שלום\u{fe0f}".chars() {
        assert!(!is_unsafe(c), "{c:?}");
    }
    assert!(is_unsafe_in_code(ZERO_WIDTH_JOINER) && is_unsafe_in_code(ZERO_WIDTH_NON_JOINER));
}

#[test]
fn stripping_leaves_only_what_is_read() {
    let cases = [
        ("a \u{1b}[1;31mred\u{1b}[0m\r\nb", "a red\nb"),
        ("a \u{1b}[38:2::1:2:3mb\u{1b}[0m", "a b"),
        ("\u{1b}[2J\u{1b}[1;1Hcleared", "cleared"),
        ("\u{1b}]0;title\u{7}text", "text"),
        ("\u{1b}]8;;http://x\u{1b}\\link\u{1b}]8;;\u{1b}\\", "link"),
        ("\u{1b}]52;c;ZXZpbA==\u{7}clip", "clip"),
        ("\u{1b}P1$r0m\u{1b}\\dcs", "dcs"),
        ("\u{9b}5Anine \u{9d}0;t\u{9c}one", "nine one"),
        ("\u{1b}(Bset \u{1b}c\u{1b}7reset", "set reset"),
        ("50%\r100%\r\n", "50% 100%\n"),
        ("nul\0 bell\u{7} back\u{8} del\u{7f}", "nul bell back del"),
        ("right\u{202e}to\u{2066}left\u{200f}\u{feff}", "righttoleft"),
        ("\u{1b}[?25l\u{1b}[>4;1m\u{1b}[31 q", ""),
        ("unterminated \u{1b}]0;never", "unterminated "),
        (
            "unterminated \u{1b}]0;never\nerror: seen \u{9d}x\nall the same\u{1b}\nend",
            "unterminated \nerror: seen \nall the same\nend",
        ),
        ("\u{1b}", ""),
    ];
    for (text, safe) in cases {
        assert_eq!(strip(text), safe, "{text:?}");
    }
}

#[test]
fn a_sequence_of_ten_megabytes_is_skipped() {
    let text =
        format!("\u{1b}]52;c;{}\u{7}after\u{1b}[{}mend", "A".repeat(10_000_000), "1;".repeat(1_000_000));
    assert_eq!(strip(&text), "afterend");
}

#[test]
fn escaping_spells_out_what_is_unsafe() {
    assert_eq!(escape_line("a\u{1b}[31mb\r\n\t"), r"a\u{1b}[31mb\r\n\t");
    assert_eq!(escape_line("pay \u{202e}001\u{2066} now\u{feff}"), r"pay \u{202e}001\u{2066} now\u{feff}");
    assert_eq!(escape_lines("a\tb\r\n\u{1b}[2Jc\r\n\nd\re"), "a\tb\n\\u{1b}[2Jc\n\nd\\re");
    assert_eq!(escape_code("a\u{1b}[2J\r"), "a␛[2J␍");
    assert_eq!(escape_code("if x\u{202e}y\u{7f} a\u{200d}b"), "if x<U+202E>y␡ a<U+200D>b");
}

#[test]
fn safe_text_is_borrowed() {
    let text = "let a\t= 1; // tee ☕ ünï 茶";
    for safe in [strip(text), escape_lines(text), escape_code(text), escape_line("tee ☕ 茶")] {
        assert!(matches!(safe, Cow::Borrowed(_)), "{safe:?}");
    }
}

type Sanitizer = fn(&str) -> Cow<'_, str>;
type IsSafe = fn(char) -> bool;

proptest! {
    #[test]
    fn nothing_unsafe_is_left_and_twice_is_once(
        text in "([\u{1b}\u{9b}\u{90}\u{9d}\u{202e}\u{2066}\u{200d}\\[\\]P;m0-9a-zA-Z\u{7}\r\n\t\\\\]|\\PC|.){0,60}",
    ) {
        let sanitizers: [(&str, Sanitizer, IsSafe); 4] = [
            ("strip", strip, is_safe_in_lines),
            ("escape_line", escape_line, |c| !is_unsafe(c)),
            ("escape_lines", escape_lines, is_safe_in_lines),
            ("escape_code", escape_code, |c| c == '\t' || !is_unsafe_in_code(c)),
        ];
        for (name, sanitize, is_safe) in sanitizers {
            let safe = sanitize(&text).into_owned();
            prop_assert!(safe.chars().all(is_safe), "{name}: {safe:?}");
            let twice = sanitize(&safe).into_owned();
            prop_assert_eq!(twice, safe, "{}", name);
        }
    }
}

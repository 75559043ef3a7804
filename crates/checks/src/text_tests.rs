use proptest::prelude::*;

use super::*;

#[test]
fn escapes_controls_and_overwritten_lines_are_gone() {
    let printed =
        b"\x1b[1;31mred\x1b[0m and \x1b]0;title\x07plain\r\n10%\r50%\rdone\n\x00tab\there\x08\xff\n";
    assert_eq!(plain(printed), "red and plain\ndone\ntab\there\u{fffd}\n");
    assert_eq!(plain(b"\x1b]0;never ends\nnext"), "\nnext");
}

/// DIAL panicked on output whose 500th byte lay inside a character.
#[test]
fn dial_11_output_that_is_not_ascii_is_cut_anywhere_without_harm() {
    let text = "añ茶☕e\u{301}🦀".repeat(300);
    for most in 0..text.chars().count() + 2 {
        assert!(cut_end(&text, most).chars().count() <= most.max(1));
        assert_eq!(cut_start(&text, most).chars().count(), most.min(text.chars().count()));
        assert!(tail(&text, most).chars().count() <= most);
    }
}

#[test]
fn a_tail_begins_with_a_whole_line() {
    assert_eq!(tail("one\ntwo\nthree\n", 9), "three");
    assert_eq!(tail("one\ntwo\nthree\n", 10), "two\nthree");
    assert_eq!(tail("a very long line", 4), "line");
    assert_eq!(tail("short\n", 100), "short");
}

#[test]
fn what_differs_from_run_to_run_is_made_the_same() {
    let cases = [
        ("at /work/p/src/a.rs:3 in /work/p", "at src/a.rs:3 in ."),
        (
            "/work/p2/a and /home/work/p/b and /work/p, /work/p.",
            "/work/p2/a and /home/work/p/b and ., /work/p.",
        ),
        ("see /scratch/x1/log", "see <temporary>/x1/log"),
        ("wrote /tmp/abc123/out.txt now", "wrote <temporary> now"),
        ("test result: FAILED. finished in 0.03s", "test result: FAILED. finished in <duration>"),
        ("Tests took 12 ms (1.4s)", "Tests took <duration> (<duration>)"),
        ("thread 'main' (4711) panicked at a.rs:1:2", "thread 'main' panicked at a.rs:1:2"),
        ("at 2026-01-02T03:04:05.6Z and 11:22:33", "at <time> and <time>"),
        ("pointer 0x7ffd1234abcd", "pointer <address>"),
        ("deps/app-0123456789abcdef failed", "deps/app-<hash> failed"),
        ("id 01234567-89ab-cdef-0123-456789abcdef", "id <id>"),
        ("pid 4711, ==99== bad", "pid <number>, ==<number>== bad"),
        ("timeout of 5000ms exceeded; expected 3s", "timeout of 5000ms exceeded; expected 3s"),
        ("src/a.rs:10:20: wrong in 3 places", "src/a.rs:10:20: wrong in 3 places"),
    ];
    for (printed, steadied) in cases {
        assert_eq!(steady(printed, Path::new("/work/p"), Path::new("/scratch")), steadied);
    }
    assert_eq!(PATTERNS.len(), UNSTEADY.len(), "every pattern can be read");
}

proptest! {
    #[test]
    fn any_bytes_become_text_without_escapes(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
        let text = plain(&bytes);
        prop_assert!(text.chars().all(|c| c == '\n' || c == '\t' || !c.is_control()), "{text:?}");
        let _ = steady(&text, Path::new("/"), Path::new(""));
    }
}

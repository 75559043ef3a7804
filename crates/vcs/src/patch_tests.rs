//! What the reader of patches makes of git's words, and of any others.

use proptest::prelude::*;

use super::*;

fn brief(patch: &[u8]) -> Vec<String> {
    let name = |name: Option<Vec<u8>>| name.map_or("-".into(), |name| String::from_utf8(name).unwrap());
    read_patch(patch)
        .map(|part| match part {
            PatchPart::File { old, new } => format!("{} to {}", name(old), name(new)),
            PatchPart::Hunk { old_start, new_start, section } => {
                format!("@{old_start},{new_start} {}", String::from_utf8_lossy(section))
            }
            PatchPart::Line(line) => {
                let number = |number: Option<u32>| number.map_or("-".into(), |number| number.to_string());
                let mark = if line.no_line_break { "!" } else { "" };
                let text = String::from_utf8_lossy(line.text);
                format!("{} {} {text}{mark}", number(line.old), number(line.new))
            }
        })
        .collect()
}

#[test]
fn lines_are_numbered_on_both_sides() {
    let patch = b"diff --git a/x b/x\nindex 1..2 100644\n--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@ fn f()\n one\n-two\n+zwei\n three\n\
        @@ -9 +10,0 @@\n-nine\n\\ No newline at end of file\n";
    assert_eq!(
        brief(patch),
        ["x to x", "@1,1 fn f()", "1 1 one", "2 - two", "- 2 zwei", "3 3 three", "@9,10 ", "9 - nine!"]
    );
}

#[test]
fn what_looks_like_a_header_inside_a_hunk_is_a_line() {
    let patch = b"diff --git a/gone b/gone\n--- a/gone\n+++ /dev/null\n@@ -1,3 +0,0 @@\n--- a/trap\n-++ b/trap\n-@@ -1 +1 @@\n\
        diff --git a/n b/n\n--- /dev/null\n+++ \"b/caf\\303\\251 \\\"x\\\".rs\"\n@@ -0,0 +1,2 @@\n++++ b/trap\n+last\n\\ No newline at end of file\n";
    assert_eq!(
        brief(patch),
        [
            "gone to -",
            "@1,0 ",
            "1 - -- a/trap",
            "2 - ++ b/trap",
            "3 - @@ -1 +1 @@",
            "- to café \"x\".rs",
            "@0,1 ",
            "- 1 +++ b/trap",
            "- 2 last!"
        ]
    );
}

#[test]
fn names_with_spaces_tabs_and_line_breaks_are_whole() {
    let patch = b"--- a/two words\t\n+++ \"b/tab\\there\\nand \\\\ there\"\n";
    assert_eq!(brief(patch), ["two words to tab\there\nand \\ there"]);
}

#[test]
fn a_line_that_was_cut_off_does_not_count() {
    assert_eq!(brief(b"@@ -1,2 +1,2 @@\n one\n-tw"), ["@1,1 ", "1 1 one"]);
    assert!(brief(b"Binary files a/x and b/x differ\nrename from a\nrename to b\n").is_empty());
}

proptest! {
    #[test]
    fn any_bytes_are_read_without_harm(
        patch in proptest::collection::vec(prop_oneof![
            any::<Vec<u8>>(),
            Just(b"\n@@ -1,2 +3,4294967295 @@\n+x\n".to_vec()),
            Just(b"\n@@ -4294967295,9 +4294967295,9 @@ @@\n x\n".to_vec()),
            Just(b"\n+++ b/x\\\"\n".to_vec()),
            Just(b"\n--- \"a/\\3\"\n+++ \"b/\\\"\n".to_vec()),
        ], 0..12),
    ) {
        for part in read_patch(&patch.concat()) {
            drop(part);
        }
    }
}

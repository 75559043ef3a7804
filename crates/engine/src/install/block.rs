//! The guide's block in a text: put in, brought up to date, taken out. Everything around it stays, byte for byte.
//!
//! What stands around the block tells how it came there. A text that ended with a line end gets one more before the
//! block and one behind it; a text that did not gets two before it and none behind, so that its last line is still
//! not ended. Taking the block out undoes exactly that.

/// The line the block begins with.
pub(super) const BEGIN: &str = "<!-- LOOPWRIGHT:BEGIN -->";
/// The line it ends with.
pub(super) const END: &str = "<!-- LOOPWRIGHT:END -->";

/// Where the block stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum BlockPosition {
    /// There is none.
    Nowhere,
    /// From here to there, both marks included.
    At(usize, usize),
    /// The marks make no block: one is missing, they stand in the wrong order, or there are several. The line of the
    /// first, counted from 1.
    Broken(u32),
}

/// Looks for the block.
pub(super) fn find(text: &str) -> BlockPosition {
    let mut begins = text.match_indices(BEGIN).map(|(place, _)| place);
    let mut ends = text.match_indices(END).map(|(place, _)| place);
    match (begins.next(), begins.next(), ends.next(), ends.next()) {
        (None, _, None, _) => BlockPosition::Nowhere,
        (Some(begin), None, Some(end), None) if begin < end => BlockPosition::At(begin, end + END.len()),
        (begin, _, end, _) => {
            let first = begin.into_iter().chain(end).min().unwrap_or_default();
            let lines = text[..first].matches('\n').count();
            BlockPosition::Broken(u32::try_from(lines).unwrap_or(u32::MAX).saturating_add(1))
        }
    }
}

/// The text with the guide in its block; none when its marks are broken.
pub(super) fn put(text: &str, guide: &str) -> Option<String> {
    match find(text) {
        BlockPosition::Broken(_) => None,
        BlockPosition::At(begin, end) => {
            let block = block(guide, line_end(&text[begin..end]));
            Some(format!("{}{block}{}", &text[..begin], &text[end..]))
        }
        BlockPosition::Nowhere => {
            let eol = line_end(text);
            let block = block(guide, eol);
            Some(match text {
                "" => block,
                text if text.ends_with('\n') => format!("{text}{eol}{block}{eol}"),
                text => format!("{text}{eol}{eol}{block}"),
            })
        }
    }
}

/// The text of a file that has only the guide.
pub(super) fn alone(guide: &str) -> String {
    block(guide, "\n") + "\n"
}

/// Whether a text is nothing but the block, as [`alone`] makes it, in whatever version.
pub(super) fn is_alone(text: &str) -> bool {
    matches!(find(text), BlockPosition::At(0, end) if matches!(&text[end..], "\n" | "\r\n"))
}

/// Whether a text has the block as it is written here: each mark is a line of its own, and the guide's heading is
/// below the first. A text that only tells of the marks has not.
pub(super) fn is_written(text: &str, heading: &str) -> bool {
    let BlockPosition::At(begin, end) = find(text) else { return false };
    let begins_line = |place: usize| place == 0 || text[..place].ends_with('\n');
    let inner = text[begin + BEGIN.len()..].trim_start_matches('\r');
    let headed = inner.strip_prefix('\n').is_some_and(|inner| inner.starts_with(heading));
    let ends_line = end == text.len() || text[end..].starts_with(['\r', '\n']);
    headed && begins_line(begin) && begins_line(end - END.len()) && ends_line
}

/// The text without the block; none when there is no block to take out.
pub(super) fn take(text: &str) -> Option<String> {
    let BlockPosition::At(begin, end) = find(text) else { return None };
    let eol = line_end(&text[begin..end]);
    let (before, after) = (&text[..begin], &text[end..]);
    let less = |text: &'_ str| text.strip_suffix(eol).unwrap_or(text).len();
    let rest = after.strip_prefix(eol).or(after.strip_prefix('\n'));
    let before = match rest {
        // The last line had no end: both line ends are ours.
        None if after.is_empty() => &before[..less(&before[..less(before)])],
        _ => &before[..less(before)],
    };
    Some(format!("{before}{}", rest.unwrap_or(after)))
}

fn block(guide: &str, eol: &str) -> String {
    format!("{BEGIN}\n{}\n{END}", guide.trim_end()).replace('\n', eol)
}

/// The line end of a text: that of its first line.
fn line_end(text: &str) -> &'static str {
    match text.find('\n') {
        Some(place) if text[..place].ends_with('\r') => "\r\n",
        _ => "\n",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_guide_is_added_once_and_the_rest_stays() {
        let once = put("# Mine\n\nBe kind.\n", "Hello.\n").unwrap();
        assert_eq!(once, format!("# Mine\n\nBe kind.\n\n{BEGIN}\nHello.\n{END}\n"));
        assert_eq!(put(&once, "Hello.").unwrap(), once);
        let newer = put(&format!("before\r\n{BEGIN}\r\nold\r\n{END}after"), "new\nwords").unwrap();
        assert_eq!(newer, format!("before\r\n{BEGIN}\r\nnew\r\nwords\r\n{END}after"));
        assert_eq!(put("", "x").unwrap(), format!("{BEGIN}\nx\n{END}"));
    }

    #[test]
    fn text_that_came_behind_the_block_stays_when_it_goes() {
        let text = put("mine\n", "x").unwrap() + "\nmore\n";
        assert_eq!(take(&text).unwrap(), "mine\n\nmore\n");
        let open = put("mine", "x").unwrap() + "\nmore\n";
        assert_eq!(take(&open).unwrap(), "mine\nmore\n");
        assert_eq!(take("nothing of ours"), None);
        assert!(is_alone(&alone("x")) && is_alone(&alone("older").replace('\n', "\r\n")));
    }

    #[test]
    fn a_text_that_tells_of_the_marks_has_no_block_of_ours() {
        for text in ["mine\n", "mine", "mine\r\n", ""] {
            assert!(is_written(&put(text, "## Tea\nx").unwrap(), "## Tea"), "{text:?}");
        }
        for text in [
            format!("It is between `{BEGIN}` and `{END}`.\n"),
            format!("{BEGIN}\nmy own words\n{END}\n"),
            format!("> {BEGIN}\n## Tea\n{END}\n"),
            format!("{BEGIN}\n## Tea\n{END} and more\n"),
        ] {
            assert!(!is_written(&text, "## Tea"), "{text}");
        }
    }

    #[test]
    fn marks_that_make_no_block_are_left_alone() {
        let broken = [
            format!("one\n{BEGIN}\nsomething of mine"),
            format!("one\n{END}\n"),
            format!("one\n{END}\n{BEGIN}\n"),
            format!("one\n{BEGIN}\n{END}\n{BEGIN}\n{END}\n"),
        ];
        for text in broken {
            assert_eq!(find(&text), BlockPosition::Broken(2), "{text}");
            assert_eq!((put(&text, "x"), take(&text)), (None, None));
        }
    }

    proptest! {
        #[test]
        fn what_was_put_in_is_taken_out_to_the_byte(
            lines in proptest::collection::vec(("[ -~é☕\\t]{0,12}", "\n|\r\n|\r|\n\n|\r\n\r\n"), 0..8),
            last in "[a-z \r\n]{0,4}",
        ) {
            let text: String = lines.iter().map(|(line, end)| format!("{line}{end}")).chain([last]).collect();
            let with = put(&text, "one\ntwo").unwrap();
            prop_assert_eq!(put(&with, "one\ntwo").unwrap(), with.clone());
            prop_assert!(!is_alone(&with));
            prop_assert_eq!(take(&with).unwrap(), text);
        }

        #[test]
        fn no_text_is_too_strange(text in "\\PC{0,40}|(<!-- LOOPWRIGHT:(BEGIN|END) -->|\r|\n|x){0,9}") {
            let with = put(&text, "x");
            prop_assert_eq!(with.is_none(), matches!(find(&text), BlockPosition::Broken(_)));
            let _ = take(&text);
        }
    }
}

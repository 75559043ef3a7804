//! Lines do not depend on how the bytes arrived.
use crate::split::{WAYS, pieces};
use loopwright_domain::digest::sha256_hex;
use loopwright_process::{Framer, LINE_LIMIT, Line};
use proptest::prelude::*;

#[derive(Clone, Debug, PartialEq, Eq)]
enum Owned {
    Text(Vec<u8>),
    Oversize(u64, String),
}

fn owned(line: Line<'_>) -> Owned {
    match line {
        Line::Text(text) => Owned::Text(text.to_vec()),
        Line::Oversize { bytes, sha256 } => Owned::Oversize(bytes, sha256),
    }
}

fn framed<'a>(pieces: impl IntoIterator<Item = &'a [u8]>, limit: usize) -> Vec<Owned> {
    let mut lines = Vec::new();
    let mut framer = Framer::new(limit);
    for piece in pieces {
        framer.push(piece, &mut |line| lines.push(owned(line)));
    }
    framer.finish(&mut |line| lines.push(owned(line)));
    lines
}

/// The same in the plainest way.
fn expected(bytes: &[u8], limit: usize) -> Vec<Owned> {
    let mut lines: Vec<&[u8]> = bytes.split(|byte| *byte == b'\n').collect();
    let last = lines.pop().unwrap_or_default();
    let ended = lines.into_iter().map(|line| line.strip_suffix(b"\r").unwrap_or(line));
    let rest = Some(last).filter(|last| !last.is_empty());
    let judge = |line: &[u8]| {
        if line.len() <= limit {
            Owned::Text(line.to_vec())
        } else {
            Owned::Oversize(line.len() as u64, sha256_hex(line))
        }
    };
    ended.chain(rest).map(judge).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    /// 400 examples, 25 ways of cutting each: 10,000 splits.
    #[test]
    fn lines_are_the_same_for_all_splits(
        bytes in proptest::collection::vec(prop_oneof![
            3 => Just(b'a'), 3 => Just(b'\n'), 2 => Just(b'\r'), 1 => any::<u8>(),
        ], 0..120),
        limit in 0usize..12,
        seed: u64,
    ) {
        let wanted = expected(&bytes, limit);
        for way in 0..WAYS {
            prop_assert_eq!(&framed(pieces(&bytes, seed.wrapping_add(way)), limit), &wanted);
        }
    }
}

#[test]
fn unusual_encodings_are_passed_on_byte_for_byte() {
    let cases: [(&[u8], &[&[u8]]); 6] = [
        (b"\xef\xbb\xbfbom\n", &[b"\xef\xbb\xbfbom"]),
        (b"10%\r50%\r100%\r\ndone", &[b"10%\r50%\r100%", b"done"]),
        (b"bad \xff\xfe\x80\n\0nul\0\n", &[b"bad \xff\xfe\x80", b"\0nul\0"]),
        (b"u\0t\0f\0\n\0", &[b"u\0t\0f\0", b"\0"]),
        (b"\r\n\r\r\n\n", &[b"", b"\r", b""]),
        (b"end\r", &[b"end\r"]),
    ];
    for (bytes, lines) in cases {
        let wanted: Vec<Owned> = lines.iter().map(|line| Owned::Text(line.to_vec())).collect();
        assert_eq!(framed([bytes], 100), wanted, "{bytes:?}");
    }
}

/// A cut line must never come out as a shorter, valid one.
#[test]
fn an_endless_line_is_counted_and_the_next_one_read() {
    const LENGTH: usize = 400_000;
    let chunk = vec![b'x'; LENGTH / 40];
    let mut lines = Vec::new();
    let mut framer = Framer::new(100_000);
    for _ in 0..40 {
        framer.push(&chunk, &mut |line| lines.push(owned(line)));
    }
    assert_eq!(lines, []);
    framer.push(b"\r\n{\"valid\":true}\n", &mut |line| lines.push(owned(line)));
    let [Owned::Oversize(bytes, sha256), Owned::Text(next)] = lines.as_slice() else {
        panic!("{}", lines.len())
    };
    assert_eq!((*bytes, next.as_slice()), (LENGTH as u64, &b"{\"valid\":true}"[..]));
    assert_eq!(*sha256, sha256_hex(&vec![b'x'; LENGTH]));
}

#[test]
fn a_line_of_just_the_limit_is_text() {
    let exact = [vec![b'x'; LINE_LIMIT], b"\r\n".to_vec()].concat();
    assert_eq!(framed(exact.chunks(65_536), LINE_LIMIT), [Owned::Text(vec![b'x'; LINE_LIMIT])]);
    let longer = [vec![b'x'; LINE_LIMIT + 1], b"\n".to_vec()].concat();
    assert!(matches!(framed(longer.chunks(65_536), LINE_LIMIT)[..], [Owned::Oversize(..)]));
}

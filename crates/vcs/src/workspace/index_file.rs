//! What git's index file says about itself: whether another index could take its place, and when its files changed.

/// The first bytes: `DIRC`, the version, the number of entries.
const HEADER: usize = 12;
/// In every entry: times, device, inode, mode, owner, group and size, before the object's name.
const STAT: usize = 40;
/// The bit of an entry's flags that says "assume unchanged".
const ASSUMED: u16 = 0x8000;
/// The bit that says that more flags follow: "skip this in the work tree", "intent to add".
const EXTENDED: u16 = 0x4000;
/// In those: the file is not to be in the work tree.
const SKIP_WORKTREE: u16 = 0x4000;
/// Extensions that an index of ours also has, or that git makes again by itself.
const COMMON: &[&[u8]] = &[b"TREE", b"REUC", b"EOIE", b"IEOT"];

/// What an index has that one made by us would not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct IndexTraits {
    /// Nothing: no flags, no second file, no extension that a person asked for.
    pub(super) plain: bool,
    /// Entries that are not to be in the work tree, or whole folders of them.
    pub(super) sparse: bool,
}

impl IndexTraits {
    /// Looks through an index. What cannot be read is not plain, and may be sparse.
    pub(super) fn of(bytes: &[u8], oid: usize) -> Self {
        if bytes.is_empty() {
            return Self { plain: true, sparse: false };
        }
        read(bytes, oid).unwrap_or(Self { plain: false, sparse: true })
    }
}

/// The files of an index that were changed at this time or later, by the system's clock in seconds since 1970. Nothing
/// where it cannot be read.
pub(super) fn changed_since(bytes: &[u8], oid: usize, seconds: u32) -> Vec<Vec<u8>> {
    let mut changed = Vec::new();
    let read = entries(bytes, oid, |entry, name| {
        if number(entry.get(..4)?)? >= seconds {
            changed.push(name.to_vec());
        }
        Some(())
    });
    read.map_or_else(Vec::new, |_| changed)
}

fn read(bytes: &[u8], oid: usize) -> Option<IndexTraits> {
    let mut traits = IndexTraits { plain: number(bytes.get(4..8)?)? < 4, sparse: false };
    let mut at = entries(bytes, oid, |entry, _| {
        let flags = short(entry, STAT + oid)?;
        if flags & EXTENDED != 0 {
            traits.plain = false;
            traits.sparse |= short(entry, STAT + oid + 2)? & SKIP_WORKTREE != 0;
        }
        traits.plain &= flags & ASSUMED == 0;
        Some(())
    })?;
    while at + 8 + oid <= bytes.len() {
        let signature = bytes.get(at..at + 4)?;
        traits.plain &= COMMON.contains(&signature);
        traits.sparse |= signature == b"sdir";
        at = at.checked_add(8)?.checked_add(usize::try_from(number(bytes.get(at + 4..at + 8)?)?).ok()?)?;
    }
    Some(traits)
}

/// Shows every entry, from its first byte on, with its name. Returns where the extensions begin.
fn entries(bytes: &[u8], oid: usize, mut show: impl FnMut(&[u8], &[u8]) -> Option<()>) -> Option<usize> {
    let version = number(bytes.get(4..8)?)?;
    let count = number(bytes.get(8..HEADER)?)?;
    if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let mut at = HEADER;
    let mut name = Vec::new();
    for _ in 0..count {
        let flags_at = at.checked_add(STAT + oid)?;
        let mut name_at = flags_at + 2;
        if short(bytes, flags_at)? & EXTENDED != 0 {
            name_at += 2;
        }
        let mut kept = 0;
        if version == 4 {
            let cut = cut_off(bytes, &mut name_at)?;
            kept = name.len().checked_sub(cut)?;
        }
        let rest = bytes.get(name_at..)?;
        let length = rest.iter().position(|byte| *byte == 0)?;
        name.truncate(kept);
        name.extend_from_slice(rest.get(..length)?);
        show(bytes.get(at..)?, &name)?;
        let end = name_at + length;
        // Before the fourth version one to eight NULs fill an entry up to a multiple of eight bytes.
        at = if version == 4 { end + 1 } else { at + ((end - at + 8) & !7) };
    }
    Some(at)
}

/// How much of the name before is cut off: groups of seven bits, each but the first one more than it says.
fn cut_off(bytes: &[u8], at: &mut usize) -> Option<usize> {
    let mut next = || {
        let byte = *bytes.get(*at)?;
        *at += 1;
        Some(byte)
    };
    let mut byte = next()?;
    let mut value = usize::from(byte & 0x7f);
    while byte & 0x80 != 0 {
        byte = next()?;
        value = value.checked_add(1)?.checked_mul(128)?.checked_add(usize::from(byte & 0x7f))?;
    }
    Some(value)
}

fn number(bytes: &[u8]) -> Option<u32> {
    Some(u32::from_be_bytes(bytes.try_into().ok()?))
}

fn short(bytes: &[u8], at: usize) -> Option<u16> {
    Some(u16::from_be_bytes(bytes.get(at..at.checked_add(2)?)?.try_into().ok()?))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn files_are_found_by_their_times_in_every_version() {
        let entry =
            |seconds: u8, flags: u8| [&[0, 0, 0, seconds][..], &[0; 36], &[7; 20], &[0, flags]].concat();
        let header = |version: u8| [&b"DIRC\0\0\0"[..], &[version], b"\0\0\0\x03"].concat();
        let padded = |seconds: u8, name: &str| {
            let mut bytes = [&entry(seconds, 1)[..], name.as_bytes(), b"\0"].concat();
            bytes.resize(bytes.len().next_multiple_of(8), 0);
            bytes
        };
        let second = [header(2), padded(9, "a/one"), padded(4, "a/two"), padded(5, "b")].concat();
        let cut = |seconds: u8, cut: u8, rest: &[u8]| [&entry(seconds, 1)[..], &[cut], rest, b"\0"].concat();
        let fourth = [header(4), cut(9, 0, b"a/one"), cut(4, 3, b"two"), cut(5, 5, b"b")].concat();
        for bytes in [second, fourth] {
            assert_eq!(changed_since(&bytes, 20, 5), [b"a/one".to_vec(), b"b".to_vec()]);
            assert_eq!(changed_since(&bytes, 20, 4)[1], b"a/two".to_vec());
        }
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = IndexTraits::of(&bytes, 20);
            let _ = IndexTraits::of(&[&b"DIRC\0\0\0\x02\0\0\0\x02"[..], &bytes].concat(), 20);
            let _ = changed_since(&[&b"DIRC\0\0\0\x04\0\0\0\x02"[..], &bytes].concat(), 20, 0);
            let _ = IndexTraits::of(&[&b"DIRC\0\0\0\x04\0\0\0\x02"[..], &bytes].concat(), 32);
        }
    }
}

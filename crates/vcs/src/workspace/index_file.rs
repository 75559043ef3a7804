//! What git's index file says about itself: only as much as tells whether another index could take its place.

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

fn read(bytes: &[u8], oid: usize) -> Option<IndexTraits> {
    let version = number(bytes.get(4..8)?)?;
    let count = number(bytes.get(8..HEADER)?)?;
    if bytes.get(..4)? != b"DIRC" || !(2..=4).contains(&version) {
        return None;
    }
    let mut traits = IndexTraits { plain: version < 4, sparse: false };
    let mut at = HEADER;
    for _ in 0..count {
        let flags_at = at.checked_add(STAT + oid)?;
        let flags = short(bytes, flags_at)?;
        let mut name_at = flags_at + 2;
        if flags & EXTENDED != 0 {
            traits.plain = false;
            traits.sparse |= short(bytes, name_at)? & SKIP_WORKTREE != 0;
            name_at += 2;
        }
        traits.plain &= flags & ASSUMED == 0;
        if version == 4 {
            // How much of the name before is cut off, in groups of seven bits; then the rest of this one.
            while bytes.get(name_at)? & 0x80 != 0 {
                name_at += 1;
            }
            name_at += 1;
        }
        let name = bytes.get(name_at..)?;
        let length = name.iter().position(|byte| *byte == 0)?;
        let end = name_at + length;
        // Before the fourth version one to eight NULs fill an entry up to a multiple of eight bytes.
        at = if version == 4 { end + 1 } else { at + ((end - at + 8) & !7) };
    }
    while at + 8 + oid <= bytes.len() {
        let signature = bytes.get(at..at + 4)?;
        traits.plain &= COMMON.contains(&signature);
        traits.sparse |= signature == b"sdir";
        at = at.checked_add(8)?.checked_add(usize::try_from(number(bytes.get(at + 4..at + 8)?)?).ok()?)?;
    }
    Some(traits)
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

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..300)) {
            let _ = IndexTraits::of(&bytes, 20);
            let _ = IndexTraits::of(&[&b"DIRC\0\0\0\x02\0\0\0\x02"[..], &bytes].concat(), 20);
            let _ = IndexTraits::of(&[&b"DIRC\0\0\0\x04\0\0\0\x02"[..], &bytes].concat(), 32);
        }
    }
}

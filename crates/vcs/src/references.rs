//! The references of an agent's git folder: those of the repository in one file, however many there are.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::limited_read::read;
use crate::oid::Oid;
use crate::system;

/// Loopwright's own references are none of an agent's business.
const OURS: &[u8] = b"refs/loopwright/";
/// Larger than the file of any repository that can be worked with.
const PACKED_LIMIT: u64 = 256 * 1024 * 1024;
/// Larger than any single reference.
const LOOSE_LIMIT: u64 = 64 * 1024;
/// How deep the names of references go.
const DEEPEST: usize = 64;

/// What a repository's references name.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct References {
    /// Objects by the names of references; with an annotated tag, what it is peeled to where that is known.
    objects: BTreeMap<Vec<u8>, (Oid, Option<Oid>)>,
    /// References that stand for another one.
    symbolic: BTreeMap<Vec<u8>, Vec<u8>>,
}

impl References {
    /// Reads what git keeps in files.
    pub(crate) fn of_files(common_dir: &Path) -> Self {
        let mut references = Self::default();
        if let Ok(packed) = read(&common_dir.join("packed-refs"), PACKED_LIMIT) {
            references.add_packed(&packed);
        }
        references.add_loose(&common_dir.join("refs"), b"refs", 0);
        references
    }

    /// Reads what git lists: the object, the name, and the reference it stands for, if any.
    pub(crate) fn of_listing(listing: &[u8]) -> Self {
        let mut references = Self::default();
        for line in listing.split(|byte| *byte == b'\n') {
            let mut words = line.splitn(3, |byte| *byte == b' ');
            let (Some(oid), Some(name)) = (words.next(), words.next()) else { continue };
            match words.next().filter(|target| !target.is_empty()) {
                Some(target) => references.add_symbolic(name, target),
                None => references.add(name, Oid::from_line(oid), None),
            }
        }
        references
    }

    /// Whether there are stashed changes.
    pub(super) fn has_stash(&self) -> bool {
        self.objects.contains_key(&b"refs/stash"[..])
    }

    /// The file that holds all of them. Git looks up by itself what an annotated tag is peeled to where that is not said.
    pub(super) fn packed(&self) -> Vec<u8> {
        let mut text = b"# pack-refs with: sorted \n".to_vec();
        for (name, (oid, peeled)) in &self.objects {
            text.extend(oid.as_str().as_bytes());
            text.push(b' ');
            text.extend(name);
            text.push(b'\n');
            if let Some(peeled) = peeled {
                text.push(b'^');
                text.extend(peeled.as_str().as_bytes());
                text.push(b'\n');
            }
        }
        text
    }

    /// What the others name, by their names.
    pub(crate) fn objects(&self) -> impl Iterator<Item = (&[u8], &Oid)> {
        self.objects.iter().map(|(name, (oid, _))| (&**name, oid))
    }

    /// Those that stand for another one, by their names.
    pub(super) fn symbolic(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        self.symbolic.iter().map(|(name, target)| (&**name, &**target))
    }

    fn add(&mut self, name: &[u8], oid: Option<Oid>, peeled: Option<Oid>) {
        if let Some(oid) = oid.filter(|_| is_users(name)) {
            self.objects.insert(name.to_vec(), (oid, peeled));
        }
    }

    fn add_symbolic(&mut self, name: &[u8], target: &[u8]) {
        if is_users(name) && is_users(target) {
            self.objects.remove(name);
            self.symbolic.insert(name.to_vec(), target.to_vec());
        }
    }

    fn add_packed(&mut self, packed: &[u8]) {
        let mut last: Option<&[u8]> = None;
        for line in packed.split(|byte| *byte == b'\n') {
            if let Some(peeled) = line.strip_prefix(b"^") {
                if let Some((_, known)) = last.and_then(|name| self.objects.get_mut(name)) {
                    *known = Oid::from_line(peeled);
                }
                continue;
            }
            let Some(space) = line.iter().position(|byte| *byte == b' ') else { continue };
            let (oid, name) = line.split_at(space);
            let name = name.get(1..).unwrap_or_default();
            self.add(name, Oid::from_line(oid), None);
            last = Some(name);
        }
    }

    /// A reference in a file of its own outranks one in the common file.
    fn add_loose(&mut self, folder: &Path, prefix: &[u8], depth: usize) {
        let Ok(entries) = fs::read_dir(folder) else { return };
        for entry in entries.flatten() {
            let name = [prefix, b"/", &system::text_for_git(Path::new(&entry.file_name()))].concat();
            let Ok(kind) = entry.file_type() else { continue };
            if kind.is_dir() {
                if depth < DEEPEST && is_users(&[&name[..], b"/"].concat()) {
                    self.add_loose(&entry.path(), &name, depth + 1);
                }
                continue;
            }
            let Ok(content) = read(&entry.path(), LOOSE_LIMIT) else { continue };
            match content.strip_prefix(b"ref:") {
                Some(target) => self.add_symbolic(&name, target.trim_ascii()),
                None => self.add(&name, Oid::from_line(&content), None),
            }
        }
    }
}

/// Whether it is one of the user's references, by a name that cannot lead anywhere else.
fn is_users(name: &[u8]) -> bool {
    let is_plain = |part: &[u8]| !part.starts_with(b".") && !part.ends_with(b".lock");
    name.starts_with(b"refs/") && !name.starts_with(OURS) && name.split(|byte| *byte == b'/').all(is_plain)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const ONE: &str = "1111111111111111111111111111111111111111";
    const TWO: &str = "2222222222222222222222222222222222222222";

    #[test]
    fn loose_references_outrank_packed_ones_and_ours_are_left_out() {
        let folder = tempfile::tempdir().unwrap();
        let put = |name: &str, content: &str| {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, content).unwrap();
        };
        let packed = format!(
            "# pack-refs with: peeled fully-peeled sorted \n{ONE} refs/heads/main\n{ONE} refs/loopwright/x\n\
             {ONE} refs/tags/v1\n^{TWO}\n"
        );
        put("packed-refs", &packed);
        put("refs/heads/main", &format!("{TWO}\n"));
        put("refs/heads/main.lock", &format!("{ONE}\n"));
        put("refs/loopwright/checkpoints/r/1", &format!("{ONE}\n"));
        put("refs/remotes/origin/HEAD", "ref: refs/remotes/origin/main\n");
        put("refs/remotes/origin/evil", "ref: ../../x\n");
        let found = References::of_files(folder.path());
        let expected =
            format!("# pack-refs with: sorted \n{TWO} refs/heads/main\n{ONE} refs/tags/v1\n^{TWO}\n");
        assert_eq!(String::from_utf8(found.packed()).unwrap(), expected);
        let symbolic: Vec<_> = found.symbolic().collect();
        assert_eq!(symbolic, [(&b"refs/remotes/origin/HEAD"[..], &b"refs/remotes/origin/main"[..])]);
        assert!(!found.has_stash());
    }

    #[test]
    fn a_listing_tells_the_same() {
        let listing = format!(
            "{ONE} refs/heads/main \n{ONE} refs/loopwright/x \n{ONE} refs/a refs/heads/main\n{TWO} refs/stash \n"
        );
        let found = References::of_listing(listing.as_bytes());
        let expected = format!("# pack-refs with: sorted \n{ONE} refs/heads/main\n{TWO} refs/stash\n");
        assert_eq!(String::from_utf8(found.packed()).unwrap(), expected);
        assert_eq!(found.symbolic().count(), 1);
        assert!(found.has_stash());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            let mut references = References::of_listing(&bytes);
            references.add_packed(&bytes);
            let _ = references.packed();
        }
    }
}

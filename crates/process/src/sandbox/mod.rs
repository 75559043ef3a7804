//! The sandbox of a program: where it may write, what it does not get to see, whether it reaches the network.
//!
//! A [`Sandbox`] is plain data. A [`SandboxTool`] is the system's own facility, found and tried on this machine; it puts
//! the sandbox of a command. On Linux that is bubblewrap, on macOS `sandbox-exec`; Windows has none.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(any(target_os = "macos", test))]
#[cfg_attr(
    all(test, not(target_os = "macos")),
    expect(dead_code, reason = "only the writing of the profile can be tested elsewhere")
)]
mod macos;
mod sandbox_tool;
#[cfg(target_os = "linux")]
mod sockets;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
mod windows;

#[cfg(target_os = "linux")]
use linux as system;
#[cfg(target_os = "macos")]
use macos as system;
#[cfg(not(any(target_os = "linux", target_os = "macos")))]
use windows as system;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

pub use sandbox_tool::{NoSandbox, SandboxTool};

/// What a program may do with a place and all below it, unless a deeper place has its own rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Access {
    /// Read and write.
    Write,
    /// Read only.
    Read,
    /// Not even seen.
    Hidden,
}

/// A folder that a program sees in another's place. Only some systems can do that: see [`SandboxTool::can_mount`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mount {
    /// The folder that is shown: an absolute path, as it is outside.
    pub source: PathBuf,
    /// Where it is shown: an absolute path without links. What lies there is out of sight, with all below it.
    pub target: PathBuf,
    /// Whether it can be written.
    pub writable: bool,
}

/// What a program may reach. Everything that is not named can be read and not written.
///
/// The rule of the deepest place decides. For one and the same place, the stricter word does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sandbox {
    writable: BTreeSet<PathBuf>,
    read_only: BTreeSet<PathBuf>,
    hidden: BTreeSet<PathBuf>,
    visible: BTreeSet<PathBuf>,
    mounts: BTreeMap<PathBuf, Mount>,
    sockets: BTreeSet<PathBuf>,
    searched: BTreeSet<PathBuf>,
    temp: PathBuf,
    network: bool,
}

impl Sandbox {
    /// A sandbox with nothing open but this folder for temporary files, and the network. Where the system allows it, the
    /// folder also takes the place of the machine's own one, so that nothing is left in there nor found.
    #[must_use]
    pub fn new(temp: impl Into<PathBuf>) -> Self {
        Self {
            writable: BTreeSet::new(),
            read_only: BTreeSet::new(),
            hidden: BTreeSet::new(),
            visible: BTreeSet::new(),
            mounts: BTreeMap::new(),
            sockets: BTreeSet::new(),
            searched: BTreeSet::new(),
            temp: temp.into(),
            network: true,
        }
    }

    /// Opens files and folders for writing.
    #[must_use]
    pub fn writable<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.writable.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Keeps files and folders as they are, also inside of what is open.
    #[must_use]
    pub fn read_only<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.read_only.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Takes files and folders out of sight.
    #[must_use]
    pub fn hidden<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.hidden.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Shows files and folders among the machine's temporary ones, which are out of sight otherwise. Elsewhere it
    /// changes nothing, nor does it show what is hidden by name.
    #[must_use]
    pub fn visible<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.visible.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Shows folders in the place of others. Rules for what lies below such a place are about what is hidden by it, and so
    /// fall away; a mount inside of a mount is made after it.
    #[must_use]
    pub fn mounted(mut self, mounts: impl IntoIterator<Item = Mount>) -> Self {
        self.mounts.extend(mounts.into_iter().map(|mount| (mount.target.clone(), mount)));
        self
    }

    /// Leaves sockets and FIFOs in these places in reach. Everywhere else those that are there when the program starts
    /// cannot be talked to, where the system allows to tell them (Linux).
    #[must_use]
    pub fn sockets<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.sockets.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Folders that are searched for FIFOs and for sockets that the system does not tell of, for a short time.
    #[must_use]
    pub fn searched<P: Into<PathBuf>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.searched.extend(paths.into_iter().map(Into::into));
        self
    }

    /// Says whether the network is reached, this machine's own services included.
    #[must_use]
    pub const fn network(mut self, reached: bool) -> Self {
        self.network = reached;
        self
    }

    /// Places that are to stay as they are and that no sandbox can keep: they do not exist yet, or are links, and
    /// lie in a place that is open. Whoever cares looks at them again afterwards.
    #[must_use]
    pub fn unguarded(&self) -> Vec<PathBuf> {
        let rules = self.rules(&[]);
        let is_open = |path: &Path| {
            let real = path.ancestors().skip(1).find_map(|around| around.canonicalize().ok());
            real.is_some_and(|around| access(&rules, &around) == Access::Write)
        };
        let is_plain = |path: &Path| path.symlink_metadata().is_ok_and(|found| !found.is_symlink());
        let left = self.read_only.iter().filter(|path| !self.is_covered(path));
        left.filter(|path| !is_plain(path) && is_open(path)).cloned().collect()
    }

    /// Every place whose rule differs from that of what it lies in, the outer ones first; `base` is how things are
    /// before. Folders on the way from an open place to one that is not get a rule of their own: what has one cannot
    /// be moved out of the way and replaced.
    fn rules(&self, base: &[(&str, Access)]) -> BTreeMap<PathBuf, Access> {
        let mut named: BTreeMap<PathBuf, Access> = BTreeMap::new();
        let words = [
            (&self.writable, Access::Write),
            (&self.read_only, Access::Read),
            (&self.hidden, Access::Hidden),
        ];
        for (paths, word) in words {
            for path in paths.iter().filter_map(|path| path.canonicalize().ok()) {
                let rule = named.entry(path).or_insert(word);
                *rule = (*rule).max(word);
            }
        }
        if let Ok(temp) = self.temp.canonicalize() {
            named.insert(temp, Access::Write);
        }
        let mut rules: BTreeMap<PathBuf, Access> =
            base.iter().map(|(path, word)| (PathBuf::from(path), *word)).collect();
        for path in self.visible.iter().filter_map(|path| path.canonicalize().ok()) {
            if access(&rules, &path) == Access::Hidden && !rules.contains_key(&path) {
                rules.insert(path, Access::Read);
            }
        }
        for (path, word) in named {
            if access(&rules, &path) == word {
                continue;
            }
            if word != Access::Write {
                hold_the_way(&mut rules, &path);
            }
            rules.insert(path, word);
        }
        rules.retain(|path, _| !self.is_covered(path));
        rules
    }

    /// Whether a mount hides what lies at this place.
    fn is_covered(&self, path: &Path) -> bool {
        path.ancestors().any(|place| self.mounts.contains_key(place))
    }
}

/// The rule for a place: that of the nearest place around it.
fn access(rules: &BTreeMap<PathBuf, Access>, path: &Path) -> Access {
    path.ancestors().find_map(|place| rules.get(place)).copied().unwrap_or(Access::Read)
}

/// Gives each folder between a place and the open one it lies in a rule of its own.
fn hold_the_way(rules: &mut BTreeMap<PathBuf, Access>, path: &Path) {
    let way: Vec<PathBuf> = path
        .ancestors()
        .skip(1)
        .take_while(|place| !rules.contains_key(*place))
        .filter(|place| access(rules, place) == Access::Write)
        .map(Path::to_path_buf)
        .collect();
    rules.extend(way.into_iter().map(|place| (place, Access::Write)));
}

#[cfg(test)]
mod tests;

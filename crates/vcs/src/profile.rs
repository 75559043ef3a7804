//! The inspect profile of one repository: what git is given so that nothing of the repository executes, and the few
//! facts about it that decide how its files are read.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::time::Duration;

use sha2::{Digest, Sha256};

use crate::config::is_no;
use crate::config::{FILE_LIMIT, include_kind_of};
use crate::error::VcsError;
use crate::git::{Call, Git};
use crate::harden::{Environment, Settings, place};
use crate::limited_read::read;
use crate::oid::ObjectFormat;
use crate::repository::Repository;
use crate::system;
use crate::user_settings::UserSettings;

/// Settings that say how files lie on this disk; a private index has to agree with the user's about them.
const DISK_SETTINGS: &[&str] = &[
    "core.filemode",
    "core.ignorecase",
    "core.longpaths",
    "core.precomposeunicode",
    "core.sharedrepository",
    "core.symlinks",
];

/// What is known about a repository after its configuration was listed once.
#[derive(Clone, Debug)]
pub(crate) struct Profile {
    /// The environment that executes nothing.
    pub(crate) environment: Environment,
    /// How objects are named.
    pub(crate) format: ObjectFormat,
    /// Whether references are kept in a form that only git can read.
    pub(crate) reftable: bool,
    /// Whether some objects are only at the other end of a remote.
    pub(crate) partial: bool,
    /// Whether git may store other bytes than the files have: line ends, filters.
    pub(crate) converts: bool,
    /// Settings about the disk, checked and ready to be written down again.
    pub(crate) disk: Vec<(&'static str, String)>,
    /// The list of ignored files that applies besides those in the folder.
    pub(crate) excludes_file: Option<PathBuf>,
    /// The folder of hooks that the repository's own configuration names.
    pub(crate) hooks_path: Option<PathBuf>,
    /// Whether git knows the user's name and mail address.
    pub(crate) has_identity: bool,
    /// The keys of all settings, as git lists them.
    pub(crate) keys: Vec<Vec<u8>>,
    /// All settings of the repository's own files, in git's order, with includes in their place.
    pub(crate) own: Vec<OwnSetting>,
    /// The files all of this was read from; none when a condition decides about some of them.
    sources: Option<Vec<(PathBuf, Fingerprint)>>,
}

/// A setting of the repository's own.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct OwnSetting {
    /// As git lists it: section and name in lower case.
    pub(crate) key: Vec<u8>,
    /// None for a bare name, which means true.
    pub(crate) value: Option<Vec<u8>>,
}

/// What a file held: none when it could not be read.
type Fingerprint = Option<[u8; 32]>;

impl Profile {
    /// Asks git for the configuration and switches off every program it names.
    pub(crate) async fn read(
        git: &Git,
        repository: &Repository,
        user: &UserSettings,
        timeout: Duration,
    ) -> Result<Self, VcsError> {
        let mut environment = git.environment();
        place(&mut environment, repository);
        let mut settings = Settings::fixed();
        for directory in &user.safe_directories {
            settings.set("safe.directory", directory);
        }
        settings.apply(&mut environment);

        let listing = ["--no-pager", "config", "--list", "--includes", "--show-origin", "-z"];
        let mut call = Call::new(&repository.work_tree, &listing, environment.clone());
        call.timeout = timeout;
        let listed = git.run(call).await?;
        if listed.truncated() {
            return Err(VcsError::ConfigTooLarge);
        }
        let listed = Listing::parse(&listed.stdout);
        settings.switch_off(listed.records.iter().map(|record| &*record.key))?;
        if let Some(file) = &user.excludes_file
            && listed.last("core.excludesfile").is_none()
        {
            settings.set(OsStr::new("core.excludesFile"), file);
        }
        if let Some(line_ends) = &user.line_ends
            && listed.last("core.autocrlf").is_none()
        {
            settings.set("core.autocrlf", line_ends);
        }
        settings.apply(&mut environment);
        Ok(listed.profile(environment, repository, user))
    }

    /// Whether the permission to execute a file is kept on this disk.
    pub(crate) fn keeps_modes(&self) -> bool {
        !self.disk.iter().any(|(key, value)| *key == "core.filemode" && is_no(value))
    }

    /// Whether all files it was read from are as they were.
    pub(crate) fn is_current(&self) -> bool {
        let unchanged = |(path, print): &(PathBuf, Fingerprint)| fingerprint(path) == *print;
        self.sources.as_ref().is_some_and(|sources| sources.iter().all(unchanged))
    }
}

fn fingerprint(path: &Path) -> Fingerprint {
    read(path, FILE_LIMIT).ok().map(|bytes| Sha256::digest(bytes).into())
}

/// A setting and the file it is in.
#[derive(Debug)]
struct Record {
    origin: Option<PathBuf>,
    key: Vec<u8>,
    value: Option<Vec<u8>>,
}

/// What `git config --list --show-origin -z` prints.
#[derive(Debug)]
struct Listing {
    records: Vec<Record>,
}

impl Listing {
    fn parse(printed: &[u8]) -> Self {
        let mut words = printed.split(|byte| *byte == 0);
        let mut records = Vec::new();
        while let (Some(origin), Some(setting)) = (words.next(), words.next()) {
            let mut parts = setting.splitn(2, |byte| *byte == b'\n');
            let key = parts.next().unwrap_or_default().to_vec();
            let file = origin.strip_prefix(b"file:").and_then(|path| system::text_from_git(path.to_vec()));
            records.push(Record {
                origin: file.map(PathBuf::from),
                key,
                value: parts.next().map(<[u8]>::to_vec),
            });
        }
        Self { records }
    }

    /// The setting of this name that counts, unless it is one that we handed over ourselves.
    fn last(&self, key: &str) -> Option<&Record> {
        self.records.iter().rfind(|record| record.origin.is_some() && record.key == key.as_bytes())
    }

    fn text(&self, key: &str) -> Option<String> {
        let record = self.last(key)?;
        Some(
            record
                .value
                .as_ref()
                .map_or_else(|| "true".to_owned(), |value| String::from_utf8_lossy(value).into_owned()),
        )
    }

    fn path(&self, key: &str) -> Option<PathBuf> {
        let value = self.last(key)?.value.clone().filter(|value| !value.is_empty())?;
        system::text_from_git(value).map(PathBuf::from)
    }

    fn profile(self, environment: Environment, repository: &Repository, user: &UserSettings) -> Profile {
        let is = |key: &str, word: &str| self.text(key).is_some_and(|value| value.eq_ignore_ascii_case(word));
        let sha256 = is("extensions.objectformat", "sha256");
        let crlf = self.text("core.autocrlf").map(|value| !is_no(&value)).unwrap_or(user.converts);
        let disk = DISK_SETTINGS.iter().filter_map(|key| {
            let value =
                self.text(key).filter(|value| value.bytes().all(|byte| byte.is_ascii_alphanumeric()))?;
            Some((*key, value))
        });
        Profile {
            format: if sha256 { ObjectFormat::Sha256 } else { ObjectFormat::Sha1 },
            partial: self.last("extensions.partialclone").is_some()
                || self.records.iter().any(|record| record.key.ends_with(b".promisor")),
            reftable: is("extensions.refstorage", "reftable"),
            converts: crlf || user.converts || self.last("core.attributesfile").is_some(),
            disk: disk.collect(),
            excludes_file: self
                .path("core.excludesfile")
                .or_else(|| user.excludes_file.clone().map(PathBuf::from)),
            hooks_path: self.path("core.hookspath"),
            has_identity: user.identity.is_some()
                || (self.last("user.name").is_some() && self.last("user.email").is_some()),
            sources: self.sources(repository),
            own: self
                .records
                .iter()
                .filter(|record| record.origin.is_some())
                .map(|record| OwnSetting { key: record.key.clone(), value: record.value.clone() })
                .collect(),
            keys: self.records.into_iter().map(|record| record.key).collect(),
            environment,
        }
    }

    /// Every file that has a say, or would have one if it existed.
    fn sources(&self, repository: &Repository) -> Option<Vec<(PathBuf, Fingerprint)>> {
        let mut files = BTreeMap::new();
        for own in [repository.common_dir.join("config"), repository.git_dir.join("config.worktree")] {
            files.insert(own.clone(), fingerprint(&own));
        }
        for record in &self.records {
            let Some(origin) = &record.origin else { continue };
            let origin = repository.work_tree.join(origin);
            match include_kind_of(&record.key) {
                // Whether it counts may change with the branch or with other settings.
                Some(true) => return None,
                Some(false) => {
                    let value = record.value.clone().and_then(system::text_from_git)?;
                    if Path::new(&value).starts_with("~") {
                        return None;
                    }
                    let target = origin.parent()?.join(value);
                    files.insert(target.clone(), fingerprint(&target));
                }
                None => {}
            }
            files.entry(origin.clone()).or_insert_with(|| fingerprint(&origin));
        }
        Some(files.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_last_setting_from_a_file_counts() {
        let listing = Listing::parse(
            b"file:.git/config\0core.autocrlf\ninput\0file:.git/config\0core.bare\0command line:\0core.autocrlf\nfalse\0",
        );
        assert_eq!(listing.text("core.autocrlf").as_deref(), Some("input"));
        assert_eq!(listing.text("core.bare").as_deref(), Some("true"));
        assert!(listing.text("core.eol").is_none() && listing.path("core.bare").is_none());
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(printed in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = Listing::parse(&printed);
        }
    }
}

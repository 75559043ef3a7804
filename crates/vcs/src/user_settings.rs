//! The few of the user's own git settings that matter when looking at a repository.
//!
//! The inspect profile does not read the user's configuration: it may name programs too. Some of it decides what is
//! seen at all, so it is asked for separately, outside of any repository, and handed on as plain values.

use std::ffi::OsString;

use crate::config::is_no;
use crate::error::VcsError;
use crate::executing_settings::NOTHING;
use crate::git::{Call, Git};
use crate::system;

/// The user's own settings.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct UserSettings {
    /// The folders of other owners that the user agreed to work in, in order; an empty one takes back those before.
    pub(crate) safe_directories: Vec<OsString>,
    /// The user's own list of ignored files.
    pub(crate) excludes_file: Option<OsString>,
    /// The user's name and mail address, when both are set.
    pub(crate) identity: Option<(OsString, OsString)>,
    /// Whether the user lets git change line ends, or has attributes for all repositories.
    pub(crate) converts: bool,
    /// Whether the user signs commits.
    pub(crate) signs: bool,
    /// How the user lets git change line ends.
    pub(crate) line_ends: Option<OsString>,
}

impl UserSettings {
    /// Asks git. `GIT_DIR` leads nowhere, so that no repository has a say.
    pub(crate) async fn read(git: &Git) -> Result<Self, VcsError> {
        let mut environment = git.environment();
        environment.remove(&OsString::from("GIT_CONFIG_GLOBAL"));
        environment.remove(&OsString::from("GIT_CONFIG_NOSYSTEM"));
        environment.insert("GIT_DIR".into(), NOTHING.into());
        let call = Call::new(
            &git.program_folder(),
            &["--no-pager", "config", "--list", "--includes", "-z"],
            environment,
        );
        Ok(Self::from_listing(&git.run(call).await?.stdout))
    }

    fn from_listing(listing: &[u8]) -> Self {
        let mut settings = Self::default();
        let (mut name, mut email) = (None, None);
        for record in listing.split(|byte| *byte == 0) {
            let mut parts = record.splitn(2, |byte| *byte == b'\n');
            let (Some(key), Some(value)) = (parts.next(), parts.next()) else { continue };
            let Some(value) = system::text_from_git(value.to_vec()) else { continue };
            match key {
                b"safe.directory" => settings.safe_directories.push(value),
                b"core.excludesfile" => settings.excludes_file = Some(value),
                b"user.name" => name = Some(value),
                b"user.email" => email = Some(value),
                b"core.autocrlf" => {
                    settings.converts |= !is_no(&value.to_string_lossy());
                    settings.line_ends = Some(value);
                }
                b"commit.gpgsign" => settings.signs = !is_no(&value.to_string_lossy()),
                b"core.attributesfile" => settings.converts = true,
                _ => {}
            }
        }
        settings.identity = name.zip(email).filter(|(name, email)| !name.is_empty() && !email.is_empty());
        settings
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_last_value_wins_and_folders_add_up() {
        let settings = UserSettings::from_listing(
            b"user.name\nA\0safe.directory\n/a\0core.bare\0user.email\na@x\0user.name\nB\nC\0safe.directory\n\0core.excludesfile\n~/i\0",
        );
        assert_eq!(
            settings,
            UserSettings {
                safe_directories: vec!["/a".into(), "".into()],
                excludes_file: Some("~/i".into()),
                identity: Some(("B\nC".into(), "a@x".into())),
                converts: false,
                line_ends: None,
                signs: false,
            }
        );
        assert_eq!(UserSettings::from_listing(b"user.name\nA\0user.email\n\0").identity, None);
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_without_harm(listing in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = UserSettings::from_listing(&listing);
        }
    }
}

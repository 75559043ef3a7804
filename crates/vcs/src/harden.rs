//! The *inspect* profile: what git is given so that nothing of a repository executes.
//!
//! Three layers. The environment is built from nothing, so neither the caller's `GIT_*` variables nor its `PATH` have
//! a say. Fixed settings switch off every program that has one name for all repositories. Programs whose names a
//! repository chooses (drivers, helpers) are overridden one by one, as git's own listing of the configuration names
//! them: whatever reaches git by includes, conditions or per-worktree files is in that listing too.
//!
//! Settings go by the environment and not by `-c`: there, name and value are one word split at its first `=`, and a
//! driver called `a=b` would escape.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;

use crate::config::split_key;
use crate::error::VcsError;
use crate::executing_settings::{self, NOTHING};
use crate::repository::Repository;
use crate::system;

/// A program's whole environment.
pub(crate) type Environment = BTreeMap<OsString, OsString>;

/// As many settings as a repository can make us override.
const MAX_OVERRIDES: usize = 2_000;
/// As many bytes as their names may have together.
const MAX_OVERRIDE_BYTES: usize = 256 * 1024;

/// Variables for every git process, whatever it does.
const FIXED_VARIABLES: &[(&str, &str)] = &[
    ("GIT_CONFIG_NOSYSTEM", "1"),
    ("GIT_CONFIG_GLOBAL", NOTHING),
    ("GIT_ATTR_NOSYSTEM", "1"),
    ("GIT_TERMINAL_PROMPT", "0"),
    ("GIT_OPTIONAL_LOCKS", "0"),
    ("GIT_NO_LAZY_FETCH", "1"),
    // Nothing may stand for another object than the one that was named.
    ("GIT_NO_REPLACE_OBJECTS", "1"),
    // An empty list of allowed protocols: nothing is fetched, whatever the configuration allows.
    ("GIT_ALLOW_PROTOCOL", ""),
    ("GIT_ASKPASS", ""),
    ("SSH_ASKPASS", ""),
    ("GIT_SSH_COMMAND", "false"),
    ("GIT_PROXY_COMMAND", ""),
    ("GIT_EDITOR", ":"),
    ("GIT_SEQUENCE_EDITOR", ":"),
    ("GIT_PAGER", "cat"),
    ("PAGER", "cat"),
    ("LC_ALL", "C"),
    // Keeps Windows from looking for programs in the current folder.
    ("NoDefaultCurrentDirectoryInExePath", "1"),
];

/// Settings for every git process, whether the repository has them or not.
const FIXED_SETTINGS: &[(&str, &str)] = &[
    ("core.fsmonitor", "false"),
    ("core.hooksPath", NOTHING),
    ("core.attributesFile", NOTHING),
    ("core.pager", "cat"),
    ("core.editor", ":"),
    ("sequence.editor", ":"),
    ("core.askPass", ""),
    ("core.sshCommand", "false"),
    ("core.untrackedCache", "keep"),
    ("credential.helper", ""),
    ("diff.external", ""),
    ("gpg.program", "false"),
    ("gpg.ssh.program", "false"),
    ("gpg.x509.program", "false"),
    ("commit.gpgSign", "false"),
    ("tag.gpgSign", "false"),
    ("log.showSignature", "false"),
    ("merge.verifySignatures", "false"),
    ("protocol.allow", "never"),
    ("safe.bareRepository", "explicit"),
    ("submodule.recurse", "false"),
    ("status.submoduleSummary", "false"),
    ("gc.auto", "0"),
    ("maintenance.auto", "false"),
];

/// What git processes have in common: from our own environment only what `surroundings` lets through.
pub(crate) fn base_environment(program: &Path, surroundings: &Environment) -> Environment {
    let mut environment = surroundings.clone();
    environment.extend(FIXED_VARIABLES.iter().map(|(name, value)| (name.into(), value.into())));
    if let Some(folder) = program.parent() {
        environment.insert("PATH".into(), folder.into());
    }
    environment
}

/// Adds where to look. Git still finds its folder by itself, because only then does it check who owns it; it can
/// neither climb out of the work tree nor be led to another one.
pub(crate) fn place(environment: &mut Environment, repository: &Repository) {
    environment.insert("GIT_WORK_TREE".into(), repository.work_tree.clone().into());
    if repository.git_dir == repository.common_dir && repository.git_dir.join("commondir").exists() {
        // It has no business there, and git would follow it.
        environment.insert("GIT_COMMON_DIR".into(), repository.common_dir.clone().into());
    }
    if let Some(parent) = repository.work_tree.parent() {
        environment.insert("GIT_CEILING_DIRECTORIES".into(), parent.into());
    }
}

/// Settings that outrank every file.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    list: Vec<(OsString, OsString)>,
}

impl Settings {
    /// The fixed ones.
    pub(crate) fn fixed() -> Self {
        let pair = |(key, value): &(&str, &str)| (OsString::from(key), OsString::from(value));
        Self { list: FIXED_SETTINGS.iter().map(pair).collect() }
    }

    /// None.
    pub(crate) const fn empty() -> Self {
        Self { list: Vec::new() }
    }

    /// Switches off hooks that these keys, as listed by git, define: nobody has looked at them.
    pub(crate) fn switch_off_configured_hooks<'a>(&mut self, keys: impl Iterator<Item = &'a [u8]>) {
        for key in keys {
            if let Some((b"hook", Some(hook), b"command")) = split_key(key)
                && let Some(key) = system::text_from_git(driver_key(b"hook", hook, b"enabled"))
            {
                self.set(key, "false");
            }
        }
    }

    /// Adds one.
    pub(crate) fn set(&mut self, key: impl Into<OsString>, value: impl AsRef<OsStr>) {
        self.list.push((key.into(), value.as_ref().to_owned()));
    }

    /// Switches off every program that these keys, as listed by git, can name.
    ///
    /// # Errors
    /// There are more of them than an honest repository has.
    pub(crate) fn switch_off<'a>(
        &mut self,
        keys: impl IntoIterator<Item = &'a [u8]>,
    ) -> Result<(), VcsError> {
        let mut overrides: BTreeMap<Vec<u8>, &'static str> = BTreeMap::new();
        for key in keys {
            let Some(neutral) = executing_settings::find(key).and_then(|sink| sink.neutral) else { continue };
            overrides.insert(key.to_vec(), neutral);
            match split_key(key) {
                // A required filter that does nothing would be an error.
                Some((b"filter", Some(driver), _)) => {
                    overrides.insert(driver_key(b"filter", driver, b"required"), "false")
                }
                // Newer versions of git run hooks that the configuration defines, wherever core.hooksPath points.
                Some((b"hook", Some(hook), _)) => {
                    overrides.insert(driver_key(b"hook", hook, b"enabled"), "false")
                }
                _ => continue,
            };
        }
        let bytes: usize = overrides.keys().map(Vec::len).sum();
        if overrides.len() > MAX_OVERRIDES || bytes > MAX_OVERRIDE_BYTES {
            return Err(VcsError::TooManyDrivers { count: overrides.len() });
        }
        for (key, value) in overrides {
            let key = system::text_from_git(key).ok_or(VcsError::UnreadableKey)?;
            self.list.push((key, value.into()));
        }
        Ok(())
    }

    /// Hands the settings over.
    pub(crate) fn apply(&self, environment: &mut Environment) {
        environment.insert("GIT_CONFIG_COUNT".into(), self.list.len().to_string().into());
        for (index, (key, value)) in self.list.iter().enumerate() {
            environment.insert(format!("GIT_CONFIG_KEY_{index}").into(), key.clone());
            environment.insert(format!("GIT_CONFIG_VALUE_{index}").into(), value.clone());
        }
    }
}

fn driver_key(section: &[u8], driver: &[u8], name: &[u8]) -> Vec<u8> {
    [section, driver, name].join(&b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn overrides(keys: &[&str]) -> Vec<(String, String)> {
        let mut settings = Settings { list: Vec::new() };
        settings.switch_off(keys.iter().map(|key| key.as_bytes())).unwrap();
        let text = |word: &OsString| word.to_str().unwrap().to_owned();
        settings.list.iter().map(|(key, value)| (text(key), text(value))).collect()
    }

    #[test]
    fn each_driver_is_switched_off_by_its_own_name() {
        let pair = |key: &str, value: &str| (key.to_owned(), value.to_owned());
        assert_eq!(
            overrides(&[
                "filter.a=b.clean",
                "user.name",
                "hook.lint.command",
                "diff.x.textconv",
                "filter.a=b.clean"
            ]),
            [
                pair("diff.x.textconv", ""),
                pair("filter.a=b.clean", ""),
                pair("filter.a=b.required", "false"),
                pair("hook.lint.command", ":"),
                pair("hook.lint.enabled", "false"),
            ]
        );
    }

    #[test]
    fn a_repository_that_names_too_many_drivers_is_refused() {
        let names: Vec<String> = (0..2_001).map(|n| format!("filter.f{n}.clean")).collect();
        let refused = Settings::fixed().switch_off(names.iter().map(String::as_bytes));
        assert!(matches!(refused, Err(VcsError::TooManyDrivers { .. })));
        let long = format!("filter.{}.clean", "x".repeat(300 * 1024));
        assert!(Settings::fixed().switch_off([long.as_bytes()]).is_err());
    }

    #[test]
    fn settings_are_numbered_without_gaps() {
        let mut environment = Environment::new();
        let mut settings = Settings::fixed();
        settings.set("safe.directory", "/x=y");
        settings.apply(&mut environment);
        let count = FIXED_SETTINGS.len() + 1;
        assert_eq!(environment.len(), 2 * count + 1);
        assert_eq!(environment[OsStr::new("GIT_CONFIG_COUNT")], OsString::from(count.to_string()));
        let last = format!("GIT_CONFIG_VALUE_{}", count - 1);
        assert_eq!(environment[OsStr::new(&last)], "/x=y");
    }

    #[test]
    fn nothing_of_the_callers_git_variables_or_path_gets_through() {
        let surroundings = Environment::from([("HOME".into(), "/home/x".into())]);
        let environment = base_environment(Path::new("/usr/bin/git"), &surroundings);
        assert_eq!(environment[OsStr::new("PATH")], "/usr/bin");
        assert_eq!(environment[OsStr::new("HOME")], "/home/x");
        assert!(!environment.contains_key(OsStr::new("GIT_DIR")));
    }
}

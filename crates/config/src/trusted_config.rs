//! The configuration that commands are built from: what a person has trusted, taken once and held.

use std::ops::Deref;
use std::sync::Arc;

use loopwright_domain::{Executable, Fault, TrustDigest};

use crate::check::{Check, CustomCheck};
use crate::config::{Config, OriginLayer};
use crate::host::Host;
use crate::layout::Layout;
use crate::schema::{Group, KEYS};
use crate::trust::{self, refusal};

/// A configuration whose commands may be executed. Harnesses, checks, probes and commits are built from this type only;
/// a run takes it once and holds it to its end, so that what the files say later starts nothing.
///
/// There is no other way to one than a trust check, or leaving out what would need one:
///
/// ```compile_fail
/// fn unchecked(config: loopwright_config::Config) -> loopwright_config::TrustedConfig {
///     loopwright_config::TrustedConfig { config, executables: Vec::new() }
/// }
/// ```
#[derive(Clone, Debug)]
pub struct TrustedConfig {
    config: Config,
    /// What the folder itself would execute, as it was trusted.
    executables: Vec<Executable>,
}

impl TrustedConfig {
    /// Takes a configuration without mistakes, if a person has trusted exactly what the folder would execute.
    ///
    /// # Errors
    /// Something in the configuration is wrong, or the folder is not trusted.
    pub fn take(host: &Host, layout: &Layout, config: Config) -> Result<Self, Fault> {
        let config = config.strict()?;
        let report = trust::judgement(host, layout, &config)?;
        match report.state.may_run() {
            true => Ok(Self { config, executables: report.executables }),
            false => Err(refusal(report.state)),
        }
    }

    /// The whole configuration in a folder that is trusted; elsewhere without what the folder would execute.
    ///
    /// # Errors
    /// What the folder would execute cannot be read.
    pub fn as_far_as_trusted(host: &Host, layout: &Layout, config: Config) -> Result<Self, Fault> {
        let report = trust::judgement(host, layout, &config)?;
        Ok(match report.state.may_run() {
            true => Self { config, executables: report.executables },
            false => Self { config: config.without_commands_of_project(), executables: Vec::new() },
        })
    }

    /// What the user's own settings say, outside of any project.
    #[must_use]
    pub fn of_user(host: &Host) -> Self {
        Self { config: Config::load(host, None), executables: Vec::new() }
    }

    /// The digest of what the folder itself would execute.
    #[must_use]
    pub fn digest(&self) -> TrustDigest {
        TrustDigest::of(&self.executables)
    }

    /// The project's checks, in order.
    #[must_use]
    pub fn trusted_checks(&self) -> Vec<TrustedCheck> {
        self.config.checks.iter().cloned().map(TrustedCheck).collect()
    }

    /// The git hooks that are not, or no longer, those that were trusted.
    ///
    /// # Errors
    /// The hooks cannot be read.
    pub fn changed_hooks(&self, layout: &Layout) -> Result<Vec<String>, Fault> {
        let now = trust::hooks(layout)?;
        let held = self.executables.iter().filter(|one| one.kind == trust::HOOK);
        Ok(differing(held, &now, |one| one.name.clone()))
    }

    /// What a folder would execute now and not as it was trusted, or no longer: each by kind and name.
    #[must_use]
    pub fn changed_commands(&self, now: &Config, executables: &[Executable]) -> Vec<String> {
        let mut names =
            differing(self.executables.iter(), executables, |one| format!("{} {}", one.kind, one.name));
        let own = |config: &Config, name: &String| config.harnesses.get(name).map(|one| one.command.clone());
        for name in self.config.harnesses.keys().chain(now.harnesses.keys()) {
            let shown = format!("agent {name}");
            if own(&self.config, name) != own(now, name) && !names.contains(&shown) {
                names.push(shown);
            }
        }
        names
    }

    /// The settings of a run that have another value now. Those that were given for one call only are not among them.
    #[must_use]
    pub fn changed_settings(&self, now: &Config) -> Vec<&'static str> {
        let of_a_run = |group: Group| matches!(group, Group::Agent | Group::Loop | Group::Git | Group::Gates);
        let differs = |key: &str| match (self.config.get(key), now.get(key)) {
            (Some(held), Some(now)) => {
                held.origin.layer != OriginLayer::Flag
                    && now.origin.layer != OriginLayer::Flag
                    && held.value != now.value
            }
            _ => false,
        };
        KEYS.iter().filter(|spec| of_a_run(spec.group) && differs(spec.key)).map(|spec| spec.key).collect()
    }
}

/// Settings are read as from any configuration.
impl Deref for TrustedConfig {
    type Target = Config;

    fn deref(&self) -> &Config {
        &self.config
    }
}

fn differing<'a>(
    held: impl Iterator<Item = &'a Executable> + Clone,
    now: &'a [Executable],
    shown: impl Fn(&Executable) -> String,
) -> Vec<String> {
    let gone = held.clone().filter(|one| !now.contains(one));
    let new = now.iter().filter(|one| !held.clone().any(|other| other == *one));
    let mut names: Vec<String> = gone.chain(new).map(shown).collect();
    names.sort();
    names.dedup();
    names
}

/// A check that may be run: the only thing that the runner of checks takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TrustedCheck(Check);

impl TrustedCheck {
    /// Required checks that run the commands of a line that a person typed, see [`Check::verifying`].
    ///
    /// # Errors
    /// The line cannot be split into words, or a command is missing.
    pub fn verifying(line: &str, position: u32) -> Result<Vec<Self>, Fault> {
        Ok(Check::verifying(line, position)?.into_iter().map(Self).collect())
    }

    /// A required check of the program that embeds the engine.
    #[must_use]
    pub fn custom(name: impl Into<String>, position: u32, check: Arc<dyn CustomCheck>) -> Self {
        Self(Check::custom(name, position, check))
    }

    /// A check that the caller answers for: it does not come from a folder.
    #[must_use]
    pub const fn assume_trusted(check: Check) -> Self {
        Self(check)
    }
}

impl Deref for TrustedCheck {
    type Target = Check;

    fn deref(&self) -> &Check {
        &self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::known_projects::Registry;
    use loopwright_domain::{ErrorCode, Origin};

    const PROJECT: &str =
        "[[checks]]\nname = \"test\"\ncommand = \"true\"\n\n[harness.mine]\ncommand = \"my-agent\"\n";

    struct Folder {
        _root: tempfile::TempDir,
        host: Host,
        layout: Layout,
    }

    impl Folder {
        fn new(project: &str) -> Self {
            let root = tempfile::tempdir().unwrap();
            let host = Host::in_folder(root.path(), std::ffi::OsString::new());
            let folder = root.path().join("project");
            std::fs::create_dir_all(folder.join(crate::PROJECT_DIR)).unwrap();
            let layout = Layout::of(&folder).unwrap();
            std::fs::write(layout.config_file(), project).unwrap();
            Self { _root: root, host, layout }
        }

        fn config(&self) -> Config {
            Config::load(&self.host, Some(&self.layout.config_file()))
        }

        fn trust(&self) {
            let digest = trust::judgement(&self.host, &self.layout, &self.config()).unwrap().digest;
            let record = trust::record(digest, "now".into(), Origin::Cli);
            Registry::of(&self.host)
                .update(&self.layout.root, |project| project.trust = Some(record))
                .unwrap();
        }

        fn take(&self) -> Result<TrustedConfig, Fault> {
            TrustedConfig::take(&self.host, &self.layout, self.config())
        }
    }

    #[test]
    fn only_what_a_person_trusted_is_taken_and_else_nothing_of_the_folder() {
        let folder = Folder::new(PROJECT);
        assert_eq!(folder.take().unwrap_err().code, ErrorCode::TrustRequired);
        let part = TrustedConfig::as_far_as_trusted(&folder.host, &folder.layout, folder.config()).unwrap();
        assert_eq!((part.trusted_checks().len(), part.harnesses.len()), (0, 0));
        folder.trust();
        let whole = folder.take().unwrap();
        assert_eq!((whole.trusted_checks().len(), whole.harnesses.len()), (1, 1));
        std::fs::write(folder.layout.config_file(), format!("{PROJECT}args = [\"-v\"]\n")).unwrap();
        assert_eq!(folder.take().unwrap_err().code, ErrorCode::TrustRequired);
    }

    #[test]
    fn what_changed_since_is_named() {
        let folder = Folder::new(PROJECT);
        folder.trust();
        let held = folder.take().unwrap();
        let changed = |text: &str| {
            std::fs::write(folder.layout.config_file(), text).unwrap();
            let now = folder.config();
            let executables = trust::executables(&folder.layout, &now).unwrap();
            (held.changed_commands(&now, &executables), held.changed_settings(&now))
        };
        assert_eq!(changed(PROJECT), (vec![], vec![]));
        let edited = PROJECT.replace("my-agent", "other").replace("name = \"test\"", "name = \"lint\"");
        assert_eq!(changed(&edited).0, ["agent mine", "check lint", "check test"]);
        assert_eq!(
            changed(&format!("loop.max_cost = 1\nui.theme = \"dark\"\n{PROJECT}")).1,
            ["loop.max_cost"]
        );
    }
}

//! The *commit* profile: the user's own configuration, with the hooks that were looked at and no others.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::commit::{CommitRequest, moved};
use super::{Memory, Workspace};
use crate::create::set_identity;
use crate::discover::Repository;
use crate::error::VcsError;
use crate::harden::{Environment, Settings};
use crate::hooks::{has_any, hooks_folder};
use crate::profile::Profile;
use crate::sinks::NOTHING;

/// Who commits when git does not know the user.
const FALLBACK_IDENTITY: (&str, &str) = ("Loopwright", "loopwright@loopwright.invalid");
/// The hooks that a commit runs.
const COMMIT_HOOKS: &[&str] = &[
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-index-change",
    "reference-transaction",
];
/// Variables of git that say who the user is; all others could lead it elsewhere.
const IDENTITY: &[&str] =
    &["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL", "GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
/// As much as is kept of what hooks print.
const HOOK_OUTPUT: usize = 256 * 1024;

/// The folder that hooks are run from.
#[derive(Debug)]
pub(super) struct HookFolder {
    folder: PathBuf,
    /// Whether a commit runs any.
    pub(super) runs: bool,
}

impl HookFolder {
    pub(super) fn of(repository: &Repository, profile: &Profile, wanted: bool) -> Self {
        if !wanted {
            return Self { folder: NOTHING.into(), runs: false };
        }
        let folder = hooks_folder(repository, profile.hooks_path.as_deref());
        Self { runs: has_any(&folder, COMMIT_HOOKS), folder }
    }
}

impl Workspace {
    /// Runs `git commit` on the index made for it, and returns what was printed.
    pub(super) async fn run_commit(
        &self,
        memory: &Memory,
        request: &CommitRequest,
        hooks: &HookFolder,
    ) -> Result<String, VcsError> {
        let args = ["commit", "--quiet", "--no-edit", "--cleanup=whitespace", "--no-status", "--file=-"];
        let mut call = self.call(&args, self.commit_environment(memory, hooks));
        call.input = request.message().into_bytes();
        if let Some(marker) = &request.marker {
            call.set(loopwright_process::AGENT_MARKER, marker);
        }
        call.timeout = request.timeout;
        call.output_limit = HOOK_OUTPUT;
        let finished = match self.git.finish(call).await {
            Err(VcsError::TimedOut { limit, output, .. }) => {
                return Err(VcsError::HookTimedOut {
                    limit,
                    output: printed(&output.stdout, &output.stderr),
                });
            }
            finished => finished?,
        };
        let output = printed(&finished.output.stdout, &finished.output.stderr);
        if finished.exit.success() {
            return Ok(output);
        }
        Err(match VcsError::from_refusal("git commit".to_owned(), finished.exit, &finished.output.stderr) {
            VcsError::Failed { detail, .. } if is_about_signing(&output, &detail) => {
                VcsError::Signing { output }
            }
            VcsError::Failed { .. } if output.contains("but expected") => {
                let found = self.state_now(memory).await?.head;
                moved(&request.expected, &found)
            }
            VcsError::Failed { .. } if hooks.runs => VcsError::Hook { output },
            other => other,
        })
    }

    /// What the user's own `git commit` would see, without what could lead it elsewhere or make it ask.
    pub(super) fn commit_environment(&self, memory: &Memory, hooks: &HookFolder) -> Environment {
        let mut environment = self.git.user_environment(is_passed_on);
        let silent = ["GIT_ASKPASS", "SSH_ASKPASS"].map(|name| (name, ""));
        let fixed = [("GIT_TERMINAL_PROMPT", "0"), ("SSH_ASKPASS_REQUIRE", "never"), ("GIT_EDITOR", ":")];
        for (name, value) in silent.into_iter().chain(fixed) {
            environment.insert(name.into(), value.into());
        }
        speak_english(&mut environment);
        if let Some(parent) = self.repository.work_tree.parent() {
            environment.insert("GIT_CEILING_DIRECTORIES".into(), parent.into());
        }
        environment.insert("GIT_INDEX_FILE".into(), memory.private.file("commit-index").into());
        let known = |role: &str| environment.contains_key(OsStr::new(role));
        let named = memory.profile.has_identity || IDENTITY[..2].iter().all(|name| known(name));
        if !named {
            set_identity(&mut environment, FALLBACK_IDENTITY.0, FALLBACK_IDENTITY.1);
        }
        self.commit_settings(memory, &hooks.folder).apply(&mut environment);
        environment
    }

    fn commit_settings(&self, memory: &Memory, hooks: &Path) -> Settings {
        let mut settings = Settings::empty();
        settings.set("core.hooksPath", hooks);
        for (key, value) in [
            ("core.fsmonitor", "false"),
            ("core.editor", ":"),
            ("core.pager", "cat"),
            ("gc.auto", "0"),
            ("maintenance.auto", "false"),
        ] {
            settings.set(key, value);
        }
        settings.switch_off_configured_hooks(memory.profile.keys.iter().map(|key| &**key));
        settings
    }
}

/// Lets git say what went wrong in words that are known here. Letters, dates and the like stay the user's.
fn speak_english(environment: &mut Environment) {
    if let Some(all) = environment.remove(OsStr::new("LC_ALL")) {
        environment.insert("LC_CTYPE".into(), all.clone());
        environment.insert("LANG".into(), all);
    }
    environment.insert("LC_MESSAGES".into(), "C".into());
    environment.remove(OsStr::new("LANGUAGE"));
}

/// Whether a variable of our own environment is one that the user's hooks may see.
fn is_passed_on(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    IDENTITY.contains(&name.as_str()) || !(name.starts_with("GIT_") || name == "GPG_TTY")
}

fn is_about_signing(output: &str, detail: &str) -> bool {
    let said = |word: &str| output.contains(word) || detail.contains(word);
    said("failed to sign") || said("gpg failed") || said("Couldn't load public key") || said("signing failed")
}

/// What was printed, one line after the other and fit to be shown.
fn printed(stdout: &[u8], stderr: &[u8]) -> String {
    let text: String = [stdout, stderr].iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    let harmless = |letter: char| {
        if letter.is_control() && !matches!(letter, '\n' | '\t') { '\u{fffd}' } else { letter }
    };
    text.chars().map(harmless).collect::<String>().trim_end().to_owned()
}

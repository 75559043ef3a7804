//! The *commit* profile: the user's own configuration, with the hooks that were looked at and no others.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};

use loopwright_domain::sanitize::strip;

use super::commit::{CommitRequest, moved};
use super::hook_edits::{guard, staged_by_hook};
use super::private_git_dir::COMMIT_INDEX;
use super::{Memory, Workspace};
use crate::config::is_no;
use crate::create::set_identity;
use crate::error::VcsError;
use crate::executing_settings::NOTHING;
use crate::harden::{Environment, Settings};
use crate::hooks::{has_any, hooks_folder};
use crate::limited_read::read;
use crate::oid::Oid;
use crate::profile::Profile;
use crate::repository::Repository;

/// Who commits when git does not know the user.
const FALLBACK_IDENTITY: (&str, &str) = ("Loopwright", "loopwright@loopwright.invalid");
/// The hooks that a commit runs.
pub(super) const COMMIT_HOOKS: &[&str] = &[
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-index-change",
    "reference-transaction",
];
/// Those of them that judge the message and not the work.
const MESSAGE_HOOKS: &[&str] = &["prepare-commit-msg", "commit-msg"];
/// As much as is read of what git tells about the programs it ran.
const TRACE_LIMIT: u64 = 8 * 1024 * 1024;
/// Variables of git that say who the user is; all others could lead it elsewhere.
const AUTHOR: [&str; 2] = ["GIT_AUTHOR_NAME", "GIT_AUTHOR_EMAIL"];
const COMMITTER: [&str; 2] = ["GIT_COMMITTER_NAME", "GIT_COMMITTER_EMAIL"];
/// As much as is kept of what hooks print.
const HOOK_OUTPUT: usize = 256 * 1024;

/// The folder that hooks are run from.
#[derive(Debug)]
pub(super) struct HookFolder {
    folder: PathBuf,
    /// Whether a commit runs any.
    pub(super) runs: bool,
    /// Whether one of them is about the message.
    pub(super) about_message: bool,
}

impl HookFolder {
    pub(super) fn of(repository: &Repository, profile: &Profile, wanted: bool) -> Self {
        if !wanted {
            return Self { folder: NOTHING.into(), runs: false, about_message: false };
        }
        let folder = hooks_folder(repository, profile.hooks_path.as_deref());
        let about_message = has_any(&folder, MESSAGE_HOOKS);
        Self { runs: has_any(&folder, COMMIT_HOOKS), about_message, folder }
    }

    /// The same hooks, and only this tree can be committed.
    pub(super) fn guarding(
        self,
        repository: &Repository,
        memory: &Memory,
        tree: &Oid,
    ) -> Result<Self, VcsError> {
        let guarded = guard(&memory.private, repository, &self.folder, tree, memory.write_tree());
        match guarded.map_err(|error| VcsError::file(memory.private.kept_folder(), &error))? {
            Some(folder) => Ok(Self { folder, ..self }),
            None => Ok(self),
        }
    }
}

impl Workspace {
    /// Whether a commit runs hooks of the user's or is signed.
    ///
    /// # Errors
    /// The configuration cannot be read.
    pub async fn commits_run_programs(&self) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        let signs = memory.profile.own.iter().rfind(|setting| setting.key == b"commit.gpgsign");
        let signs = signs.map_or(self.user.signs, |setting| {
            setting.value.as_ref().is_none_or(|value| !is_no(&String::from_utf8_lossy(value)))
        });
        Ok(signs || HookFolder::of(&self.repository, &memory.profile, true).runs)
    }

    /// Whether a commit runs hooks of the user's.
    ///
    /// # Errors
    /// The configuration cannot be read.
    pub async fn commits_run_hooks(&self) -> Result<bool, VcsError> {
        let memory = self.remembered().await?;
        Ok(HookFolder::of(&self.repository, &memory.profile, true).runs)
    }

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
        // Git does not say which hook refused; its trace does.
        let trace = memory.private.file("commit-trace");
        if hooks.about_message {
            let _ = fs::remove_file(&trace);
            call.set("GIT_TRACE2_EVENT", &trace);
        }
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
        if let Some(tree) = staged_by_hook(&memory.private).filter(|_| hooks.runs) {
            return Err(VcsError::HookEdited { hook: "pre-commit".to_owned(), tree, output });
        }
        Err(match VcsError::from_refusal("git commit".to_owned(), finished.exit, &finished.output.stderr) {
            VcsError::Failed { detail, .. } if is_about_signing(&output, &detail) => {
                VcsError::Signing { output }
            }
            VcsError::Failed { .. } if output.contains("but expected") => {
                let found = self.state_now(memory).await?.head;
                moved(&request.expected, &found)
            }
            VcsError::Failed { .. } if hooks.runs => match refusing_hook(&trace) {
                Some(hook) if MESSAGE_HOOKS.contains(&hook.as_str()) => {
                    VcsError::MessageHook { hook, output }
                }
                _ => VcsError::Hook { output },
            },
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
        environment.insert("GIT_INDEX_FILE".into(), memory.private.file(COMMIT_INDEX).into());
        let known = |role: &str| environment.contains_key(OsStr::new(role));
        let named = memory.profile.has_identity || AUTHOR.iter().all(|name| known(name));
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

/// The hook that ended a commit, by git's own trace.
fn refusing_hook(trace: &Path) -> Option<String> {
    let told = read(trace, TRACE_LIMIT).ok()?;
    refusing(&String::from_utf8_lossy(&told))
}

/// The last hook that git itself started and that ended badly; those that a hook's own git started do not count.
fn refusing(trace: &str) -> Option<String> {
    let mut started: Vec<(u64, String)> = Vec::new();
    let mut refused = None;
    for event in trace.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok()) {
        let text = |name: &str| event.get(name).and_then(serde_json::Value::as_str);
        let id = event.get("child_id").and_then(serde_json::Value::as_u64);
        if text("sid").is_none_or(|session| session.contains('/')) {
            continue;
        }
        match (text("event"), id, text("hook_name")) {
            (Some("child_start"), Some(id), Some(hook)) => started.push((id, hook.to_owned())),
            (Some("child_exit"), Some(id), _) if event.get("code") != Some(&serde_json::json!(0)) => {
                let hook = started.iter().find(|(other, _)| *other == id);
                refused = hook.map(|(_, hook)| hook.clone()).or(refused);
            }
            _ => {}
        }
    }
    refused
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
    [AUTHOR, COMMITTER].as_flattened().contains(&name.as_str())
        || !(name.starts_with("GIT_") || name == "GPG_TTY")
}

fn is_about_signing(output: &str, detail: &str) -> bool {
    let said = |word: &str| output.contains(word) || detail.contains(word);
    said("failed to sign") || said("gpg failed") || said("Couldn't load public key") || said("signing failed")
}

/// What was printed to both streams, safe to show.
fn printed(stdout: &[u8], stderr: &[u8]) -> String {
    let text: String = [stdout, stderr].iter().map(|bytes| String::from_utf8_lossy(bytes)).collect();
    strip(&text).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hook_that_refused_is_found_in_gits_trace() {
        let start = |sid: &str, id: u32, hook: &str| {
            format!(
                r#"{{"event":"child_start","sid":"{sid}","child_id":{id},"child_class":"hook","hook_name":"{hook}"}}"#
            )
        };
        let exit = |sid: &str, id: u32, code: i32| {
            format!(r#"{{"event":"child_exit","sid":"{sid}","child_id":{id},"code":{code}}}"#)
        };
        let both = |code: i32| {
            [start("a", 0, "pre-commit"), exit("a", 0, code), start("a", 1, "commit-msg"), exit("a", 1, 1)]
                .join("\n")
        };
        assert_eq!(refusing(&both(0)).as_deref(), Some("commit-msg"));
        let first = [start("a", 0, "pre-commit"), exit("a", 0, 2)].join("\n");
        assert_eq!(refusing(&first).as_deref(), Some("pre-commit"));
        let inner =
            [start("a", 0, "pre-commit"), start("a/b", 0, "commit-msg"), exit("a/b", 0, 1)].join("\n");
        assert_eq!(refusing(&inner), None, "a hook's own git is not asked");
        assert_eq!(refusing("garbage\n{}\n[1]\n"), None);
    }
}

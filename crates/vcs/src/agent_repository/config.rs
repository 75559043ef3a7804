//! The configuration of an agent's git folder: the repository's, without whatever executes a program.

use super::AgentRepositoryOptions;
use crate::config::split_key;
use crate::executing_settings;
use crate::oid::ObjectFormat;
use crate::profile::{OwnSetting, Profile};

/// The commands that git-lfs installs itself with. Only these are kept of all filters.
const LFS: &[(&[u8], &[u8])] = &[
    (b"filter.lfs.clean", b"git-lfs clean -- %f"),
    (b"filter.lfs.smudge", b"git-lfs smudge -- %f"),
    (b"filter.lfs.smudge", b"git-lfs smudge --skip -- %f"),
    (b"filter.lfs.process", b"git-lfs filter-process"),
    (b"filter.lfs.process", b"git-lfs filter-process --skip"),
];
/// Settings about where git's folder and its parts are: here they are elsewhere.
const ABOUT_THE_FOLDER: &[&[u8]] =
    &[b"core.repositoryformatversion", b"core.bare", b"core.worktree", b"core.logallrefupdates"];
/// Sections that say what is executed, what else is read, or how git's folder is laid out.
const DROPPED_SECTIONS: &[&[u8]] = &[b"hook", b"include", b"includeif", b"extensions", b"credential", b"gpg"];
/// The end of an address that no program answers to. Git names it when somebody pushes.
const NO_PUSH: &str = "loopwright-git-agent-push-is-off";

/// The whole file.
pub(super) fn text(profile: &Profile, options: AgentRepositoryOptions) -> Vec<u8> {
    let mut text = Vec::new();
    let sha256 = profile.format == ObjectFormat::Sha256;
    let partial = last(&profile.own, b"extensions.partialclone");
    let version = u8::from(sha256 || partial.is_some());
    let mut put = |key: &[u8], value: Option<&[u8]>| write(&mut text, key, value);
    put(b"core.repositoryformatversion", Some(version.to_string().as_bytes()));
    put(b"core.bare", Some(b"false"));
    put(b"core.logallrefupdates", Some(b"true"));
    if sha256 {
        put(b"extensions.objectformat", Some(b"sha256"));
    }
    if let Some(remote) = partial {
        put(b"extensions.partialclone", remote.value.as_deref());
    }
    for setting in profile.own.iter().filter(|setting| is_kept(setting, &profile.own, options)) {
        put(&setting.key, setting.value.as_deref());
    }
    // The last word on a single value counts. Nobody can sign for the user here, and nothing is cleaned up behind them.
    for key in [&b"commit.gpgsign"[..], b"tag.gpgsign", b"core.fsmonitor", b"maintenance.auto"] {
        put(key, Some(b"false"));
    }
    put(b"gc.auto", Some(b"0"));
    if !options.push {
        for remote in remotes(&profile.own) {
            let key = [b"remote.", remote, b".pushurl"].concat();
            put(&key, Some(format!("{NO_PUSH}://").as_bytes()));
        }
    }
    text
}

fn last<'a>(settings: &'a [OwnSetting], key: &[u8]) -> Option<&'a OwnSetting> {
    settings.iter().rfind(|setting| setting.key == key)
}

fn is_kept(setting: &OwnSetting, all: &[OwnSetting], options: AgentRepositoryOptions) -> bool {
    let Some((section, subsection, name)) = split_key(&setting.key) else { return false };
    let value = setting.value.as_deref();
    if DROPPED_SECTIONS.contains(&section) || ABOUT_THE_FOLDER.contains(&&*setting.key) {
        return false;
    }
    if section == b"filter" {
        return is_lfs(&setting.key, value) || (name == b"required" && has_lfs(subsection, all));
    }
    if section == b"remote" && name == b"pushurl" && !options.push {
        return false;
    }
    !executing_settings::find(&setting.key).is_some_and(|sink| sink.neutral.is_some() || sink.tells(value))
}

fn is_lfs(key: &[u8], value: Option<&[u8]>) -> bool {
    LFS.iter().any(|(known, command)| *known == key && Some(*command) == value)
}

/// Whether all that the filter of git-lfs would start is as git-lfs ships it.
fn has_lfs(driver: Option<&[u8]>, all: &[OwnSetting]) -> bool {
    let programs = |setting: &&OwnSetting| {
        matches!(split_key(&setting.key), Some((b"filter", Some(b"lfs"), b"clean" | b"smudge" | b"process")))
    };
    driver == Some(b"lfs")
        && all.iter().filter(programs).all(|setting| is_lfs(&setting.key, setting.value.as_deref()))
}

/// The remotes, each once.
fn remotes(settings: &[OwnSetting]) -> std::collections::BTreeSet<&[u8]> {
    let named = settings.iter().filter_map(|setting| match split_key(&setting.key)? {
        (b"remote", Some(remote), b"url" | b"pushurl") => Some(remote),
        _ => None,
    });
    named.collect()
}

/// Adds a setting, under a heading of its own.
fn write(text: &mut Vec<u8>, key: &[u8], value: Option<&[u8]>) {
    let Some((section, subsection, name)) = split_key(key) else { return };
    text.push(b'[');
    text.extend(section);
    if let Some(subsection) = subsection {
        text.extend(b" \"");
        for byte in subsection {
            if matches!(byte, b'"' | b'\\') {
                text.push(b'\\');
            }
            text.push(*byte);
        }
        text.push(b'"');
    }
    text.extend(b"]\n\t");
    text.extend(name);
    if let Some(value) = value {
        text.extend(b" = \"");
        for byte in value {
            match byte {
                b'"' | b'\\' => text.extend([b'\\', *byte]),
                b'\n' => text.extend(b"\\n"),
                b'\t' => text.extend(b"\\t"),
                byte => text.push(*byte),
            }
        }
        text.push(b'"');
    }
    text.push(b'\n');
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::config::parse;

    fn kept(settings: &[(&str, &str)], options: AgentRepositoryOptions) -> Vec<String> {
        let own: Vec<OwnSetting> = settings
            .iter()
            .map(|(key, value)| OwnSetting {
                key: key.as_bytes().to_vec(),
                value: Some(value.as_bytes().to_vec()),
            })
            .collect();
        let kept = own.iter().filter(|setting| is_kept(setting, &own, options));
        kept.map(|setting| String::from_utf8(setting.key.clone()).unwrap()).collect()
    }

    #[test]
    fn what_names_a_program_is_dropped_and_the_rest_is_kept() {
        let dropped = [
            ("core.fsmonitor", "./x"),
            ("core.fsmonitor", "true"),
            ("core.hookspath", ".husky"),
            ("core.sshcommand", "x"),
            ("core.pager", "x"),
            ("core.editor", "x"),
            ("core.askpass", "x"),
            ("filter.x.clean", "x"),
            ("filter.x.required", "true"),
            ("filter.lfs.clean", "git-lfs clean -- %f; x"),
            ("diff.x.command", "x"),
            ("diff.x.textconv", "x"),
            ("merge.x.driver", "x"),
            ("gpg.program", "x"),
            ("gpg.ssh.defaultkeycommand", "x"),
            ("credential.helper", "x"),
            ("credential.https://x.helper", "!x"),
            ("alias.x", "!x"),
            ("hook.x.command", "x"),
            ("include.path", "x"),
            ("includeif.gitdir:/.path", "x"),
            ("remote.o.vcs", "x"),
            ("remote.o.receivepack", "x"),
            ("remote.o.pushurl", "x"),
            ("submodule.s.update", "!x"),
            ("trailer.x.command", "x"),
            ("core.worktree", "x"),
            ("extensions.worktreeconfig", "true"),
        ];
        assert_eq!(kept(&dropped, AgentRepositoryOptions::default()), Vec::<String>::new());
        let harmless = [
            ("user.name", "Ada"),
            ("core.autocrlf", "input"),
            ("core.sparsecheckout", "true"),
            ("remote.origin.url", "https://x.example/y"),
            ("remote.origin.promisor", "true"),
            ("branch.main.merge", "refs/heads/main"),
            ("alias.co", "checkout"),
            ("filter.lfs.clean", "git-lfs clean -- %f"),
            ("filter.lfs.process", "git-lfs filter-process"),
            ("filter.lfs.required", "true"),
            ("diff.x.binary", "true"),
        ];
        assert_eq!(
            kept(&harmless, AgentRepositoryOptions::default()),
            harmless.map(|(key, _)| key.to_owned())
        );
        let push = AgentRepositoryOptions { push: true };
        assert_eq!(kept(&[("remote.o.pushurl", "x")], push), ["remote.o.pushurl"]);
    }

    proptest! {
        #[test]
        fn what_is_written_reads_back(subsection in "[^\n\0\r]{0,20}", value in "[^\r\0]{0,40}") {
            let key = format!("a.{subsection}.b");
            let mut text = Vec::new();
            write(&mut text, key.as_bytes(), Some(value.as_bytes()));
            let parsed = parse(&text);
            prop_assert_eq!(parsed.damaged_at, None);
            prop_assert_eq!(&parsed.entries[0].key, key.as_bytes());
            prop_assert_eq!(parsed.entries[0].value.as_deref(), Some(value.as_bytes()));
        }
    }
}

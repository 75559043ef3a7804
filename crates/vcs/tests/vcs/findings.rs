//! Findings name what lies in a folder.

use std::fs;

use loopwright_vcs::{Finding, FindingKind as Kind, discover, findings};

use crate::canaries::plant;
use crate::support::Lab;

fn has(found: &[Finding], kind: Kind, part: &str) -> bool {
    found.iter().any(|finding| finding.kind == kind && finding.detail.contains(part))
}

#[tokio::test]
async fn everything_planted_in_a_hostile_repository_is_named() {
    let lab = Lab::new();
    let repository = plant(&lab).await;
    let found = findings(&lab.path("project"), Some(&repository));
    for (kind, part) in [
        (Kind::Fsmonitor, ".git/config sets core.fsmonitor to : > "),
        (Kind::Fsmonitor, "nested/.git/config sets core.fsmonitor"),
        (Kind::Hook, "git runs .git/hooks/pre-commit by itself"),
        (Kind::Hook, ".git/hooks/post-index-change"),
        (Kind::Hook, "hook.lint.command"),
        (Kind::Filter, "filter.clean.clean"),
        (Kind::Filter, "filter.smudge.smudge"),
        (Kind::Filter, "filter.process.process"),
        (Kind::Filter, "filter.ev=il.clean"),
        (Kind::Filter, "evil.cfg sets filter.included.clean"),
        (Kind::Filter, ".git/conditional.cfg sets filter.conditional.clean"),
        (Kind::Filter, ".git/config.worktree sets filter.worktree.clean"),
        (Kind::Textconv, "diff.conv.textconv"),
        (Kind::ExternalDiff, "diff.external"),
        (Kind::ExternalDiff, "diff.cmd.command"),
        (Kind::MergeDriver, "merge.mrg.driver"),
        (Kind::Signing, "gpg.program"),
        (Kind::Signing, "gpg.ssh.program"),
        (Kind::Pager, "core.pager"),
        (Kind::Pager, "pager.status"),
        (Kind::Editor, "core.editor"),
        (Kind::Editor, "sequence.editor"),
        (Kind::SshCommand, "core.sshcommand"),
        (Kind::SshCommand, "core.gitproxy"),
        (Kind::CredentialHelper, "credential.helper"),
        (Kind::CredentialHelper, "core.askpass"),
        (Kind::Alias, "alias.status"),
        (Kind::GitCommand, "core.alternaterefscommand"),
        (Kind::GitCommand, "uploadpack.packobjectshook"),
        (Kind::GitCommand, "trailer.sign.command"),
        (Kind::GitCommand, "tar.evil.command"),
        (Kind::Include, "includes ../evil.cfg"),
        (Kind::Include, "includes conditional.cfg, under a condition"),
        (Kind::Attributes, ".gitattributes hands files to the filter driver ev=il"),
        (Kind::Attributes, ".git/info/attributes hands files to the filter driver info"),
        (Kind::Attributes, "diff driver conv"),
        (Kind::Attributes, "merge driver mrg"),
        (Kind::Submodule, ".gitmodules sets submodule.nested.update to !: > "),
        (Kind::Submodule, ".gitmodules sets submodule.nested.url to ext::"),
        (Kind::Remote, "remote.evil.url to ext::"),
        (Kind::NestedRepository, "nested has a git configuration of its own"),
        (Kind::Shim, "git would be taken for git"),
        (Kind::AgentConfig, ".claude/settings.json can run commands by itself: : > "),
        (Kind::AgentConfig, ".claude/settings.local.json"),
        (Kind::AgentConfig, ".mcp.json can start servers: : > "),
        (Kind::AgentConfig, ".codex/config.toml"),
        (Kind::AgentConfig, ".gemini/settings.json"),
        (Kind::AgentConfig, ".cursor/mcp.json"),
        (Kind::AgentConfig, ".opencode/plugin"),
        (Kind::ShellEnvironment, ".envrc"),
        (Kind::EditorTask, ".vscode/tasks.json"),
    ] {
        assert!(has(&found, kind, part), "{kind}: {part}\n{found:#?}");
    }
}

#[tokio::test]
async fn an_honest_repository_has_none() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    assert_eq!(findings(&lab.path("project"), Some(&repository)), []);
}

#[test]
fn a_folder_without_git_is_looked_at_too() {
    let lab = Lab::new();
    lab.write("plain/.envrc", "");
    lab.write("plain/.mcp.json", "not json");
    let details: Vec<String> = findings(&lab.path("plain"), None).into_iter().map(|one| one.detail).collect();
    assert_eq!(
        details,
        [".mcp.json can start servers", ".envrc is run by direnv when a shell enters the folder"]
    );
}

#[tokio::test]
async fn a_project_below_the_repository_sees_both_places() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    lab.write("project/.mcp.json", "{}");
    lab.write("project/app/.envrc", "");
    let found = findings(&lab.path("project/app"), Some(&repository));
    assert!(has(&found, Kind::AgentConfig, ".mcp.json") && has(&found, Kind::ShellEnvironment, "app/.envrc"));
}

#[tokio::test]
async fn what_cannot_be_read_is_said_and_nobody_waits_for_it() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    nix::unistd::mkfifo(&lab.path("project/.gitattributes"), nix::sys::stat::Mode::S_IRWXU).unwrap();
    lab.append("project/.git/config", "[core\n");
    lab.write("project/.gitmodules", vec![b'#'; 2 * 1024 * 1024]);
    let found = findings(&lab.path("project"), Some(&repository));
    assert!(
        has(&found, Kind::Unreadable, ".gitattributes cannot be read: it is not a regular file"),
        "{found:#?}"
    );
    assert!(has(&found, Kind::Unreadable, ".git/config is damaged in line"), "{found:#?}");
    assert!(has(&found, Kind::Unreadable, ".gitmodules cannot be read: it is larger"), "{found:#?}");
}

#[tokio::test]
async fn a_flood_of_findings_and_endless_includes_are_cut() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    let filters: String = (0..5_000).map(|n| format!("[filter \"f{n}\"]\nclean = x\n")).collect();
    lab.append("project/.git/config", &filters);
    lab.append("project/.git/config", "[include]\npath = loop.cfg\npath = config\npath = /dev/zero\n");
    lab.write("project/.git/loop.cfg", "[include]\npath = loop.cfg\npath = config\n");
    let found = findings(&lab.path("project"), Some(&repository));
    assert_eq!(found.len(), 201);
    assert_eq!(found.last().unwrap().kind, Kind::More);
}

/// A work tree added by git keeps its configuration with the first one.
#[tokio::test]
async fn an_added_work_tree_shows_the_shared_configuration() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.append("project/.git/config", "[core]\n\tfsmonitor = ./watch.sh\n");
    lab.must("project", &["worktree", "add", "--quiet", "../second"]).await;
    let repository = discover(&lab.path("second")).unwrap();
    let found = findings(&lab.path("second"), Some(&repository));
    assert!(has(&found, Kind::Fsmonitor, "./watch.sh"), "{found:#?}");
    fs::remove_dir_all(lab.path("project/.git")).unwrap();
    assert_eq!(discover(&lab.path("second")), None);
}

//! A git folder of an agent's own, shown to a real program in a real sandbox: what is done there is not done to the
//! repository.
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use loopwright_process::{Command, Job, OutputSink, OutputStream, Sandbox, SandboxTool, start};
use loopwright_vcs::{AgentRepository, AgentRepositoryOptions, discover};

use crate::support::{Lab, search_path};

/// Everything in a folder, byte by byte, but for Loopwright's own.
type Everything = BTreeMap<PathBuf, Vec<u8>>;

fn everything(folder: &Path) -> Everything {
    let mut found = BTreeMap::new();
    collect(folder, folder, &mut found);
    found
}

fn collect(root: &Path, folder: &Path, found: &mut Everything) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        let path = entry.path();
        let name = path.strip_prefix(root).unwrap().to_owned();
        if name == Path::new("loopwright") {
            continue;
        }
        if entry.file_type().unwrap().is_dir() {
            found.insert(name, Vec::new());
            collect(root, &path, found);
        } else {
            found.insert(name, fs::read(&path).unwrap());
        }
    }
}

#[derive(Default)]
struct Said(Vec<u8>);

impl OutputSink for Said {
    fn output(&mut self, _stream: OutputStream, bytes: &[u8]) {
        self.0.extend(bytes);
    }
}

/// An agent's git folder for a work tree.
async fn folder_for(lab: &Lab, name: &str, options: AgentRepositoryOptions) -> AgentRepository {
    let workspace = lab.workspace(name).await;
    let folder = workspace.repository().common_dir.join("loopwright/agents/1");
    workspace.create_agent_repository(&folder, options).await.unwrap()
}

/// Whether this machine has a sandbox; a test that needs one says so and passes.
fn sandbox_tool() -> Option<SandboxTool> {
    match SandboxTool::find(&search_path(), None) {
        Ok(found) => Some(found),
        Err(why) => {
            println!("SKIPPED, no sandbox on this machine: {why}");
            None
        }
    }
}

/// Runs a script as an agent would be run: the work tree can be written, the git folder is its own.
async fn agent(
    lab: &Lab,
    sandbox_tool: &SandboxTool,
    name: &str,
    own: &AgentRepository,
    script: &str,
) -> String {
    let work_tree = lab.path(name);
    let temp = lab.path("temp");
    fs::create_dir_all(&temp).unwrap();
    let repository = discover(&work_tree).unwrap();
    let sandbox = Sandbox::new(&temp)
        .writable([work_tree.clone()])
        .read_only([repository.git_dir, repository.common_dir, work_tree.join(".git")])
        .visible([lab.path("home")])
        .visible(own.borrowed().iter().cloned())
        .mounted(own.mounts(true));
    let command = Command::new("/bin/sh", &work_tree)
        .args(["-c", &format!("set -e\n{script}")])
        .env("PATH", search_path())
        .env("HOME", lab.path("home"))
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_TERMINAL_PROMPT", "0");
    let mut job = Job::new(command, "agent");
    job.sandbox = Some((sandbox_tool.clone(), sandbox));
    let mut said = Said::default();
    let ended = start(job).unwrap().finish(&mut said).await.unwrap();
    let said = String::from_utf8_lossy(&said.0).into_owned();
    assert!(ended.exit.success(), "{said}");
    said
}

/// Two commits, a branch, an annotated tag and two stashed changes.
async fn furnish(lab: &Lab, name: &str) {
    lab.write(format!("{name}/file.txt"), "second\n");
    lab.must(name, &["commit", "--quiet", "--all", "--message", "second"]).await;
    lab.must(name, &["branch", "--quiet", "side", "HEAD~1"]).await;
    lab.must(name, &["tag", "--annotate", "--message", "one", "v1"]).await;
    for number in 1..3 {
        lab.write(format!("{name}/file.txt"), format!("stashed {number}\n"));
        lab.must(name, &["stash", "push", "--quiet", "--message", &format!("mine {number}")]).await;
    }
}

/// Everything that an agent could do to history.
const DESTRUCTION: &str = "\
    git log --oneline | grep -q second; test \"$(git stash list | wc -l)\" = 2; git rev-parse v1^{commit} side >/dev/null\n\
    test -z \"$(git status --porcelain)\"\n\
    echo bad > bad.txt; git add bad.txt; git commit -q -m bad; git commit -q --amend -m worse\n\
    git rm -q --cached bad.txt; git commit -q -m gone; git reset -q --hard HEAD~2; git branch -q -D side; git tag -d v1 >/dev/null\n\
    git stash pop -q; git checkout -q .; git stash drop -q; git stash clear\n\
    git checkout -q --detach; git branch -q -f main HEAD~0; git config user.name Evil; G=$(git rev-parse --git-dir)\n\
    echo evil > $G/hooks/pre-commit; echo '*' > $G/info/exclude; echo ../evil > $G/commondir; rm $G/commondir\n\
    git update-index --assume-unchanged file.txt; git replace $(git hash-object -w /dev/null) $(git rev-parse HEAD:file.txt)\n\
    git reflog expire --expire=now --all; git gc -q --prune=now; git config core.fsmonitor ./evil\n\
    if rm -rf $G/shared/objects/* 2>/dev/null; then exit 9; fi\n\
    if echo x > $G/shared/objects/x 2>/dev/null; then exit 9; fi\n\
    if rm -rf .git 2>/dev/null; then exit 9; fi\n\
    if mv .git gone 2>/dev/null; then exit 9; fi\n";

/// Does all of it, and looks whether the repository is as it was.
async fn survives(lab: &Lab, name: &str) {
    let Some(sandbox_tool) = sandbox_tool() else { return };
    furnish(lab, name).await;
    let own = folder_for(lab, name, AgentRepositoryOptions::default()).await;
    let repository = discover(&lab.path(name)).unwrap();
    let before = (everything(&repository.common_dir), everything(&repository.git_dir));
    agent(lab, &sandbox_tool, name, &own, DESTRUCTION).await;
    let after = (everything(&repository.common_dir), everything(&repository.git_dir));
    for (before, after) in [(before.0, after.0), (before.1, after.1)] {
        let changed: Vec<_> =
            before.iter().filter(|(name, content)| after.get(*name) != Some(content)).collect();
        let new: Vec<_> = after.keys().filter(|name| !before.contains_key(*name)).collect();
        assert!(changed.is_empty() && new.is_empty(), "changed {changed:?}, new {new:?}");
    }
    lab.must(name, &["fsck", "--strict"]).await;
    assert_eq!(lab.must(name, &["stash", "list"]).await.lines().count(), 2);
    own.remove().unwrap();
    assert!(!repository.common_dir.join("loopwright/agents/1").exists());
}

#[tokio::test]
async fn whatever_an_agent_does_the_repository_is_as_it_was() {
    let lab = Lab::new();
    lab.repository("project").await;
    survives(&lab, "project").await;
}

#[tokio::test]
async fn the_same_in_an_added_work_tree() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.must("project", &["worktree", "add", "--quiet", "-b", "main2", "../second"]).await;
    lab.must("second", &["config", "extensions.worktreeConfig", "true"]).await;
    lab.must("second", &["config", "--worktree", "user.email", "second@example.invalid"]).await;
    let Some(sandbox_tool) = sandbox_tool() else { return };
    let own = folder_for(&lab, "second", AgentRepositoryOptions::default()).await;
    let said =
        agent(&lab, &sandbox_tool, "second", &own, "git branch --show-current; git config user.email").await;
    assert_eq!(said, "main2\nsecond@example.invalid\n");
    own.remove().unwrap();
    survives(&lab, "second").await;
}

/// A new repository of a format that not every version of git knows.
async fn of_format(option: &str) -> Option<Lab> {
    let lab = Lab::new();
    fs::create_dir_all(lab.path("project")).unwrap();
    if !lab.plain("project", &["init", "--quiet", option]).await.exit.success() {
        println!("SKIPPED, this git does not know {option}");
        return None;
    }
    lab.write("project/file.txt", "content\n");
    lab.must("project", &["add", "--all"]).await;
    lab.must("project", &["commit", "--quiet", "--message", "first"]).await;
    Some(lab)
}

#[tokio::test]
async fn the_same_with_long_names_and_with_a_table_of_references() {
    for option in ["--object-format=sha256", "--ref-format=reftable"] {
        if let Some(lab) = of_format(option).await {
            survives(&lab, "project").await;
        }
    }
}

#[tokio::test]
async fn clones_that_are_shallow_partial_sparse_or_borrow_look_as_they_are() {
    let Some(sandbox_tool) = sandbox_tool() else { return };
    let lab = Lab::new();
    lab.repository("origin").await;
    lab.write("origin/kept/in.txt", "in\n");
    lab.write("origin/other/out.txt", "out\n");
    lab.must("origin", &["add", "--all"]).await;
    lab.must("origin", &["commit", "--quiet", "--message", "second"]).await;
    lab.must("origin", &["config", "uploadpack.allowFilter", "true"]).await;
    let from = format!("file://{}", lab.path("origin").display());
    let origin = lab.path("origin").display().to_string();
    let clones: &[(&str, &[&str])] = &[
        ("shallow", &["--depth=1", &from]),
        ("partial", &["--filter=blob:none", "--sparse", &from]),
        ("borrowing", &["--shared", &origin]),
    ];
    for (name, args) in clones {
        let args = [&["clone", "--quiet"][..], args, &[name]].concat();
        lab.must("", &args).await;
        let repository = discover(&lab.path(name)).unwrap();
        if *name == "partial" {
            lab.must(name, &["sparse-checkout", "set", "kept"]).await;
        }
        let own = folder_for(&lab, name, AgentRepositoryOptions::default()).await;
        let before = everything(&repository.common_dir);
        let seen = "git log --format=%s; git status --porcelain --branch; git sparse-checkout list 2>/dev/null || true; \
                    git for-each-ref --format='%(refname) %(symref)'";
        let said = agent(&lab, &sandbox_tool, name, &own, seen).await;
        let by_hand = lab.shell(name, seen).await;
        assert_eq!(said, String::from_utf8_lossy(&by_hand.output.stdout), "{name}");
        let work = "echo new > new.txt; git add new.txt; git commit -q -m new; git gc -q; git fsck --connectivity-only 2>/dev/null";
        let work = if *name == "partial" {
            "echo new > new.txt; git add --sparse new.txt; git commit -q -m new"
        } else {
            work
        };
        agent(&lab, &sandbox_tool, name, &own, work).await;
        assert_eq!(everything(&repository.common_dir), before, "{name}");
        fs::remove_file(lab.path(format!("{name}/new.txt"))).unwrap();
        own.remove().unwrap();
    }
}

#[tokio::test]
async fn submodules_can_be_read_and_not_changed() {
    let Some(sandbox_tool) = sandbox_tool() else { return };
    let lab = Lab::new();
    lab.repository("library").await;
    lab.repository("project").await;
    let library = lab.path("library").display().to_string();
    lab.must(
        "project",
        &["-c", "protocol.file.allow=always", "submodule", "--quiet", "add", &library, "lib"],
    )
    .await;
    lab.must("project", &["commit", "--quiet", "--message", "with a library"]).await;
    let own = folder_for(&lab, "project", AgentRepositoryOptions::default()).await;
    let before = everything(&lab.path("project/.git"));
    let script = "git submodule status | grep -q lib; git -C lib log --format=%s; test -z \"$(git status --porcelain)\"\n\
                  echo x > lib/new.txt; if git -C lib add new.txt 2>/dev/null; then exit 9; fi; rm lib/new.txt\n\
                  if git -c protocol.file.allow=always submodule --quiet add ./lib again 2>/dev/null; then exit 9; fi\n\
                  if git worktree add -q ../elsewhere 2>/dev/null; then exit 9; fi; rm -rf again";
    assert_eq!(agent(&lab, &sandbox_tool, "project", &own, script).await.lines().next(), Some("first"));
    assert_eq!(everything(&lab.path("project/.git")), before);
    // The submodule itself as a project: its git folder is elsewhere.
    let own = folder_for(&lab, "project/lib", AgentRepositoryOptions::default()).await;
    let script = "git status --porcelain; echo x > new.txt; git add new.txt; git commit -q -m new; git log --format=%s";
    assert_eq!(agent(&lab, &sandbox_tool, "project/lib", &own, script).await, "new\nfirst\n");
    let mut after = everything(&lab.path("project/.git"));
    after.retain(|name, _| !name.starts_with("modules/lib/loopwright"));
    assert_eq!(after, before);
}

#[tokio::test]
async fn nothing_is_executed_signed_or_pushed() {
    let Some(sandbox_tool) = sandbox_tool() else { return };
    let lab = Lab::new();
    lab.repository("project").await;
    let trace = lab.path("project/trace").display().to_string();
    let program = format!("sh -c 'echo x >> {trace}; cat'");
    for key in [
        "core.fsmonitor",
        "core.pager",
        "core.editor",
        "filter.x.clean",
        "filter.x.smudge",
        "diff.x.textconv",
        "gpg.program",
    ] {
        lab.must("project", &["config", key, &program]).await;
    }
    lab.must("project", &["config", "filter.x.required", "true"]).await;
    lab.must("project", &["config", "commit.gpgSign", "true"]).await;
    lab.must("project", &["config", "alias.evil", &format!("!echo x > {trace}")]).await;
    lab.must("project", &["config", "user.name", "Own \"name\" \\ #1"]).await;
    lab.write("project/.git/more", "[user]\n\temail = included@example.invalid\n");
    lab.must("project", &["config", "include.path", "more"]).await;
    lab.write("project/.git/info/attributes", "*.txt filter=x diff=x\n");
    lab.script("project/.git/hooks/pre-commit", &format!("echo x >> {trace}"));
    lab.must("", &["clone", "--quiet", "--bare", "project", "remote.git"]).await;
    let remote = lab.path("remote.git").display().to_string();
    lab.must("project", &["remote", "add", "origin", &remote]).await;
    let script = "git config user.name; git config user.email; git log -p >/dev/null; git status >/dev/null\n\
                  git evil 2>/dev/null && exit 9; echo x > new.txt; git add new.txt; git commit -q -m new\n\
                  git push -q origin HEAD:refs/heads/x 2>&1 && exit 9; true";
    let own = folder_for(&lab, "project", AgentRepositoryOptions::default()).await;
    let said = agent(&lab, &sandbox_tool, "project", &own, script).await;
    assert!(said.starts_with("Own \"name\" \\ #1\nincluded@example.invalid\n"), "{said}");
    assert!(said.contains("agent-push-is-off"), "{said}");
    assert!(!lab.path("project/trace").exists());
    let own = folder_for(&lab, "project", AgentRepositoryOptions { push: true }).await;
    let said = agent(&lab, &sandbox_tool, "project", &own, "git remote get-url --push origin").await;
    assert_eq!(said.trim(), remote);
}

#[tokio::test]
async fn it_is_found_again_and_made_from_few_processes_however_many_references_there_are() {
    let lab = Lab::new();
    lab.repository("project").await;
    let commit = lab.must("project", &["rev-parse", "HEAD"]).await;
    for number in 0..2_000 {
        lab.write(format!("project/.git/refs/tags/t{number}"), format!("{commit}\n"));
    }
    let workspace = lab.workspace("project").await;
    let folder = lab.path("project/.git/loopwright/agents/1");
    assert_eq!(workspace.find_agent_repository(&folder), None);
    let begun = Instant::now();
    let own = workspace.create_agent_repository(&folder, AgentRepositoryOptions::default()).await.unwrap();
    println!("made in {:?}", begun.elapsed());
    assert_eq!(own.base().commit.as_ref().map(loopwright_vcs::Oid::as_str), Some(&*commit));
    assert_eq!(workspace.find_agent_repository(&folder).as_ref(), Some(&own));
    let packed = fs::read_to_string(own.git_dir().join("packed-refs")).unwrap();
    assert_eq!(packed.lines().count(), 2_002);
    assert_eq!(fs::read_dir(own.git_dir().join("refs/tags")).unwrap().count(), 0);
    fs::remove_file(own.git_dir().join("HEAD")).unwrap();
    assert_eq!(workspace.find_agent_repository(&folder), None);
}

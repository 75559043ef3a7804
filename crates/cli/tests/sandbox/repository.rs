//! What an agent in the sandbox does to history, and what is left of it: its work in the files, and nothing else.

use std::fs;

use crate::place::ProjectFolder;
use crate::sandboxed::sandboxed;

/// The work is good when the check passes: the file says so, and nothing bad is beside it.
const CHECK: &str = "[[checks]]\nname = \"good\"\ncommand = \"sh check.sh\"\n";
const CHECK_SCRIPT: &str = "grep -q good result.txt && test ! -e bad.txt && test -e keep.txt";

/// What an agent does in its first attempt, after which the check fails.
const ATTACKS: &[(&str, &str)] = &[
    ("a bad commit", "echo bad > bad.txt; git add bad.txt; git commit -q -m bad"),
    ("a committed deletion", "git rm -q keep.txt; git commit -q -m gone"),
    ("reset", "git reset -q --hard HEAD~1"),
    ("amend", "echo bad > bad.txt; git add bad.txt; git commit -q --amend -m amended"),
    ("rebase", "GIT_SEQUENCE_EDITOR='sed -i s/^pick/drop/' git rebase -q -i HEAD~1"),
    ("detach", "git checkout -q --detach HEAD~1"),
    ("another branch", "git checkout -q side"),
    ("branch -D", "git branch -q -D side"),
    ("tag -d", "git tag -d v1 >/dev/null"),
    ("stash pop", "git stash pop -q"),
    ("stash drop", "git stash drop -q"),
    ("stash clear", "git stash clear"),
    (
        "reflog and gc",
        "git reset -q --hard HEAD~1; git stash clear; git reflog expire --expire=now --all; git gc -q --prune=now",
    ),
    ("a merge that is not finished", "git merge -q --no-commit --no-ff side || true"),
    (
        "commondir",
        "mkdir evil; cp -r .git/HEAD .git/refs evil; mkdir evil/objects; echo ../evil > .git/commondir",
    ),
    (
        "config",
        "git config core.fsmonitor ./evil; git config extensions.worktreeConfig true; echo x > .git/config.worktree",
    ),
    ("flags", "git update-index --assume-unchanged keep.txt; git update-index --skip-worktree check.sh"),
    ("excludes", "echo '*' >> .git/info/exclude; echo '* binary' > .git/info/attributes"),
    ("a lock", ": > .git/index.lock; : > .git/HEAD.lock"),
    ("replace", "git replace $(git rev-parse HEAD) $(git rev-parse HEAD~1)"),
    (
        "objects",
        "chmod -R u+w .git/objects .git/shared 2>/dev/null; find .git/objects .git/shared -type f -exec sh -c 'echo x > \"$1\"' - {} \\;",
    ),
];

/// A project with history: two commits, a branch, a tag, a stash.
fn furnished() -> Option<ProjectFolder> {
    let place = sandboxed(CHECK)?;
    let git = |args: &[&str]| place.sandbox.git("", args);
    place.sandbox.write("check.sh", CHECK_SCRIPT);
    place.sandbox.write("keep.txt", "mine\n");
    git(&["add", "--all"]);
    git(&["commit", "--quiet", "--message", "Mine"]);
    git(&["branch", "side", "HEAD~1"]);
    git(&["tag", "--annotate", "--message", "one", "v1"]);
    place.sandbox.write("keep.txt", "stashed\n");
    git(&["stash", "push", "--quiet"]);
    assert_eq!(place.run(&["task", "add", "Make the result"]).code, 0);
    Some(place)
}

/// What is the user's: references, stash, configuration, hooks, excludes, flags.
fn users(place: &ProjectFolder) -> String {
    let git = |args: &[&str]| place.sandbox.git("", args);
    let refs = git(&[
        "for-each-ref",
        "--format=%(refname) %(objectname)",
        "refs/heads/side",
        "refs/tags",
        "refs/stash",
        "refs/replace",
    ]);
    let flags = git(&["ls-files", "-v", "keep.txt", "check.sh"]);
    let config = fs::read_to_string(place.sandbox.work().join(".git/config")).unwrap();
    let exclude = place.file(".git/info/exclude");
    let odd = [
        ".git/commondir",
        ".git/config.worktree",
        ".git/index.lock",
        ".git/HEAD.lock",
        ".git/info/attributes",
    ]
    .map(|name| place.file(name).is_some());
    let branch = git(&["symbolic-ref", "HEAD"]);
    format!("{branch}{refs}{flags}{config}{exclude:?}{odd:?}{}", git(&["stash", "list"]))
}

#[test]
fn what_a_failed_attempt_did_to_history_is_not_there_and_the_next_one_is_good() {
    for (name, attack) in ATTACKS {
        let Some(place) = furnished() else { return };
        let before = users(&place);
        let tip = place.sandbox.git("", &["rev-parse", "HEAD"]);
        let script = format!(
            "if [ \"$LOOPWRIGHT_ATTEMPT\" = 1 ]; then\n{attack}\necho tried > tried.txt\nexit 0\nfi\n\
             test ! -e tried.txt || exit 8\ntest \"$(git rev-parse HEAD)\" = {tip} || exit 9\n\
             echo good > result.txt; git add result.txt; git commit -q -m 'By the agent'\n\
             echo 'LOOPWRIGHT_COMPLETE: done'\n",
            tip = tip.trim()
        );
        let agent = place.agent(&script);
        let output = place.sandbox.run(&mut place.fenced_command(&["run", "--command", &agent]));
        assert_eq!(output.code, 0, "{name}: {output:?}");
        assert!(!output.stdout.contains("fsck") && !output.stderr.contains("fsck"), "{name}: {output:?}");
        assert_eq!(users(&place), before, "{name}");
        let parent = place.sandbox.git("", &["rev-parse", "HEAD~1"]);
        assert_eq!(parent, tip, "{name}: one commit on top of what was there");
        let files = place.sandbox.git("", &["ls-tree", "--name-only", "HEAD"]);
        assert!(
            files.contains("result.txt") && files.contains("keep.txt") && !files.contains("bad.txt"),
            "{name}: {files}"
        );
        assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "", "{name}");
        place.sandbox.git("", &["fsck", "--strict"]);
        let left = place.sandbox.work().join(".git/loopwright/agents");
        assert_eq!(
            fs::read_dir(left).unwrap().count(),
            0,
            "{name}: the agent's git folder goes with the attempt"
        );
    }
}

#[test]
fn work_that_is_rejected_is_not_on_the_branch() {
    let Some(place) = furnished() else { return };
    let (before, tip) = (users(&place), place.sandbox.git("", &["rev-parse", "HEAD"]));
    let script = "echo good > result.txt; git rm -q keep.txt; echo x > keep.txt; git add --all; git commit -q -m 'By the agent'\n\
                  echo 'LOOPWRIGHT_COMPLETE: done'\n";
    let agent = place.agent(script);
    let args = ["run", "--command", &agent, "--mode", "review_each"];
    let output = place.sandbox.run(&mut place.fenced_command(&args));
    assert_eq!(output.code, 5, "{output:?}");
    assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD"]), tip);
    let output = place.run(&["reject", "--reason", "no"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!((users(&place), place.sandbox.git("", &["rev-parse", "HEAD"])), (before, tip));
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
    assert_eq!(place.file("keep.txt").as_deref(), Some("mine\n"));
}

#[test]
fn who_pushes_reaches_nothing_unless_it_is_allowed() {
    let Some(place) = furnished() else { return };
    let remote = place.beside("remote.git");
    place.sandbox.git("", &["init", "--quiet", "--bare", &remote.display().to_string()]);
    place.sandbox.git("", &["remote", "add", "origin", &remote.display().to_string()]);
    let script = "echo good > result.txt; git remote get-url --push origin > ../work/address.txt\n\
                  echo 'LOOPWRIGHT_COMPLETE: done'\n";
    let agent = place.agent(script);
    let output = place.sandbox.run(&mut place.fenced_command(&["run", "--command", &agent]));
    assert_eq!(output.code, 0, "{output:?}");
    assert!(place.file("address.txt").unwrap().contains("agent-push-is-off"));
    assert_eq!(place.run(&["task", "add", "Once more"]).code, 0);
    let args = ["run", "--command", &agent, "-c", "git.agent_push=true"];
    let output = place.sandbox.run(&mut place.fenced_command(&args));
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(place.file("address.txt").unwrap().trim(), remote.display().to_string());
}

/// A loop of one iteration, with a promise at its end.
fn one_loop(place: &ProjectFolder, script: &str, more: &[&str]) -> loopwright_testkit::Output {
    let agent = place.agent(&format!("{script}\necho '<promise>COMPLETE</promise>'\n"));
    let args = [&["loop", "--prompt", "Go.", "--command", &agent, "--max-iterations", "3"], more].concat();
    place.sandbox.run(&mut place.fenced_command(&args))
}

#[test]
fn a_loop_adopts_commits_once_the_verdict_is_good_and_later_iterations_see_earlier_ones() {
    let Some(place) = furnished() else { return };
    let (before, tip) = (users(&place), place.sandbox.git("", &["rev-parse", "HEAD"]));
    let script = "n=$(git rev-list --count HEAD); echo $n >> ../work/seen.txt\n\
                  git stash drop -q || true; git branch -q -D side || true; git tag -d v1 >/dev/null || true\n\
                  if [ ! -e first.txt ]; then echo one > first.txt; git add first.txt; git commit -q -m 'First half'; exit 0; fi\n\
                  echo good > result.txt; git add result.txt; git commit -q -m 'Second half'";
    let output = one_loop(&place, script, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    let subjects = place.sandbox.git("", &["log", "--format=%s"]);
    assert_eq!(subjects, "Second half\nFirst half\nMine\nBegin\n", "{output:?}");
    assert_eq!(place.file("seen.txt").as_deref(), Some("2\n3\n"));
    assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD~2"]), tip);
    assert_eq!(users(&place), before);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "?? seen.txt\n");
    let told = output.stdout + &output.stderr;
    assert!(told.contains("become part of main"), "{told}");
    place.sandbox.git("", &["fsck", "--strict"]);
    assert_eq!(fs::read_dir(place.sandbox.work().join(".git/loopwright/agents")).unwrap().count(), 0);
}

#[test]
fn a_loop_adopts_nothing_while_checks_fail_nor_history_that_does_not_follow() {
    let Some(place) = furnished() else { return };
    let tip = place.sandbox.git("", &["rev-parse", "HEAD"]);
    let output = one_loop(&place, "echo bad > bad.txt; git add bad.txt; git commit -q -m bad || true", &[]);
    assert_ne!(output.code, 0, "{output:?}");
    assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD"]), tip);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "?? bad.txt\n");
    fs::remove_file(place.sandbox.work().join("bad.txt")).unwrap();
    let script = "echo good > result.txt; git add result.txt; git commit -q --amend -m 'Another history'";
    let output = one_loop(&place, script, &["--new"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD"]), tip);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "?? result.txt\n");
    let told = output.stdout + &output.stderr;
    assert!(told.contains("do not follow on main") && told.contains("Another history"), "{told}");
    let kept = place.sandbox.git("", &["for-each-ref", "--format=%(subject)", "refs/loopwright/commits"]);
    assert!(kept.contains("Another history"), "{kept}");
}

#[test]
fn commits_are_folded_into_one_where_hooks_run_or_a_secret_is_in_their_history() {
    let Some(place) = furnished() else { return };
    let hook = place.sandbox.work().join(".git/hooks/pre-commit");
    fs::create_dir_all(hook.parent().unwrap()).unwrap();
    fs::write(&hook, "#!/bin/sh\necho ran >> ../hook-ran\n").unwrap();
    let mut mode = fs::metadata(&hook).unwrap().permissions();
    std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
    fs::set_permissions(&hook, mode).unwrap();
    assert_eq!(place.run(&["trust", "--yes"]).code, 0);
    let script = "echo one > one.txt; git add one.txt; git commit -q -m 'One'\n\
                  echo good > result.txt; git add result.txt; git commit -q -m 'Two'";
    let output = one_loop(&place, script, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(place.sandbox.git("", &["log", "--format=%s"]), "Two (and 1 more)\nMine\nBegin\n");
    assert_eq!(place.told("hook-ran"), "ran\n", "ours ran the hook, the agent's did not");
    fs::remove_file(&hook).unwrap();
    assert_eq!(place.run(&["trust", "--yes"]).code, 0);
    let key = "-----BEGIN RSA PRIVATE KEY-----";
    let script = format!(
        "printf '%s\\nMIIEpAIBAAKCAQEA\\n' '{key}' > key.txt; git add key.txt; git commit -q -m 'Key'\n\
         git rm -q key.txt; echo better >> result.txt; git add result.txt; git commit -q -m 'Clean'"
    );
    let output = one_loop(&place, &script, &[]);
    assert_eq!(output.code, 0, "{output:?}");
    assert_eq!(
        place.sandbox.git("", &["log", "-2", "--format=%s"]),
        "Clean (and 1 more)\nTwo (and 1 more)\n"
    );
    assert_eq!(place.sandbox.git("", &["log", "--format=%h", "HEAD", "--", "key.txt"]), "");
}

/// Attacks after which a shared repository cannot be what it was: a person has to look.
const FOR_A_PERSON: &[&str] = &["a merge that is not finished", "objects"];

#[test]
fn in_a_shared_repository_losses_are_put_back_and_commits_of_a_failed_attempt_taken_off() {
    for (name, attack) in ATTACKS.iter().filter(|(name, _)| !FOR_A_PERSON.contains(name)) {
        let Some(place) = furnished() else { return };
        let before = users(&place);
        let tip = place.sandbox.git("", &["rev-parse", "HEAD"]);
        let script = format!(
            "if [ \"$LOOPWRIGHT_ATTEMPT\" = 1 ]; then\n{attack}\necho tried > tried.txt\nexit 0\nfi\n\
             test \"$(git rev-parse HEAD)\" = {tip} || exit 9\necho good > result.txt\n\
             echo 'LOOPWRIGHT_COMPLETE: done'\n",
            tip = tip.trim()
        );
        let agent = place.agent(&script);
        let output = place.run(&["run", "--command", &agent]);
        assert_eq!(output.code, 0, "{name}: {output:?}");
        assert_eq!(users(&place), before, "{name}: {output:?}");
        assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD~1"]), tip, "{name}: {output:?}");
        assert!(
            place.file("bad.txt").is_none() && place.file("keep.txt").as_deref() == Some("mine\n"),
            "{name}"
        );
        let said = output.stdout + &output.stderr;
        assert!(!said.contains("fsck"), "{name}: {said}");
        let told = said.contains("in your repository") || said.contains("HEAD is where it was");
        assert!(told, "{name}: {said}");
        let pins = place.sandbox.git("", &["for-each-ref", "refs/loopwright/pins"]);
        assert_eq!(pins, "", "{name}: nothing stays pinned");
    }
}

#[test]
fn in_a_shared_repository_commits_on_the_branch_wait_for_a_person() {
    let Some(place) = furnished() else { return };
    let tip = place.sandbox.git("", &["rev-parse", "HEAD"]);
    let script = "echo good > result.txt; git add result.txt; git commit -q -m 'By the agent'\n\
                  echo 'LOOPWRIGHT_COMPLETE: done'\n";
    let agent = place.agent(script);
    let output = place.run(&["run", "--command", &agent]);
    assert_eq!(output.code, 5, "{output:?}");
    let shown = place.run(&["gate", "show"]);
    assert!(shown.stdout.contains("commits on your branch"), "{shown:?}");
    assert_eq!(place.run(&["reject", "--reason", "no"]).code, 0);
    assert_eq!(place.sandbox.git("", &["rev-parse", "HEAD"]), tip);
    assert_eq!(place.sandbox.git("", &["status", "--porcelain"]), "");
    assert!(place.file("result.txt").is_none());
}

#[test]
fn after_a_kill_what_was_lost_is_put_back_and_a_forged_folder_leads_nowhere() {
    let Some(place) = furnished() else { return };
    let before = users(&place);
    let script = "git branch -q -D side; git stash clear; git tag -d v1 >/dev/null\n\
                  mkdir evil; cp -r .git/HEAD .git/refs evil; mkdir evil/objects; echo ../evil > .git/commondir\n\
                  touch ../ready; exec sleep 60";
    let agent = place.agent(script);
    let live = place.launch(&["run", "--command", &agent]);
    live.wait_for("ready");
    live.signal("KILL");
    live.end();
    let status = place.run(&["status", "--json"]);
    assert!(status.stdout.contains("Make the result") || status.code == 0, "{status:?}");
    assert!(!place.beside("work/evil/loopwright").exists(), "no state is made in a forged folder");
    let output = place.run(&["recover"]);
    assert_eq!(output.code, 0, "{output:?}");
    assert!(output.stdout.contains("refs/heads/side was removed, and is there again"), "{output:?}");
    assert!(!output.stdout.contains("Nothing to recover"), "{output:?}");
    assert_eq!(users(&place), before, "{output:?}");
    assert!(!place.sandbox.work().join(".git/commondir").exists());
}

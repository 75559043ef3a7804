//! Secrets that an agent writes: a person sees them before anything is committed.

use crate::scenario::{Scenario, false_done};

pub(super) fn all() -> Vec<Scenario> {
    let mut all = Vec::new();
    for (path, text) in [
        (".env", "A=1"),
        ("deploy/id_rsa", "key"),
        ("key.pem", "key"),
        (".npmrc", "//registry.example.invalid/:_authToken=abc"),
        ("kubeconfig", "apiVersion: v1"),
        ("deploy/prod.kubeconfig", "apiVersion: v1"),
        ("src/a.py", "KEY = \"AKIA2E0A8F3B9C7D1F5G\""),
    ] {
        let made = |name: String| {
            false_done(&name)
                .check("good", "test -s good.txt")
                .agent(format!(
                    "mkdir -p $(dirname {path}); echo '{text}' > {path}; echo good > good.txt; promise"
                ))
                .exits(5)
                .risk("secret")
                .not_in_head(path)
        };
        all.push(made(format!("{path} with a secret waits")));
        all.push(made(format!("{path} with a secret waits in a loop")).looping().args(&["--auto-commit"]));
        all.push(made(format!("{path} with a secret waits in fix")).fixing());
    }
    all.extend(adopted());
    all
}

/// What a loop's agents commit, and take out again before anybody looks.
fn adopted() -> Vec<Scenario> {
    const KEY: &str = "AKIA2E0A8F3B9C7D1F5G";
    let mut all = Vec::new();
    for (name, script) in [
        ("a message", format!("echo good > good.txt; git add -A; commit -m 'key {KEY}'; promise")),
        (
            "the body of a message",
            format!("echo good > good.txt; git add -A; commit -m 'agent: good' -m 'key {KEY}'; promise"),
        ),
        (
            "one commit, not in the files",
            format!(
                "echo good > good.txt; echo '{KEY}' > k.py; git add -A; commit -m 'agent: all'; rm k.py; promise"
            ),
        ),
        (
            "one commit, edited since",
            format!(
                "echo good > good.txt; echo 'K = \"{KEY}\"' > k.py; git add -A; commit -m 'agent: all'; echo 'K = 0' > k.py; promise"
            ),
        ),
        (
            "a commit in the middle",
            format!(
                "echo '{KEY}' > k.py; git add -A; commit -m 'agent: one'; git rm -q k.py; echo good > good.txt; git add -A; commit -m 'agent: two'; promise"
            ),
        ),
    ] {
        for args in [&["-n", "1"][..], &["--auto-commit"][..]] {
            all.push(
                false_done(&format!("a secret in {name} is not adopted, {}", args[0]))
                    .looping()
                    .check("good", "test -s good.txt")
                    .args(args)
                    .agent(script.clone())
                    .exits_with(&[0, 5])
                    .never_says(KEY)
                    .holds(format!("! git log -p HEAD | grep -q {KEY}"))
                    .sandboxed(),
            );
        }
    }
    all
}

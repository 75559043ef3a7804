//! Files that git ignores: the user's stay the user's.

use crate::scenario::{Expect, Scenario, false_done, lost_work};

fn local(name: &str) -> Scenario {
    lost_work(name)
        .file(".gitignore", "*.local\nout/\n")
        .file("a.txt", "a\n")
        .before("echo mine > my.local")
        .check("good", "test -s good.txt")
}

pub(super) fn all() -> Vec<Scenario> {
    let mut all = folders();
    let emptied = local("an emptied .gitignore does not get the user's ignored file committed")
        .agent(": > .gitignore; echo good > good.txt; promise")
        .exits_with(&[0, 5])
        .not_in_head("my.local")
        .has("my.local", "mine\n");
    all.extend(emptied.both());
    for (name, script) in [
        ("deleted", "git rm -q --cached .gitignore; rm .gitignore"),
        ("turned round", "echo '!*.local' >> .gitignore"),
        ("overruled in a folder", "printf '!my.local\\n' > .git/info/exclude; : > .gitignore"),
        ("forced", "git add -f my.local; commit -m 'agent: all'"),
    ] {
        all.push(
            local(&format!("a {name} .gitignore does not get the user's ignored file committed"))
                .agent(format!("{script}; echo good > good.txt; promise"))
                .exits_with(&[0, 5])
                .not_in_head("my.local")
                .sandboxed(),
        );
    }
    for (name, args) in [("", &["-n", "1"][..]), (" with commits", &["--auto-commit"][..])] {
        let adopted = |what: &str| local(&format!("{what} is not adopted by a loop{name}"));
        all.push(
            adopted("a commit with the user's ignored file")
                .looping()
                .args(args)
                .agent("git add -f my.local; commit -m 'agent: mine'; echo good > good.txt; git add good.txt; commit -m 'agent: good'; promise")
                .exits_with(&[0, 5])
                .head("good.txt", "good\n")
                .holds("test -z \"$(git log --oneline HEAD -- my.local)\"")
                .sandboxed(),
        );
        all.push(
            adopted("one commit with the user's ignored file")
                .looping()
                .args(args)
                .agent("echo good > good.txt; git add -f my.local good.txt; commit -m 'agent: all'; promise")
                .exits_with(&[0, 5])
                .head("good.txt", "good\n")
                .not_in_head("my.local")
                .sandboxed(),
        );
        all.push(
            adopted("a commit with an ignored file that it took out again")
                .looping()
                .args(args)
                .agent("echo good > good.txt; git add -f my.local good.txt; commit -m 'agent: all'; git rm -q --cached my.local; commit -m 'agent: tidy'; promise")
                .exits_with(&[0, 5])
                .holds("test -z \"$(git log --oneline HEAD -- my.local)\"")
                .sandboxed(),
        );
    }
    let looped = local("an emptied .gitignore in a loop with commits")
        .looping()
        .args(&["--auto-commit"])
        .agent(": > .gitignore; echo good > good.txt; promise")
        .exits_with(&[0, 5])
        .not_in_head("my.local");
    all.push(looped);
    let overwritten = local("an ignored file that a failed attempt overwrote is put back or told")
        .agent("echo agent > my.local; exit 1")
        .args(&["--max-attempts", "1"])
        .exits_with(&[4, 5])
        .touches("my.local")
        .expect(Expect::PutBackOrNamed("my.local".into(), "mine\n".into()));
    all.extend(overwritten.clone().both());
    all.push(
        local("an ignored file that a failed attempt deleted is put back or told")
            .agent("rm my.local; exit 1")
            .args(&["--max-attempts", "1"])
            .exits_with(&[4, 5])
            .touches("my.local")
            .expect(Expect::PutBackOrNamed("my.local".into(), "mine\n".into())),
    );
    all.push(
        local("an ignored file that a good attempt overwrote is told")
            .agent("echo agent > my.local; echo good > good.txt; promise")
            .exits_with(&[0, 5])
            .touches("my.local")
            .touches("good.txt")
            .expect(Expect::PutBackOrNamed("my.local".into(), "mine\n".into())),
    );
    all.push(
        local("an ignored file that a rejected attempt overwrote is put back or told")
            .args(&["--mode", "review_each"])
            .agent("echo agent > my.local; echo good > good.txt; promise")
            .exits(5)
            .reject()
            .touches("my.local")
            .lacks("good.txt")
            .expect(Expect::PutBackOrNamed("my.local".into(), "mine\n".into())),
    );
    all.push(
        local("an ignored file that a rejected attempt made is named")
            .args(&["--mode", "review_each"])
            .agent("echo agent > new.local; echo good > good.txt; promise")
            .exits(5)
            .reject()
            .touches("new.local")
            .lacks("good.txt")
            .expect(Expect::NamedIfThere("new.local".into())),
    );
    all.push(
        local("an attempt that unignores and fails leaves .gitignore as it was")
            .agent(": > .gitignore; echo bad > bad.txt; exit 1")
            .args(&["--max-attempts", "2"])
            .exits_with(&[4, 5])
            .has(".gitignore", "*.local\nout/\n")
            .has("my.local", "mine\n")
            .lacks("bad.txt"),
    );
    all.push(
        false_done("build output that git ignores is no work")
            .file(".gitignore", "out/\n")
            .check("good", "true")
            .agent("mkdir -p out; echo x > out/made; promise")
            .args(&["--max-attempts", "1"])
            .touches("out/")
            .exits_with(&[4, 5]),
    );
    all.push(
        false_done("build output beside good work is left alone")
            .file(".gitignore", "out/\n")
            .check("good", "test -s good.txt")
            .agent("mkdir -p out; echo x > out/made; echo good > good.txt; promise")
            .touches("out/")
            .exits_with(&[0, 5])
            .not_in_head("out/made"),
    );
    all
}

/// An ignored folder, with a link in it, of which a failed attempt leaves nothing.
fn folders() -> Vec<Scenario> {
    let mut all = Vec::new();
    for (name, script) in [
        ("deleted", "rm -rf private"),
        ("cleaned away", "git clean -fdxq"),
        ("deleted with everything else", "rm -rf ./*"),
        ("replaced by a file", "rm -rf private; echo bad > private"),
        ("replaced by a link to a place outside", "rm -rf private; ln -s @ROOT@/outside private"),
        ("replaced by a link to a folder of the agent's", "mkdir bad; rm -rf private; ln -s bad private"),
    ] {
        let failed = lost_work(&format!("an ignored folder that a failed attempt {name} is put back"))
            .file(".gitignore", "*.local\nprivate/\n")
            .file("a.txt", "a\n")
            .before("mkdir @ROOT@/outside private private/deep; echo p > private/p.txt; echo d > private/deep/d.txt; ln -s p.txt private/link")
            .agent(format!("{script}; exit 1"))
            .args(&["--max-attempts", "1"])
            .exits(4)
            .has("a.txt", "a\n")
            .has("private/p.txt", "p\n")
            .has("private/deep/d.txt", "d\n")
            .holds("test \"$(readlink private/link)\" = p.txt; test -z \"$(ls @ROOT@/outside)\"");
        all.extend(failed.both());
    }
    all.push(
        lost_work("nothing is written through a link that stands where an ignored folder stood")
            .file(".gitignore", "private/\n")
            .task(&["First"])
            .task(&["Second"])
            .before("mkdir -p @ROOT@/home/.ssh")
            .agent("if [ $task = 1 ]; then mkdir -p private; echo evil > private/authorized_keys; echo x > x.txt; promise; exit; fi; rm -rf private; ln -s @ROOT@/home/.ssh private; exit 1")
            .args(&["--max-attempts", "1"])
            .exits(4)
            .touches("private/authorized_keys")
            .holds("test -z \"$(ls @ROOT@/home/.ssh)\"")
            .sandboxed(),
    );
    all
}

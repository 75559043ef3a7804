//! What a scenario asks for at its end.

use crate::machine::Machine;
use crate::scenario::{Expect, Scenario};
use crate::world::{World, run as git};

/// What does not hold.
pub(crate) fn unmet(machine: &Machine, scenario: &Scenario, begin: &World, said: &str) -> Vec<String> {
    let held = scenario.expects.iter().map(|expect| check(machine, begin, said, expect));
    held.filter_map(Result::err).collect()
}

fn check(machine: &Machine, begin: &World, said: &str, expect: &Expect) -> Result<(), String> {
    match expect {
        Expect::Task(id, wanted) => {
            let shown = machine.ask(&["task", "show", &id.to_string(), "--json"])?;
            same("its status", shown["task"]["status"].as_str().unwrap_or("none"), wanted)
        }
        Expect::Head(path, wanted) => {
            let text = in_head(machine, path).ok_or_else(|| format!("{path} is not in HEAD"))?;
            same(&format!("{path} in HEAD"), &text, wanted)
        }
        Expect::NotInHead(path) => yes(in_head(machine, path).is_none(), || format!("{path} is in HEAD")),
        Expect::File(path, wanted) => {
            let bytes =
                std::fs::read(machine.project.join(&**path)).map_err(|_| format!("{path} is not there"))?;
            same(path, &String::from_utf8_lossy(&bytes), wanted)
        }
        Expect::NoFile(path) => {
            yes(machine.project.join(&**path).symlink_metadata().is_err(), || format!("{path} is there"))
        }
        Expect::Gates(wanted) => {
            let open = open_gates(machine)?;
            yes(open.len() == *wanted, || format!("{} gates are open, not {wanted}", open.len()))
        }
        Expect::Risk(kind) => {
            let mut flags = Vec::new();
            for gate in open_gates(machine)? {
                let id = gate["id"].to_string();
                let shown = machine.ask(&["gate", "show", id.trim_matches('"'), "--json"])?;
                flags.extend(shown["gate"]["flags"].as_array().cloned().unwrap_or_default());
            }
            yes(flags.iter().any(|flag| flag["kind"] == *kind), || {
                format!("no open gate tells of {kind}: {flags:?}")
            })
        }
        Expect::Says(words) => yes(said.contains(&**words), || format!("nobody said {words:?}")),
        Expect::SaysOne(words) => {
            yes(words.iter().any(|words| said.contains(words)), || format!("nobody said any of {words:?}"))
        }
        Expect::NeverSays(words) => yes(!said.contains(&**words), || format!("it said {words:?}")),
        Expect::Agents(wanted) => {
            let times = machine.agents();
            yes(times == *wanted, || format!("{times} agents were started, not {wanted}"))
        }
        Expect::Kept(path) => kept(machine, path),
        Expect::Prompt(iteration, words) => {
            let prompt = machine.run(&["log", &iteration.to_string(), "--part", "prompt"]).stdout;
            yes(prompt.contains(&**words), || format!("prompt {iteration} does not hold {words:?}"))
        }
        Expect::Commits(wanted) => {
            let since = format!("{}..HEAD", begin.head.as_deref().unwrap_or_default());
            let count = git(&machine.sandbox, &machine.project, &["rev-list", "--count", &since]);
            same("the number of commits", count.unwrap_or_default().trim(), &wanted.to_string())
        }
        Expect::Holds(script) => {
            let output = machine.shell(script, &machine.project);
            yes(output.code == 0, || format!("{script:?} does not hold: {output:?}"))
        }
        Expect::NamedIfInHead(path) => {
            let since = format!("{}..HEAD", begin.head.as_deref().unwrap_or_default());
            let changed = git(
                &machine.sandbox,
                &machine.project,
                &["log", "--format=", "--name-only", "--relative", &since, "--"],
            );
            let committed = changed.unwrap_or_default().lines().any(|line| line == path);
            yes(!committed || said.contains(&**path), || {
                format!("{path} is in a commit, and nobody named it")
            })
        }
        Expect::PutBackOrNamed(path, text) => {
            let there = std::fs::read_to_string(machine.project.join(&**path)).is_ok_and(|is| is == *text);
            yes(there || said.contains(&**path), || format!("{path} is not as it was, and nobody named it"))
        }
        Expect::NamedIfThere(path) => {
            let there = machine.project.join(&**path).symlink_metadata().is_ok();
            yes(!there || said.contains(&**path), || format!("{path} is left, and nobody named it"))
        }
        Expect::RunStatus(wanted) => {
            let status = machine.ask(&["status", "--json"])?["run"]["status"].clone();
            let status = status.as_str().unwrap_or("none");
            yes(wanted.contains(&status), || format!("the run is {status}, and not one of {wanted:?}"))
        }
    }
}

fn yes(holds: bool, why: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(why()) }
}

fn same(what: &str, is: &str, wanted: &str) -> Result<(), String> {
    yes(is == wanted, || format!("{what} is {is:?}, not {wanted:?}"))
}

fn in_head(machine: &Machine, path: &str) -> Option<String> {
    git(&machine.sandbox, &machine.project, &["cat-file", "blob", &format!("HEAD:./{path}")])
}

fn open_gates(machine: &Machine) -> Result<Vec<serde_json::Value>, String> {
    Ok(machine.ask(&["gate", "list", "--json"])?["open"].as_array().cloned().unwrap_or_default())
}

/// Some failed attempt that is kept has this path.
fn kept(machine: &Machine, path: &str) -> Result<(), String> {
    let names = git(
        &machine.sandbox,
        &machine.project,
        &["for-each-ref", "--format=%(refname)", "refs/loopwright/attempts"],
    );
    let names = names.unwrap_or_default();
    let holds = |name: &str| {
        git(&machine.sandbox, &machine.project, &["cat-file", "-e", &format!("{name}:./{path}")]).is_some()
    };
    yes(names.lines().any(holds), || format!("no kept attempt holds {path}"))
}

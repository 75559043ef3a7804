//! Playing a scenario: its steps in their order, and after each what has to hold.

use loopwright_testkit::Output;
use loopwright_testkit::processes::survivors;

use crate::expect;
use crate::judge::{self, Kind, Played};
use crate::machine::Machine;
use crate::scenario::{Scenario, Step};
use crate::world::{World, run as git};

/// What is wrong about a scenario; nothing when all of it is right.
pub(crate) fn run_scenario(scenario: &Scenario) -> Vec<String> {
    let machine = Machine::prepare(scenario);
    let mut wrong = Vec::new();
    let mut said = String::new();
    let mut before = World::of(&machine.sandbox, &machine.project);
    let begin = before.clone();
    for step in &scenario.steps {
        let shown = shown_gate(&machine, step);
        let (kind, codes, output) = match step {
            Step::User(script) => {
                let unedited = World::of(&machine.sandbox, &machine.project);
                machine.user(script);
                before = before.edited(&unedited, &World::of(&machine.sandbox, &machine.project));
                continue;
            }
            Step::Agent(script) => {
                machine.agent(script);
                continue;
            }
            Step::Start { codes } => {
                let mut command = machine.start(scenario);
                if let Some(point) = scenario.crash {
                    command.env("LOOPWRIGHT_CRASH_AT", point);
                }
                let output = machine.run_while(&mut command, scenario.meanwhile.as_deref());
                (Kind::Run, codes, output)
            }
            Step::Command { args, codes } => {
                let output = machine.run_while(&mut machine.command(args), scenario.meanwhile.as_deref());
                (Kind::of(args), codes, output)
            }
        };
        said.push_str(&words(&output));
        if !codes.contains(&output.code) {
            wrong.push(format!("{} ended with {} instead of {codes:?}", name(step), output.code));
        }
        let after = World::of(&machine.sandbox, &machine.project);
        let played = Played {
            machine: &machine,
            scenario,
            kind,
            output: &output,
            begin: &begin,
            before: &before,
            after: &after,
        };
        wrong.extend(judge::judge(&played));
        if let Some(shown) = shown.filter(|_| output.stdout.contains("Approved and committed")) {
            wrong.extend(shown.differs(&machine));
        }
        // What a gate shows is to be compared with what was there before the work.
        if !played.waits() && !played.vanished() {
            before = after;
        }
    }
    let home = format!("HOME={}", machine.sandbox.root().join("home").display());
    wrong.extend(
        survivors(&home).into_iter().map(|one| format!("still running: {} {}", one.pid, one.command)),
    );
    wrong.extend(expect::unmet(&machine, scenario, &begin, &said));
    if !wrong.is_empty() {
        wrong.push(format!("said:\n{said}"));
    }
    wrong
}

/// What the only open gate shows.
struct ShownGate {
    tree: String,
    /// The lines that it says are added and removed.
    lines: (u64, u64),
}

impl ShownGate {
    /// Why the commit that was made of it is another.
    fn differs(&self, machine: &Machine) -> Vec<String> {
        let ask = |args: &[&str]| git(&machine.sandbox, &machine.project, args).unwrap_or_default();
        let mut wrong = Vec::new();
        let head = ask(&["rev-parse", "HEAD^{tree}"]);
        if head.trim() != self.tree {
            wrong.push(format!("the gate showed {}, and {} was committed", self.tree, head.trim()));
        }
        let count = |text: Option<&str>| text.and_then(|text| text.parse::<u64>().ok()).unwrap_or(0);
        let counted = ask(&["show", "--numstat", "--format=", "HEAD"]);
        let lines = counted
            .lines()
            .map(|line| line.split('\t'))
            .fold((0, 0), |sum, mut words| (sum.0 + count(words.next()), sum.1 + count(words.next())));
        if lines != self.lines {
            wrong.push(format!("the gate showed lines {:?}, and {lines:?} were committed", self.lines));
        }
        wrong
    }
}

/// What the only open gate shows, before it is approved as it is.
fn shown_gate(machine: &Machine, step: &Step) -> Option<ShownGate> {
    let Step::Command { args, .. } = step else { return None };
    let adds = |word: &String| ["--with-edits", "--include", "--include-all"].contains(&word.as_str());
    if args.first().is_none_or(|word| word != "approve") || args.iter().any(adds) {
        return None;
    }
    let shown = machine.ask(&["gate", "show", "--json"]).ok()?;
    let listed = machine.ask(&["gate", "list", "--json"]).ok()?;
    let lines = (listed["open"][0]["added"].as_u64()?, listed["open"][0]["removed"].as_u64()?);
    Some(ShownGate { tree: shown["gate"]["tree"].as_str()?.to_owned(), lines })
}

fn name(step: &Step) -> String {
    match step {
        Step::Command { args, .. } => args.join(" "),
        _ => "the start".to_owned(),
    }
}

fn words(output: &Output) -> String {
    format!("[{}] {}{}\n", output.code, output.stdout, output.stderr)
}

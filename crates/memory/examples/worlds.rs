//! Measures whether memory helps, for `cargo xtask bench memory`: prints one line of JSON.
//!
//! A simulated project of 300 tasks. Its agent makes one of twelve recurring mistakes at each task unless the prompt
//! carries the right hint; after a failure it finds the fix by itself every other time. A hint that is wrong makes it fail.
//! Prompts are assembled, solutions made, credited and debited by the rules that real runs go by; there is no git, no
//! database and no process. Three worlds: without memory, with memory, and with an agent that always tells the wrong fix.

use std::collections::BTreeMap;

use loopwright_domain::memory::assembly::{Candidate, DEFAULT_BUDGET, Relevance, assemble, rank};
use loopwright_domain::memory::solution_trust::{AttemptVerdict, judge_solution, may_try};
use loopwright_domain::{ItemState, PromptItemKind, SolutionState, SolutionTrust, TrustReason};

const TASKS: u32 = 300;
const MISTAKES: u32 = 12;
const MOST_ATTEMPTS: u32 = 10;

#[derive(Clone, Copy, PartialEq, Eq)]
enum World {
    None,
    Helpful,
    Misleading,
}

/// A solution of the simulated project.
struct Fix {
    pattern: String,
    /// Whether it names the right fix.
    right: bool,
    trust: SolutionTrust,
    helped: u32,
    failed: u32,
}

#[derive(Default)]
struct Outcome {
    attempts: u32,
    repeated: u32,
    tokens: u64,
}

fn main() {
    let mut figures = Vec::new();
    for (name, world) in
        [("none", World::None), ("helpful", World::Helpful), ("misleading", World::Misleading)]
    {
        let Outcome { attempts, repeated, tokens } = simulate(world);
        figures.push(format!(
            "\"{name}_attempts\":{attempts},\"{name}_repeated\":{repeated},\"{name}_tokens\":{tokens}"
        ));
    }
    println!("{{{}}}", figures.join(","));
}

/// A number that looks like chance and is the same each time.
fn chance(seed: u32) -> u32 {
    let mut value = seed.wrapping_mul(0x9e37_79b9) ^ 0x85eb_ca6b;
    value ^= value >> 16;
    value = value.wrapping_mul(0x7feb_352d);
    value ^ (value >> 15)
}

fn simulate(world: World) -> Outcome {
    let mut fixes: Vec<Fix> = Vec::new();
    let mut met: BTreeMap<String, u32> = BTreeMap::new();
    let mut outcome = Outcome::default();
    for task in 0..TASKS {
        let pattern = format!("mistake_{}", chance(task) % MISTAKES);
        let mut last: Option<&str> = None;
        for attempt in 1..=MOST_ATTEMPTS {
            outcome.attempts += 1;
            let included = prompt(world, &fixes, &met, last, &mut outcome.tokens);
            let hint =
                included.iter().filter_map(|place| fixes.get(*place)).filter(|fix| fix.pattern == pattern);
            let (mut right, mut wrong) = (false, false);
            for fix in hint {
                right |= fix.right;
                wrong |= !fix.right;
            }
            let by_itself = attempt > 1 && chance(task * 31 + attempt).is_multiple_of(2);
            let passed = !wrong && (right || by_itself);
            let verdict = AttemptVerdict {
                last_pattern: last,
                passed,
                failed_by: (!passed).then_some(pattern.as_str()),
                by_hand: false,
            };
            let mut judged = false;
            for place in &included {
                if let Some(fix) = fixes.get_mut(*place)
                    && let Some(reason) = judge_solution(&fix.pattern, &verdict)
                {
                    fix.trust = reason.apply(fix.trust);
                    fix.helped += u32::from(reason == TrustReason::Helped);
                    fix.failed += u32::from(reason == TrustReason::FailedAgain);
                    judged = true;
                }
            }
            if passed {
                if last.is_some() && !judged && world != World::None {
                    let right = world == World::Helpful;
                    fixes.push(Fix {
                        pattern: pattern.clone(),
                        right,
                        trust: SolutionTrust::START,
                        helped: 0,
                        failed: 0,
                    });
                }
                break;
            }
            let times = met.entry(pattern.clone()).or_default();
            outcome.repeated += u32::from(*times > 0);
            *times += 1;
            last = Some(&pattern);
        }
    }
    outcome
}

/// Which solutions are in a prompt, by place.
fn prompt(
    world: World,
    fixes: &[Fix],
    met: &BTreeMap<String, u32>,
    last: Option<&str>,
    tokens: &mut u64,
) -> Vec<usize> {
    if world == World::None {
        return Vec::new();
    }
    let mut ranked: Vec<(Relevance, usize)> = Vec::new();
    for (place, fix) in fixes.iter().enumerate() {
        let newer = u32::try_from(fixes.len() - place).unwrap_or(u32::MAX);
        let same_pattern = Some(fix.pattern.as_str()) == last;
        let often = f64::from(met.get(&fix.pattern).copied().unwrap_or(0).min(100)) / 100.0;
        let relevance =
            Relevance { same_pattern, words: often, newer, trust: fix.trust.value(), shared_files: 0 };
        ranked.push((relevance, place));
    }
    rank(&mut ranked);
    let own = || fixes.iter().filter(|fix| Some(fix.pattern.as_str()) == last);
    let tries = may_try(own().map(|fix| fix.helped).sum(), own().map(|fix| fix.failed).sum());
    let candidate = |(relevance, place): &(Relevance, usize)| {
        let fix = fixes.get(*place)?;
        let state = SolutionState::of(fix.trust, false);
        let kind = match (state, relevance.same_pattern) {
            (SolutionState::Trusted, true) => PromptItemKind::KnownFix,
            (SolutionState::Trusted, false) => PromptItemKind::Learning,
            (SolutionState::Trial, true) if tries => PromptItemKind::TrialSolution,
            _ => return None,
        };
        Some(Candidate {
            key: place.to_string(),
            kind,
            title: fix.pattern.clone(),
            why: String::new(),
            text: format!(
                "- Fix {place} for {}:\n> what to do about it, in a sentence or two of twenty words",
                fix.pattern
            ),
            trust: Some(fix.trust),
            held_back: None,
        })
    };
    let items = assemble(ranked.iter().filter_map(candidate).collect(), DEFAULT_BUDGET, &[]);
    let there = items.iter().filter(|item| item.state != ItemState::Out);
    there
        .filter_map(|item| {
            *tokens += u64::from(item.tokens);
            item.key.parse().ok()
        })
        .collect()
}

//! Whether an assertion that was edited asks for less than before.

use super::assertion::{Assertion, Strength};
use super::tokens::{numbers, without_literals, without_quoted};

/// What about an edited assertion is looser, in words. `code_changed` says whether anything but tests changed: if not,
/// another expected value only makes the test agree with what the code does anyway.
pub(crate) fn loosened(before: &Assertion, after: &Assertion, code_changed: bool) -> Option<&'static str> {
    if let (Some(was), Some(is)) = (before.strength, after.strength)
        && is < was
    {
        return Some(match is {
            Strength::Nothing => "an assertion became one that always holds",
            Strength::Weak => "an assertion asks for hardly anything any more",
            _ => "an exact expectation became a looser one",
        });
    }
    if alternatives(&after.code) > alternatives(&before.code) {
        return Some("an expectation allows more than before");
    }
    if is_awaited(&before.code) && !is_awaited(&after.code) && is_later(&after.code) {
        return Some("nothing waits for an expectation any more");
    }
    if without_literals(&before.code) != without_literals(&after.code) {
        return None;
    }
    if is_further_off(&before.code, &after.code) {
        return Some("an expectation allows more than before");
    }
    let same_values = before.shape == after.shape;
    (!code_changed && !same_values).then_some("an expected value was changed, and no code was")
}

/// How many conditions would do. A Go condition says when the test fails.
fn alternatives(code: &str) -> usize {
    let code = without_quoted(code);
    match code.starts_with("if ") {
        true => code.matches("&&").count(),
        false => code.matches("||").count() + code.matches(" or ").count(),
    }
}

fn is_awaited(code: &str) -> bool {
    ["await ", "return "].iter().any(|word| code.starts_with(word))
}

fn is_later(code: &str) -> bool {
    code.contains(".resolves") || code.contains(".rejects")
}

/// Whether a number became one that lets more through.
fn is_further_off(before: &str, after: &str) -> bool {
    let (was, is) = (numbers(before), numbers(after));
    if was.len() != is.len() {
        return false;
    }
    let mut changed = was.iter().zip(&is).filter(|(was, is)| was != is);
    let (Some((was, is)), None) = (changed.next(), changed.next()) else { return false };
    let has = |marks: &[&str]| marks.iter().any(|mark| before.contains(mark));
    if has(&["toBeCloseTo", "places", "assertAlmostEqual"]) && !has(&["delta"]) {
        return is < was;
    }
    if has(&[
        "approx",
        "InDelta",
        "InEpsilon",
        "within(",
        "isCloseTo",
        "delta",
        "toler",
        "EPS",
        "eps",
        "offset(",
    ]) {
        return is > was;
    }
    // A Go condition says when the test fails.
    let fails = before.starts_with("if ");
    if has(&["toBeLess", "assertLess", "isLessThan"]) || before.contains(if fails { '>' } else { '<' }) {
        return is > was;
    }
    let arrows = before.replace("=>", "").replace("->", "");
    if has(&["toBeGreater", "assertGreater", "isGreaterThan"])
        || arrows.contains(if fails { '<' } else { '>' })
    {
        return is < was;
    }
    // `assertEquals(expected, actual, 0.01)`
    before.matches(',').count() >= 2 && is > was && is.fract() != 0.0
}

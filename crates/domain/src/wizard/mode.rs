//! How a run should work: a recommendation by rules, each with its reason.

use serde::{Deserialize, Serialize};

use super::edit::ItemIds;
use super::form::{Field, FieldOrigin, FieldValue, Form, Item};
use crate::run::ReviewMode;

/// What a recommendation is made from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlanFacts {
    /// How many tasks.
    pub tasks: usize,
    /// How many of them are large or larger.
    pub large_tasks: usize,
    /// How many features.
    pub features: usize,
    /// How many other systems.
    pub integrations: usize,
    /// How many findings of the gap analysis nobody has decided about.
    pub open_findings: usize,
    /// How many checks decide whether a task is done.
    pub required_checks: usize,
}

/// How a run works, as decided.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ModeChoice {
    /// `autonomous`, `review_every:N` or `review_each`.
    pub review: String,
    /// How much the agent may do.
    pub automation: String,
    /// The agent that builds; none for the usual one.
    pub agent: Option<String>,
    /// Its model.
    pub model: Option<String>,
    /// The agent of later plans, as `agent` or `agent/model`; none for the one that builds.
    pub planner: Option<String>,
    /// Who takes over at a limit, in this order, each as `agent` or `agent/model`; none waits for the reset.
    pub fallback: Vec<String>,
    /// US dollars; none is without a limit.
    pub max_cost: Option<u32>,
    /// Hours; none is without a limit.
    pub max_hours: Option<u32>,
    /// Millions of tokens; none is without a limit.
    pub max_tokens: Option<u32>,
    /// Iterations in all.
    pub max_iterations: u32,
    /// Failed attempts of one task before it is blocked.
    pub max_attempts: u32,
}

/// The usual number of finished tasks after which a person looks.
pub const USUAL_INTERVAL: u32 = 5;

/// The mode that fits a plan, and why.
#[must_use]
pub fn recommend(facts: &PlanFacts) -> (ReviewMode, Vec<String>) {
    let mut reasons = Vec::new();
    if facts.required_checks == 0 {
        reasons.push("No check decides whether a task is done, so a person has to look at each.".to_owned());
        return (ReviewMode::Each, reasons);
    }
    let small =
        facts.tasks <= 5 && facts.integrations == 0 && facts.features <= 5 && facts.open_findings <= 8;
    if small {
        reasons.push(format!("A small plan of {} without other systems.", count(facts.tasks, "task")));
        reasons.push("Risky changes wait for you in every mode.".to_owned());
        return (ReviewMode::Autonomous, reasons);
    }
    if facts.integrations > 0 {
        reasons.push(format!("It works with {}.", count(facts.integrations, "other system")));
    }
    if facts.open_findings > 0 {
        reasons.push(format!("{} of the gap analysis are undecided.", count(facts.open_findings, "finding")));
    }
    if facts.large_tasks > 0 {
        reasons.push(format!("{} of {} are large.", facts.large_tasks, count(facts.tasks, "task")));
    }
    reasons.push(format!("{} are too many to find out at the end.", count(facts.tasks, "task")));
    (ReviewMode::Every(USUAL_INTERVAL), reasons)
}

fn count(number: usize, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// The form of phase 8 as the rules recommend it. Nobody said so: all of it is assumed.
#[must_use]
pub fn recommended_form(facts: &PlanFacts, ids: &mut ItemIds<'_>) -> Form {
    let (mode, reasons) = recommend(facts);
    let (word, interval) = match mode {
        ReviewMode::Autonomous => ("autonomous", USUAL_INTERVAL),
        ReviewMode::Each => ("review_each", USUAL_INTERVAL),
        ReviewMode::Every(interval) => ("review_every", interval),
    };
    let iterations = u32::try_from(facts.tasks.saturating_mul(3).max(20)).unwrap_or(u32::MAX).min(1_000);
    let text = |text: &str| FieldValue::Text(text.to_owned());
    let values = [
        ("mode", text(word)),
        ("review_every", FieldValue::Number(interval)),
        ("automation", text("auto")),
        ("agent", text("")),
        ("model", text("")),
        ("planner", text("")),
        ("fallback", FieldValue::Texts(Vec::new())),
        ("max_cost", FieldValue::Number(25)),
        ("max_hours", FieldValue::Number(8)),
        ("max_tokens", FieldValue::Number(20)),
        ("max_iterations", FieldValue::Number(iterations)),
        ("max_attempts", FieldValue::Number(3)),
    ];
    let mut form = Form::default();
    for (name, value) in values {
        form.fields.insert(name.to_owned(), Field::of(value, FieldOrigin::Assumed));
    }
    let reason = |reason: String| {
        let mut item = Item { id: ids.fresh(), fields: std::collections::BTreeMap::new() };
        item.put("text", FieldValue::Text(reason), FieldOrigin::Assumed);
        item
    };
    form.lists.insert("reasons".to_owned(), reasons.into_iter().map(reason).collect());
    form
}

/// What a form of phase 8 decides. What is missing is as usual.
#[must_use]
pub fn choice(form: &Form) -> ModeChoice {
    let some = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let limit = |name: &str, usual: u32| match form.number(name) {
        Some(0) => None,
        Some(number) => Some(number),
        None => Some(usual),
    };
    let review = match form.text("mode") {
        "review_each" => "review_each".to_owned(),
        "review_every" => {
            format!("review_every:{}", form.number("review_every").unwrap_or(USUAL_INTERVAL).max(1))
        }
        _ => "autonomous".to_owned(),
    };
    ModeChoice {
        review,
        automation: some(form.text("automation")).unwrap_or_else(|| "auto".to_owned()),
        agent: some(form.text("agent")),
        model: some(form.text("model")),
        planner: some(form.text("planner")),
        fallback: form.texts("fallback").to_vec(),
        max_cost: limit("max_cost", 25),
        max_hours: limit("max_hours", 8),
        max_tokens: limit("max_tokens", 20),
        max_iterations: form.number("max_iterations").unwrap_or(100),
        max_attempts: form.number("max_attempts").unwrap_or(3),
    }
}

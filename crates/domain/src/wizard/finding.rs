//! Findings of the gap analysis: merged into the plan, or dismissed with a reason. Nothing is merged unasked.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::edit::ItemIds;
use super::form::{Field, FieldOrigin, FieldValue, Form, Item};
use super::phase::WizardPhase;
use super::shape::{FieldKind, FormShape};
use crate::fault::{ErrorCode, Fault};
use crate::word::words;

/// Where the resolution of a finding can go, as `phase.name`; the first is the usual one.
pub const TARGETS: &[&str] = &[
    "technical.constraints",
    "vision.elevator_pitch",
    "vision.problem_statement",
    "vision.target_users",
    "vision.success_criteria",
    "vision.scope_exclusions",
    "functionality.features",
    "functionality.later",
    "functionality.workflows",
    "technical.data_model",
    "technical.integrations",
    "technical.performance",
    "technical.database",
    "technical.hosting",
];

words! {
    /// What was decided about a finding.
    FindingStatus {
        /// Nothing yet.
        Open = "open",
        /// Its resolution is in the plan.
        Merged = "merged",
        /// It is left, for a reason.
        Dismissed = "dismissed",
    }
}

/// A finding as the form says.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Finding {
    /// The item of the form.
    pub item: String,
    /// What is wrong, in one line.
    pub title: String,
    /// `high`, `medium` or `low`.
    pub severity: String,
    /// `gap`, `contradiction` or `vague`.
    pub kind: String,
    /// The fields and lists it is about.
    pub concerns: Vec<String>,
    /// Why it matters.
    pub detail: String,
    /// The text that would settle it.
    pub resolution: String,
    /// Where that belongs.
    pub target: String,
    /// What was decided.
    pub status: FindingStatus,
    /// Why it was dismissed.
    pub reason: String,
}

/// The findings of a form, the gravest first.
#[must_use]
pub fn findings(form: &Form) -> Vec<Finding> {
    let read = |item: &Item| Finding {
        item: item.id.clone(),
        title: item.text("title").to_owned(),
        severity: item.text("severity").to_owned(),
        kind: item.text("kind").to_owned(),
        concerns: item.texts("concerns").to_vec(),
        detail: item.text("detail").to_owned(),
        resolution: item.text("resolution").to_owned(),
        target: item.text("target").to_owned(),
        status: FindingStatus::parse(item.text("status")).unwrap_or(FindingStatus::Open),
        reason: item.text("reason").to_owned(),
    };
    let mut found: Vec<Finding> = form.items("findings").iter().map(read).collect();
    let rank = |severity: &str| match severity {
        "high" => 0,
        "low" => 2,
        _ => 1,
    };
    found.sort_by_key(|finding| rank(&finding.severity));
    found
}

/// The phase and the field or list that a target names.
///
/// # Errors
/// It names none.
pub fn target(text: &str) -> Result<(WizardPhase, &'static str), Fault> {
    let text = if text.is_empty() { "technical.constraints" } else { text };
    let unknown = || {
        Fault::new(ErrorCode::UsageInvalid, format!("\"{text}\" is no place for a resolution"))
            .hint(format!("Say one of {}.", TARGETS.join(", ")))
    };
    let found = TARGETS.iter().find(|target| **target == text).and_then(|target| target.split_once('.'));
    let (phase, name) = found.ok_or_else(unknown)?;
    Ok((WizardPhase::parse(phase).ok_or_else(unknown)?, name))
}

/// Puts a resolution into the form of the phase that its target names: as a new item, or behind the text that is there.
/// It counts as the person's own words, because the person decided so.
///
/// # Errors
/// The finding has no resolution, or its field is locked.
pub fn merge(
    finding: &Finding,
    name: &str,
    phase: WizardPhase,
    form: &mut Form,
    ids: &mut ItemIds<'_>,
) -> Result<(), Fault> {
    let resolution = finding.resolution.trim();
    if resolution.is_empty() {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("\"{}\" proposes no resolution", finding.title),
        )
        .hint("Write one into its field \"resolution\", or dismiss it."));
    }
    let shape = FormShape::of(phase);
    if let Some(list) = shape.list(name) {
        let mut fields = BTreeMap::new();
        let mut put = |field: &str, value: FieldValue| fields.insert(field.to_owned(), Field::by_hand(value));
        for (place, field) in list.fields.iter().enumerate() {
            match (place, field.kind) {
                (0, _) if list.is_plain() => put(field.name, FieldValue::Text(resolution.to_owned())),
                (0, _) => put(field.name, FieldValue::Text(finding.title.clone())),
                (_, FieldKind::Text) if field.name != "rationale" => {
                    put(field.name, FieldValue::Text(resolution.to_owned()))
                }
                (_, FieldKind::Texts) if place == 1 => {
                    put(field.name, FieldValue::Texts(vec![resolution.to_owned()]))
                }
                (_, FieldKind::Choice) => put(
                    field.name,
                    FieldValue::Text(field.choices.first().copied().unwrap_or_default().to_owned()),
                ),
                _ => None,
            };
        }
        form.lists.entry(name.to_owned()).or_default().push(Item { id: ids.fresh(), fields });
        return Ok(());
    }
    let before = form.text(name).trim().to_owned();
    if form.fields.get(name).is_some_and(|field| field.locked) {
        return Err(Fault::new(ErrorCode::UsageInvalid, format!("{}.{name} is locked", phase.as_str()))
            .hint("Unlock it, or merge the finding into another place."));
    }
    let text = if before.is_empty() { resolution.to_owned() } else { format!("{before}\n\n{resolution}") };
    form.fields.insert(name.to_owned(), Field::by_hand(FieldValue::Text(text)));
    Ok(())
}

/// Takes decisions out of an answer: only a person decides about a finding.
pub fn undecided(answer: &mut Form) {
    for item in answer.lists.get_mut("findings").into_iter().flatten() {
        item.fields.retain(|name, _| !matches!(name.as_str(), "status" | "reason"));
    }
}

/// Writes down what was decided about a finding.
pub fn decide(form: &mut Form, item: &str, status: FindingStatus, reason: &str) -> bool {
    let Some(item) = super::edit::item_mut(form, "findings", item) else { return false };
    let origin = FieldOrigin::Words { quote: None };
    item.put("status", FieldValue::Text(status.as_str().to_owned()), origin.clone());
    item.put("reason", FieldValue::Text(reason.trim().to_owned()), origin);
    for name in ["status", "reason"] {
        if let Some(field) = item.fields.get_mut(name) {
            field.edited = true;
        }
    }
    true
}

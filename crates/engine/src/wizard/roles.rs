//! Iteration mode: which agent has which role.

use std::collections::BTreeMap;
use std::path::Path;

use loopwright_domain::wizard::edit::ItemIds;
use loopwright_domain::wizard::{Field, FieldOrigin, FieldValue, Item, PhaseState, Wizard, WizardPhase};

use super::Wizards;
use super::phase::API;
use crate::agent::choose;

impl Wizards<'_> {
    /// Recommends who builds and who plans, with the reasons, where nobody has looked at it yet.
    pub(super) fn prepare_roles(&self, wizard: &mut Wizard) {
        let phase = WizardPhase::IterationMode;
        let record = wizard.record(phase);
        let is_new = |name: &str| record.form.fields.get(name).is_some_and(|field| !field.is_protected());
        let untouched =
            ["agent", "model", "planner"].into_iter().all(is_new) && record.form.text("agent").is_empty();
        if wizard.current != phase || record.state != PhaseState::NeedsReview || record.answered || !untouched
        {
            return;
        }
        let Some(builder) = choose(self.host, &self.config(Path::new(&wizard.folder))).name else { return };
        let mut values = vec![("agent", builder.clone())];
        let mut reasons =
            vec![format!("{builder} builds: it is the agent that is set, or the only one here.")];
        if let Some(agent) = wizard.agent.clone().filter(|agent| agent.name != API && agent.name != builder) {
            reasons.push(format!("{} plans: it made this plan.", agent.name));
            let planner = agent.model.map_or(agent.name.clone(), |model| format!("{}/{model}", agent.name));
            values.push(("planner", planner));
        }
        let mut last = wizard.last_item;
        let form = &mut wizard.record_mut(phase).form;
        for (name, value) in values {
            form.fields.insert(name.to_owned(), Field::of(FieldValue::Text(value), FieldOrigin::Assumed));
        }
        let listed = form.lists.entry("reasons".to_owned()).or_default();
        for reason in reasons {
            let mut item = Item { id: ItemIds(&mut last).fresh(), fields: BTreeMap::new() };
            item.put("text", FieldValue::Text(reason), FieldOrigin::Assumed);
            listed.push(item);
        }
        wizard.last_item = last;
    }
}

//! A wizard on the terminal.

use loopwright_domain::wizard::{
    CheckTrialOutcome, FieldOrigin, FieldValue, FindingStatus, FormChangeKind, FormShape, Item,
    LaunchSummary, ListShape, PhaseState, WizardPhase,
};
use loopwright_domain::{figures, wizard::ForecastBasis};
use loopwright_engine::wizard::WizardView;

use crate::output::{BAD, CARE, GOOD, HEADING, QUIET, count, plain, plain_text, say, styled};

/// How many characters of a passage are quoted.
const QUOTED: usize = 60;

/// Where a wizard stands, phase by phase.
pub(super) fn wizard(view: &WizardView) {
    let wizard = &view.wizard;
    say!("{}  {}", styled(HEADING, plain(&view.name)), styled(QUIET, plain(&wizard.folder)));
    for record in wizard.phases.values().filter(|record| record.phase <= wizard.scope.last()) {
        let mark = if record.phase == wizard.current { ">" } else { " " };
        let state = match record.state {
            PhaseState::Accepted => styled(GOOD, "accepted"),
            PhaseState::Failed => styled(BAD, "failed"),
            PhaseState::OutOfDate => styled(CARE, "out of date"),
            PhaseState::NeedsReview => "needs review".to_owned(),
            PhaseState::Working => "working".to_owned(),
            PhaseState::Open => styled(QUIET, "open"),
        };
        say!("{mark} {}  {:14}  {state}", record.phase.number(), record.phase.label());
        if let Some(trouble) = &record.trouble {
            say!("     {}", plain(&trouble.fault.message));
        }
    }
    if !view.assumptions.is_empty() {
        say!("\nAssumed, because nobody said it:");
        for one in &view.assumptions {
            say!("  {} {}", styled(QUIET, format!("{}.{}", one.phase.as_str(), one.path)), plain(&one.value));
        }
    }
    if let Some(score) = view.quality.score {
        say!("\nQuality of the plan: {score} of 100");
    }
    if let Some(cost) = figures::cost(&wizard.usage) {
        say!("Used by the wizard's agents: {cost}");
    }
}

/// What a phase holds.
pub(super) fn form(view: &WizardView, phase: WizardPhase) {
    let form = view.wizard.form(phase);
    let shape = FormShape::of(phase);
    say!("\n{}", styled(HEADING, format!("{}, phase {} of 9", phase.label(), phase.number())));
    for field in shape.fields {
        if let Some(known) = form.fields.get(field.name).filter(|known| !known.value.is_empty()) {
            let mark = mark(&known.origin, known.locked, phase);
            say!("  {}: {}{mark}", field.label, plain_text(&known.value.shown()));
        }
    }
    for list in shape.lists {
        let items = form.items(list.name);
        if !items.is_empty() {
            say!("\n  {} ({})", styled(HEADING, list.label), items.len());
            for (number, item) in (1..).zip(items) {
                self::item(view, list, number, item, phase);
            }
        }
    }
    if let Some(remark) = &view.wizard.record(phase).remark {
        say!("\n  {}", styled(QUIET, plain_text(remark)));
    }
    match phase {
        WizardPhase::TaskReview => waves(view),
        WizardPhase::BuildTest => trials(view),
        _ => {}
    }
}

/// What nobody said in a phase, by number.
pub(super) fn assumptions(view: &WizardView, phase: WizardPhase) {
    let of_phase: Vec<_> = view.assumptions.iter().filter(|one| one.phase == phase).collect();
    if !of_phase.is_empty() {
        say!("\n  Assumed, because nobody said it:");
    }
    for (number, one) in (1..).zip(of_phase) {
        say!("  {number:>3}. {} {}", styled(QUIET, &one.label), plain(&one.value));
    }
}

fn item(view: &WizardView, list: &ListShape, number: usize, item: &Item, phase: WizardPhase) {
    let key = list.key();
    let known = item.fields.get(key.name);
    let mark = known.map(|field| mark(&field.origin, field.locked, phase)).unwrap_or_default();
    say!("  {number:>3}. {}{mark}", plain_text(item.text(key.name)));
    for field in list.fields.iter().skip(1) {
        let Some(value) =
            item.fields.get(field.name).map(|known| &known.value).filter(|value| !value.is_empty())
        else {
            continue;
        };
        let shown = match field.name {
            "depends_on" | "sections" => named(view, item.texts(field.name)),
            "status" if value.shown() == FindingStatus::Open.as_str() => continue,
            _ => value.shown(),
        };
        let text = plain_text(&shown);
        let first: String = text.lines().next().unwrap_or_default().chars().take(160).collect();
        say!("       {} {first}", styled(QUIET, format!("{}:", field.label)));
    }
}

/// The names of tasks and sections in the place of their ids.
fn named(view: &WizardView, ids: &[String]) -> String {
    let wizard = &view.wizard;
    let name = |id: &String| {
        let task = [WizardPhase::TaskReview, WizardPhase::Generate]
            .into_iter()
            .find_map(|phase| wizard.form(phase).item("tasks", id).map(|item| item.text("title").to_owned()));
        let section =
            wizard.form(WizardPhase::Generate).item("sections", id).map(|item| item.text("title").to_owned());
        task.or(section).unwrap_or_else(|| id.clone())
    };
    ids.iter().map(name).collect::<Vec<_>>().join("; ")
}

fn mark(origin: &FieldOrigin, locked: bool, phase: WizardPhase) -> String {
    let from = match origin {
        FieldOrigin::Assumed if phase <= WizardPhase::Technical => Some("assumed".to_owned()),
        FieldOrigin::Document { document, quote } => {
            Some(format!("{}: \"{}\"", plain(document), short(quote)))
        }
        FieldOrigin::Words { quote: Some(quote) } => Some(format!("you: \"{}\"", short(quote))),
        FieldOrigin::Code { file } => Some(file.as_deref().map_or_else(|| "code".to_owned(), plain)),
        FieldOrigin::Assumed | FieldOrigin::Words { .. } => None,
    };
    let words: Vec<String> = from.into_iter().chain(locked.then(|| "locked".to_owned())).collect();
    if words.is_empty() {
        String::new()
    } else {
        format!("  {}", styled(QUIET, format!("[{}]", words.join(", "))))
    }
}

/// The beginning of a passage, in one line.
fn short(quote: &str) -> String {
    let line = plain(&quote.split_whitespace().collect::<Vec<_>>().join(" "));
    match line.char_indices().nth(QUOTED) {
        Some((cut, _)) => format!("{}…", line.get(..cut).unwrap_or_default().trim_end()),
        None => line,
    }
}

fn waves(view: &WizardView) {
    let waves = &view.tasks.waves;
    say!(
        "\n  {} in {}; at most {} at once",
        count(view.tasks.tasks.len(), "task", "tasks"),
        count(waves.len(), "wave", "waves"),
        view.tasks.widest
    );
    for (number, wave) in (1..).zip(waves) {
        say!("  Wave {number}: {}", plain(&named(view, wave)));
    }
    if view.tasks.critical_path.len() > 1 {
        say!("  Critical path: {}", plain(&named(view, &view.tasks.critical_path)));
    }
}

fn trials(view: &WizardView) {
    if !view.wizard.trials.is_empty() {
        say!("\n  {}", styled(HEADING, "Tried on the files as they are"));
    }
    for trial in &view.wizard.trials {
        let outcome = match trial.outcome {
            CheckTrialOutcome::Passed => styled(GOOD, "passed"),
            CheckTrialOutcome::Failed => styled(BAD, "failed"),
            CheckTrialOutcome::NothingBuilt => styled(CARE, "nothing built yet"),
            CheckTrialOutcome::CannotRun => styled(BAD, "cannot run here"),
            CheckTrialOutcome::TimedOut => styled(BAD, "timed out"),
        };
        say!("  {outcome}  {}  {}", plain(&trial.command), styled(QUIET, plain(&trial.summary)));
    }
}

/// What a re-run would change.
pub(super) fn changes(view: &WizardView, phase: WizardPhase) {
    for change in &view.wizard.record(phase).proposal.changes {
        let own = if change.replaces_edit { styled(CARE, " (yours)") } else { String::new() };
        let label = plain(&change.label);
        let refers = ["depends_on", "sections"].iter().any(|name| change.path.ends_with(name));
        let shown = |value: &Option<FieldValue>| match value {
            Some(FieldValue::Texts(ids)) if refers => plain(&named(view, ids)),
            Some(value) => plain(&value.shown()),
            None => String::new(),
        };
        match change.kind {
            FormChangeKind::Added if change.item.is_some() => {
                say!("  {:>2}. {} {label}{own}", change.id, styled(GOOD, "added"));
            }
            FormChangeKind::Removed => say!("  {:>2}. {} {label}{own}", change.id, styled(BAD, "removed")),
            _ => {
                say!("  {:>2}. {} {label}{own}", change.id, styled(CARE, "changed"));
                if change.before.is_some() {
                    say!("        - {}", shown(&change.before));
                }
                say!("        + {}", shown(&change.after));
            }
        }
    }
}

/// What a launch would do.
pub(super) fn launch(summary: &LaunchSummary) {
    say!("\n{}", styled(HEADING, format!("Ready to build {}", plain(&summary.project_name))));
    say!("  Folder    {}", plain(&summary.folder));
    say!(
        "  Spec      {}, {}",
        count(summary.sections as usize, "section", "sections"),
        count(summary.terms as usize, "term", "terms")
    );
    let sizes: Vec<String> = summary.sizes.iter().map(|(size, number)| format!("{number} {size}")).collect();
    say!(
        "  Tasks     {} in {} ({})",
        summary.tasks,
        count(summary.waves as usize, "wave", "waves"),
        sizes.join(", ")
    );
    if let Some(quality) = summary.quality {
        say!("  Quality   {quality} of 100");
    }
    for check in &summary.checks {
        say!("  Check     {}: {}", plain(&check.name), plain(&check.command));
    }
    say!("  Review    {}, automation {}", summary.mode.review, summary.mode.automation);
    let forecast = &summary.forecast;
    let basis = match forecast.basis {
        ForecastBasis::History => format!("from {} earlier iterations", forecast.samples),
        ForecastBasis::Sizes => "a rough range, there is no history yet".to_owned(),
    };
    let time =
        format!("{} to {}", figures::elapsed(forecast.time_ms.low), figures::elapsed(forecast.time_ms.high));
    let money = forecast
        .cost_micros
        .map(|cost| format!(", {} to {}", figures::money(cost.low), figures::money(cost.high)));
    say!(
        "  Forecast  {} to {} iterations, {time}{} ({basis})",
        forecast.iterations.low,
        forecast.iterations.high,
        money.unwrap_or_default()
    );
    for need in &summary.needs_person {
        say!("  You       {}", plain(need));
    }
    for problem in &summary.problems {
        say!("  {} {}", styled(BAD, "Problem"), plain(problem));
    }
}

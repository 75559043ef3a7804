//! Beginning a wizard, or taking one up again.

use std::path::PathBuf;

use loopwright_domain::wizard::{WizardAgent, WizardCaps, WizardEdit, WizardScope};
use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::agent::learn_login_path;
use loopwright_engine::wizard::{API, NewWizard, WizardView, Wizards};

use super::answers::Answers;
use super::{chosen, interactive};
use crate::args::WizardArgs;
use crate::commands::run::read_prompt;
use crate::context::Context;
use crate::output::{QUIET, plain, say, styled};
use crate::prompt;

/// What helps with most plans. Each can be left unanswered.
const START_QUESTIONS: [&str; 4] = [
    "Who will use it?",
    "What must it not do?",
    "Where will it run?",
    "What is there already that it has to work with?",
];

pub(super) fn begin(
    context: &Context,
    wizards: &Wizards<'_>,
    args: &WizardArgs,
    name: Option<&str>,
    scope: WizardScope,
    answers: &Answers,
) -> Result<WizardView, Fault> {
    if let Some(id) = &args.resume {
        return resume(context, wizards, args, id, answers);
    }
    let folder = folder(context, name, args.from_code, scope)?;
    let mut idea = match args.idea.as_deref() {
        Some("-") => read_prompt(context, std::path::Path::new("-"))?,
        Some(idea) => idea.to_owned(),
        None => answers.idea.clone().unwrap_or_default(),
    };
    let agent = agent(context, wizards, args, &folder)?;
    let has_start = !idea.is_empty() || !args.from.is_empty() || args.from_code || !answers.phases.is_empty();
    if !has_start {
        if context.json || args.yes || !prompt::interactive() {
            return Err(Fault::new(ErrorCode::UsageInvalid, "nothing was said to start from")
                .hint("Say the idea with --idea, name a document with --from, or use --from-code."));
        }
        say!("What are you building? Say it in your own words; an empty line ends it.");
        idea = prompt::lines();
    }
    let asked = !has_start;
    let new = NewWizard {
        folder,
        name: name.map(str::to_owned),
        scope: Some(scope),
        idea,
        documents: args.from.iter().map(|path| context.folder.join(path)).collect(),
        from_code: args.from_code,
        template: args.template.clone(),
        agent,
        caps: Some(caps(args, WizardCaps::default())),
    };
    let view = wizards.create(&new)?;
    let view = context.wait(wizards.note_project(&view.wizard.id))?;
    let mut view = answered(wizards, view, answers)?;
    if asked {
        say!("A few answers would help. An empty line skips a question.");
        for question in START_QUESTIONS {
            interactive::question_answered(wizards, &view.wizard.id, question)?;
        }
        view = wizards.show(&view.wizard.id)?;
    }
    if !context.json {
        let who = view.wizard.agent.as_ref().map_or("by hand", |agent| agent.name.as_str());
        say!(
            "{}",
            styled(QUIET, format!("Wizard {} for {}, {who}", view.wizard.id, plain(&view.wizard.folder)))
        );
    }
    Ok(view)
}

/// Puts the answers of a file in.
fn answered(wizards: &Wizards<'_>, mut view: WizardView, answers: &Answers) -> Result<WizardView, Fault> {
    for (question, answer) in &answers.questions {
        let edit = WizardEdit::AnswerQuestion { question: question.clone(), answer: answer.clone() };
        view = wizards.edit(&view.wizard.id, &edit, None)?;
    }
    Ok(view)
}

fn resume(
    context: &Context,
    wizards: &Wizards<'_>,
    args: &WizardArgs,
    id: &str,
    answers: &Answers,
) -> Result<WizardView, Fault> {
    let id = chosen(context, wizards, Some(id))?;
    let view = wizards.show(&id)?;
    let is_new = |name: &Option<String>, now: &str| name.as_deref().is_some_and(|name| name != now);
    if view.wizard.status != loopwright_domain::wizard::WizardStatus::Open {
        return Ok(view);
    }
    let changes_agent = args.model.is_some() || args.base_url.is_some();
    if args.harness.is_some() || (changes_agent && view.wizard.agent.is_none()) {
        let folder = PathBuf::from(&view.wizard.folder);
        let agent = agent(context, wizards, args, &folder)?;
        wizards.edit(&id, &WizardEdit::SetAgent { agent }, None)?;
    } else if changes_agent && let Some(now) = view.wizard.agent.clone() {
        let (model, base_url) = (args.model.clone().or(now.model), args.base_url.clone().or(now.base_url));
        let agent = Some(WizardAgent { name: now.name, model, base_url });
        wizards.edit(&id, &WizardEdit::SetAgent { agent }, None)?;
    }
    if is_new(&args.template, &view.wizard.template) {
        let template = args.template.clone().unwrap_or_default();
        wizards.edit(&id, &WizardEdit::SetTemplate { template }, None)?;
    }
    if args.max_cost.is_some() || args.max_tokens.is_some() {
        let caps = caps(args, view.wizard.caps);
        wizards.edit(&id, &WizardEdit::SetCaps { caps }, None)?;
    }
    if let Some(idea) = args.idea.as_ref().or(answers.idea.as_ref()) {
        wizards.edit(&id, &WizardEdit::SetIdea { idea: idea.clone() }, None)?;
    }
    if !args.from.is_empty() {
        let paths: Vec<PathBuf> = args.from.iter().map(|path| context.folder.join(path)).collect();
        wizards.add_documents(&id, &paths)?;
    }
    if args.from_code {
        wizards.survey_code(&id, true)?;
    }
    context.wait(wizards.note_project(&id))?;
    answered(wizards, wizards.show(&id)?, answers)
}

/// A named project gets a folder of its own, unless it is about the code that is here.
fn folder(
    context: &Context,
    name: Option<&str>,
    from_code: bool,
    scope: WizardScope,
) -> Result<PathBuf, Fault> {
    if scope == WizardScope::Spec {
        return Ok(context.project()?.layout().root.clone());
    }
    let Some(name) = name.filter(|_| !from_code) else { return Ok(context.folder.clone()) };
    let word: String = name
        .trim()
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '-' | '_' | '.') { c } else { '-' })
        .collect::<String>()
        .to_lowercase();
    let word = word.trim_matches(['-', '.']);
    if word.is_empty() {
        return Err(Fault::new(
            ErrorCode::UsageInvalid,
            format!("\"{}\" cannot be a folder's name", plain(name)),
        ));
    }
    Ok(context.folder.join(word))
}

fn agent(
    context: &Context,
    wizards: &Wizards<'_>,
    args: &WizardArgs,
    folder: &std::path::Path,
) -> Result<Option<WizardAgent>, Fault> {
    let model = args.model.clone();
    match args.harness.as_deref() {
        Some("none") => Ok(None),
        Some(API) => Ok(Some(WizardAgent { name: API.to_owned(), model, base_url: args.base_url.clone() })),
        Some(name) => Ok(Some(WizardAgent { name: name.to_owned(), model, base_url: None })),
        None => {
            let (mut usual, mut usual_model) = wizards.usual_agent(folder);
            if usual.problem.is_some() {
                context.wait(learn_login_path(&context.host));
                (usual, usual_model) = wizards.usual_agent(folder);
            }
            match (usual.name, usual.problem) {
                (Some(name), None) => {
                    Ok(Some(WizardAgent { name, model: model.or(usual_model), base_url: None }))
                }
                (_, problem) => Err(problem
                    .unwrap_or_else(|| Fault::new(ErrorCode::AgentMissing, "no agent is chosen"))
                    .hint("Choose one with --harness; \"--harness none\" fills everything in by hand.")),
            }
        }
    }
}

fn caps(args: &WizardArgs, usual: WizardCaps) -> WizardCaps {
    // Money is kept in millionths; a negative or absurd number is no limit.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range is looked at")]
    let micros = |usd: f64| (usd > 0.0 && usd < 1e9).then(|| (usd * 1_000_000.0).round() as u64);
    WizardCaps {
        max_cost_micros: args.max_cost.map_or(usual.max_cost_micros, micros),
        max_tokens: args.max_tokens.map_or(usual.max_tokens, |tokens| (tokens > 0).then_some(tokens)),
    }
}

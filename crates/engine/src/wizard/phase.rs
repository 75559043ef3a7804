//! Runs a phase: asks the agent, reads its answer, asks again where it cannot be used, and merges what came.

use std::path::Path;
use std::time::Duration;

use loopwright_agents::ParsedOutput;
use loopwright_config::{Config, Host, Layout, TrustedConfig, key, text_file};
use loopwright_domain::caps::reached;
use loopwright_domain::wizard::{
    FieldPath, FormShape, PhaseTrouble, Wizard, WizardAgent, WizardCaps, WizardId, WizardPhase,
};
use loopwright_domain::{AgentEvent, ErrorCode, Fault, Limits, NextAction, Usage, estimate_tokens};
use loopwright_process::EndCause;
use serde_json::{Value, json};

use super::answer::{self, Answer, Evidence};
use super::backend::Backend;
use super::view::WizardView;
use super::{PhaseRequest, WizardObserver, WizardUpdate, Wizards, prompt};
use crate::agent::{AgentSummary, advice, builder, choose_named};
use crate::ask::{AgentAnswer, Question};
use crate::stop::StopHandle;
use crate::structured;

/// How long one answer may take.
const ANSWER_TIME: Duration = Duration::from_secs(900);
/// The first try, one that repairs, and a strict one.
const TRIES: u32 = 3;
/// The name that means an OpenAI-compatible HTTP API.
pub const API: &str = "api";

impl Wizards<'_> {
    /// The agent that a wizard in a folder would use when nobody names one: the setting `role.wizard`, else the one that
    /// builds, else the one around this program, else the only one installed.
    #[must_use]
    pub fn usual_agent(&self, folder: &Path) -> (AgentSummary, Option<String>) {
        let config = self.config(folder);
        let role = config.value(key::ROLE_WIZARD);
        let (name, model) = match role.split_once('/') {
            _ if role.is_empty() => builder(&config),
            Some((name, model)) => (name.to_owned(), Some(model.to_owned())),
            None => (role, None),
        };
        (choose_named(self.host, &config, &name), model)
    }

    /// Lets the wizard's agent fill in a phase, run it again, work on one field of it, or carry out a change that is asked
    /// for in words. The first answer fills the form in; later ones propose changes, to be taken or left.
    ///
    /// The agent reads only. Where it gives no usable answer, the phase is `failed`, with the reason and the raw answer;
    /// that is no error of this call. Stopped, the phase is as it was before.
    ///
    /// # Errors
    /// There is no agent, an earlier phase is not accepted, an agent works on the wizard already, or a cap is reached.
    pub async fn run_phase(
        &self,
        id: &WizardId,
        phase: WizardPhase,
        request: &PhaseRequest,
        observer: WizardObserver<'_>,
        stop: StopHandle,
    ) -> Result<WizardView, Fault> {
        let shape = FormShape::of(phase);
        let only = request.path.as_deref().map(|path| FieldPath::parse(shape, path)).transpose()?;
        let folder = self.folder(id)?;
        let _working = folder.claim_work()?;
        let mut held = self.hold(id)?;
        let agent = held.wizard.agent.clone().ok_or_else(no_agent)?;
        refuse_above(&held.wizard.usage, &held.wizard.caps)?;
        let root = Path::new(&held.wizard.folder).to_path_buf();
        let config = self.trusted(&root)?;
        let backend = Backend::of(self.host, &config, &agent)?;
        held.wizard.begin_work(phase)?;
        held.save(self.host.timestamp())?;
        let wizard = held.wizard.clone();
        drop(held);

        let mut work = PhaseWork {
            host: self.host,
            config: &config,
            backend,
            agent: &agent,
            wizard: &wizard,
            phase,
            request,
            documents: prompt::documents(&wizard, &folder)?,
            used: Usage::default(),
            raw: String::new(),
        };
        let outcome = work.answer(observer, &stop).await;
        let (used, raw) = (work.used, std::mem::take(&mut work.raw));

        let mut held = self.hold(id)?;
        held.wizard.used(phase, &used);
        match outcome {
            Ok(Some(answer)) => {
                let wish = request.request.clone();
                held.wizard.answered(phase, answer.form, only.as_ref(), wish, answer.remark);
            }
            Ok(None) => held.wizard.stopped(phase),
            Err(fault) => {
                let answer_file = if raw.is_empty() {
                    None
                } else {
                    let name = format!("{}-{}", phase.as_str(), held.wizard.revision);
                    Some(folder.keep_answer(&name, &raw)?.display().to_string())
                };
                held.wizard.failed(phase, PhaseTrouble { fault, answer_file });
            }
        }
        self.saved(held)
    }

    pub(super) fn config(&self, folder: &Path) -> Config {
        let file = Layout::find(folder).ok().map(|layout| layout.config_file());
        Config::load(self.host, file.as_deref())
    }

    /// What commands may be built from: a project's own only where somebody trusts it.
    pub(super) fn trusted(&self, folder: &Path) -> Result<TrustedConfig, Fault> {
        match Layout::find(folder) {
            Ok(layout) => TrustedConfig::as_far_as_trusted(self.host, &layout, self.config(folder)),
            Err(_) => Ok(TrustedConfig::of_user(self.host)),
        }
    }
}

struct PhaseWork<'a> {
    host: &'a Host,
    config: &'a TrustedConfig,
    backend: Backend,
    agent: &'a WizardAgent,
    wizard: &'a Wizard,
    phase: WizardPhase,
    request: &'a PhaseRequest,
    documents: Vec<(String, String)>,
    used: Usage,
    /// What the agent answered last, word for word.
    raw: String,
}

impl PhaseWork<'_> {
    /// The answer; none when it was stopped.
    async fn answer(
        &mut self,
        observer: WizardObserver<'_>,
        stop: &StopHandle,
    ) -> Result<Option<Answer>, Fault> {
        let shape = FormShape::of(self.phase);
        let only = prompt::only_name(self.request);
        let schema = answer::schema(shape, only).to_string();
        let original = prompt::with_request(self.wizard, self.phase, &self.documents, self.request);
        let mut problem = String::new();
        for attempt in 1..=TRIES {
            let text = match attempt {
                1 => original.clone(),
                2 => prompt::repair(&original, &self.raw, &problem),
                _ => prompt::strict(&original, &problem),
            };
            if attempt > 1 {
                observer(WizardUpdate::Again { phase: self.phase, problem: problem.clone() });
                refuse_above(&self.wizard.usage.plus(&self.used), &self.wizard.caps)?;
            }
            let tokens = estimate_tokens(&text);
            observer(WizardUpdate::Prompt { phase: self.phase, attempt, text: text.clone(), tokens });
            let heard = self.ask(&text, &schema, observer, stop).await?;
            if stop.urgency().is_some() {
                return Ok(None);
            }
            match self.read(shape, only, &heard.reading, attempt == TRIES) {
                Ok(answer) => return Ok(Some(answer)),
                Err(found) => problem = found,
            }
        }
        Err(Fault::new(ErrorCode::AgentFailed, format!("the answer could not be used: {problem}")).hint(
            "Run the phase again, use another agent or model, or fill it in by hand. The answer is kept as it was.",
        ))
    }

    async fn ask(
        &mut self,
        text: &str,
        schema: &str,
        observer: WizardObserver<'_>,
        stop: &StopHandle,
    ) -> Result<AgentAnswer, Fault> {
        let reads_code = self.wizard.input.survey.is_some();
        let question = Question {
            prompt: text,
            schema: Some(schema),
            model: self.agent.model.as_deref(),
            work_dir: reads_code.then_some(Path::new(&self.wizard.folder)).filter(|folder| folder.is_dir()),
            time: ANSWER_TIME,
        };
        let before = self.wizard.usage.plus(&self.used);
        let caps = self.wizard.caps;
        let prices = self.config.price_list();
        let model = self.agent.model.clone();
        let mut over = false;
        let mut arrived = Arrived::default();
        let phase = self.phase;
        let mut listener = |event: &AgentEvent| {
            if let AgentEvent::Usage { usage } = event {
                let usage = prices.complete(*usage, model.as_deref());
                observer(WizardUpdate::Used { phase, usage });
                over = over || refuse_above(&before.plus(&usage), &caps).is_err();
            }
            for (name, items) in arrived.take(FormShape::of(phase), event) {
                observer(WizardUpdate::Arrived { phase, name, items });
            }
            observer(WizardUpdate::Agent { phase, event: event.clone() });
            over
        };
        let heard = self.backend.ask(self.host, self.config, &question, &mut listener, stop).await;
        let mut heard = heard?;
        let told = heard.reading.model.clone().or_else(|| self.agent.model.clone());
        heard.reading.usage = self.config.price_list().complete(heard.reading.usage, told.as_deref());
        self.used = self.used.plus(&heard.reading.usage);
        let used = self.used;
        observer(WizardUpdate::Used { phase, usage: used });
        let reading = &heard.reading;
        self.raw = reading.structured.clone().unwrap_or_else(|| reading.own_text.clone());
        if over {
            refuse_above(&self.wizard.usage.plus(&self.used), &self.wizard.caps)?;
        }
        if stop.urgency().is_none() {
            self.trouble(&heard)?;
        }
        Ok(heard)
    }

    /// What kept the agent from answering, other than its answer itself.
    fn trouble(&self, heard: &AgentAnswer) -> Result<(), Fault> {
        let name = self.agent.name.as_str();
        let has_answer = !self.raw.trim().is_empty();
        match (&heard.reading.error, &heard.stuck, heard.end) {
            (Some(problem), ..) if !has_answer => Err(advice::fault(name, problem)),
            (_, Some(problem), end) if end != EndCause::Exited => Err(advice::fault(name, problem)),
            (_, _, EndCause::Exited) => Ok(()),
            _ => Err(Fault::new(
                ErrorCode::ProcessTimeout,
                format!("{name} gave no answer within {} minutes", ANSWER_TIME.as_secs() / 60),
            )
            .hint("Try again, or use another agent or model.")),
        }
    }

    fn read(
        &self,
        shape: &FormShape,
        only: Option<&str>,
        reading: &ParsedOutput,
        partial: bool,
    ) -> Result<Answer, String> {
        let value: Value =
            structured::parse(reading, &json!({ "type": "object" })).map_err(|fault| fault.message)?;
        let words = self.words();
        let root = Path::new(&self.wizard.folder);
        let has_file = |file: &str| {
            let path = root.join(file);
            !text_file::leads_out(root, &path) && path.is_file()
        };
        let evidence = Evidence {
            words: &words,
            documents: &self.documents,
            has_file: &has_file,
            surveyed: self.wizard.input.survey.is_some(),
        };
        answer::read(shape, &value, only, partial, &evidence)
    }

    /// All that the person said. A question is not the person's: it may hold what an agent supposed.
    fn words(&self) -> String {
        let input = &self.wizard.input;
        let mut words = vec![input.idea.as_str()];
        words.extend(input.questions.iter().map(|question| question.answer.as_str()));
        words.extend(self.wizard.record(self.phase).requests.iter().map(String::as_str));
        words.extend(self.request.request.as_deref());
        words.join("\n")
    }
}

/// Counts which parts of an answer have arrived, from the words so far.
#[derive(Default)]
struct Arrived {
    text: String,
    /// How long the text was at the last look.
    looked: usize,
    told: std::collections::BTreeMap<&'static str, u32>,
}

/// How many bytes have to come before the answer is looked at again.
const LOOK_AFTER: usize = 2_000;

impl Arrived {
    fn take(&mut self, shape: &FormShape, event: &AgentEvent) -> Vec<(String, u32)> {
        let AgentEvent::Message { text, continues } = event else { return Vec::new() };
        if !continues {
            self.text.clear();
            self.looked = 0;
        }
        self.text.push_str(text);
        if *continues && self.text.len() < self.looked + LOOK_AFTER {
            return Vec::new();
        }
        self.looked = self.text.len();
        let reading = ParsedOutput { own_text: self.text.clone(), ..ParsedOutput::default() };
        let Ok(value) = structured::parse(&reading, &json!({ "type": "object" })) else { return Vec::new() };
        let mut news = Vec::new();
        for name in shape.names() {
            let count = match value.get(name) {
                Some(Value::Array(items)) => u32::try_from(items.len()).unwrap_or(u32::MAX),
                Some(Value::Null) | None => continue,
                Some(_) => 1,
            };
            if self.told.insert(name, count) != Some(count) {
                news.push((name.to_owned(), count));
            }
        }
        news
    }
}

/// Refuses to go on where the caps are reached.
fn refuse_above(usage: &Usage, caps: &WizardCaps) -> Result<(), Fault> {
    let limits =
        Limits { max_cost_micros: caps.max_cost_micros, max_tokens: caps.max_tokens, ..Limits::default() };
    match reached(usage, &limits) {
        None => Ok(()),
        Some(reason) => Err(Fault::new(
            ErrorCode::WizardCap,
            format!("the wizard has reached its limit: {}", reason.as_str()),
        )
        .next(NextAction::RaiseCap, "Raise it")
        .next(NextAction::EditPhase, "Fill the rest in by hand")),
    }
}

fn no_agent() -> Fault {
    Fault::new(ErrorCode::AgentMissing, "this wizard has no agent")
        .next(NextAction::ChooseAgent, "Choose one")
        .next(NextAction::EditPhase, "Fill the phase in by hand")
}

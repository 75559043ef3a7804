//! An OpenAI-compatible HTTP API as the wizard's agent: one question, one streamed answer, no tools.

use std::io::{BufRead, BufReader};
use std::time::{Duration, Instant};

use loopwright_agents::ParsedOutput;
use loopwright_config::Host;
use loopwright_domain::wizard::WizardAgent;
use loopwright_domain::{AgentEvent, ErrorCode, Fault, NextAction, Usage};
use loopwright_process::{Command, EndCause, run};
use serde_json::{Value, json};
use tokio::sync::mpsc;
use ureq::tls::{RootCerts, TlsConfig};

use crate::ask::{AgentAnswer, Listener, Question};
use crate::stop::{StopHandle, Urgency};

const BASE_URL: &str = "https://api.openai.com/v1";
/// The variables that hold the key and the address.
const KEY_VARIABLE: &str = "OPENAI_API_KEY";
const URL_VARIABLE: &str = "OPENAI_BASE_URL";
/// More than this is no answer.
const ANSWER_LIMIT: usize = 16 * 1024 * 1024;
/// How long the connection may take.
const CONNECT_TIME: Duration = Duration::from_secs(30);
const KEYCHAIN_TIME: Duration = Duration::from_secs(20);

/// An API with its address and model. The key stays in memory.
#[derive(Clone)]
pub(super) struct ApiClient {
    url: String,
    model: String,
    key: Option<String>,
    keychain: Option<Command>,
}

/// What the thread that talks to the API reports.
enum Report {
    Text(String),
    Usage(Usage),
    Model(String),
    Done,
    Failed(Fault),
}

impl ApiClient {
    /// The API that an agent names, with the key of the environment or of the system's keychain.
    ///
    /// # Errors
    /// There is no model, or the address is none.
    pub(super) fn of(host: &Host, agent: &WizardAgent) -> Result<Self, Fault> {
        let variable = |name: &str| {
            let value = host.environment.get(std::ffi::OsStr::new(name))?;
            value.to_str().map(str::to_owned).filter(|value| !value.trim().is_empty())
        };
        let base =
            agent.base_url.clone().or_else(|| variable(URL_VARIABLE)).unwrap_or_else(|| BASE_URL.to_owned());
        let base = base.trim().trim_end_matches('/').to_owned();
        if !base.starts_with("http://") && !base.starts_with("https://") {
            return Err(Fault::new(
                ErrorCode::UsageInvalid,
                format!("\"{base}\" is no address of an HTTP API"),
            )
            .hint("It begins with http:// or https:// and usually ends with /v1."));
        }
        let model = agent.model.clone().filter(|model| !model.trim().is_empty()).ok_or_else(|| {
            Fault::new(ErrorCode::UsageInvalid, "the API needs a model")
                .next(NextAction::ChooseModel, "Name one")
        })?;
        let key = variable(KEY_VARIABLE);
        let keychain = if key.is_none() { keychain(host) } else { None };
        Ok(Self { url: format!("{base}/chat/completions"), model, key, keychain })
    }

    /// Asks, and hands the answer on as it comes.
    ///
    /// # Errors
    /// Each sort of trouble with its own code: the key, the model, a limit, the service, time, an answer that is none.
    pub(super) async fn ask(
        &self,
        question: &Question<'_>,
        listener: Listener<'_>,
        stop: &StopHandle,
    ) -> Result<AgentAnswer, Fault> {
        let begun = Instant::now();
        let mut client = self.clone();
        if let Some(command) = client.keychain.take() {
            client.key = keychain_key(command).await;
        }
        let (send, mut reports) = mpsc::unbounded_channel();
        let (prompt, schema) = (question.prompt.to_owned(), question.schema.map(str::to_owned));
        let time = question.time;
        // The thread ends with the answer, with the time limit, or when nobody listens any more.
        let _detached = tokio::task::spawn_blocking(move || {
            let report = match client.talk(&prompt, schema.as_deref(), time, &send) {
                Ok(()) => Report::Done,
                Err(fault) => Report::Failed(fault),
            };
            let _ = send.send(report);
        });
        let mut reading = ParsedOutput { model: Some(self.model.clone()), ..ParsedOutput::default() };
        let mut end = EndCause::Exited;
        loop {
            let report = tokio::select! {
                report = reports.recv() => report,
                () = stop.wait(Urgency::Gentle) => { end = EndCause::Interrupted; break }
            };
            let event = match report {
                Some(Report::Text(text)) => {
                    let continues = !reading.own_text.is_empty();
                    reading.own_text.push_str(&text);
                    AgentEvent::Message { text, continues }
                }
                Some(Report::Usage(usage)) => {
                    reading.usage = usage;
                    AgentEvent::Usage { usage }
                }
                Some(Report::Model(model)) => {
                    reading.model = Some(model.clone());
                    AgentEvent::Session { id: None, model: Some(model) }
                }
                Some(Report::Failed(fault)) => return Err(fault),
                Some(Report::Done) | None => break,
            };
            if listener(&event) {
                end = EndCause::Interrupted;
                break;
            }
        }
        Ok(AgentAnswer { reading, stuck: None, end, elapsed: begun.elapsed() })
    }

    /// Whether the API is on this machine.
    fn is_local(&self) -> bool {
        let host = self.url.split_once("://").map_or("", |(_, rest)| rest);
        let host = host.split(['/', '?', '#']).next().unwrap_or_default();
        let host = host.rsplit('@').next().unwrap_or_default();
        let name = match host.strip_prefix('[') {
            Some(six) => six.split(']').next().unwrap_or_default(),
            None => host.split(':').next().unwrap_or_default(),
        };
        let is_loopback = name.parse().is_ok_and(|address: std::net::IpAddr| address.is_loopback());
        is_loopback || name.eq_ignore_ascii_case("localhost")
    }

    fn talk(
        &self,
        prompt: &str,
        schema: Option<&str>,
        time: Duration,
        send: &mpsc::UnboundedSender<Report>,
    ) -> Result<(), Fault> {
        // The system's certificates, so that a company's own are known.
        let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
        let agent = ureq::Agent::config_builder()
            .tls_config(tls)
            .timeout_connect(Some(CONNECT_TIME))
            .timeout_global(Some(time))
            .http_status_as_error(false);
        // A model on this machine is never asked through a proxy.
        let agent = match self.is_local() {
            true => agent.proxy(None).build().new_agent(),
            false => agent.build().new_agent(),
        };
        let schema = schema.and_then(|schema| serde_json::from_str::<Value>(schema).ok());
        let mut response = self.post(&agent, &self.body(prompt, schema.as_ref()))?;
        // Not every server knows schemas and usage in streams; those that do not say so.
        if matches!(response.status().as_u16(), 400 | 422) {
            response = self.post(&agent, &self.body(prompt, None))?;
        }
        let status = response.status().as_u16();
        if status >= 300 {
            let wait = response
                .headers()
                .get("retry-after")
                .and_then(|value| value.to_str().ok().map(str::to_owned));
            let body =
                response.body_mut().with_config().limit(64 * 1024).read_to_string().unwrap_or_default();
            return Err(self.refused(status, wait.as_deref(), &body));
        }
        self.read(response, send)
    }

    fn body(&self, prompt: &str, schema: Option<&Value>) -> Value {
        let mut body = json!({
            "model": self.model,
            "messages": [{ "role": "user", "content": prompt }],
            "stream": true,
        });
        if let (Some(schema), Some(fields)) = (schema, body.as_object_mut()) {
            let format = json!({ "name": "answer", "strict": true, "schema": schema });
            fields.insert("response_format".into(), json!({ "type": "json_schema", "json_schema": format }));
            fields.insert("stream_options".into(), json!({ "include_usage": true }));
        }
        body
    }

    fn post(&self, agent: &ureq::Agent, body: &Value) -> Result<ureq::http::Response<ureq::Body>, Fault> {
        let mut request = agent
            .post(&self.url)
            .header("content-type", "application/json")
            .header("accept", "text/event-stream, application/json");
        if let Some(key) = &self.key {
            request = request.header("authorization", format!("Bearer {key}"));
        }
        request.send(body.to_string().as_bytes()).map_err(|error| self.unreachable(&error))
    }

    /// Reads a stream of events, or one document where the server does not stream.
    fn read(
        &self,
        response: ureq::http::Response<ureq::Body>,
        send: &mpsc::UnboundedSender<Report>,
    ) -> Result<(), Fault> {
        let mut reader = BufReader::new(response.into_body().into_reader());
        let mut line = Vec::new();
        let (mut size, mut events) = (0, 0_usize);
        let mut whole = String::new();
        loop {
            line.clear();
            let read = std::io::Read::take(&mut reader, ANSWER_LIMIT as u64).read_until(b'\n', &mut line);
            let count = read.map_err(|error| self.cut_off(&error))?;
            if count == 0 {
                break;
            }
            size += count;
            if size > ANSWER_LIMIT {
                return Err(self.bad("the answer is larger than 16 MiB"));
            }
            let text = String::from_utf8_lossy(&line);
            let text = text.trim();
            match text.strip_prefix("data:").map(str::trim) {
                Some("[DONE]") => {
                    events += 1;
                    break;
                }
                Some(data) => {
                    let value: Value = serde_json::from_str(data)
                        .map_err(|error| self.bad(&format!("an event is no JSON: {error}")))?;
                    self.take(&value, send)?;
                    events += 1;
                }
                None if events == 0 => {
                    whole.push_str(text);
                    whole.push('\n');
                }
                None => {}
            }
        }
        if events > 0 {
            return Ok(());
        }
        let beginning: String = whole.trim().chars().take(200).collect();
        let value: Value = serde_json::from_str(&whole)
            .map_err(|_| self.bad(&format!("it is not JSON: \"{beginning}\"")))?;
        self.take(&value, send)
    }

    fn take(&self, value: &Value, send: &mpsc::UnboundedSender<Report>) -> Result<(), Fault> {
        if let Some(error) = value.get("error").filter(|error| !error.is_null()) {
            return Err(self.bad(&message(error).unwrap_or_else(|| error.to_string())));
        }
        let tell = |report: Report| send.send(report).map_err(|_| self.bad("nobody listens any more"));
        if let Some(model) = value.get("model").and_then(Value::as_str).filter(|model| *model != self.model) {
            tell(Report::Model(model.to_owned()))?;
        }
        let choice = value.get("choices").and_then(|choices| choices.get(0));
        let part = choice.and_then(|choice| choice.get("delta").or_else(|| choice.get("message")));
        if let Some(text) = part.and_then(|part| part.get("content")).and_then(Value::as_str)
            && !text.is_empty()
        {
            tell(Report::Text(text.to_owned()))?;
        }
        if let Some(usage) = value.get("usage").filter(|usage| usage.is_object()) {
            let number = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
            let details = usage.get("prompt_tokens_details").and_then(|details| details.get("cached_tokens"));
            let cached = details.and_then(Value::as_u64).unwrap_or(0);
            let input = number("prompt_tokens").saturating_sub(cached);
            let usage =
                Usage { input, output: number("completion_tokens"), cache_read: cached, ..Usage::default() };
            tell(Report::Usage(usage))?;
        }
        Ok(())
    }

    fn refused(&self, status: u16, wait: Option<&str>, body: &str) -> Fault {
        let told = serde_json::from_str::<Value>(body).ok().and_then(|value| message(value.get("error")?));
        let said = told.map(|told| format!(": {told}")).unwrap_or_default();
        let fault = |code, what: String| Fault::new(code, format!("{what}{said}"));
        match status {
            401 | 403 if self.key.is_none() => {
                fault(ErrorCode::AgentLogin, format!("{} wants a key", self.url)).hint(format!(
                    "Set {KEY_VARIABLE}, or put the key into the system's keychain as docs/wizard.md says."
                ))
            }
            401 | 403 => fault(ErrorCode::AgentLogin, format!("{} refuses the key", self.url))
                .hint(format!("Look at {KEY_VARIABLE} or at the key in the system's keychain.")),
            402 => fault(ErrorCode::AgentBilling, "the account has no money left".to_owned())
                .hint("Add credits to the account."),
            404 => fault(
                ErrorCode::ApiModel,
                format!(
                    "the API at {} does not know the model \"{}\", or the address is wrong",
                    self.url, self.model
                ),
            )
            .hint("The address usually ends with /v1.")
            .next(NextAction::ChooseModel, "Choose another model")
            .next(NextAction::ChooseAddress, "Choose another address"),
            408 | 504 => {
                fault(ErrorCode::ProcessTimeout, format!("{} took too long (status {status})", self.url))
                    .hint("Try again.")
            }
            429 => {
                let when = wait.map(|wait| format!(" for {wait} seconds")).unwrap_or_default();
                fault(ErrorCode::AgentLimit, format!("the API's limit is reached (status 429){when}"))
                    .hint("Wait a little, then run the phase again.")
            }
            500.. => {
                fault(ErrorCode::AgentOverload, format!("the API has trouble of its own (status {status})"))
                    .hint("Try again later.")
            }
            _ => fault(ErrorCode::ApiAnswer, format!("the API refuses the question (status {status})"))
                .next(NextAction::ChooseModel, "Choose another model")
                .next(NextAction::ChooseAddress, "Choose another address"),
        }
    }

    fn unreachable(&self, error: &ureq::Error) -> Fault {
        match error {
            ureq::Error::Timeout(_) => self.too_slow(),
            error => Fault::caused(
                ErrorCode::ApiUnreachable,
                format_args!("{} cannot be reached", self.url),
                error,
            )
            .hint("Look at the address, your network and the proxy (HTTPS_PROXY, NO_PROXY)."),
        }
    }

    fn cut_off(&self, error: &std::io::Error) -> Fault {
        if error.kind() == std::io::ErrorKind::TimedOut || error.to_string().contains("timeout") {
            return self.too_slow();
        }
        Fault::caused(
            ErrorCode::ApiUnreachable,
            format_args!("the answer of {} was cut off", self.url),
            error,
        )
        .hint("Try again.")
    }

    fn too_slow(&self) -> Fault {
        Fault::new(ErrorCode::ProcessTimeout, format!("{} gave no answer in time", self.url))
            .hint("Try again, or use a smaller model.")
    }

    fn bad(&self, what: &str) -> Fault {
        Fault::new(
            ErrorCode::ApiAnswer,
            format!("{} answered something else than its interface says: {what}", self.url),
        )
        .hint("The address must be that of an OpenAI-compatible API, and usually ends with /v1.")
        .next(NextAction::ChooseAddress, "Choose another address")
    }
}

fn message(error: &Value) -> Option<String> {
    let text = error.as_str().or_else(|| error.get("message")?.as_str())?;
    Some(text.chars().filter(|c| !c.is_control()).take(300).collect())
}

/// The command that asks the system's keychain for the key; none where there is no such program.
fn keychain(host: &Host) -> Option<Command> {
    let (program, args): (&str, &[&str]) = if cfg!(target_os = "macos") {
        ("security", &["find-generic-password", "-s", "loopwright", "-a", "api", "-w"])
    } else {
        ("secret-tool", &["lookup", "service", "loopwright", "account", "api"])
    };
    let mut command = Command::new(host.find_program(program)?, &host.temp_dir).args(args.iter().copied());
    // The keychain is reached through the person's session.
    command.env = host.environment.clone();
    command.timeout = KEYCHAIN_TIME;
    Some(command)
}

async fn keychain_key(command: Command) -> Option<String> {
    let finished = run(command).await.ok().filter(|finished| finished.exit.success())?;
    let text = String::from_utf8(finished.output.stdout).ok()?;
    Some(text.trim().to_owned()).filter(|key| !key.is_empty())
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};
    use std::net::TcpListener;

    use super::*;

    fn client(url: &str) -> ApiClient {
        ApiClient { url: url.to_owned(), model: "tea-1".into(), key: None, keychain: None }
    }

    /// A server that says this much of an answer, and then nothing more.
    fn stalling(beginning: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/chat/completions", listener.local_addr().unwrap());
        std::thread::spawn(move || {
            let mut held = Vec::new();
            for mut stream in listener.incoming().flatten() {
                let _ = stream.read(&mut [0; 65536]);
                let _ = stream.write_all(beginning.as_bytes());
                held.push(stream);
            }
        });
        url
    }

    #[tokio::test]
    async fn who_says_nothing_or_stops_in_the_middle_is_too_slow() {
        let streamed = "HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n\r\n\
                        data: {\"choices\":[{\"delta\":{\"content\":\"{\"}}]}\n\n";
        for beginning in ["", "HTTP/1.1 200 OK\r\n", streamed] {
            let question = Question {
                prompt: "?",
                schema: None,
                model: None,
                work_dir: None,
                time: Duration::from_millis(300),
            };
            let answer =
                client(&stalling(beginning)).ask(&question, &mut |_| false, &StopHandle::new()).await;
            assert_eq!(answer.err().map(|fault| fault.code), Some(ErrorCode::ProcessTimeout), "{beginning}");
        }
    }

    #[test]
    fn a_model_on_this_machine_is_known() {
        for local in
            ["http://localhost:11434/v1", "http://127.0.0.1/v1", "http://[::1]:80/v1", "http://u@LOCALHOST/"]
        {
            assert!(client(local).is_local(), "{local}");
        }
        for far in [
            "https://api.openai.com/v1",
            "http://localhost.example/v1",
            "http://10.0.0.1:80/",
            "http://[fe80::1]/",
        ] {
            assert!(!client(far).is_local(), "{far}");
        }
    }
}

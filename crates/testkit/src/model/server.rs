//! Listens on loopback, a thread for each client.

use std::io;
use std::net::{Ipv4Addr, SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use serde_json::{Value, json};

use super::ask::Ask;
use super::exchange::{Exchange, now};
use super::http::{Connection, Request};
use super::script::{Script, Turn, Usage};
use super::script_progress::ScriptProgress;
use super::seen::Seen;
use super::tools::{folder_in, translate};
use super::trouble::Status;
use super::wire::{Api, ModelReply};

/// A model on loopback. It is gone when dropped.
#[derive(Debug)]
pub struct Server {
    address: SocketAddr,
    shared: Arc<Shared>,
    listener: Option<JoinHandle<()>>,
}

struct Shared {
    progress: Mutex<Arc<ScriptProgress>>,
    seen: Mutex<Vec<Seen>>,
    tell: Box<dyn Fn(&Seen) + Send + Sync>,
    answers: AtomicUsize,
    stopping: Arc<AtomicBool>,
}

impl Server {
    /// Starts one that plays `script` on a port of its own choice.
    #[must_use]
    pub fn start(script: Script) -> Self {
        match Self::listen(script, 0, |_| {}) {
            Ok(server) => server,
            Err(error) => panic!("cannot start the model: {error}"),
        }
    }

    /// Starts one on this port (0: any) that hands on what it is asked.
    ///
    /// # Errors
    /// When the port cannot be had.
    pub fn listen(
        script: Script,
        port: u16,
        tell: impl Fn(&Seen) + Send + Sync + 'static,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port))?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            progress: Mutex::new(Arc::new(ScriptProgress::new(script))),
            seen: Mutex::default(),
            tell: Box::new(tell),
            answers: AtomicUsize::new(0),
            stopping: Arc::default(),
        });
        let own = Arc::clone(&shared);
        let listener = thread::spawn(move || {
            for client in listener.incoming().flatten() {
                if own.stopping.load(Ordering::Relaxed) {
                    return;
                }
                let shared = Arc::clone(&own);
                // A client that leaves in the middle is no trouble of ours.
                thread::spawn(move || shared.attend(client).ok());
            }
        });
        Ok(Self { address, shared, listener: Some(listener) })
    }

    /// Where it is to be reached: `http://127.0.0.1:PORT`.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Every request so far, in order.
    #[must_use]
    pub fn seen(&self) -> Vec<Seen> {
        self.shared.seen.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    /// The requests that took a turn of the script: none of those answered aside.
    #[must_use]
    pub fn turns(&self) -> Vec<Seen> {
        self.seen().into_iter().filter(|seen| seen.turn.is_some()).collect()
    }

    /// Plays another script from its beginning.
    pub fn use_script(&self, script: Script) {
        *self.shared.progress.lock().unwrap_or_else(PoisonError::into_inner) =
            Arc::new(ScriptProgress::new(script));
    }

    /// Serves until the process ends.
    pub fn wait(mut self) {
        if let Some(listener) = self.listener.take() {
            listener.join().ok();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.stopping.store(true, Ordering::Relaxed);
        // Whoever waits for the next client has to be woken.
        let woken = TcpStream::connect(self.address).is_ok();
        if let Some(listener) = self.listener.take().filter(|_| woken) {
            listener.join().ok();
        }
    }
}

impl std::fmt::Debug for Shared {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Shared").field("seen", &self.seen).finish_non_exhaustive()
    }
}

impl Shared {
    fn attend(&self, client: TcpStream) -> io::Result<()> {
        let mut connection = Connection::new(client, Arc::clone(&self.stopping))?;
        while let Some(request) = connection.request()? {
            let is_last = request.header("connection").is_some_and(|word| word.eq_ignore_ascii_case("close"));
            if !self.respond(&mut connection, &request)? || is_last {
                break;
            }
        }
        Ok(())
    }

    /// Answers one request; false when the connection is over.
    fn respond(&self, connection: &mut Connection, request: &Request) -> io::Result<bool> {
        let api = Api::of(&request.path).filter(|_| request.method == "POST");
        if let Some(api) = api {
            return self.speak(connection, request, api);
        }
        self.note(Seen::aside(request));
        let (status, body) = beside_the_model(request);
        connection.answer(request, status, &[], body.to_string().as_bytes())?;
        Ok(true)
    }

    fn speak(&self, connection: &mut Connection, request: &Request, api: Api) -> io::Result<bool> {
        let Ok(body) = serde_json::from_slice::<Value>(&request.body) else {
            self.note(Seen::aside(request));
            let refusal = api.refuse(&Status::new(400), now());
            connection.answer(request, 400, &[], refusal.body.to_string().as_bytes())?;
            return Ok(true);
        };
        let progress = Arc::clone(&self.progress.lock().unwrap_or_else(PoisonError::into_inner));
        let ask = api.read(&request.path, &body);
        let is_aside = ask.tools.is_empty() && !progress.script().without_tools;
        let (turn, place) = if is_aside {
            (aside(&ask), None)
        } else {
            let due = progress.due(&ask.model, &ask.prompt, ask.depth);
            (due.turn, Some(due.place))
        };
        self.note(Seen::of(request, api, &ask, place));
        if !connection.wait(Duration::from_millis(turn.delay_ms))? {
            return Ok(false);
        }
        let answer = self.answer(&turn, &ask, &body, progress.script().usage);
        Exchange { connection, request, api, ask: &ask, answer: &answer }.carry_out(turn.trouble.as_ref())
    }

    fn answer(&self, turn: &Turn, ask: &Ask, body: &Value, usage: Usage) -> ModelReply {
        let folder = folder_in(body);
        ModelReply {
            id: format!("{:06}", self.answers.fetch_add(1, Ordering::Relaxed)),
            thought: turn.think.clone(),
            text: turn.say.clone(),
            calls: turn.call.iter().map(|call| translate(call, ask, folder.as_deref())).collect(),
            usage: turn.usage.unwrap_or(usage),
        }
    }

    fn note(&self, seen: Seen) {
        (self.tell)(&seen);
        self.seen.lock().unwrap_or_else(PoisonError::into_inner).push(seen);
    }
}

/// What is asked beside the model itself.
fn beside_the_model(request: &Request) -> (u16, Value) {
    let is_upgrade = request.header("upgrade").is_some_and(|to| to.eq_ignore_ascii_case("websocket"));
    if is_upgrade {
        return (426, json!({ "error": { "message": "Web sockets are not spoken here." } }));
    }
    if request.path.ends_with("/count_tokens") || request.path.ends_with(":countTokens") {
        let tokens = request.body.len() / 4;
        return (200, json!({ "input_tokens": tokens, "totalTokens": tokens }));
    }
    if request.path.ends_with("/models") {
        return (200, json!({ "object": "list", "data": [], "models": [], "has_more": false }));
    }
    if request.method == "HEAD" {
        return (200, json!({}));
    }
    (404, json!({ "error": { "type": "not_found_error", "message": "There is nothing here." } }))
}

/// The answer to a request that offers no tools: a title, mostly.
fn aside(ask: &Ask) -> Turn {
    let title = "A scripted title";
    let json = json!({
        "title": title,
        "reasoning": title,
        "complexity_reasoning": title,
        "complexity_score": 50,
        "next_speaker": "user",
    });
    let text = if ask.wants_json { json.to_string() } else { title.to_owned() };
    Turn::say(text).costing(Usage { input: 10, output: 3, cache_read: 0, cache_write: 0, reasoning: 0 })
}

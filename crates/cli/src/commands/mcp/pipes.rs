//! Messages on standard input and output, one JSON document per line.
//!
//! The SDK has such a transport. Ours reads and writes only the few messages that this server answers, which spares the
//! program half a megabyte, and it has an answer for requests that nobody can read.

use std::io::{self, BufRead, Read, Write};
use std::thread;

use rmcp::ErrorData;
use rmcp::model::{
    CallToolRequest, ClientNotification, ClientRequest, CustomRequest, DiscoverRequest, InitializeRequest,
    InitializedNotification, JsonRpcError, JsonRpcMessage, ListToolsRequest, PingRequest, RequestId,
    ServerResult,
};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// A longer line is skipped.
const LINE_LIMIT: u64 = 4 * 1024 * 1024;
/// How many lines are read ahead.
const AHEAD: usize = 8;

/// A line of the input.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// Standard input and output.
pub(super) struct Pipes {
    lines: Receiver<Line>,
}

impl Pipes {
    /// Begins to read. A thread of its own does it: it may wait for a line for ever.
    pub(super) fn open() -> Self {
        let (sender, lines) = channel(AHEAD);
        thread::spawn(move || read_lines(io::stdin().lock(), &sender));
        Self { lines }
    }
}

/// Hands lines on until the input or the listener ends.
fn read_lines(mut input: impl BufRead, lines: &Sender<Line>) {
    loop {
        let mut text = Vec::new();
        let line = match input.by_ref().take(LINE_LIMIT).read_until(b'\n', &mut text) {
            Ok(0) | Err(_) => return,
            Ok(_) if text.ends_with(b"\n") || (text.len() as u64) < LINE_LIMIT => Line::Text(text),
            Ok(_) => match input.skip_until(b'\n') {
                Ok(_) => Line::TooLong,
                Err(_) => return,
            },
        };
        if lines.blocking_send(line).is_err() {
            return;
        }
    }
}

/// What a line asks for.
enum Asked {
    Something(Box<RxJsonRpcMessage<RoleServer>>),
    Nothing,
    /// Nobody can read it, and whoever asked should know.
    Unreadable(JsonRpcError),
}

impl Asked {
    fn unreadable(id: Option<RequestId>, error: ErrorData) -> Self {
        Self::Unreadable(JsonRpcError::new(id, error))
    }

    fn of(line: Line) -> Self {
        let Line::Text(line) = line else {
            let words = format!("a message is longer than {LINE_LIMIT} bytes and was skipped");
            return Self::unreadable(None, ErrorData::invalid_request(words, None));
        };
        // An answer to what is no JSON at all could be answered in turn, without end.
        let Ok(message) = serde_json::from_slice::<Value>(&line) else { return Self::Nothing };
        let Some(method) = message.get("method").and_then(Value::as_str).map(str::to_owned) else {
            // An answer to something, though nothing was asked.
            let answer = message.get("result").or(message.get("error")).is_some();
            return if answer { Self::Nothing } else { Self::nonsense(None) };
        };
        match message.get("id").cloned() {
            None => Self::notification(&method, message),
            Some(id) => match serde_json::from_value::<RequestId>(id) {
                Ok(id) => Self::request(&method, id, message),
                Err(_) => Self::nonsense(None),
            },
        }
    }

    fn nonsense(id: Option<RequestId>) -> Self {
        Self::unreadable(id, ErrorData::invalid_request("the message is no request", None))
    }

    fn notification(method: &str, message: Value) -> Self {
        let read = |message| serde_json::from_value::<InitializedNotification>(message).ok();
        let initialized = (method == "notifications/initialized").then_some(message).and_then(read);
        initialized.map_or(Self::Nothing, |initialized| {
            Self::Something(Box::new(JsonRpcMessage::notification(ClientNotification::from(initialized))))
        })
    }

    fn request(method: &str, id: RequestId, message: Value) -> Self {
        let request = match method {
            "initialize" => read::<InitializeRequest>(message),
            "server/discover" => read::<DiscoverRequest>(message),
            "ping" => read::<PingRequest>(message),
            "tools/list" => read::<ListToolsRequest>(message),
            "tools/call" => read::<CallToolRequest>(message),
            _ => read::<CustomRequest>(message),
        };
        match request {
            Ok(request) => Self::Something(Box::new(JsonRpcMessage::request(request, id))),
            Err(error) => Self::unreadable(Some(id), ErrorData::invalid_params(error.to_string(), None)),
        }
    }
}

fn read<R: DeserializeOwned + Into<ClientRequest>>(message: Value) -> serde_json::Result<ClientRequest> {
    serde_json::from_value::<R>(message).map(Into::into)
}

/// What this server sends, as JSON; nothing for what it has no reason to send.
fn written(message: TxJsonRpcMessage<RoleServer>) -> serde_json::Result<Option<Value>> {
    let response = match message {
        JsonRpcMessage::Response(response) => response,
        JsonRpcMessage::Error(error) => return serde_json::to_value(error).map(Some),
        JsonRpcMessage::Request(_) | JsonRpcMessage::Notification(_) => return Ok(None),
    };
    let result = match &response.result {
        ServerResult::InitializeResult(result) => serde_json::to_value(result),
        ServerResult::DiscoverResult(result) => serde_json::to_value(result),
        ServerResult::ListToolsResult(result) => serde_json::to_value(result),
        ServerResult::CallToolResult(result) => serde_json::to_value(result),
        _ => Ok(json!({})),
    }?;
    Ok(Some(json!({ "jsonrpc": "2.0", "id": response.id, "result": result })))
}

fn write(message: &impl Serialize) -> io::Result<()> {
    let mut line = serde_json::to_vec(message)?;
    line.push(b'\n');
    let mut output = io::stdout().lock();
    output.write_all(&line)?;
    output.flush()
}

impl Transport<RoleServer> for Pipes {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        let sent = written(message).map_err(io::Error::from).and_then(|message| match message {
            Some(message) => write(&message),
            None => Ok(()),
        });
        std::future::ready(sent)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            match Asked::of(self.lines.recv().await?) {
                Asked::Something(message) => return Some(*message),
                Asked::Nothing => {}
                Asked::Unreadable(error) => write(&error).ok()?,
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.lines.close();
        Ok(())
    }
}

//! MCP over standard input and output: one JSON document per line.
//!
//! Messages are rmcp's, and its stdio transport writes them. Reading is ours for one reason: rmcp 3.8 drops a line that is
//! not JSON or too long without an answer, and an escaped lone surrogate makes a line not JSON. The client would wait for
//! ever, and what the agent reports would be lost.

use std::io::{self, BufRead, Read};
use std::pin::Pin;
use std::thread;

use loopwright_domain::json::replace_lone_surrogates;
use rmcp::ErrorData;
use rmcp::model::{JsonRpcError, JsonRpcMessage, RequestId};
use rmcp::service::{RoleServer, RxJsonRpcMessage, TxJsonRpcMessage};
use rmcp::transport::Transport;
use rmcp::transport::async_rw::AsyncRwTransport;
use serde::Deserialize;
use serde_json::Value;
use tokio::io::{Empty, Stdout};
use tokio::sync::mpsc::{Receiver, Sender, channel};

/// The longest line that is read, in bytes.
const LINE_LIMIT: u64 = 4 * 1024 * 1024;
/// How many lines are read ahead.
const LINES_AHEAD: usize = 8;

/// A line of the input.
enum Line {
    Text(Vec<u8>),
    TooLong,
}

/// The server's end of standard input and output.
pub(super) struct StdioTransport {
    lines: Receiver<Line>,
    writer: AsyncRwTransport<RoleServer, Empty, Stdout>,
    /// The error that is being sent for a line that was refused. It is kept here because `receive` may be cancelled while
    /// it waits.
    refusal: Option<Pin<Box<dyn Future<Output = io::Result<()>> + Send>>>,
}

impl StdioTransport {
    /// Begins to read, in a thread that nobody waits for: a runtime would not end before the line that it reads.
    pub(super) fn open() -> Self {
        let (sender, lines) = channel(LINES_AHEAD);
        thread::spawn(move || read_lines(io::stdin().lock(), &sender));
        let writer = AsyncRwTransport::new_server(tokio::io::empty(), tokio::io::stdout());
        Self { lines, writer, refusal: None }
    }
}

impl Transport<RoleServer> for StdioTransport {
    type Error = io::Error;

    fn send(
        &mut self,
        message: TxJsonRpcMessage<RoleServer>,
    ) -> impl Future<Output = io::Result<()>> + Send + 'static {
        self.writer.send(message)
    }

    async fn receive(&mut self) -> Option<RxJsonRpcMessage<RoleServer>> {
        loop {
            if let Some(refusal) = &mut self.refusal {
                let sent = refusal.await;
                self.refusal = None;
                sent.ok()?;
            }
            match parse(self.lines.recv().await?) {
                Ok(Some(message)) => return Some(message),
                Ok(None) => {}
                Err(error) => {
                    self.refusal = Some(Box::pin(self.writer.send(JsonRpcMessage::Error(error))));
                }
            }
        }
    }

    async fn close(&mut self) -> io::Result<()> {
        self.lines.close();
        self.writer.close().await
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

/// The message of a line; none where the line asks for nothing. An error says what to answer.
fn parse(line: Line) -> Result<Option<RxJsonRpcMessage<RoleServer>>, JsonRpcError> {
    let refused = |error| JsonRpcError::new(None, error);
    let Line::Text(line) = line else {
        let message = format!("a message is longer than {LINE_LIMIT} bytes and was skipped");
        return Err(refused(ErrorData::invalid_request(message, None)));
    };
    let line = String::from_utf8_lossy(&line);
    if line.trim().is_empty() {
        return Ok(None);
    }
    let json: Value = serde_json::from_str(&replace_lone_surrogates(&line))
        .map_err(|error| refused(ErrorData::parse_error(format!("no JSON: {error}"), None)))?;
    let error = match serde_json::from_value(json.clone()) {
        Ok(message) => return Ok(Some(message)),
        Err(error) => error,
    };
    let no_request = || refused(ErrorData::invalid_request("the message is no request", None));
    match (json.get("method"), json.get("id")) {
        // Notifications are never answered.
        (Some(_), None) => Ok(None),
        (Some(_), Some(id)) => {
            let id = RequestId::deserialize(id).map_err(|_| no_request())?;
            Err(JsonRpcError::new(Some(id), ErrorData::invalid_params(error.to_string(), None)))
        }
        // An answer, though this server asks nothing.
        (None, _) if json.get("result").or(json.get("error")).is_some() => Ok(None),
        (None, _) => Err(no_request()),
    }
}

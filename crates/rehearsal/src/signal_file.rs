//! The signal file: how an agent tells Loopwright that it is done, blocked, or has learned something.
//! The file is `{"nonce": "…", "signals": [{"type": "complete", …}, …]}`.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::scenario::{SignalStep, SignalVariant};

/// A nonce that Loopwright never gives out.
const WRONG_NONCE: &str = "not-the-nonce-you-gave-me";

/// Why a signal was not written.
#[derive(Debug, thiserror::Error)]
pub enum SignalError {
    /// There is no earlier nonce to replay.
    #[error("a stale signal needs --state and an earlier attempt to replay")]
    NothingToReplay,
    /// The system refused.
    #[error("the signal file {path} cannot be written: {source}", path = .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// The system's reason.
        source: io::Error,
    },
}

/// Where signals go, and what proves that they belong to this iteration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignalFile {
    /// The file Loopwright named.
    pub path: PathBuf,
    /// The nonce it gave.
    pub nonce: String,
    /// The nonce of the attempt before, when it is remembered.
    pub previous_nonce: Option<String>,
}

impl SignalFile {
    /// Writes a signal. A file that already holds signals with the same nonce gets one more.
    ///
    /// # Errors
    /// When the file cannot be written, or there is nothing to replay.
    pub fn write(&self, step: &SignalStep) -> Result<(), SignalError> {
        let nonce = match step.variant {
            SignalVariant::Good | SignalVariant::Malformed => Some(self.nonce.as_str()),
            SignalVariant::WrongNonce => Some(WRONG_NONCE),
            SignalVariant::MissingNonce => None,
            SignalVariant::Stale => Some(self.previous_nonce.as_deref().ok_or(SignalError::NothingToReplay)?),
        };
        let mut signals = self.written(nonce);
        signals.push(step.signal.clone());
        let document = match nonce {
            Some(nonce) => json!({ "nonce": nonce, "signals": signals }),
            None => json!({ "signals": signals }),
        };
        let mut text = document.to_string();
        if step.variant == SignalVariant::Malformed {
            let half = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at));
            text.truncate(half.unwrap_or(0));
        }
        replace(&self.path, text.as_bytes())
            .map_err(|source| SignalError::Io { path: self.path.clone(), source })
    }

    /// The signals already in the file, when it carries this nonce.
    fn written(&self, nonce: Option<&str>) -> Vec<Value> {
        let content =
            fs::read(&self.path).ok().and_then(|bytes| serde_json::from_slice::<Value>(&bytes).ok());
        match content {
            Some(content) if content.get("nonce").and_then(Value::as_str) == nonce => {
                content.get("signals").and_then(Value::as_array).cloned().unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }
}

/// Puts the content there in one move, so that a reader never sees half a file.
fn replace(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    fs::write(&temporary, content)?;
    fs::rename(&temporary, path)
}

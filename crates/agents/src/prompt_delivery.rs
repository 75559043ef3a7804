//! How the prompt gets to the agent: standard input, an argument, a variable or a file.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::PathBuf;

use loopwright_domain::PromptMode;

use crate::error::AgentsError;
use crate::harness::{AgentRequest, Invocation};
use crate::system::ARGUMENT_LIMIT;

/// The variable that holds the prompt when nothing else is said.
pub const DEFAULT_PROMPT_ENV: &str = "LOOPWRIGHT_PROMPT";

const PROMPT: &str = "{prompt}";
const PROMPT_FILE: &str = "{prompt_file}";
const MODEL: &str = "{model}";

/// Splits a command line into program and arguments by the rules of quoting. No shell is involved: `$`, `*` and `&&`
/// mean nothing.
///
/// # Errors
/// When there is no program in it, or a quote is left open.
pub fn split_command(command: &str) -> Result<Vec<String>, AgentsError> {
    shell_words::split(command)
        .ok()
        .filter(|words| words.first().is_some_and(|program| !program.is_empty()))
        .ok_or_else(|| AgentsError::BadCommand(command.to_owned()))
}

/// A program and what is always said to it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommandTemplate<'a> {
    pub(crate) program: &'a PathBuf,
    pub(crate) args: &'a [String],
    pub(crate) env: &'a BTreeMap<String, String>,
    pub(crate) mode: PromptMode,
    pub(crate) prompt_env: &'a str,
}

impl CommandTemplate<'_> {
    /// Puts the prompt, its file and the model where they belong.
    pub(crate) fn invocation(&self, request: &AgentRequest<'_>) -> Result<Invocation, AgentsError> {
        let mut env: BTreeMap<OsString, OsString> =
            self.env.iter().map(|(name, value)| (name.into(), value.into())).collect();
        let mut stdin = Vec::new();
        match self.mode {
            PromptMode::Stdin => stdin = request.prompt.as_bytes().to_vec(),
            PromptMode::Arg => fits(request.prompt, request.prompt.len(), "an argument")?,
            PromptMode::Env => {
                env.insert(self.prompt_env.into(), self.prompt_variable(request.prompt)?);
            }
            PromptMode::File => {}
        }
        let mut args = Vec::new();
        let mut shown = vec![self.program.display().to_string()];
        for template in self.templates() {
            let arg = self.fill(&template, request)?;
            shown.push(shown_argument(&template, &arg, request, self.mode));
            args.push(arg);
        }
        let shown = shell_words::join(shown);
        let program = self.program.clone();
        Ok(Invocation { program, args, env, stdin, shown, ..Invocation::default() })
    }

    fn prompt_variable(&self, prompt: &str) -> Result<OsString, AgentsError> {
        let name = self.prompt_env;
        if name.is_empty() || name.contains(['=', '\0']) {
            return Err(AgentsError::BadVariable(name.to_owned()));
        }
        fits(prompt, name.len() + 1 + prompt.len(), "a variable")?;
        Ok(prompt.into())
    }

    /// The arguments with their placeholders; the one for the prompt is added where it is missing.
    fn templates(&self) -> Vec<String> {
        let mut templates = self.args.to_vec();
        let wanted = match self.mode {
            PromptMode::Arg => PROMPT,
            PromptMode::File => PROMPT_FILE,
            PromptMode::Stdin | PromptMode::Env => return templates,
        };
        if !templates.iter().any(|template| template.contains(wanted)) {
            templates.push(wanted.to_owned());
        }
        templates
    }

    /// Fills one argument. What is filled in is never looked through for placeholders again.
    fn fill(&self, template: &str, request: &AgentRequest<'_>) -> Result<OsString, AgentsError> {
        let mut filled = OsString::new();
        let mut rest = template;
        while let Some((before, name, after)) = split_at_placeholder(rest, self.mode) {
            filled.push(before);
            match name {
                PROMPT => filled.push(request.prompt),
                MODEL => filled.push(request.model.ok_or(AgentsError::NoModel)?),
                _ => filled.push(request.prompt_file),
            }
            rest = after;
        }
        filled.push(rest);
        if self.mode == PromptMode::Arg {
            fits("", filled.len(), "an argument")?;
        }
        Ok(filled)
    }
}

/// The text before the first placeholder, the placeholder, and the text after it.
fn split_at_placeholder(text: &str, mode: PromptMode) -> Option<(&str, &'static str, &str)> {
    let prompt = (mode == PromptMode::Arg).then_some(PROMPT);
    let (at, name) = [prompt, Some(PROMPT_FILE), Some(MODEL)]
        .into_iter()
        .flatten()
        .filter_map(|name| text.find(name).map(|at| (at, name)))
        .min()?;
    Some((text.get(..at)?, name, text.get(at + name.len()..)?))
}

fn fits(prompt: &str, bytes: usize, place: &'static str) -> Result<(), AgentsError> {
    if prompt.contains('\0') {
        return Err(AgentsError::PromptWithNul(place));
    }
    if bytes > ARGUMENT_LIMIT {
        return Err(AgentsError::PromptTooLong { place, bytes, limit: ARGUMENT_LIMIT });
    }
    Ok(())
}

/// An argument as people may see it: the prompt itself would drown the rest.
fn shown_argument(template: &str, arg: &OsStr, request: &AgentRequest<'_>, mode: PromptMode) -> String {
    if mode == PromptMode::Arg && template.contains(PROMPT) {
        return template.replace(PROMPT, &format!("[the prompt, {} bytes]", request.prompt.len()));
    }
    arg.to_string_lossy().into_owned()
}

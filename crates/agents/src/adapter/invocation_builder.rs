//! A call while it is put together: arguments, variables and files.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;

use loopwright_domain::Automation;

use super::AdapterOptions;
use crate::error::AgentsError;
use crate::harness::{AgentRequest, Invocation};
use crate::home_overlay::HomeOverlay;

/// The longest argument that is shown whole.
const SHOWN: usize = 200;

/// How much a CLI is allowed to do. It works the same whether a person starts each iteration or not.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Permissions {
    /// Reads only.
    ReadOnly,
    /// Edits files of the project and runs commands.
    Edit,
    /// Does what it wants.
    Unrestricted,
}

impl Permissions {
    pub(super) const fn of(automation: Automation) -> Self {
        match automation {
            Automation::Plan => Self::ReadOnly,
            Automation::Manual | Automation::Auto => Self::Edit,
            Automation::Yolo => Self::Unrestricted,
        }
    }
}

/// A call while it is put together. The prompt is no argument: it goes to standard input, or stays in its file.
#[derive(Debug)]
pub(crate) struct InvocationBuilder<'a> {
    pub(super) request: &'a AgentRequest<'a>,
    pub(super) permissions: Permissions,
    /// What people call the CLI.
    pub(super) label: &'static str,
    own: &'a AdapterOptions,
    args: Vec<OsString>,
    env: BTreeMap<OsString, OsString>,
    files: Vec<(PathBuf, Vec<u8>)>,
    report: Option<PathBuf>,
    event_log: Option<PathBuf>,
    home_overlay: Option<HomeOverlay>,
    /// Whether the prompt goes to standard input.
    stdin: bool,
}

impl<'a> InvocationBuilder<'a> {
    pub(super) fn new(request: &'a AgentRequest<'a>, label: &'static str, own: &'a AdapterOptions) -> Self {
        Self {
            request,
            permissions: Permissions::of(request.automation),
            label,
            own,
            args: Vec::new(),
            env: own.env.iter().map(|(name, value)| (name.into(), value.into())).collect(),
            files: Vec::new(),
            report: None,
            event_log: None,
            home_overlay: None,
            stdin: true,
        }
    }

    /// Begins the arguments: what belongs to the command itself, a subcommand if there is one, the user's own, then
    /// fixed ones.
    pub(super) fn begin(&mut self, subcommand: &[&str], fixed: &[&str]) {
        self.args.extend(self.own.leading.iter().map(OsString::from));
        self.args(subcommand);
        self.args.extend(self.own.args.iter().map(OsString::from));
        self.args(fixed);
    }

    pub(super) fn args<A: AsRef<std::ffi::OsStr>>(&mut self, args: &[A]) {
        self.args.extend(args.iter().map(|arg| arg.as_ref().to_owned()));
    }

    /// Adds an option with its value.
    pub(super) fn option(&mut self, name: &str, value: impl Into<OsString>) {
        self.args.push(name.into());
        self.args.push(value.into());
    }

    /// Adds the model that is asked for, if one is.
    pub(super) fn model(&mut self, option: &str) {
        if let Some(model) = self.request.model {
            self.option(option, model);
        }
    }

    /// Sets a variable, unless the user has set it for this CLI.
    pub(super) fn env(&mut self, name: &str, value: impl Into<OsString>) {
        self.env.entry(name.into()).or_insert_with(|| value.into());
    }

    /// Sets a variable whatever the user has set.
    pub(super) fn env_over(&mut self, name: &str, value: impl Into<OsString>) {
        self.env.insert(name.into(), value.into());
    }

    /// What the user has set a variable to for this CLI.
    pub(super) fn own_env(&self, name: &str) -> Option<&str> {
        self.own.env.get(name).map(String::as_str)
    }

    /// Adds a file of the iteration's private folder; none where there is no such folder.
    pub(super) fn file(&mut self, name: &str, content: impl Into<Vec<u8>>) -> Option<PathBuf> {
        let path = self.request.scratch?.join(name);
        self.files.push((path.clone(), content.into()));
        Some(path)
    }

    /// Puts text into such a file and gives its path, else the text itself: other users see arguments.
    pub(super) fn file_or_inline(&mut self, name: &str, text: String) -> OsString {
        match self.file(name, text.clone()) {
            Some(path) => path.into(),
            None => text.into(),
        }
    }

    /// Names the file that the CLI writes at its end; none where there is no folder for it.
    pub(super) fn report(&mut self, name: &str) -> Option<PathBuf> {
        self.report = Some(self.request.temp?.join(name));
        self.report.clone()
    }

    /// Names the file to which the CLI adds lines as it works; none where there is no folder for it.
    pub(super) fn event_log(&mut self, name: &str) -> Option<PathBuf> {
        self.event_log = Some(self.request.temp?.join(name));
        self.event_log.clone()
    }

    /// Lets the CLI see a folder of settings of its own.
    pub(super) fn home_overlay(&mut self, home_overlay: HomeOverlay) {
        self.home_overlay = Some(home_overlay);
    }

    /// Hands the prompt over in its file, for a CLI that does not read it from standard input.
    pub(super) fn prompt_file(&mut self, option: &str) {
        self.option(option, self.request.prompt_file);
        self.stdin = false;
    }

    /// The refusal of a CLI that gives up its own protection only where a sandbox of ours is around it.
    pub(super) fn refuse_root(&self) -> Result<(), AgentsError> {
        match self.request.root && !self.request.sandboxed {
            true => Err(AgentsError::Root(self.label)),
            false => Ok(()),
        }
    }

    /// The call.
    pub(super) fn invocation(self) -> Invocation {
        let program = &self.own.program;
        let words = std::iter::once(program.display().to_string());
        let shown = shell_words::join(words.chain(self.args.iter().map(|arg| shown(&arg.to_string_lossy()))));
        Invocation {
            program: program.clone(),
            args: self.args,
            env: self.env,
            stdin: if self.stdin { self.request.prompt.as_bytes().to_vec() } else { Vec::new() },
            shown,
            files: self.files,
            report: self.report,
            event_log: self.event_log,
            home_overlay: self.home_overlay,
        }
    }
}

/// An argument as people may see it: a schema or a server's settings would drown the rest.
fn shown(arg: &str) -> String {
    match arg.chars().nth(SHOWN) {
        Some(_) => arg.chars().take(SHOWN).chain(['…']).collect(),
        None => arg.to_owned(),
    }
}

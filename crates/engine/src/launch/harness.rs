//! Builds the harness a run was asked for.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use loopwright_agents::{
    Adapter, AdapterOptions, AgentRequest, AgentsError, DEFAULT_PROMPT_ENV, FieldPaths, Generic,
    GenericOptions, Harness, Rehearsal, adapter, split_command,
};
use loopwright_config::{Config, HarnessCommand, Host, TrustedConfig};
use loopwright_domain::{Automation, ErrorCode, Fault, NextAction, SandboxState};

use crate::agent::{self, REHEARSAL};
use crate::launch::AgentOptions;

/// The harness for these options. Its program exists.
pub(crate) fn build(
    host: &Host,
    config: &TrustedConfig,
    root: &Path,
    options: &AgentOptions,
) -> Result<Arc<dyn Harness>, Fault> {
    described(host, config, root, options)
}

/// What keeps the harness for these options from being built, in a folder that need not be trusted.
pub(crate) fn problem(host: &Host, config: &Config, root: &Path, options: &AgentOptions) -> Option<Fault> {
    described(host, config, root, options).err()
}

fn described(
    host: &Host,
    config: &Config,
    root: &Path,
    options: &AgentOptions,
) -> Result<Arc<dyn Harness>, Fault> {
    if let Some(command) = &options.command {
        let words = split_command(command)?;
        return generic(host, root, options, words, None);
    }
    let chosen = agent::choose_named(host, config, &options.name);
    let name = match (chosen.name, chosen.problem) {
        (_, Some(problem)) => return Err(problem),
        (None, None) => return Err(no_agent()),
        (Some(name), None) => name,
    };
    let own = config.harnesses.get(&name).map(|harness| &harness.command);
    if name == REHEARSAL && own.is_none_or(|own| own.output_format.is_none()) {
        let program = chosen.program.ok_or_else(no_agent)?;
        let args = own.map(|own| own.args.clone()).unwrap_or_default();
        let env = own.map(|own| own.env.clone()).unwrap_or_default();
        return Ok(Arc::new(Rehearsal::new(program, args, env)));
    }
    // Who says how a program takes its prompt or what it prints describes another program under a known name.
    let by_settings = own.is_some_and(|own| own.output_format.is_some() || own.prompt_mode.is_some());
    if let Some(adapter) = adapter(&name).filter(|_| !by_settings) {
        let program = chosen.program.ok_or_else(no_agent)?;
        return Ok(adapted(host, adapter, program.into(), own));
    }
    let own = own.ok_or_else(no_agent)?;
    let words = agent::command_words(host, own.command.as_deref().unwrap_or(&name));
    generic(host, root, options, words, Some(own))
}

/// Refuses an agent that would not work as root like this, before anything is begun.
pub(crate) fn refuse_root(
    harness: &dyn Harness,
    automation: Automation,
    sandbox: SandboxState,
) -> Result<(), Fault> {
    let nowhere = Path::new("");
    let request = AgentRequest::new("", nowhere, nowhere, "")
        .automation(automation)
        .user(loopwright_process::runs_as_root(), sandbox == SandboxState::Sandbox);
    match harness.invoke(&request) {
        Err(refusal @ AgentsError::Root(_)) => Err(refusal.into()),
        _ => Ok(()),
    }
}

/// A known CLI, with what the user's settings say about it.
fn adapted(
    host: &Host,
    adapter: &'static Adapter,
    program: PathBuf,
    own: Option<&HarnessCommand>,
) -> Arc<dyn Harness> {
    let mut options = AdapterOptions::new(program);
    if let Some(own) = own {
        options.leading = agent::leading_words(host, own);
        options.args = own.args.clone();
        options.env = own.env.clone();
        options.credentials = own.credentials.clone();
    }
    Arc::from(adapter.harness(options))
}

fn generic(
    host: &Host,
    root: &Path,
    options: &AgentOptions,
    words: Vec<String>,
    own: Option<&HarnessCommand>,
) -> Result<Arc<dyn Harness>, Fault> {
    let mut words = words.into_iter();
    let name = words.next().ok_or_else(no_agent)?;
    let program = if Path::new(&name).components().count() > 1 {
        // A path is taken from the project folder, where the agent works.
        Some(root.join(&name)).filter(|path| path.is_file())
    } else {
        host.find_program(&name)
    };
    let program = program.ok_or_else(|| {
        Fault::new(ErrorCode::AgentMissing, format!("the program \"{name}\" was not found"))
            .hint("Install it, or name it by its full path.")
    })?;
    let mut generic = GenericOptions::new(options.name.clone(), program);
    generic.args = words.chain(own.into_iter().flat_map(|own| own.args.clone())).collect();
    generic.env = own.map(|own| own.env.clone()).unwrap_or_default();
    generic.credentials = own.map(|own| own.credentials.clone()).unwrap_or_default();
    generic.fields = own.map(fields).unwrap_or_default();
    generic.prompt_env =
        own.and_then(|own| own.prompt_env.clone()).unwrap_or_else(|| DEFAULT_PROMPT_ENV.to_owned());
    generic.prompt_mode = options.prompt_mode.unwrap_or(generic.prompt_mode);
    generic.output_format = options.output_format.unwrap_or(generic.output_format);
    Ok(Arc::new(Generic::new(generic)))
}

/// Where in an agent's JSON things are.
fn fields(own: &HarnessCommand) -> FieldPaths {
    let at = |name: &str| own.fields.get(name).cloned();
    FieldPaths {
        text: at("text"),
        input_tokens: at("input_tokens"),
        output_tokens: at("output_tokens"),
        cache_read_tokens: at("cache_read_tokens"),
        cache_write_tokens: at("cache_write_tokens"),
        cost_usd: at("cost_usd"),
    }
}

fn no_agent() -> Fault {
    Fault::new(ErrorCode::AgentMissing, "no agent is chosen").next(NextAction::ChooseAgent, "Choose one")
}

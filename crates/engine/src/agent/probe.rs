//! Asks an agent's program what it says about itself. It works in an empty folder and sees only its own variables.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::time::Duration;

use loopwright_agents::{Adapter, LoginReport, Version};
use loopwright_config::{HarnessCommand, Host, TrustedConfig};
use loopwright_domain::{ErrorCode, Fault, LoginState};
use loopwright_process::{Command, Exit, Finished, allowed_environment, run};

use super::{choose_named, known_agent, leading_words};
use crate::report::preview;

/// How long a program may take for one answer. Some need four seconds for their version, and more on a busy machine.
const ASK_TIME: Duration = Duration::from_secs(30);

/// How much of what a program said goes into a message.
const SAID: usize = 300;

/// A known CLI as it is called here.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Called<'a> {
    pub(crate) adapter: &'static Adapter,
    pub(crate) program: &'a Path,
    /// What the settings say about it.
    pub(crate) own: Option<&'a HarnessCommand>,
}

/// What a program says about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Probed {
    /// What it printed as its version, and the version in it.
    pub(crate) version: Option<Version>,
    /// Whether it is logged in.
    pub(crate) login: LoginReport,
    /// What keeps it from being used.
    pub(crate) problem: Option<Fault>,
    /// Whether it did not answer in time.
    pub(crate) slow: bool,
}

/// Asks for version and login, both at once.
pub(crate) async fn probe(host: &Host, called: Called<'_>) -> Probed {
    let adapter = called.adapter;
    let Ok(folder) = tempfile::tempdir() else {
        let login = LoginReport { state: LoginState::Unknown, detail: None };
        return Probed { version: None, login, problem: None, slow: false };
    };
    let ask = |args: &'static [&'static str]| ask(host, called, folder.path(), args);
    let login = async {
        match &adapter.login {
            Some(probe) => {
                ask(probe.args).await.ok().map(|finished| (probe.read)(code(&finished), &text(&finished)))
            }
            None => None,
        }
    };
    let (version, login) = tokio::join!(ask(adapter.version), login);
    let login = told_login(called, login, &environment(host, called));
    match version {
        Ok(finished) => {
            let version = adapter.read_version(&text(&finished));
            let problem = unwell(called, &finished);
            let problem = problem.or_else(|| version.and_then(|version| too_old(adapter, version)));
            Probed { version, login, problem, slow: false }
        }
        // Who is slow to tell its version may work well.
        Err(fault) if fault.code == ErrorCode::ProcessTimeout => {
            Probed { version: None, login, problem: None, slow: true }
        }
        Err(fault) => Probed { version: None, login, problem: Some(fault), slow: false },
    }
}

/// The fault of a program that is too old for the options it is given.
pub(crate) fn too_old(adapter: &Adapter, version: Version) -> Option<Fault> {
    let hint = match adapter.install {
        Some(install) => format!("Install {} or newer: {install}", adapter.least),
        None => format!("Install {} or newer.", adapter.least),
    };
    (version < adapter.least).then(|| {
        let message = format!("{} {version} is too old for Loopwright", adapter.label);
        Fault::new(ErrorCode::AgentVersion, message).hint(hint)
    })
}

/// The program's version, when it tells it.
pub(crate) async fn version(host: &Host, called: Called<'_>) -> Option<Version> {
    let folder = tempfile::tempdir().ok()?;
    let finished = ask(host, called, folder.path(), called.adapter.version).await.ok()?;
    called.adapter.read_version(&text(&finished))
}

/// The login as the program tells it. A key that is set and that it was not asked about is named, and says nothing about
/// whether it is accepted.
fn told_login(
    called: Called<'_>,
    asked: Option<LoginReport>,
    env: &BTreeMap<OsString, OsString>,
) -> LoginReport {
    let keys = match (&asked, &called.adapter.login) {
        (None, _) => called.adapter.credentials,
        (Some(report), Some(probe)) if report.state == LoginState::LoggedOut => probe.unseen,
        _ => &[],
    };
    let is_set = |name: &&&str| env.get(OsStr::new(name)).is_some_and(|value| !value.is_empty());
    let key = keys.iter().find(is_set).map(|name| format!("{name} is set"));
    match asked {
        Some(report) if key.is_none() => report,
        _ => LoginReport { state: LoginState::Unknown, detail: key },
    }
}

/// The fault of a program that cannot even tell its version, with what it said instead.
fn unwell(called: Called<'_>, finished: &Finished) -> Option<Fault> {
    let ended = match finished.exit {
        Exit::Code(0) => return None,
        Exit::Code(code) => format!("exit code {code}"),
        Exit::Signal(signal) => format!("signal {signal}"),
    };
    let printed = text(finished);
    let said = printed.lines().map(str::trim).find(|line| !line.is_empty());
    let said = said.map(|line| format!(": {}", preview(line, SAID))).unwrap_or_default();
    let message = format!("{} ended with {ended} when asked for its version{said}", called.adapter.label);
    let line = format!("{} {}", called.program.display(), called.adapter.version.join(" "));
    Some(Fault::new(ErrorCode::AgentFailed, message).hint(format!("Run \"{line}\" in a terminal and see.")))
}

async fn ask(
    host: &Host,
    called: Called<'_>,
    folder: &Path,
    args: &'static [&'static str],
) -> Result<Finished, Fault> {
    let leading = called.own.map(|own| leading_words(host, own)).unwrap_or_default();
    let mut command =
        Command::new(called.program, folder).args(leading).args(args.iter().map(|word| (*word).to_owned()));
    command.env = environment(host, called);
    command.timeout = ASK_TIME;
    Ok(run(command).await?)
}

/// What an agent's program sees when it is asked something.
fn environment(host: &Host, called: Called<'_>) -> BTreeMap<OsString, OsString> {
    let named = [called.adapter.credentials, called.adapter.settings].concat();
    let mut env = allowed_environment(host.environment.clone(), named);
    env.insert("PATH".into(), host.without_project(&host.search_path_for(called.program)));
    env.insert("NO_COLOR".into(), "1".into());
    let own = called.own.into_iter().flat_map(|own| &own.env);
    env.extend(own.map(|(name, value)| (name.into(), value.into())));
    env
}

fn code(finished: &Finished) -> Option<i32> {
    match finished.exit {
        Exit::Code(code) => Some(code),
        Exit::Signal(_) => None,
    }
}

/// Both streams: programs differ in where they tell such things.
fn text(finished: &Finished) -> String {
    let output = &finished.output;
    let words = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes).into_owned());
    loopwright_domain::sanitize::strip(&words.join("\n")).into_owned()
}

/// The fault of a program that does not know its options because it is too old.
pub(crate) async fn outdated(host: &Host, config: &TrustedConfig, name: &str) -> Option<Fault> {
    let adapter = known_agent(name)?.adapter?;
    let program = choose_named(host, config, name).program?;
    let own = config.harnesses.get(name).map(|harness| &harness.command);
    let called = Called { adapter, program: Path::new(&program), own };
    let version = version(host, called).await?;
    too_old(adapter, version)
}

//! Settings as people see and change them: one row per key with value, origin and help.

use std::path::PathBuf;

use loopwright_domain::{ErrorCode, Fault, NextAction, NextStep, OutputFormat, PromptMode};
use serde::{Deserialize, Serialize};

use crate::config::{self, Config, ResolvedPrice, SettingOrigin};
use crate::edit;
use crate::file::{FILE_LIMIT, PROJECT_FILE};
use crate::host::Host;
use crate::layout::Layout;
use crate::schema::{self, Group, KEYS, KeySpec, Scope};
use crate::text_file;
use crate::value::{ValueKind, bad_value};

/// How a setting is edited.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "type", rename_all = "snake_case")]
pub enum SettingKind {
    /// A line of text.
    Text,
    /// One of a few words.
    Choice {
        /// The words.
        options: Vec<String>,
    },
    /// Several lines, one item each.
    List,
    /// The path of a program; changed only behind a native confirmation.
    Program,
}

/// One setting.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Setting {
    /// The dotted key.
    pub key: String,
    /// A short name.
    pub title: String,
    /// What it does.
    pub help: String,
    /// Where it is shown.
    pub group: Group,
    /// How it is edited.
    pub kind: SettingKind,
    /// The value in force; lists one item per line.
    pub value: String,
    /// Where the value came from.
    pub origin: SettingOrigin,
    /// Which files may set it.
    pub scopes: Vec<Scope>,
    /// The built-in value.
    pub default: String,
}

/// All settings, and what is wrong with them.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SettingsReport {
    /// One row per key.
    pub settings: Vec<Setting>,
    /// The project's file; none outside of a project.
    pub project_file: Option<String>,
    /// The user's file.
    pub user_file: String,
    /// Everything that is wrong in any layer.
    pub problems: Vec<Fault>,
}

/// One change to one file.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// Which file.
    pub scope: Scope,
    /// The dotted key.
    pub key: &'a str,
    /// The new value as text; none removes the key.
    pub value: Option<&'a str>,
}

/// The plain keys as settings, one row each; in a project those of a project too. `agents` are the names there are to
/// choose from.
#[must_use]
pub fn rows(config: &Config, in_project: bool, agents: &[String]) -> Vec<Setting> {
    KEYS.iter().filter_map(|spec| row(config, spec, in_project, agents)).collect()
}

/// What the tokens of a model cost here, in US dollars per million.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct PriceRow {
    /// The beginning of the model's name.
    pub model: String,
    /// Tokens read afresh.
    pub input: String,
    /// Tokens written.
    pub output: String,
    /// Tokens read from the cache.
    pub cache_read: String,
    /// Tokens written into the cache.
    pub cache_write: String,
    /// Where it came from.
    pub origin: SettingOrigin,
}

/// The prices of the user's own; those that are built in are not among them.
#[must_use]
pub fn prices(host: &Host, layout: Option<&Layout>) -> Vec<PriceRow> {
    let config = Config::load(host, layout.map(Layout::config_file).as_deref());
    let row = |(model, own): (String, ResolvedPrice)| PriceRow {
        model,
        input: dollars(own.price.input),
        output: dollars(own.price.output),
        cache_read: dollars(own.price.cache_read),
        cache_write: dollars(own.price.cache_write),
        origin: own.origin,
    };
    config.prices.into_iter().map(row).collect()
}

/// An amount with as many places as it needs.
fn dollars(micros: u64) -> String {
    let text = format!("{}.{:06}", micros / 1_000_000, micros % 1_000_000);
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}

fn row(config: &Config, spec: &KeySpec, in_project: bool, agents: &[String]) -> Option<Setting> {
    let scopes: Vec<Scope> =
        spec.scopes.iter().copied().filter(|scope| in_project || *scope == Scope::User).collect();
    let resolved = config.get(spec.key).filter(|_| !scopes.is_empty())?;
    let kind = match spec.kind {
        _ if spec.key == "default_harness" => SettingKind::Choice { options: agents.to_vec() },
        ValueKind::Choice(options) => {
            SettingKind::Choice { options: options.iter().map(|option| (*option).to_owned()).collect() }
        }
        ValueKind::List | ValueKind::Globs | ValueKind::Choices(_) => SettingKind::List,
        ValueKind::Switch => SettingKind::Choice { options: vec!["true".into(), "false".into()] },
        ValueKind::Text | ValueKind::Mode | ValueKind::Count | ValueKind::Time | ValueKind::Money => {
            SettingKind::Text
        }
    };
    Some(Setting {
        key: spec.key.to_owned(),
        title: spec.title.to_owned(),
        help: spec.help.to_owned(),
        group: spec.group,
        kind,
        value: resolved.value.to_text(),
        origin: resolved.origin.clone(),
        scopes,
        default: spec.default_value().to_text(),
    })
}

/// Writes a change into its file and gives the new value as TOML. The file's comments stay; a change that
/// would make the file wrong is not written.
///
/// # Errors
/// The key or the value is wrong, the file cannot be read, or it cannot be written.
pub fn write(host: &Host, layout: Option<&Layout>, change: &Change<'_>) -> Result<Option<String>, Fault> {
    let (path, label) = file_of(host, layout, change.scope)?;
    let value = parse(change)?;
    let written = value.as_ref().map(|value| value.to_string().trim().to_owned());
    let text = text_file::read(&path, FILE_LIMIT)?.unwrap_or_default();
    let parts: Vec<&str> = change.key.split('.').collect();
    let new = edit::change(&label, &text, &parts, value)?;
    if new != text {
        text_file::write(&path, &new)?;
    }
    Ok(written)
}

/// The text of a project's file with one setting changed. Nothing is written.
///
/// # Errors
/// The key or value is wrong, or the text cannot be read.
pub fn changed_text(text: &str, key: &str, value: &str) -> Result<String, Fault> {
    let change = Change { key, value: Some(value), scope: Scope::Project };
    let parts: Vec<&str> = key.split('.').collect();
    edit::change(PROJECT_FILE, text, &parts, parse(&change)?)
}

fn file_of(host: &Host, layout: Option<&Layout>, scope: Scope) -> Result<(PathBuf, String), Fault> {
    match (scope, layout) {
        (Scope::User, _) => {
            let path = host.user_config_file();
            let label = path.display().to_string();
            Ok((path, label))
        }
        (Scope::Project, Some(layout)) => Ok((layout.config_file(), PROJECT_FILE.to_owned())),
        (Scope::Project, None) => {
            Err(Fault::new(ErrorCode::ProjectNotFound, "there is no project here to change")
                .hint("A project's settings are changed inside it.")
                .step(NextStep::new(NextAction::ChangeUserSetting, "Change your own").about("KEY VALUE")))
        }
    }
}

fn parse(change: &Change<'_>) -> Result<Option<toml_edit::Value>, Fault> {
    let kind = match schema::find(change.key) {
        Some(spec) if !spec.scopes.contains(&change.scope) => {
            let place =
                if change.scope == Scope::User { "only in a project" } else { "only in your own settings" };
            let fault = bad_value(change.key, &format!("can be set {place}"));
            return Err(if change.scope == Scope::Project {
                fault.step(
                    NextStep::new(NextAction::ChangeUserSetting, "Set it there")
                        .about(format!("{} VALUE", change.key)),
                )
            } else {
                fault
            });
        }
        Some(spec) => spec.kind,
        None => harness_kind(change.key).ok_or_else(|| config::unknown_key(change.key))?,
    };
    match change.value {
        None => Ok(None),
        Some(text) => match kind.parse(text) {
            Ok(value) => Ok(Some(kind.to_toml(&value))),
            Err(reason) => Err(bad_value(change.key, &reason)),
        },
    }
}

/// The kind of the keys of `harness.<name>`.
fn harness_kind(key: &str) -> Option<ValueKind> {
    match key.split('.').collect::<Vec<_>>().as_slice() {
        ["harness", name, "command"] if !name.is_empty() => Some(ValueKind::Text),
        ["harness", name, "args"] if !name.is_empty() => Some(ValueKind::List),
        ["harness", name, "prompt_mode"] if !name.is_empty() => Some(ValueKind::Choice(PromptMode::WORDS)),
        ["harness", name, "output_format"] if !name.is_empty() => {
            Some(ValueKind::Choice(OutputFormat::WORDS))
        }
        ["harness", name, "prompt_env" | "model"] if !name.is_empty() => Some(ValueKind::Text),
        _ => None,
    }
}

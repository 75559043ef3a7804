//! `loopwright config`.

use std::process::ExitCode;

use loopwright_domain::{ErrorCode, Fault, Origin};
use loopwright_engine::config::{OriginLayer, Scope, SettingOrigin, unknown_key};
use loopwright_engine::settings::{self, Change, PriceRow, Setting, SettingKind, SettingsReport};
use loopwright_engine::{Layout, require_person};
use serde::Serialize;

use crate::args::{ConfigCommand, ScopeArgs};
use crate::context::Context;
use crate::output::{self, HEADING, QUIET, say, styled};

pub(super) fn run(context: &Context, command: &ConfigCommand) -> Result<ExitCode, Fault> {
    match command {
        ConfigCommand::Show => show(context),
        ConfigCommand::Get { key } => get(context, key),
        ConfigCommand::Set { key, value, scope } => change(context, key, Some(value), *scope),
        ConfigCommand::Unset { key, scope } => change(context, key, None, *scope),
    }
}

/// All settings, and the prices of the user's own beside them.
#[derive(Serialize)]
#[cfg_attr(test, derive(specta::Type))]
pub(in crate::commands) struct ShownConfig {
    #[serde(flatten)]
    report: SettingsReport,
    prices: Vec<PriceRow>,
}

/// The settings here: a project's when there is one, else the user's alone.
fn report(context: &Context) -> Result<SettingsReport, Fault> {
    Ok(settings::report(&context.host, layout(context)?.as_ref()))
}

fn layout(context: &Context) -> Result<Option<Layout>, Fault> {
    match Layout::find(&context.folder) {
        Ok(layout) => Ok(Some(layout)),
        Err(fault) if fault.code == ErrorCode::ProjectNotFound => Ok(None),
        Err(fault) => Err(fault),
    }
}

fn show(context: &Context) -> Result<ExitCode, Fault> {
    let report = report(context)?;
    let prices = settings::prices(&context.host, layout(context)?.as_ref());
    let shown = ShownConfig { report, prices };
    let report = &shown.report;
    if context.json {
        output::json(&shown)?;
    } else {
        table(report, &shown.prices);
    }
    match report.problems.first() {
        None => Ok(ExitCode::SUCCESS),
        Some(first) => {
            if !context.json {
                report.problems.iter().for_each(output::tell);
            }
            Ok(ExitCode::from(first.kind.exit_code()))
        }
    }
}

fn table(report: &SettingsReport, prices: &[PriceRow]) {
    let shown: Vec<&Setting> = report
        .settings
        .iter()
        .filter(|setting| setting.kind != SettingKind::Program || !setting.value.is_empty())
        .collect();
    let keys = shown.iter().map(|setting| setting.key.len()).max().unwrap_or(0);
    let values = shown.iter().map(|setting| output::columns(&value(setting))).max().unwrap_or(0).min(40);
    for setting in shown {
        let key = styled(HEADING, format!("{:keys$}", setting.key));
        let shown = output::padded(&value(setting), values);
        say!("{key}  {shown}  {}", styled(QUIET, origin(&setting.origin)));
    }
    if !prices.is_empty() {
        say!("\nPrices in US dollars per million tokens: input, output, cache read, cache write");
    }
    for price in prices {
        let key = styled(HEADING, output::plain(&format!("prices.\"{}\"", price.model)));
        let amounts = [&price.input, &price.output, &price.cache_read, &price.cache_write];
        let amounts = amounts.map(String::as_str).join(", ");
        say!("{key}  {amounts}  {}", styled(QUIET, origin(&price.origin)));
    }
    say!("\n{}", styled(QUIET, format!("Your settings: {}", report.user_file)));
}

fn value(setting: &Setting) -> String {
    match (&setting.kind, setting.value.as_str()) {
        (_, "") => "(empty)".to_owned(),
        (SettingKind::List, items) => output::plain(&items.replace('\n', ", ")),
        (_, text) => output::plain(text),
    }
}

fn origin(origin: &SettingOrigin) -> String {
    let place = origin.place.as_deref().map(output::plain);
    match (origin.layer, place) {
        (OriginLayer::Default, _) => "built in".to_owned(),
        (_, Some(place)) => format!("from {place}"),
        (layer, None) => format!("{layer:?}").to_lowercase(),
    }
}

fn get(context: &Context, key: &str) -> Result<ExitCode, Fault> {
    let report = report(context)?;
    if let Some(problem) = report.problems.into_iter().next() {
        return Err(problem);
    }
    let setting =
        report.settings.iter().find(|setting| setting.key == key).ok_or_else(|| unknown_key(key))?;
    if context.json {
        return output::json(setting);
    }
    say!("{}", setting.value);
    Ok(ExitCode::SUCCESS)
}

fn change(context: &Context, key: &str, value: Option<&str>, scope: ScopeArgs) -> Result<ExitCode, Fault> {
    let scope = if scope.user { Scope::User } else { Scope::Project };
    let change = Change { scope, key, value };
    match (context.project(), scope) {
        (Ok(project), _) => context.wait(project.change_setting(&change, Origin::Cli))?,
        (Err(_), Scope::User) => {
            require_person("change settings")?;
            settings::write(&context.host, None, &change)?;
        }
        (Err(fault), Scope::Project) => return Err(fault),
    }
    if context.json {
        return output::json(&self::report(context)?);
    }
    let file = if scope == Scope::User { "your settings" } else { ".loopwright/config.toml" };
    match value {
        Some(value) => say!("{key} = {} in {file}", output::plain(value)),
        None => say!("{key} is no longer set in {file}"),
    }
    Ok(ExitCode::SUCCESS)
}

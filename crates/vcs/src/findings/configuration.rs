//! Programs that git's configuration files name.

use crate::config::{Config, Entry, include_kind};
use crate::display_text::shown;
use crate::executing_settings;
use crate::finding_kind::FindingKind;
use crate::findings::Report;

/// Names what a configuration would execute, and which of its files could not be looked through.
pub(super) fn look(config: &Config, report: &mut Report) {
    for setting in &config.settings {
        if let Some((kind, detail)) = judge(&setting.entry) {
            report.add(kind, format!("{} {detail}", report.name(&setting.file)));
        }
    }
    for trouble in &config.troubles {
        report.add(FindingKind::Unreadable, format!("{} {}", report.name(&trouble.file), trouble.what));
    }
}

fn judge(entry: &Entry) -> Option<(FindingKind, String)> {
    let value = entry.value.as_deref().map(shown).unwrap_or_default();
    if let Some(conditional) = include_kind(entry) {
        let condition = if conditional { ", under a condition" } else { "" };
        return Some((FindingKind::Include, format!("includes {value}{condition}")));
    }
    let sink = executing_settings::find(&entry.key).filter(|sink| sink.tells(entry.value.as_deref()))?;
    Some((sink.kind, format!("sets {} to {value}", shown(&entry.key))))
}

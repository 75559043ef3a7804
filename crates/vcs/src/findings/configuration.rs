//! Programs that git's configuration files name.

use std::path::Path;

use crate::config::{ConfigFile, Entry, FILE_LIMIT, include_kind, parse, read_all};
use crate::discover::Repository;
use crate::findings::{FindingKind, Report};
use crate::read::{ReadError, read};
use crate::sinks;
use crate::text::shown;

/// Looks through the repository's own configuration, and the files of the folder that it includes.
pub(super) fn look(repository: &Repository, report: &mut Report) {
    for file in read_all(repository) {
        look_at_file(&file, report);
    }
}

/// Looks through one file in the same format that belongs to nobody's configuration yet: `.gitmodules`, or the
/// configuration of a nested repository.
pub(super) fn look_at_path(path: &Path, report: &mut Report) {
    match read(path, FILE_LIMIT).map(|bytes| parse(&bytes)) {
        Err(ReadError::Missing) => {}
        content => look_at_file(&ConfigFile { path: path.to_owned(), conditional: false, content }, report),
    }
}

fn look_at_file(file: &ConfigFile, report: &mut Report) {
    let name = report.name(&file.path);
    for entry in file.entries() {
        if let Some((kind, detail)) = judge(entry) {
            report.add(kind, format!("{name} {detail}"));
        }
    }
    match &file.content {
        Err(error) => report.add(FindingKind::Unreadable, format!("{name} cannot be read: {error}")),
        Ok(parsed) => {
            if let Some(line) = parsed.damaged_at {
                report.add(FindingKind::Unreadable, format!("{name} is damaged in line {line}"));
            }
        }
    }
}

fn judge(entry: &Entry) -> Option<(FindingKind, String)> {
    let value = entry.value.as_deref().map(shown).unwrap_or_default();
    if let Some(conditional) = include_kind(entry) {
        let condition = if conditional { ", under a condition" } else { "" };
        return Some((FindingKind::Include, format!("includes {value}{condition}")));
    }
    let sink = sinks::find(&entry.key).filter(|sink| sink.tells(entry.value.as_deref()))?;
    Some((sink.kind, format!("sets {} to {value}", shown(&entry.key))))
}

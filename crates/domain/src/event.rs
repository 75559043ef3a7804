//! Events: what happened in a project, in order. The same shape is stored in SQLite, printed by `--json`
//! and typed in the UI's bindings.

use serde::{Deserialize, Serialize};

use crate::ids::{EventSeq, TaskId};

/// The version written into every envelope. It grows when a reader of an older version would misread.
pub const EVENT_VERSION: u32 = 1;

/// Who caused something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// A person at the command line.
    Cli,
    /// A person in the desktop app.
    App,
}

/// One thing that happened. Names are dotted and never change their meaning.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(tag = "type")]
pub enum Event {
    /// A folder became a project.
    #[serde(rename = "project.created")]
    ProjectCreated {
        /// The project's name.
        name: String,
        /// Who did it.
        origin: Origin,
        /// Whether it is the sample project.
        sample: bool,
    },
    /// A person trusted what the folder would execute.
    #[serde(rename = "project.trusted")]
    ProjectTrusted {
        /// The digest of everything that was trusted.
        digest: String,
        /// Who did it.
        origin: Origin,
    },
    /// A configuration value was changed through Loopwright.
    #[serde(rename = "config.changed")]
    ConfigChanged {
        /// The dotted key.
        key: String,
        /// The new value as TOML; none when the key was removed.
        value: Option<String>,
        /// Who did it.
        origin: Origin,
    },
    /// A damaged database was set aside and a new one begun.
    #[serde(rename = "store.recovered")]
    StoreRecovered {
        /// Where the damaged file was put.
        moved_to: String,
        /// What was wrong with it.
        reason: String,
    },
    /// A task was added.
    #[serde(rename = "task.added")]
    TaskAdded {
        /// The task.
        task: TaskId,
        /// Its title.
        title: String,
    },
}

impl Event {
    /// The dotted name.
    #[must_use]
    pub const fn name(&self) -> &'static str {
        match self {
            Self::ProjectCreated { .. } => "project.created",
            Self::ProjectTrusted { .. } => "project.trusted",
            Self::ConfigChanged { .. } => "config.changed",
            Self::StoreRecovered { .. } => "store.recovered",
            Self::TaskAdded { .. } => "task.added",
        }
    }
}

/// An event with its place in history.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct EventEnvelope {
    /// The envelope's version, [`EVENT_VERSION`] when written today.
    pub v: u32,
    /// The place in this project's history; ordering is by this, never by time.
    pub seq: EventSeq,
    /// When, as RFC 3339 in UTC.
    pub at: String,
    /// What happened.
    pub event: Event,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn one_of_each() -> Vec<Event> {
        vec![
            Event::ProjectCreated { name: "tea".into(), origin: Origin::Cli, sample: true },
            Event::ProjectTrusted { digest: "ab".into(), origin: Origin::App },
            Event::ConfigChanged { key: "ui.theme".into(), value: None, origin: Origin::App },
            Event::StoreRecovered { moved_to: "state.db.damaged-1".into(), reason: "not a database".into() },
            Event::TaskAdded { task: TaskId(1), title: "Brew".into() },
        ]
    }

    #[test]
    fn the_tag_is_the_dotted_name_and_events_round_trip() {
        for event in one_of_each() {
            let json = serde_json::to_value(&event).unwrap();
            assert_eq!(json["type"], event.name());
            assert!(event.name().contains('.'));
            assert_eq!(serde_json::from_value::<Event>(json).unwrap(), event);
        }
    }

    #[test]
    fn an_envelope_reads_as_documented() {
        let envelope = EventEnvelope {
            v: EVENT_VERSION,
            seq: EventSeq(12),
            at: "2026-01-02T03:04:05Z".into(),
            event: Event::TaskAdded { task: TaskId(1), title: "Brew".into() },
        };
        assert_eq!(
            serde_json::to_string(&envelope).unwrap(),
            r#"{"v":1,"seq":12,"at":"2026-01-02T03:04:05Z","event":{"type":"task.added","task":1,"title":"Brew"}}"#
        );
    }
}

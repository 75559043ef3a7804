//! Ids and times for the JSON shapes. Ids are counted, so the same scenario gives the same ids.

use super::Session;

/// Makes ids and times for one session.
pub(super) struct Stamp {
    session: Session,
    count: u64,
}

impl Stamp {
    pub(super) fn new(session: Session) -> Self {
        Self { session, count: 0 }
    }

    pub(super) fn session(&self) -> &str {
        &self.session.id
    }

    pub(super) fn folder(&self) -> &str {
        &self.session.folder
    }

    /// The full path of something in the working folder.
    pub(super) fn full(&self, path: &str) -> String {
        format!("{}/{path}", self.session.folder)
    }

    /// The next id in the form of a UUID.
    pub(super) fn uuid(&mut self) -> String {
        self.count += 1;
        format!("00000000-0000-4000-8000-{:012x}", self.count)
    }

    /// The next id with a prefix, such as `toolu_`.
    pub(super) fn id(&mut self, prefix: &str) -> String {
        self.count += 1;
        format!("{prefix}{:020x}", self.count)
    }

    /// Now, as RFC 3339 with milliseconds.
    pub(super) fn time(&self) -> String {
        jiff::Timestamp::now().strftime("%Y-%m-%dT%H:%M:%S%.3fZ").to_string()
    }

    /// Now, in milliseconds since 1970.
    pub(super) fn millis(&self) -> i64 {
        jiff::Timestamp::now().as_millisecond()
    }
}

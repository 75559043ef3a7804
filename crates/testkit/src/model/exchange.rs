//! Sends one answer, with the trouble that the script has for it.

use std::io;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use super::ask::Ask;
use super::http::{Connection, Request};
use super::trouble::{Status, StreamPosition, Trouble};
use super::wire::{Api, ModelReply};

/// Longer than any client waits.
const FOR_EVER: Duration = Duration::from_secs(24 * 60 * 60);

/// One request and the answer it gets.
pub(super) struct Exchange<'a> {
    pub(super) connection: &'a mut Connection,
    pub(super) request: &'a Request,
    pub(super) api: Api,
    pub(super) ask: &'a Ask,
    pub(super) answer: &'a ModelReply,
}

impl Exchange<'_> {
    /// Sends the answer, with its trouble; false when the connection is over.
    pub(super) fn carry_out(mut self, trouble: Option<&Trouble>) -> io::Result<bool> {
        match trouble {
            None => self.whole().map(|()| true),
            Some(Trouble::Status(status)) => self.refuse(status).map(|()| true),
            // A client that fell back to a plain request meets the same trouble in its plain form.
            Some(Trouble::Overload) if !self.ask.stream => self.refuse(&Status::new(529)).map(|()| true),
            Some(Trouble::Overload) => {
                let events = self.api.events(self.ask, self.answer);
                self.begin(&events.events[..events.to_overload])?;
                self.connection.event(&self.api.overload())?;
                self.connection.end_events()?;
                Ok(true)
            }
            Some(Trouble::Stall(place)) => {
                self.up_to(*place)?;
                self.connection.wait(FOR_EVER)?;
                Ok(false)
            }
            Some(Trouble::Drop(place)) => self.up_to(*place).map(|()| false),
        }
    }

    fn whole(&mut self) -> io::Result<()> {
        if !self.ask.stream {
            let document = self.api.document(self.ask, self.answer).to_string();
            return self.connection.answer(self.request, 200, &[], document.as_bytes());
        }
        self.begin(&self.api.events(self.ask, self.answer).events)?;
        self.connection.end_events()
    }

    fn up_to(&mut self, place: StreamPosition) -> io::Result<()> {
        if place == StreamPosition::Start || !self.ask.stream {
            return Ok(());
        }
        let events = self.api.events(self.ask, self.answer);
        self.begin(&events.events[..events.to_text])
    }

    fn begin(&mut self, events: &[String]) -> io::Result<()> {
        self.connection.begin_events()?;
        events.iter().try_for_each(|event| self.connection.event(event))
    }

    fn refuse(&mut self, status: &Status) -> io::Result<()> {
        let refusal = self.api.refuse(status, now());
        self.connection.answer(
            self.request,
            status.code,
            &refusal.headers,
            refusal.body.to_string().as_bytes(),
        )
    }
}

/// Seconds since 1970.
pub(super) fn now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |since| since.as_secs())
}

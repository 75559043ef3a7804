//! Rows of the history: how an event is written into one and read from one.

use loopwright_domain::event::EVENT_VERSION;
use loopwright_domain::{Event, EventEnvelope, EventSeq};
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::StoreProblem;
use crate::values::to_json;
use crate::write::Write;

/// Adds an event as part of a write.
pub(crate) async fn insert_event(
    write: &mut Write<'_>,
    at: &str,
    event: &Event,
) -> Result<EventSeq, StoreProblem> {
    let body = to_json(event)?;
    let insert = sqlx::query_scalar("INSERT INTO events (v, at, body) VALUES (?, ?, ?) RETURNING seq")
        .bind(EVENT_VERSION)
        .bind(at.to_owned())
        .bind(body);
    Ok(EventSeq(write.number(insert).await?.unsigned_abs()))
}

/// Adds many events as part of a write, in one statement.
pub(crate) async fn insert_events(
    write: &mut Write<'_>,
    at: &str,
    events: &[Event],
) -> Result<(), StoreProblem> {
    if events.is_empty() {
        return Ok(());
    }
    let insert = sqlx::query(
        "INSERT INTO events (v, at, body) SELECT ?, ?, value FROM json_each(?) WHERE true ORDER BY key",
    )
    .bind(EVENT_VERSION)
    .bind(at)
    .bind(to_json(&events)?);
    write.execute(insert).await.map(drop)
}

pub(crate) fn envelope(row: &SqliteRow) -> Result<EventEnvelope, StoreProblem> {
    let seq = seq_of(row)?;
    let event = serde_json::from_str(row.try_get("body")?)
        .map_err(|error| StoreProblem::UnreadableEvent { seq, reason: error.to_string() })?;
    Ok(EventEnvelope { v: row.try_get("v")?, seq, at: row.try_get("at")?, event })
}

pub(crate) fn seq_of(row: &SqliteRow) -> Result<EventSeq, StoreProblem> {
    Ok(EventSeq(row.try_get::<i64, _>("seq")?.unsigned_abs()))
}

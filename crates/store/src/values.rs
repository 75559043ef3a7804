//! How plain values become columns and come back.

use std::fmt::Display;
use std::str::FromStr;

use loopwright_domain::Origin;
use serde::Serialize;
use serde::de::DeserializeOwned;
use sqlx::Row;
use sqlx::sqlite::SqliteRow;

use crate::error::StoreProblem;

/// A value as JSON text.
pub(crate) fn to_json(value: &impl Serialize) -> Result<String, StoreProblem> {
    serde_json::to_string(value).map_err(|error| StoreProblem::Failed(error.to_string()))
}

/// A count that may be larger than SQLite's integers; nothing real comes near their end, so it stops there.
pub(crate) fn to_count(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

/// An id or another number that is small by the schema.
pub(crate) fn small_number(value: i64) -> Result<u32, StoreProblem> {
    u32::try_from(value).map_err(|_| StoreProblem::Damaged(format!("the number {value} is out of range")))
}

/// The word for who caused something.
pub(crate) const fn origin_word(origin: Origin) -> &'static str {
    match origin {
        Origin::Cli => "cli",
        Origin::App => "app",
    }
}

fn parse_origin(word: &str) -> Option<Origin> {
    [Origin::Cli, Origin::App].into_iter().find(|origin| origin_word(*origin) == word)
}

/// A row on its way back to a value. What this build does not understand is not damage: another one wrote it.
pub(crate) struct RowReader<'r> {
    row: &'r SqliteRow,
    table: &'static str,
}

impl<'r> RowReader<'r> {
    pub(crate) const fn new(row: &'r SqliteRow, table: &'static str) -> Self {
        Self { row, table }
    }

    /// A column that SQLite has as it is.
    pub(crate) fn get<T>(&self, column: &'static str) -> Result<T, StoreProblem>
    where
        T: sqlx::Decode<'r, sqlx::Sqlite> + sqlx::Type<sqlx::Sqlite>,
    {
        Ok(self.row.try_get(column)?)
    }

    pub(crate) fn count(&self, column: &'static str) -> Result<u64, StoreProblem> {
        Ok(self.get::<i64>(column)?.unsigned_abs())
    }

    pub(crate) fn id<T: FromStr<Err: Display>>(&self, column: &'static str) -> Result<T, StoreProblem> {
        self.get::<&str>(column)?.parse().map_err(|error| self.unreadable(column, &error))
    }

    pub(crate) fn optional_id<T: FromStr<Err: Display>>(
        &self,
        column: &'static str,
    ) -> Result<Option<T>, StoreProblem> {
        let text: Option<&str> = self.get(column)?;
        text.map(|text| text.parse().map_err(|error| self.unreadable(column, &error))).transpose()
    }

    pub(crate) fn json<T: DeserializeOwned>(&self, column: &'static str) -> Result<T, StoreProblem> {
        serde_json::from_str(self.get(column)?).map_err(|error| self.unreadable(column, &error))
    }

    pub(crate) fn optional_json<T: DeserializeOwned>(
        &self,
        column: &'static str,
    ) -> Result<Option<T>, StoreProblem> {
        let text: Option<&str> = self.get(column)?;
        text.map(|text| serde_json::from_str(text).map_err(|error| self.unreadable(column, &error)))
            .transpose()
    }

    pub(crate) fn origin(&self, column: &'static str) -> Result<Origin, StoreProblem> {
        self.word(column, parse_origin)
    }

    pub(crate) fn optional_origin(&self, column: &'static str) -> Result<Option<Origin>, StoreProblem> {
        self.optional_word(column, parse_origin)
    }

    pub(crate) fn word<T>(
        &self,
        column: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<T, StoreProblem> {
        let word = self.get(column)?;
        parse(word).ok_or_else(|| self.unknown(column, word))
    }

    pub(crate) fn optional_word<T>(
        &self,
        column: &'static str,
        parse: fn(&str) -> Option<T>,
    ) -> Result<Option<T>, StoreProblem> {
        let word: Option<&str> = self.get(column)?;
        word.map(|word| parse(word).ok_or_else(|| self.unknown(column, word))).transpose()
    }

    fn unknown(&self, column: &str, word: &str) -> StoreProblem {
        self.unreadable(column, &format_args!("{word:?} is unknown"))
    }

    fn unreadable(&self, column: &str, reason: &dyn Display) -> StoreProblem {
        StoreProblem::UnreadableRow { column: format!("{}.{column}", self.table), reason: reason.to_string() }
    }
}

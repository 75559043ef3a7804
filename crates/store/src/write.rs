//! A write: one transaction that happens whole or not at all.

use sqlx::query::{Query, QueryScalar};
use sqlx::sqlite::{SqliteArguments, SqliteConnection};
use sqlx::{Connection, Sqlite, Transaction};

use crate::error::StoreProblem;
use crate::fault_injection::Faults;

/// A write under way. Dropped without [`Write::commit`], it never was.
///
/// Every statement of a write goes through here, so that tests can fail each one in turn.
pub(crate) struct Write<'c> {
    transaction: Transaction<'c, Sqlite>,
    faults: Faults,
}

impl<'c> Write<'c> {
    /// Begins a write: takes SQLite's write lock at once, so that nothing read in it can be out of date.
    pub(crate) async fn begin(
        connection: &'c mut SqliteConnection,
        faults: &Faults,
    ) -> Result<Self, StoreProblem> {
        let transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
        Ok(Self { transaction, faults: faults.clone() })
    }

    /// Runs a statement and returns how many rows it wrote.
    pub(crate) async fn execute(
        &mut self,
        statement: Query<'_, Sqlite, SqliteArguments>,
    ) -> Result<u64, StoreProblem> {
        self.faults.step()?;
        Ok(statement.execute(&mut *self.transaction).await?.rows_affected())
    }

    /// Runs a statement that returns one number, such as the id it gave.
    pub(crate) async fn number(
        &mut self,
        statement: QueryScalar<'_, Sqlite, i64, SqliteArguments>,
    ) -> Result<i64, StoreProblem> {
        self.faults.step()?;
        Ok(statement.fetch_one(&mut *self.transaction).await?)
    }

    /// The connection, inside the transaction.
    pub(crate) fn connection(&mut self) -> &mut SqliteConnection {
        &mut self.transaction
    }

    /// Makes it so. When this returns, it survives a power loss.
    pub(crate) async fn commit(self) -> Result<(), StoreProblem> {
        self.faults.step()?;
        Ok(self.transaction.commit().await?)
    }
}

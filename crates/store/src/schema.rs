//! The schema's versions.

use sqlx::migrate::{Migrate, MigrateError, Migrator};
use sqlx::sqlite::SqliteConnection;

use crate::error::StoreProblem;
use crate::fault_injection::Faults;
use crate::write::Write;

/// Every migration, embedded. They are only ever added to.
static MIGRATIONS: Migrator = sqlx::migrate!("../../migrations");

/// What Loopwright's databases carry in their header, as the first migration sets it.
pub(crate) const APPLICATION_ID: i64 = 0x4c70_7772;

/// The version that the newest migration makes.
pub(crate) fn current_version() -> i64 {
    MIGRATIONS.iter().map(|migration| migration.version).max().unwrap_or_default()
}

/// Brings a database to the current version, in one transaction however many migrations that takes, and into the
/// file itself, so that its header tells the version without the write-ahead log.
pub(crate) async fn upgrade(connection: &mut SqliteConnection, faults: &Faults) -> Result<(), StoreProblem> {
    upgrade_to(current_version(), connection, faults).await
}

/// Brings a database to this version, as a build did that knew no newer one.
pub(crate) async fn upgrade_to(
    version: i64,
    connection: &mut SqliteConnection,
    faults: &Faults,
) -> Result<(), StoreProblem> {
    let mode: String = sqlx::query_scalar("PRAGMA journal_mode = WAL").fetch_one(&mut *connection).await?;
    if mode != "wal" {
        return Err(StoreProblem::Failed("this disk cannot hold a write-ahead log".into()));
    }
    let mut write = Write::begin(connection, faults).await?;
    run_migrations(version, write.connection()).await?;
    write.commit().await?;
    sqlx::query("PRAGMA wal_checkpoint(TRUNCATE)").execute(connection).await?;
    Ok(())
}

/// What sqlx's `Migrator::run` does, step by step: its future cannot move between threads for a borrowed
/// connection. Within the caller's transaction each migration is a savepoint.
async fn run_migrations(version: i64, connection: &mut SqliteConnection) -> Result<(), MigrateError> {
    connection.ensure_migrations_table(&MIGRATIONS.table_name).await?;
    let applied = connection.list_applied_migrations(&MIGRATIONS.table_name).await?;
    for migration in MIGRATIONS.iter().filter(|migration| migration.version <= version) {
        match applied.iter().find(|applied| applied.version == migration.version) {
            None => drop(connection.apply(&MIGRATIONS.table_name, migration).await?),
            Some(applied) if applied.checksum == migration.checksum => {}
            Some(_) => return Err(MigrateError::VersionMismatch(migration.version)),
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use std::fmt::Write as _;

    use super::*;

    /// A published migration never changes. A new one adds its line here.
    const PUBLISHED: [(i64, &str); 17] = [
        (1, "fd64c8dd547109ac"),
        (2, "7505e7b6ee8afde6"),
        (3, "f1581b029aa6d742"),
        (4, "0743836fc4f6c332"),
        (5, "fbc3774a042d02d4"),
        (6, "749a38be36876dc2"),
        (7, "a43880c05e0132ab"),
        (8, "4bbdb295b205b47b"),
        (9, "f971871759283b79"),
        (10, "762fa506626b550b"),
        (11, "1aa61db026d7c74a"),
        (12, "dc443296055c2017"),
        (13, "1e363c28b3f2fd31"),
        (14, "d24cbf00f2d43d26"),
        (17, "fb0f3a3353d39ffc"),
        (20, "ba96920d90b10b52"),
        (21, "6f4eb3b8a97d82ce"),
    ];

    #[test]
    fn published_migrations_are_unchanged() {
        let found: Vec<(i64, String)> = MIGRATIONS
            .iter()
            .map(|migration| {
                let digest = migration.checksum.iter().take(8).fold(String::new(), |mut text, byte| {
                    let _ = write!(text, "{byte:02x}");
                    text
                });
                (migration.version, digest)
            })
            .collect();
        let published: Vec<(i64, String)> =
            PUBLISHED.iter().map(|(version, digest)| (*version, (*digest).to_owned())).collect();
        assert_eq!(found, published);
    }
}

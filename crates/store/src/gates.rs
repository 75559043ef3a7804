//! Gates: what waits for a person, decided once.

use loopwright_domain::{
    Event, EventSeq, Gate, GateDecision, GateId, GateKind, GateStatus, Iteration, IterationId, LineComment,
    Origin, RunId, TaskId,
};
use sqlx::Row;
use sqlx::sqlite::{SqliteArguments, SqliteRow};

use crate::error::{StoreError, StoreProblem};
use crate::event_rows::insert_event;
use crate::journal::{Entry, write_entry};
use crate::runs::iteration;
use crate::store::Store;
use crate::values::{RowReader, origin_word, small_number, to_json};
use crate::write::Write;

/// How gates are found; see [`crate::runs::find`].
pub(crate) mod find {
    /// A gate with its remarks, in one statement: each further one would be another trip to SQLite's thread.
    macro_rules! gates {
        ($rest:literal) => {
            concat!(
                "SELECT *, (
                     SELECT json_group_array(json_object(
                         'id', id, 'path', path, 'line', line, 'old_side', json(iif(old_side, 'true', 'false')),
                         'quoted', quoted, 'text', text
                     ) ORDER BY id) FROM gate_comments WHERE gate = gates.id
                 ) AS comments FROM gates ",
                $rest
            )
        };
    }

    pub(crate) const GATE: &str = gates!("WHERE id = ?");
    pub(crate) const OPEN: &str = gates!("WHERE status = 'open' ORDER BY id");
    pub(crate) const OF_ITERATION: &str = gates!("WHERE iteration = ? ORDER BY id DESC LIMIT 1");
    pub(crate) const WORK_OF_ITERATION: &str =
        gates!("WHERE iteration = ? AND kind = 'work' ORDER BY id DESC LIMIT 1");
    pub(crate) const REVIEW_BEFORE: &str =
        gates!("WHERE run = ? AND kind = 'review' AND id < ? ORDER BY id DESC LIMIT 1");
    /// A task that leaves `done` says which iteration is no longer true.
    pub(crate) const REVERTED: &str = "SELECT count(*) AS times FROM events
         WHERE body ->> '$.iteration' = ? AND body ->> '$.type' = 'task.status' AND body ->> '$.from' = 'done'";
    pub(crate) const BY_COMMIT: &str = "SELECT * FROM iterations WHERE commit_id >= ?1 AND commit_id < ?1 || 'g' ORDER BY place DESC LIMIT 2";
    pub(crate) const OF_TASK: &str = gates!("WHERE task = ? ORDER BY id DESC LIMIT ?");
    pub(crate) const DECIDED: &str =
        gates!("WHERE decided_at IS NOT NULL ORDER BY decided_at DESC, id DESC LIMIT ?");
}

/// How large the change is that a gate shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ChangeSize {
    /// How many files differ.
    pub files: u32,
    /// Lines added.
    pub added: u32,
    /// Lines removed.
    pub removed: u32,
}

/// A gate that is to be opened.
#[derive(Clone, Copy, Debug)]
pub struct NewGate<'a> {
    /// The gate; its number, its status and whatever is decided are of no account.
    pub gate: &'a Gate,
    /// How large its change is.
    pub size: ChangeSize,
}

/// A gate that was opened.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OpenedGate {
    /// Its number.
    pub id: GateId,
    /// The events that were written with it, and their places: those of the entry, then the gate's own.
    pub events: Vec<(EventSeq, Event)>,
}

/// A gate as it is stored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoredGate {
    /// The gate.
    pub gate: Gate,
    /// How large its change is.
    pub size: ChangeSize,
}

/// What became of a decision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Decided {
    /// It counts.
    Now(Gate),
    /// Somebody else was first; this is the gate as they left it.
    Before(Gate),
}

impl Store {
    /// Opens a gate together with an entry of the journal and the gate's own event: all of it or nothing. `at` is the
    /// caller's clock as RFC 3339 in UTC.
    ///
    /// # Errors
    ///
    /// As [`Store::journal`].
    pub async fn open_gate(
        &self,
        at: &str,
        new: NewGate<'_>,
        entry: Entry<'_>,
    ) -> Result<OpenedGate, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let opened = insert_gate(&mut write, at, new, entry).await?;
            write.commit().await?;
            Ok(opened)
        })
        .await
    }

    /// Opens a gate in the place of one that shows what is no longer there, with its remarks: all of it or nothing.
    /// None when the old one has been decided meanwhile.
    ///
    /// # Errors
    ///
    /// As [`Store::journal`].
    pub async fn replace_gate(
        &self,
        at: &str,
        old: GateId,
        new: NewGate<'_>,
        entry: Entry<'_>,
    ) -> Result<Option<OpenedGate>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let close = "UPDATE gates SET status = 'replaced', decision = NULL, decided_by = NULL
                         WHERE id = ? AND status = 'open'";
            if write.execute(sqlx::query(close).bind(old.0)).await? == 0 {
                return Ok(None);
            }
            let gone =
                Event::GateDecided { gate: old, status: GateStatus::Replaced, reason: None, origin: None };
            let place = insert_event(&mut write, at, &gone).await?;
            let mut opened = insert_gate(&mut write, at, new, entry).await?;
            let remarks = sqlx::query("UPDATE gate_comments SET gate = ? WHERE gate = ?");
            write.execute(remarks.bind(opened.id.0).bind(old.0)).await?;
            write.commit().await?;
            opened.events.insert(0, (place, gone));
            Ok(Some(opened))
        })
        .await
    }

    /// Decides a gate, once: of two decisions one counts, and the other gets to know it. `tree` is the tree that is
    /// approved when it is not the one the gate was opened with. None when there is no such gate.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn decide_gate(
        &self,
        at: &str,
        id: GateId,
        decision: &GateDecision,
        tree: Option<&str>,
        origin: Origin,
    ) -> Result<Option<Decided>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let update = sqlx::query(
                "UPDATE gates SET status = ?, decision = ?, decided_at = ?, decided_by = ?, tree = coalesce(?, tree)
                 WHERE id = ? AND status = 'open'",
            )
            .bind(decision.status().as_str())
            .bind(to_json(decision)?)
            .bind(at)
            .bind(origin_word(origin))
            .bind(tree)
            .bind(id.0);
            let won = write.execute(update).await? == 1;
            if won {
                insert_event(&mut write, at, &decided_event(id, decision, origin)).await?;
            }
            let row = sqlx::query(find::GATE).bind(id.0).fetch_optional(write.connection()).await?;
            let gate = row.as_ref().map(stored).transpose()?.map(|stored| stored.gate);
            write.commit().await?;
            Ok(gate.map(|gate| if won { Decided::Now(gate) } else { Decided::Before(gate) }))
        })
        .await
    }

    /// Asks the process that waits at an open gate to take the tree with the person's edits: it checks them first, so
    /// nothing is decided yet. `None` takes such a wish back. Says whether the gate is open.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn ask_for_edits(&self, id: GateId, asked_by: Option<Origin>) -> Result<bool, StoreError> {
        self.observed(async {
            let decision = asked_by.map(|_| to_json(&GateDecision::ApproveWithEdits)).transpose()?;
            let update =
                sqlx::query("UPDATE gates SET decision = ?, decided_by = ? WHERE id = ? AND status = 'open'")
                    .bind(decision)
                    .bind(asked_by.map(origin_word))
                    .bind(id.0);
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let open = write.execute(update).await? == 1;
            write.commit().await?;
            Ok(open)
        })
        .await
    }

    /// A gate with its remarks, if there is one of this number.
    ///
    /// # Errors
    ///
    /// When the database cannot be read, or the gate was written by another version of Loopwright.
    pub async fn gate(&self, id: GateId) -> Result<Option<StoredGate>, StoreError> {
        self.read_one(sqlx::query(find::GATE).bind(id.0), stored).await
    }

    /// The gates that wait for a person, oldest first.
    ///
    /// # Errors
    ///
    /// As [`Store::gate`].
    pub async fn open_gates(&self) -> Result<Vec<StoredGate>, StoreError> {
        self.read_all(sqlx::query(find::OPEN), stored).await
    }

    /// The gates that people decided, the last decision first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::gate`].
    pub async fn decided_gates(&self, limit: u32) -> Result<Vec<StoredGate>, StoreError> {
        self.read_all(sqlx::query(find::DECIDED).bind(limit), stored).await
    }

    /// The newest gate about an iteration.
    ///
    /// # Errors
    ///
    /// As [`Store::gate`].
    pub async fn gate_of_iteration(&self, iteration: IterationId) -> Result<Option<Gate>, StoreError> {
        let query = sqlx::query(find::OF_ITERATION).bind(iteration.to_string());
        Ok(self.read_one(query, stored).await?.map(|stored| stored.gate))
    }

    /// The newest gate about an iteration's work.
    ///
    /// # Errors
    ///
    /// As [`Store::gate`].
    pub async fn work_gate_of(&self, iteration: IterationId) -> Result<Option<Gate>, StoreError> {
        let query = sqlx::query(find::WORK_OF_ITERATION).bind(iteration.to_string());
        Ok(self.read_one(query, stored).await?.map(|stored| stored.gate))
    }

    /// The gates about a task, the newest first, at most `limit`.
    ///
    /// # Errors
    ///
    /// As [`Store::gate`].
    pub async fn gates_of_task(&self, task: TaskId, limit: u32) -> Result<Vec<Gate>, StoreError> {
        let gates = self.read_all(sqlx::query(find::OF_TASK).bind(task.0).bind(limit), stored).await?;
        Ok(gates.into_iter().map(|stored| stored.gate).collect())
    }

    /// The review of a run before another one.
    ///
    /// # Errors
    ///
    /// As [`Store::gate`].
    pub async fn review_before(&self, run: RunId, id: GateId) -> Result<Option<Gate>, StoreError> {
        let query = sqlx::query(find::REVIEW_BEFORE).bind(run.to_string()).bind(id.0);
        Ok(self.read_one(query, stored).await?.map(|stored| stored.gate))
    }

    /// Whether an iteration's task was finished by it and is no longer.
    ///
    /// # Errors
    ///
    /// When the database cannot be read.
    pub async fn is_reverted(&self, iteration: IterationId) -> Result<bool, StoreError> {
        let query = sqlx::query(find::REVERTED).bind(iteration.to_string());
        let times: Option<i64> = self.read_one(query, |row| Ok(row.try_get("times")?)).await?;
        Ok(times.unwrap_or_default() > 0)
    }

    /// The iterations whose commit begins so, the newest first; at most two, which is enough to know that the beginning
    /// is too short.
    ///
    /// # Errors
    ///
    /// As [`Store::run`].
    pub async fn iterations_of_commit(&self, begin: &str) -> Result<Vec<Iteration>, StoreError> {
        self.read_all(sqlx::query(find::BY_COMMIT).bind(begin), iteration).await
    }

    /// Adds a remark to an open gate and returns its number; none when the gate is not open.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn comment_gate(&self, id: GateId, comment: &LineComment) -> Result<Option<u32>, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            if !is_open(&mut write, id).await? {
                return Ok(None);
            }
            let insert = sqlx::query_scalar(
                "INSERT INTO gate_comments (gate, path, line, old_side, quoted, text)
                 VALUES (?, ?, ?, ?, ?, ?) RETURNING id",
            )
            .bind(id.0)
            .bind(comment.path.as_str())
            .bind(comment.line)
            .bind(comment.old_side)
            .bind(comment.quoted.as_str())
            .bind(comment.text.as_str());
            let number = small_number(write.number(insert).await?)?;
            write.commit().await?;
            Ok(Some(number))
        })
        .await
    }

    /// Takes a remark on an open gate back, and says whether there was one.
    ///
    /// # Errors
    ///
    /// When the database cannot be written; then nothing has changed.
    pub async fn uncomment_gate(&self, id: GateId, comment: u32) -> Result<bool, StoreError> {
        self.observed(async {
            let delete = sqlx::query(
                "DELETE FROM gate_comments WHERE id = ?1 AND gate = ?2
                 AND EXISTS (SELECT 1 FROM gates WHERE id = ?2 AND status = 'open')",
            );
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let gone = write.execute(delete.bind(comment).bind(id.0)).await? == 1;
            write.commit().await?;
            Ok(gone)
        })
        .await
    }
}

fn decided_event(gate: GateId, decision: &GateDecision, origin: Origin) -> Event {
    let reason = match decision {
        GateDecision::Approve | GateDecision::ApproveWithEdits => None,
        GateDecision::Reject { reason } | GateDecision::Skip { reason } => Some(reason.clone()),
    };
    Event::GateDecided { gate, status: decision.status(), reason, origin: Some(origin) }
}

async fn is_open(write: &mut Write<'_>, id: GateId) -> Result<bool, StoreProblem> {
    let count = "SELECT count(*) FROM gates WHERE id = ? AND status = 'open'";
    Ok(write.number(sqlx::query_scalar(count).bind(id.0)).await? == 1)
}

async fn insert_gate(
    write: &mut Write<'_>,
    at: &str,
    new: NewGate<'_>,
    entry: Entry<'_>,
) -> Result<OpenedGate, StoreProblem> {
    let mut events = write_entry(write, at, entry).await?;
    let id = GateId(small_number(write.number(insertion(at, new)?).await?)?);
    let Gate { run, iteration, task, reasons, .. } = new.gate;
    let opened = Event::GateOpened {
        gate: id,
        run: *run,
        iteration: *iteration,
        task: *task,
        reasons: reasons.clone(),
    };
    events.push((insert_event(write, at, &opened).await?, opened));
    Ok(OpenedGate { id, events })
}

type Insertion<'q> = sqlx::query::QueryScalar<'q, sqlx::Sqlite, i64, SqliteArguments>;

fn insertion<'q>(at: &'q str, new: NewGate<'q>) -> Result<Insertion<'q>, StoreProblem> {
    let NewGate { gate, size } = new;
    Ok(sqlx::query_scalar(
        "INSERT INTO gates (
             kind, run, iteration, task, reasons, flags, from_tree, tree, files, added, removed, summary, opened_at
         ) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING id",
    )
    .bind(gate.kind.as_str())
    .bind(gate.run.to_string())
    .bind(gate.iteration.to_string())
    .bind(gate.task.map(|task| task.0))
    .bind(to_json(&gate.reasons)?)
    .bind(to_json(&gate.flags)?)
    .bind(gate.from.as_deref())
    .bind(gate.tree.as_deref())
    .bind(size.files)
    .bind(size.added)
    .bind(size.removed)
    .bind(gate.summary.as_str())
    .bind(at))
}

fn stored(row: &SqliteRow) -> Result<StoredGate, StoreProblem> {
    let row = RowReader::new(row, "gates");
    let gate = Gate {
        id: GateId(row.get("id")?),
        kind: row.word("kind", GateKind::parse)?,
        run: row.id("run")?,
        iteration: row.id("iteration")?,
        task: row.get::<Option<u32>>("task")?.map(TaskId),
        reasons: row.json("reasons")?,
        flags: row.json("flags")?,
        from: row.get("from_tree")?,
        tree: row.get("tree")?,
        summary: row.get("summary")?,
        status: row.word("status", GateStatus::parse)?,
        opened_at: row.get("opened_at")?,
        decision: row.optional_json("decision")?,
        decided_at: row.get("decided_at")?,
        decided_by: row.optional_origin("decided_by")?,
        comments: row.json("comments")?,
    };
    let size =
        ChangeSize { files: row.get("files")?, added: row.get("added")?, removed: row.get("removed")? };
    Ok(StoredGate { gate, size })
}

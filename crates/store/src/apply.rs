//! Writing a whole plan: sections, terms and tasks in one write, once.

use loopwright_domain::term::fold_word;
use loopwright_domain::{Event, Origin, SectionId, TaskId, Term, TermId};

use crate::error::StoreError;
use crate::event_rows::insert_event;
use crate::sections::{PutSection, put_section};
use crate::store::Store;
use crate::tasks::{NewTask, insert_new_tasks};
use crate::terms::{terms_in, write_term};
use crate::values::small_number;

/// A plan to be written.
#[derive(Clone, Copy, Debug)]
pub struct PlanApplication<'a> {
    /// The caller's clock as RFC 3339 in UTC.
    pub at: &'a str,
    /// The wizard it comes from: the plan of one is written once.
    pub wizard: &'a str,
    /// Sections to be added.
    pub sections: &'a [PutSection],
    /// Terms to be added. One whose words belong to a term that is there already is left out.
    pub terms: &'a [Term],
    /// Tasks to be added. Their sections are places in `sections`, counted from 1.
    pub tasks: &'a [NewTask],
    /// Who does it.
    pub origin: Origin,
}

/// What was written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct AppliedPlan {
    /// Whether it had been written before, and nothing was done now.
    pub before: bool,
    /// The sections, in order.
    pub sections: Vec<SectionId>,
    /// The tasks, in order.
    pub tasks: Vec<TaskId>,
}

impl Store {
    /// Writes a plan, all of it or nothing, with its events. What is in the project stays as it is.
    ///
    /// # Errors
    ///
    /// When a task or term cannot be as it is, or the database cannot be written. Then nothing has changed.
    pub async fn apply_plan(&self, plan: PlanApplication<'_>) -> Result<AppliedPlan, StoreError> {
        self.observed(async {
            let mut writer = self.writer().await?;
            let mut write = self.begin(&mut writer).await?;
            let known = sqlx::query_scalar(
                "SELECT count(*) FROM events WHERE type = 'plan.applied' AND body ->> '$.wizard' = ?",
            );
            if write.number(known.bind(plan.wizard)).await? > 0 {
                return Ok(AppliedPlan { before: true, ..AppliedPlan::default() });
            }
            let mut sections = Vec::with_capacity(plan.sections.len());
            for put in plan.sections {
                let under = put.under.and_then(|place| at_place(&sections, place));
                sections.push(put_section(&mut write, &PutSection { under, ..put.clone() }).await?);
            }
            let mut terms = terms_in(&mut write).await?;
            let before = terms.len();
            for term in plan.terms {
                let is_known = terms.iter().any(|known| fold_word(&known.name) == fold_word(&term.name));
                let checked = Term { id: TermId(0), ..term.clone() }.checked(&terms);
                if let (false, Ok(term)) = (is_known, checked) {
                    let id = write_term(&mut write, None, &term).await?;
                    terms.push(Term { id, ..term });
                }
            }
            let placed: Vec<NewTask> = plan
                .tasks
                .iter()
                .map(|task| {
                    let mut task = task.clone();
                    let numbers = task.draft.sections.iter();
                    task.draft.sections = numbers.filter_map(|place| at_place(&sections, *place)).collect();
                    task
                })
                .collect();
            let tasks = insert_new_tasks(&mut write, plan.at, &placed).await?;
            let count = |length: usize| u32::try_from(length).unwrap_or(u32::MAX);
            let all = small_number(write.number(sqlx::query_scalar("SELECT count(*) FROM sections")).await?)?;
            let what = "wrote the plan of a wizard".to_owned();
            let spec = Event::SpecChanged { what, sections: all, origin: plan.origin };
            insert_event(&mut write, plan.at, &spec).await?;
            let event = Event::PlanApplied {
                wizard: plan.wizard.to_owned(),
                sections: count(sections.len()),
                terms: count(terms.len() - before),
                tasks: count(tasks.len()),
                origin: plan.origin,
            };
            insert_event(&mut write, plan.at, &event).await?;
            write.commit().await?;
            Ok(AppliedPlan { before: false, sections, tasks })
        })
        .await
    }
}

/// The section at a place, counted from 1.
fn at_place(sections: &[SectionId], place: SectionId) -> Option<SectionId> {
    sections.get((place.0 as usize).checked_sub(1)?).copied()
}

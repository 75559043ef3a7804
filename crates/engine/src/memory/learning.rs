//! Learnings, as people read and change them.

use loopwright_domain::memory::likeness::title_of;
use loopwright_domain::{
    ErrorCode, Fault, Learning, LearningCategory, LearningDraft, LearningScope, MemoryOrigin, NextAction,
    Origin, TaskId,
};
use loopwright_store::NewLearning;
use serde::{Deserialize, Serialize};

use crate::project::ProjectMemory;
use crate::shared_learnings::stack;

/// The longest text of a learning, in characters.
const LONGEST_TEXT: usize = 2_000;

/// Which learnings are meant.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
#[serde(default)]
pub struct LearningQuery {
    /// Words to be found in them; empty is all, the newest first.
    pub text: String,
    /// Only of this category.
    pub category: Option<LearningCategory>,
    /// Only about this failure pattern.
    pub pattern: Option<String>,
    /// At most so many; 0 is all.
    pub limit: u32,
}

impl ProjectMemory<'_> {
    /// What was learned: the best matches of some words first, else the newest first.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn learnings(&self, query: &LearningQuery) -> Result<Vec<Learning>, Fault> {
        self.project.take_over_learnings().await;
        let store = self.project.store();
        let all = match query.text.trim() {
            "" => store.learnings(u32::MAX).await?,
            text => store.search_learnings(text, u32::MAX).await?,
        };
        let limit =
            if query.limit == 0 { usize::MAX } else { usize::try_from(query.limit).unwrap_or(usize::MAX) };
        let meant = |it: &Learning| {
            query.category.is_none_or(|category| it.category == category)
                && query.pattern.as_ref().is_none_or(|pattern| it.pattern.as_ref() == Some(pattern))
        };
        Ok(all.into_iter().filter(meant).take(limit).collect())
    }

    /// The learning of this number.
    ///
    /// # Errors
    /// There is none, or the state cannot be read.
    pub async fn learning(&self, id: u32) -> Result<Learning, Fault> {
        self.project.store().learning(id).await?.ok_or_else(|| not_found(id))
    }

    /// Adds a learning of a person's own, and returns its number: that of one that says nearly the same, where there is
    /// one. A pattern that its text names is linked.
    ///
    /// # Errors
    /// It has no text, an agent asks, or the state cannot be written.
    pub async fn add_learning(
        &self,
        draft: &LearningDraft,
        task: Option<TaskId>,
        origin: Origin,
    ) -> Result<u32, Fault> {
        self.project.require_person("add learnings")?;
        let draft = self.worded(draft)?;
        let stack = self.stack_of(draft.scope);
        let new = NewLearning {
            draft: &draft,
            stack: stack.as_deref(),
            origin: MemoryOrigin::Person,
            task,
            iteration: None,
        };
        let id = self.project.store().add_learning(&self.now(), new, origin).await?;
        self.project.publish_learnings().await?;
        Ok(id)
    }

    /// Changes a learning.
    ///
    /// # Errors
    /// There is none of this number, and as [`ProjectMemory::add_learning`].
    pub async fn edit_learning(&self, id: u32, draft: &LearningDraft, origin: Origin) -> Result<(), Fault> {
        self.project.require_person("edit learnings")?;
        self.learning(id).await?;
        let draft = self.worded(draft)?;
        let stack = self.stack_of(draft.scope);
        let change = Some((&draft, stack.as_deref()));
        self.project.store().change_learning(&self.now(), id, change, origin).await?;
        self.project.publish_learnings().await
    }

    /// Removes a learning.
    ///
    /// # Errors
    /// There is none of this number, an agent asks, or the state cannot be written.
    pub async fn remove_learning(&self, id: u32, origin: Origin) -> Result<(), Fault> {
        self.project.require_person("remove learnings")?;
        self.learning(id).await?;
        self.project.store().change_learning(&self.now(), id, None, origin).await?;
        self.project.publish_learnings().await
    }

    /// The draft with its blanks taken off, its texts bounded, a title, and the pattern that its text names.
    fn worded(&self, draft: &LearningDraft) -> Result<LearningDraft, Fault> {
        let bounded = |text: &str| text.trim().chars().take(LONGEST_TEXT).collect::<String>();
        let text = bounded(&draft.text);
        if text.is_empty() {
            return Err(Fault::new(ErrorCode::UsageInvalid, "a learning needs a text"));
        }
        let title = match draft.title.trim() {
            "" => title_of(&text),
            title => title_of(title),
        };
        let failures = self.project.failures();
        let pattern = match draft.pattern.as_deref().map(str::trim).filter(|it| !it.is_empty()) {
            Some(named) => Some(failures.known_pattern(named)?.name),
            None => failures.pattern_in(&text),
        };
        Ok(LearningDraft { title, when: bounded(&draft.when), text, pattern, ..draft.clone() })
    }

    /// The stack that a learning of this scope holds in.
    fn stack_of(&self, scope: LearningScope) -> Option<String> {
        (scope == LearningScope::Stack).then(|| stack(&self.project.layout().root).to_owned())
    }
}

fn not_found(id: u32) -> Fault {
    Fault::new(ErrorCode::LearningNotFound, format!("there is no learning {id}"))
        .next(NextAction::ListLearnings, "See them all")
}

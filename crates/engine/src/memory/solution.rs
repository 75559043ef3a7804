//! Solutions, as people read and change them, and as they move between projects.

use loopwright_domain::memory::likeness::{nearly_same, title_of};
use loopwright_domain::{
    ErrorCode, FailureCategory, Fault, MemoryEffect, MemoryOrigin, NextAction, Origin, Solution,
    SolutionDetail, SolutionDraft, SolutionTrust,
};
use loopwright_store::{NewSolution, SolutionAction};
use serde::{Deserialize, Serialize};

use crate::project::ProjectMemory;

/// The version of exported files.
const EXPORT_VERSION: u32 = 1;
/// Imported texts are cut to this, in characters.
const LONGEST_TEXT: usize = 4_000;
/// As many solutions as a file may hold.
const MOST_IMPORTED: usize = 10_000;

/// Solutions in a file, to be read into another project.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct SolutionExport {
    /// The file's version.
    pub version: u32,
    /// The project they come from.
    pub project: String,
    /// The solutions.
    pub solutions: Vec<ExportedSolution>,
}

/// One solution in such a file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ExportedSolution {
    /// The pattern it fixes.
    pub pattern: String,
    /// That pattern's category.
    pub category: FailureCategory,
    /// What it is, in a few words.
    pub title: String,
    /// What to do.
    pub text: String,
    /// The cause it was made for.
    #[serde(default)]
    pub cause: String,
    /// How far it was trusted there. Whoever reads it begins anew.
    #[cfg_attr(feature = "specta", specta(type = u32))]
    pub trust: SolutionTrust,
    /// How often it helped there.
    #[serde(default)]
    pub helped: u32,
    /// How often it failed there.
    #[serde(default)]
    pub failed: u32,
}

/// What an import came to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct ImportedSolutions {
    /// The numbers of those that were added, on trial.
    pub added: Vec<u32>,
    /// How many say nearly the same as one that is there.
    pub known: u32,
}

impl ProjectMemory<'_> {
    /// Every solution: those in use first, by trust. Of one pattern only, where it is named.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn solutions(&self, pattern: Option<&str>) -> Result<Vec<SolutionDetail>, Fault> {
        let all = self.project.store().solutions().await?;
        let mut details = Vec::new();
        for solution in all.into_iter().filter(|it| pattern.is_none_or(|pattern| it.pattern == pattern)) {
            details.push(self.detail(solution).await?);
        }
        Ok(details)
    }

    /// A solution with its history and effect.
    ///
    /// # Errors
    /// There is none of this number, or the state cannot be read.
    pub async fn solution(&self, id: u32) -> Result<SolutionDetail, Fault> {
        let solution = self.project.store().solution(id).await?.ok_or_else(|| not_found(id))?;
        self.detail(solution).await
    }

    async fn detail(&self, solution: Solution) -> Result<SolutionDetail, Fault> {
        let history = self.project.store().solution_history(solution.id).await?;
        let effect: MemoryEffect = self.project.store().solution_effect(solution.id).await?;
        Ok(SolutionDetail { effect_text: effect.words(), solution, effect, history })
    }

    /// Adds a solution of a person's own. It begins on trial like any other.
    ///
    /// # Errors
    /// Its pattern is unknown, it has no text, an agent asks, or the state cannot be written.
    pub async fn add_solution(&self, draft: &SolutionDraft, origin: Origin) -> Result<u32, Fault> {
        self.add(draft, (MemoryOrigin::Person, None), origin).await
    }

    /// Makes a solution from a learning: what the draft leaves empty is the learning's. It begins on trial.
    ///
    /// # Errors
    /// There is no such learning, neither it nor the draft names a pattern, and as [`ProjectMemory::add_solution`].
    pub async fn add_solution_from(
        &self,
        learning: u32,
        draft: &SolutionDraft,
        origin: Origin,
    ) -> Result<u32, Fault> {
        let found = self.learning(learning).await?;
        let or = |own: &str, other: String| if own.trim().is_empty() { other } else { own.to_owned() };
        let draft = SolutionDraft {
            pattern: or(&draft.pattern, found.pattern.unwrap_or_default()),
            title: or(&draft.title, found.title),
            text: or(&draft.text, found.text),
            files: draft.files.clone(),
        };
        let provenance = format!("from learning {learning}");
        self.add(&draft, (MemoryOrigin::Learning, Some(&provenance)), origin).await
    }

    async fn add(
        &self,
        draft: &SolutionDraft,
        (from, provenance): (MemoryOrigin, Option<&str>),
        origin: Origin,
    ) -> Result<u32, Fault> {
        self.project.require_person("add solutions")?;
        let (draft, category) = self.complete(draft)?;
        let new = NewSolution { draft: &draft, category, cause: "", origin: from, provenance };
        let added = self.project.store().add_solutions(&self.now(), &[new], origin).await?;
        added.first().copied().ok_or_else(|| Fault::new(ErrorCode::Internal, "no solution was added"))
    }

    /// Changes a solution's words, or the pattern it is for. Its trust stays.
    ///
    /// # Errors
    /// There is none of this number, and as [`ProjectMemory::add_solution`].
    pub async fn edit_solution(&self, id: u32, draft: &SolutionDraft, origin: Origin) -> Result<(), Fault> {
        self.project.require_person("edit solutions")?;
        let (draft, category) = self.complete(draft)?;
        self.change(id, SolutionAction::Edit(&draft, category), "", origin).await
    }

    /// Takes a solution out of use, for a reason in a person's words.
    ///
    /// # Errors
    /// There is none of this number, an agent asks, or the state cannot be written.
    pub async fn retire_solution(&self, id: u32, why: &str, origin: Origin) -> Result<(), Fault> {
        self.project.require_person("retire solutions")?;
        self.change(id, SolutionAction::Retire, why, origin).await
    }

    /// Takes a retired solution back into use.
    ///
    /// # Errors
    /// As [`ProjectMemory::retire_solution`].
    pub async fn restore_solution(&self, id: u32, origin: Origin) -> Result<(), Fault> {
        self.project.require_person("restore solutions")?;
        self.change(id, SolutionAction::Restore, "", origin).await
    }

    /// Says that a solution still holds: its time without use begins anew.
    ///
    /// # Errors
    /// As [`ProjectMemory::retire_solution`].
    pub async fn refresh_solution(&self, id: u32, origin: Origin) -> Result<(), Fault> {
        self.project.require_person("refresh solutions")?;
        self.change(id, SolutionAction::Refresh, "", origin).await
    }

    async fn change(
        &self,
        id: u32,
        action: SolutionAction<'_>,
        note: &str,
        origin: Origin,
    ) -> Result<(), Fault> {
        if self.project.store().solution(id).await?.is_none() {
            return Err(not_found(id));
        }
        Ok(self.project.store().change_solution(&self.now(), id, action, note, origin).await?)
    }

    /// All solutions that are in use, for another project.
    ///
    /// # Errors
    /// The state cannot be read.
    pub async fn export_solutions(&self) -> Result<SolutionExport, Fault> {
        let all = self.project.store().solutions().await?;
        let in_use = all.into_iter().filter(|it| it.state != loopwright_domain::SolutionState::Retired);
        let solutions = in_use.map(exported).collect();
        Ok(SolutionExport {
            version: EXPORT_VERSION,
            project: self.project.name(&self.project.config()),
            solutions,
        })
    }

    /// Reads solutions of another project from the text of a file. All of them begin on trial, and say where they come
    /// from.
    ///
    /// # Errors
    /// The text is no such file, an agent asks, or the state cannot be written. Then nothing has changed.
    pub async fn import_solutions(&self, text: &str, origin: Origin) -> Result<ImportedSolutions, Fault> {
        self.project.require_person("import solutions")?;
        let file: SolutionExport = serde_json::from_str(text).map_err(|error| {
            Fault::caused(ErrorCode::UsageInvalid, "this is no file of solutions", &error)
                .next(NextAction::ExportSolutions, "Write one")
        })?;
        if file.version != EXPORT_VERSION || file.solutions.len() > MOST_IMPORTED {
            return Err(Fault::new(
                ErrorCode::UsageInvalid,
                format!(
                    "a file of version {} with {} solutions cannot be read",
                    file.version,
                    file.solutions.len()
                ),
            ));
        }
        let known = self.project.store().solutions().await?;
        let mut drafts: Vec<(ExportedSolution, SolutionDraft)> = Vec::new();
        let mut imported = ImportedSolutions::default();
        for one in file.solutions {
            let draft = SolutionDraft {
                pattern: one.pattern.trim().to_owned(),
                title: one.title.clone(),
                text: one.text.clone(),
                files: Vec::new(),
            };
            let draft = worded(&draft)?;
            let same = |pattern: &str, text: &str| pattern == draft.pattern && nearly_same(text, &draft.text);
            if known.iter().any(|it| same(&it.pattern, &it.text))
                || drafts.iter().any(|(_, it)| same(&it.pattern, &it.text))
            {
                imported.known = imported.known.saturating_add(1);
            } else {
                drafts.push((one, draft));
            }
        }
        let provenance: Vec<String> = drafts.iter().map(|(one, _)| provenance(&file.project, one)).collect();
        let new: Vec<NewSolution<'_>> = drafts
            .iter()
            .zip(&provenance)
            .map(|((one, draft), provenance)| NewSolution {
                draft,
                category: one.category,
                cause: &one.cause,
                origin: MemoryOrigin::Import,
                provenance: Some(provenance),
            })
            .collect();
        imported.added = self.project.store().add_solutions(&self.now(), &new, origin).await?;
        Ok(imported)
    }

    pub(crate) fn now(&self) -> String {
        self.project.host().timestamp()
    }

    /// A draft that can be kept, and the category of its pattern.
    fn complete(&self, draft: &SolutionDraft) -> Result<(SolutionDraft, FailureCategory), Fault> {
        let draft = worded(draft)?;
        let category = self.project.failures().known_pattern(&draft.pattern)?.category;
        Ok((draft, category))
    }
}

/// Where an imported solution comes from, in words.
fn provenance(project: &str, one: &ExportedSolution) -> String {
    let project: String = project.chars().take(100).collect();
    format!(
        "from {project}, where its trust was {} and it helped {} of {} times",
        one.trust,
        one.helped,
        one.helped.saturating_add(one.failed)
    )
}

fn exported(solution: Solution) -> ExportedSolution {
    ExportedSolution {
        pattern: solution.pattern,
        category: solution.category,
        title: solution.title,
        text: solution.text,
        cause: solution.cause,
        trust: solution.trust,
        helped: solution.helped,
        failed: solution.failed,
    }
}

/// The draft with its blanks taken off, its text bounded, and a title.
fn worded(draft: &SolutionDraft) -> Result<SolutionDraft, Fault> {
    let text: String = draft.text.trim().chars().take(LONGEST_TEXT).collect();
    let pattern = draft.pattern.trim().to_owned();
    if text.is_empty() || pattern.is_empty() {
        return Err(Fault::new(ErrorCode::UsageInvalid, "a solution needs a pattern and a text")
            .hint("Say which failures it fixes, and what to do."));
    }
    let title = match draft.title.trim() {
        "" => title_of(&text),
        title => title_of(title),
    };
    let files =
        draft.files.iter().map(|file| file.trim().to_owned()).filter(|file| !file.is_empty()).collect();
    Ok(SolutionDraft { pattern, title, text, files })
}

fn not_found(id: u32) -> Fault {
    Fault::new(ErrorCode::SolutionNotFound, format!("there is no solution {id}"))
        .next(NextAction::ListSolutions, "See them all")
}

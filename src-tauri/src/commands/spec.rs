//! The spec: its tree, one section, searching, writing, and terms.

use loopwright_domain::{ErrorCode, Fault, Origin, SectionId, SectionRevision, TaskId, Term};
use loopwright_engine::spec::{NewTerm, SectionEdit};
use loopwright_engine::spec_view::{SectionDetail, SectionQuality, SpecHit, SpecView};
use tauri::{Runtime, State, WebviewWindow};

use crate::dto::{NewSection, SectionText, TermDraft};
use crate::shell::Shell;

/// The longest text of a section, in bytes.
const LONGEST_TEXT: usize = 8 * 1024 * 1024;
/// The longest text that is searched for, in bytes.
const LONGEST_SEARCH: usize = 10_000;
/// As many sections as a search shows.
const MOST_HITS: u32 = 100;
/// As many tasks or sections as can be changed at once.
const MOST_AT_ONCE: usize = 10_000;

/// The whole spec at one glance.
#[tauri::command]
#[specta::specta]
pub(crate) async fn spec_view<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<SpecView, Fault> {
    shell.project(window.label()).await?.spec().view().await
}

/// One section in full.
#[tauri::command]
#[specta::specta]
pub(crate) async fn spec_section<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: SectionId,
) -> Result<SectionDetail, Fault> {
    shell.project(window.label()).await?.spec().detail(id).await
}

/// What a section said before, the newest first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn section_history<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: SectionId,
) -> Result<Vec<SectionRevision>, Fault> {
    shell.project(window.label()).await?.spec().history(id).await
}

/// The sections that speak of some words, best first.
#[tauri::command]
#[specta::specta]
pub(crate) async fn search_spec<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    text: String,
) -> Result<Vec<SpecHit>, Fault> {
    not_longer(&text, LONGEST_SEARCH)?;
    shell.project(window.label()).await?.spec().hits(&text, MOST_HITS).await
}

/// How good a section would be with another text. Nothing is written.
#[tauri::command]
#[specta::specta]
pub(crate) async fn judge_section<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: SectionId,
    content: String,
) -> Result<SectionQuality, Fault> {
    not_longer(&content, LONGEST_TEXT)?;
    shell.project(window.label()).await?.spec().judge_draft(id, &content).await
}

/// Saves a section that was read as `seen`; refused when somebody changed it meanwhile.
#[tauri::command]
#[specta::specta]
pub(crate) async fn save_section<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    id: SectionId,
    seen: String,
    text: SectionText,
) -> Result<SectionDetail, Fault> {
    not_longer(&text.content, LONGEST_TEXT)?;
    let edit = SectionEdit { title: Some(text.title), content: Some(text.content) };
    shell.project(window.label()).await?.spec().save(id, &seen, &edit, Origin::App).await
}

/// Writes a new section, below another one or at the end.
#[tauri::command]
#[specta::specta]
pub(crate) async fn add_section<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    section: NewSection,
) -> Result<SectionId, Fault> {
    not_longer(&section.content, LONGEST_TEXT)?;
    let project = shell.project(window.label()).await?;
    let under = section.under.map(|id| id.to_string());
    let added = project.spec().add(&section.title, &section.content, under.as_deref(), Origin::App).await?;
    Ok(added.section.id)
}

/// Removes sections, and with them their links to tasks.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_sections<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    ids: Vec<SectionId>,
) -> Result<SpecView, Fault> {
    not_more(ids.len())?;
    let project = shell.project(window.label()).await?;
    project.spec().remove(&ids, Origin::App).await?;
    project.spec().view().await
}

/// Accepts finished tasks as they are, though their sections changed since.
#[tauri::command]
#[specta::specta]
pub(crate) async fn accept_tasks<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    ids: Vec<TaskId>,
) -> Result<(), Fault> {
    not_more(ids.len())?;
    shell.project(window.label()).await?.tasks().accept(&ids, Origin::App).await
}

/// Adds a term, or replaces the one with its name.
#[tauri::command]
#[specta::specta]
pub(crate) async fn put_term<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    term: TermDraft,
) -> Result<Term, Fault> {
    let TermDraft { name, definition, variants, avoid, replace } = term;
    let new = NewTerm { name, definition, variants, avoid, replace };
    shell.project(window.label()).await?.spec().put_term(new, Origin::App).await
}

/// Removes a term.
#[tauri::command]
#[specta::specta]
pub(crate) async fn remove_term<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    name: String,
) -> Result<(), Fault> {
    shell.project(window.label()).await?.spec().remove_terms(&[name], Origin::App).await.map(drop)
}

fn not_longer(text: &str, most: usize) -> Result<(), Fault> {
    if text.len() <= most {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, format!("the text is longer than {} KiB", most / 1024))
        .hint("Make it shorter, or split it."))
}

fn not_more(count: usize) -> Result<(), Fault> {
    if count <= MOST_AT_ONCE {
        return Ok(());
    }
    Err(Fault::new(ErrorCode::UsageInvalid, "these are too many to change at once")
        .hint(format!("Choose {MOST_AT_ONCE} at most.")))
}

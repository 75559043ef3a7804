//! What opens outside of the app: files in an editor, links in the browser.

use loopwright_domain::{ErrorCode, Fault};
use loopwright_engine::config::{Config, key};
use loopwright_engine::editor::Opener;
use tauri::{Runtime, State, WebviewWindow};

use super::settings::own_project;
use super::waiting;
use crate::desktop::{document, link};
use crate::shell::Shell;

/// Opens a file of the project in the person's editor, at a line when there is one.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_file<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    path: String,
    line: Option<u32>,
) -> Result<(), Fault> {
    let project = shell.project(window.label()).await?;
    let file = document::of_project(&project.layout().root, &path)?;
    let host = project.host().clone();
    let desktop = shell.desktop();
    match Opener::chosen(&host, &Config::load(&host, None).value(key::APP_EDITOR))? {
        Opener::Editor(editor) => editor.open(&host, &file, line),
        Opener::System if document::is_document(&file) => {
            waiting(move || desktop.open_file(&host, &file)).await?
        }
        Opener::System => Err(document::no_editor(&file)),
    }
}

/// Opens a web page in the browser, after the person has agreed in a native dialog. Only http and https.
#[tauri::command]
#[specta::specta]
pub(crate) async fn open_link<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    url: String,
) -> Result<(), Fault> {
    let url = link::checked(&url)?;
    let project = own_project(&window, &shell).await?;
    let host = project.as_ref().map_or_else(|| shell.host(), |project| project.host()).clone();
    let (desktop, label) = (shell.desktop(), window.label().to_owned());
    waiting(move || {
        if !desktop.confirm(&label, &link::question(&url)) {
            return Err(Fault::new(ErrorCode::ConfirmationDeclined, "The page was not opened."));
        }
        desktop.open_link(&host, url.as_str())
    })
    .await?
}

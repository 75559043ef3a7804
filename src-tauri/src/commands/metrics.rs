//! Figures of the calling window's project, and its health.

use loopwright_domain::memory::metrics_csv::metrics_csv;
use loopwright_domain::{ErrorCode, Fault, HealthReport, Metrics, PatternMetrics};
use tauri::{Runtime, State, WebviewWindow};

use super::write_chosen;
use crate::dto::MetricsFormat;
use crate::shell::Shell;

/// Patterns of failures that were met within so many days, or ever.
#[tauri::command]
#[specta::specta]
pub(crate) async fn failure_patterns<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    days: Option<u32>,
) -> Result<Vec<PatternMetrics>, Fault> {
    shell.project(window.label()).await?.memory().patterns(days).await
}

/// The figures of so many days, or of all time.
#[tauri::command]
#[specta::specta]
pub(crate) async fn metrics<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    days: Option<u32>,
) -> Result<Metrics, Fault> {
    shell.project(window.label()).await?.memory().metrics(days).await
}

/// How well the project is doing.
#[tauri::command]
#[specta::specta]
pub(crate) async fn health<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
) -> Result<HealthReport, Fault> {
    shell.project(window.label()).await?.memory().health().await
}

/// Writes the figures to a file that the person names in a native dialog. Gives back where; none when the dialog was
/// closed.
#[tauri::command]
#[specta::specta]
pub(crate) async fn export_metrics<R: Runtime>(
    window: WebviewWindow<R>,
    shell: State<'_, Shell>,
    days: Option<u32>,
    format: MetricsFormat,
) -> Result<Option<String>, Fault> {
    let figures = shell.project(window.label()).await?.memory().metrics(days).await?;
    let (name, text) = match format {
        MetricsFormat::Csv => ("metrics.csv", metrics_csv(&figures)),
        MetricsFormat::Json => {
            let text = serde_json::to_string_pretty(&figures).map_err(|error| {
                Fault::caused(ErrorCode::Internal, "the figures cannot be written", &error)
            })?;
            ("metrics.json", text + "\n")
        }
    };
    write_chosen(&window, &shell, "Export metrics", name, text).await
}

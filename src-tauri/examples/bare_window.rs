//! A bare Tauri window: what the app's own start is measured against. It says when it has been painted in the same
//! way as the app does (`ui/public/painted.js`), by making the file that `LOOPWRIGHT_PAINT_FILE` names.

use tauri::{WebviewUrl, WebviewWindowBuilder};

#[tauri::command]
fn first_paint() -> Result<(), String> {
    let Some(file) = std::env::var_os("LOOPWRIGHT_PAINT_FILE") else { return Ok(()) };
    std::fs::write(file, "").map_err(|error| error.to_string())
}

fn main() -> tauri::Result<()> {
    tauri::Builder::default()
        .invoke_handler(tauri::generate_handler![first_paint])
        .setup(|app| {
            WebviewWindowBuilder::new(app, "start", WebviewUrl::App("index.html".into()))
                .title("Bare")
                .build()?;
            Ok(())
        })
        .run(tauri::generate_context!("src-tauri/examples/bare/tauri.conf.json"))
}

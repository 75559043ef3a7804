//! Puts the app together and runs it.

use std::path::PathBuf;
use std::sync::Arc;

use loopwright_domain::Fault;
use loopwright_engine::Host;
use loopwright_engine::agent::learn_login_path;
use tauri::{AppHandle, Manager as _, RunEvent, Runtime, Wry};
use tauri_plugin_window_state::StateFlags;
use tokio::sync::watch;

use crate::context::context;
use crate::desktop::SystemDesktop;
use crate::shell::Shell;
use crate::zoom::Zoom;
use crate::{
    app_control, arguments, bindings, display, drawing, exit, menu, open_recent, window_events, windows,
};

/// Shows a project or the start page and runs until the last window is closed.
///
/// # Errors
/// There is no display, or no home folder, or the toolkit does not start.
pub(crate) fn until_closed(wish: Result<Option<PathBuf>, Fault>) -> Result<(), Fault> {
    drawing::suit_the_machine();
    display::require()?;
    let host = Host::of_this_process()?;
    let exposed = bindings::builder::<Wry>();
    // A second start may come while the first is still opening its window; it waits for that.
    let (started, ready) = watch::channel(false);
    let builder = tauri::Builder::<Wry>::new().plugin(tauri_plugin_single_instance::init(
        move |app, arguments, working_folder| {
            let wish = arguments::second_start(arguments, &working_folder);
            let (app, mut ready) = (app.clone(), ready.clone());
            tauri::async_runtime::spawn(async move {
                if ready.wait_for(|ready| *ready).await.is_ok() {
                    windows::second_start(&app, wish).await;
                }
            });
        },
    ));
    #[cfg(not(target_os = "linux"))]
    let builder = builder.plugin(tauri_plugin_dialog::init());
    let app = builder
        .plugin(tauri_plugin_opener::Builder::new().open_js_links_on_click(false).build())
        .plugin(tauri_plugin_shell::init())
        .plugin(
            tauri_plugin_window_state::Builder::new()
                .with_state_flags(StateFlags::all() - StateFlags::VISIBLE)
                .with_filename(host.data_dir.join("windows.json").to_string_lossy())
                .build(),
        )
        .invoke_handler(exposed.invoke_handler())
        .menu(menu::build)
        .on_menu_event(menu::chosen)
        .on_window_event(window_events::noticed)
        .setup(move |app| {
            exposed.mount_events(app);
            app.manage(app_control::start_background(app.handle(), host.clone()));
            let asking = host.clone();
            // What the desktop starts has a shorter search path than a terminal: agents are found by the shell's.
            tauri::async_runtime::spawn(async move { learn_login_path(&asking).await });
            app.manage(Shell::new(host, Arc::new(SystemDesktop::new(app.handle()))));
            app.manage(Zoom::default());
            open_recent::refresh(app.handle(), app.state::<Shell>().host());
            exit::heed_signals(app.handle());
            first_window(app.handle(), wish);
            started.send_replace(true);
            Ok(())
        })
        .build(context())
        .map_err(windows::internal)?;
    app.run(|app, event| {
        if let RunEvent::ExitRequested { code, api, .. } = event {
            exit::exit_requested(app, code, &api);
        }
    });
    Ok(())
}

fn first_window<R: Runtime>(app: &AppHandle<R>, wish: Result<Option<PathBuf>, Fault>) {
    let problem = match wish {
        Ok(Some(path)) => tauri::async_runtime::block_on(windows::open_project(app, &path, None)).err(),
        Ok(None) => None,
        Err(fault) => Some(fault),
    };
    if app.webview_windows().is_empty()
        && let Err(fault) = windows::open_start(app, problem)
    {
        eprintln!("loopwright-app: {}", fault.message);
        app.exit(1);
    }
}

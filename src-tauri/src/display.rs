//! Whether a window can be opened here at all. Found out first, so that a missing display is a clear word and not a
//! crash inside the toolkit.

use loopwright_domain::Fault;

/// Gets the toolkit ready.
///
/// # Errors
/// There is no display to open windows on.
#[cfg(target_os = "linux")]
pub(crate) fn require() -> Result<(), Fault> {
    use loopwright_domain::ErrorCode;

    let named = |variable: &str| std::env::var_os(variable).is_some_and(|value| !value.is_empty());
    let reason = if !named("DISPLAY") && !named("WAYLAND_DISPLAY") {
        "there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so no window can open"
    } else if gtk::init().is_err() {
        "the display cannot be opened, so no window can open"
    } else {
        return Ok(());
    };
    Err(Fault::new(ErrorCode::IoFailed, reason)
        .hint("Start it from a desktop session, or use \"loopwright\" in the terminal."))
}

/// Other systems always have a display.
///
/// # Errors
/// Never.
#[cfg(not(target_os = "linux"))]
pub(crate) fn require() -> Result<(), Fault> {
    Ok(())
}

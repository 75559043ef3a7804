//! How large a window's page is drawn.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use tauri::{Manager as _, Runtime, WebviewWindow};

/// The menu item that makes the page larger.
pub(crate) const IN: &str = "zoom_in";
/// The menu item that makes the page smaller.
pub(crate) const OUT: &str = "zoom_out";
/// The menu item that draws the page at its actual size.
pub(crate) const RESET: &str = "zoom_reset";

/// What can be chosen, in percent.
const LEVELS: &[u32] = &[50, 67, 80, 90, 100, 110, 125, 150, 175, 200, 250, 300];
const ACTUAL: u32 = 100;

/// The level of each window that was zoomed, in percent.
#[derive(Default)]
pub(crate) struct Zoom(Mutex<HashMap<String, u32>>);

/// A change of the level.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Step {
    /// To the next larger level.
    In,
    /// To the next smaller level.
    Out,
    /// To the actual size.
    Reset,
}

/// What a menu item does, if it is one of these.
pub(crate) fn step(id: &str) -> Option<Step> {
    match id {
        IN => Some(Step::In),
        OUT => Some(Step::Out),
        RESET => Some(Step::Reset),
        _ => None,
    }
}

/// Draws a window's page larger or smaller.
pub(crate) fn change<R: Runtime>(window: &WebviewWindow<R>, step: Step) {
    let zoom = window.state::<Zoom>();
    let mut levels = zoom.0.lock().unwrap_or_else(PoisonError::into_inner);
    let level = levels.entry(window.label().to_owned()).or_insert(ACTUAL);
    *level = next(*level, step);
    // It fails only while the window is closing.
    let _closing = window.set_zoom(f64::from(*level) / f64::from(ACTUAL));
}

fn next(level: u32, step: Step) -> u32 {
    let found = match step {
        Step::In => LEVELS.iter().find(|other| **other > level),
        Step::Out => LEVELS.iter().rev().find(|other| **other < level),
        Step::Reset => Some(&ACTUAL),
    };
    found.copied().unwrap_or(level)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_are_walked_and_end() {
        assert_eq!((next(100, Step::In), next(100, Step::Out), next(175, Step::Reset)), (110, 90, 100));
        assert_eq!((next(300, Step::In), next(50, Step::Out)), (300, 50));
        assert_eq!((step(IN), step(OUT), step(RESET)), (Some(Step::In), Some(Step::Out), Some(Step::Reset)));
        assert_eq!(step("quit"), None);
    }
}

//! How far the windows are that are being closed while their runs work.

use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The windows that are being closed while their runs work.
#[derive(Debug, Default)]
pub(crate) struct Closing(Mutex<HashMap<String, Step>>);

/// How far the closing of a window has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Step {
    /// The page was told to ask.
    Asked,
    /// The page says that it asks.
    Shown,
    /// The person has answered and the window is out of sight.
    Leaving,
}

impl Closing {
    /// The window is in use again: it stays.
    pub(crate) fn forget(&self, window: &str) {
        self.lock().remove(window);
    }

    /// Notes that the page is told to ask. False when the person has answered already.
    pub(crate) fn ask(&self, window: &str) -> bool {
        let mut steps = self.lock();
        let leaving = steps.get(window) == Some(&Step::Leaving);
        if !leaving {
            steps.insert(window.to_owned(), Step::Asked);
        }
        !leaving
    }

    /// Notes that the page says that it asks.
    pub(crate) fn shown(&self, window: &str) {
        if let Some(step @ Step::Asked) = self.lock().get_mut(window) {
            *step = Step::Shown;
        }
    }

    /// Whether the page was told to ask and has not said that it does.
    pub(crate) fn is_unanswered(&self, window: &str) -> bool {
        self.lock().get(window) == Some(&Step::Asked)
    }

    /// Notes that the window goes. False when it is going already.
    pub(crate) fn leave(&self, window: &str) -> bool {
        self.lock().insert(window.to_owned(), Step::Leaving) != Some(Step::Leaving)
    }

    /// Whether the person has answered and the window goes.
    pub(crate) fn is_leaving(&self, window: &str) -> bool {
        self.lock().get(window) == Some(&Step::Leaving)
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, Step>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

//! Systems that do not show another process's environment.

use super::Marker;
use crate::failure::Outcome;

/// Ends every process that carries the marker: none can be found here.
pub(crate) fn end(_marker: &Marker) -> Outcome<Vec<String>> {
    Ok(Vec::new())
}

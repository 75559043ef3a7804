//! What must hold in every document, whatever its format.

use std::collections::HashMap;

use loopwright_domain::{ErrorCode, Fault, TaskId};

use super::subtask_dependencies::{all_waits, circle};
use super::{Item, Placed};

/// Checks that names are used once, that what is waited for is there, and that nothing waits in a circle.
pub(super) fn check(file: &str, text: &str, placed: &Placed) -> Result<(), Fault> {
    let items: Vec<&Item> = placed.document.items().collect();
    let bad = |code: ErrorCode, place: usize, reason: String| {
        let start = placed.places.get(place).copied().unwrap_or_default();
        let lines = text.get(..start).unwrap_or_default().matches('\n').count();
        Fault::new(code, reason).at(file, u32::try_from(lines + 1).ok())
    };
    let invalid = |place: usize, reason: String| Err(bad(ErrorCode::ImportInvalid, place, reason));
    let mut places: HashMap<&str, usize> = HashMap::new();
    for (place, item) in items.iter().enumerate() {
        if places.insert(&item.id, place).is_some() {
            return invalid(place, format!("the id \"{}\" is used twice", item.id));
        }
        if let Err(problem) = item.draft.check() {
            return invalid(place, format!("\"{}\" cannot be a task: {problem}", item.id));
        }
    }
    for (place, item) in items.iter().enumerate() {
        let unknown = |name: &&String| !places.contains_key(name.as_str());
        if let Some(missing) = item.depends_on.iter().find(unknown) {
            return invalid(
                place,
                format!("\"{}\" waits for \"{missing}\", which is not in the file", item.id),
            );
        }
        if let Some(missing) = item.parent.iter().find(unknown) {
            return invalid(
                place,
                format!("\"{}\" is part of \"{missing}\", which is not in the file", item.id),
            );
        }
    }
    let Some(cycle) = circle(&all_waits(&items)) else { return Ok(()) };
    let name = |task: &TaskId| items.get(task.0 as usize).map_or("?", |item| item.id.as_str());
    let mut names: Vec<&str> = cycle.tasks.iter().map(name).collect();
    names.extend(cycle.tasks.first().map(name));
    let first = cycle.tasks.first().map_or(0, |task| task.0 as usize);
    Err(bad(
        ErrorCode::TaskCycle,
        first,
        format!("tasks wait for each other in a circle: {}", names.join(" → ")),
    ))
}

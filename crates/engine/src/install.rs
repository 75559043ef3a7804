//! `loopwright install`: tells agents that work here by themselves how Loopwright's checks are used, in AGENTS.md.

use std::path::PathBuf;

use loopwright_domain::Fault;
use serde::{Deserialize, Serialize};

use crate::layout::Layout;
use crate::text_file;
use crate::trust;

const FILE: &str = "AGENTS.md";
const FILE_LIMIT: u64 = 1024 * 1024;
const BEGIN: &str = "<!-- LOOPWRIGHT:BEGIN -->";
const END: &str = "<!-- LOOPWRIGHT:END -->";

const GUIDE: &str = "\
## Loopwright

This project is checked by Loopwright. The commands:

- `loopwright check` runs all checks; exit 0 means that every required one passes.
- `loopwright check --prompt` prints the work list: what fails, worst first, in a stable order.
- `loopwright loop --prompt TEXT` and `loopwright fix` let an agent work again and again, a fresh one each time.

How to work:

1. Run `loopwright check --prompt`.
2. Take ONE item, the first one you can mend.
3. Mend its cause completely; leave checks and tests as strict as they are.
4. Run `loopwright check` again, then stop.

When Loopwright started you, end with `loopwright signal complete`, or with `loopwright signal blocked \"REASON\"` when
you need a person.";

/// What was done to the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// There was no file.
    Created,
    /// The guide was added, or an older one was replaced.
    Updated,
    /// The guide is there as it should be.
    Unchanged,
}

/// What `install` did, or would do.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Installed {
    /// The file.
    pub file: PathBuf,
    /// What was done to it.
    pub change: Change,
    /// The file's text now.
    pub text: String,
}

/// Puts the guide into the project's AGENTS.md, between its two marks. Everything else in the file stays. With
/// `dry_run` nothing is written.
///
/// # Errors
/// An agent asks, or the file cannot be read or written.
pub fn install(layout: &Layout, dry_run: bool) -> Result<Installed, Fault> {
    let file = layout.root.join(FILE);
    let before = text_file::read(&file, FILE_LIMIT)?;
    let text = with_guide(before.as_deref().unwrap_or_default());
    let change = match &before {
        None => Change::Created,
        Some(before) if *before == text => Change::Unchanged,
        Some(_) => Change::Updated,
    };
    if !dry_run && change != Change::Unchanged {
        trust::require_person("change AGENTS.md through install")?;
        text_file::write(&file, &text)?;
    }
    Ok(Installed { file, change, text })
}

fn with_guide(text: &str) -> String {
    let block = format!("{BEGIN}\n{GUIDE}\n{END}");
    let old = text.find(BEGIN).and_then(|start| {
        let end = text[start..].find(END)? + start + END.len();
        Some((start, end))
    });
    match old {
        Some((start, end)) => format!("{}{block}{}", &text[..start], &text[end..]),
        None if text.trim().is_empty() => format!("# For agents\n\n{block}\n"),
        None => format!("{}\n\n{block}\n", text.trim_end()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_guide_is_added_once_and_the_rest_stays() {
        let once = with_guide("# Mine\n\nBe kind.\n");
        assert!(once.starts_with("# Mine\n\nBe kind.\n\n<!-- LOOPWRIGHT:BEGIN -->\n"), "{once}");
        assert_eq!(with_guide(&once), once);
        let older = format!("before\n{BEGIN}\nold words\n{END}\nafter\n");
        let newer = with_guide(&older);
        assert!(
            newer.starts_with("before\n") && newer.ends_with("\nafter\n") && !newer.contains("old words")
        );
        assert!(with_guide("").starts_with("# For agents"));
    }

    #[test]
    fn a_begin_without_an_end_is_left_alone() {
        let open = format!("{BEGIN}\nsomething of mine");
        assert!(with_guide(&open).starts_with(&open));
    }

    #[test]
    fn a_dry_run_writes_nothing_and_a_second_call_changes_nothing() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join(".loopwright")).unwrap();
        let layout = Layout::of(folder.path()).unwrap();
        assert_eq!(install(&layout, true).unwrap().change, Change::Created);
        assert!(!layout.root.join(FILE).exists());
        assert_eq!(install(&layout, false).unwrap().change, Change::Created);
        assert_eq!(install(&layout, false).unwrap().change, Change::Unchanged);
    }
}

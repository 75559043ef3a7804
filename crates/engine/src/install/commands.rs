//! Slash commands for Claude Code. Each file ends with a digest of the rest, so that a file that somebody changed is
//! told from one of ours, also from one that an older version wrote.

use std::path::PathBuf;

use loopwright_domain::digest::short_name;

const FOLDER: &str = ".claude/commands";
const MARK: &str = "<!-- loopwright install: ";
const MARK_END: &str = " -->";

const LOOP: &str = "\
---
description: Let Loopwright work on something, again and again, until it is done
argument-hint: WHAT TO DO
allowed-tools: Bash(loopwright loop:*), Bash(loopwright status:*), Write
---

Start a Loopwright loop for this request:

$ARGUMENTS

1. Write the request, as it stands, into the file `.loopwright/run/request.md`. Ask for it when it is empty.
2. Run `loopwright loop --prompt-file .loopwright/run/request.md --detach`.
3. Run `loopwright status` and say in two sentences what was started and how to follow it: `loopwright watch` in a
   terminal, or the desktop app. `/loopwright-cancel` ends it.

Do not work on the request yourself: Loopwright starts a fresh agent for each iteration and runs the checks.
";

const CANCEL: &str = "\
---
description: End the Loopwright run of this project
allowed-tools: Bash(loopwright cancel:*), Bash(loopwright status:*)
---

Run `loopwright cancel`, then `loopwright status`, and say in one sentence how the run ended. What it committed stays;
`loopwright history` shows it.
";

const HELP: &str = "\
---
description: What Loopwright does here, and how it is used
allowed-tools: Bash(loopwright status:*), Bash(loopwright --help)
---

Run `loopwright status` and `loopwright --help`. Then explain briefly, for this project:

- where it stands, and what waits for a person;
- `/loopwright-loop WHAT TO DO` starts a loop on a request, `/loopwright-cancel` ends the run;
- `loopwright check` runs the checks, `loopwright fix` lets an agent mend what fails, `loopwright run` works on the tasks;
- `loopwright gate list` shows what waits for approval. Approving is for people: do not do it for them.
";

/// The files and their texts.
pub(super) fn all() -> [(PathBuf, String); 3] {
    [("loop", LOOP), ("cancel", CANCEL), ("help", HELP)].map(|(name, text)| {
        let file = FOLDER.split('/').collect::<PathBuf>().join(format!("loopwright-{name}.md"));
        (file, format!("{text}\n{MARK}{}{MARK_END}\n", short_name(text.as_bytes())))
    })
}

/// Whether a file is as some version of Loopwright wrote it; line ends do not count.
pub(super) fn is_unchanged(text: &str) -> bool {
    let text = text.replace("\r\n", "\n");
    let parts = text.rsplit_once(MARK).and_then(|(rest, mark)| {
        Some((rest.strip_suffix('\n')?, mark.strip_suffix('\n')?.strip_suffix(MARK_END)?))
    });
    parts.is_some_and(|(rest, digest)| short_name(rest.as_bytes()) == digest)
}

/// Whether two texts are the same but for their line ends.
pub(super) fn same(one: &str, other: &str) -> bool {
    one.replace("\r\n", "\n") == other.replace("\r\n", "\n")
}

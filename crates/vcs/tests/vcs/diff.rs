//! Diffs of real trees, file by file: odd names, odd contents, and what a repository would rather not show.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::Path;

use loopwright_vcs::{ChangeKind, FileChange, Oid, PatchLine, PatchPart, Workspace, read_patch};

use crate::random::{Dice, NAMES};
use crate::support::Lab;

const ALL: usize = 64 * 1024 * 1024;

/// Two trees of a project: as a first change leaves it, and a second.
async fn two_trees(lab: &Lab, one: impl FnOnce(&Path), two: impl FnOnce(&Path)) -> (Workspace, Oid, Oid) {
    lab.repository("project").await;
    let root = lab.path("project");
    let workspace = lab.workspace("project").await;
    one(&root);
    let from = workspace.snapshot().await.unwrap().tree;
    two(&root);
    let to = workspace.snapshot().await.unwrap().tree;
    (workspace, from, to)
}

fn write(root: &Path, name: impl AsRef<Path>, content: impl AsRef<[u8]>) {
    let path = root.join(name);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// The lines that a patch has about a file, and that it has about no other.
async fn lines(workspace: &Workspace, from: &Oid, to: &Oid, file: &FileChange) -> Vec<String> {
    let patch = workspace.diff_of(from, to, file, 3, ALL).await.unwrap();
    let mut lines = Vec::new();
    for part in read_patch(&patch.text) {
        match part {
            PatchPart::File { old, new } => {
                let name = new.or(old).unwrap();
                assert_eq!(Path::new(OsStr::from_bytes(&name)), file.path);
            }
            PatchPart::Hunk { .. } => {}
            PatchPart::Line(line) => {
                let sign = match (line.old, line.new) {
                    (Some(_), Some(_)) => ' ',
                    (None, _) => '+',
                    _ => '-',
                };
                lines.push(format!("{sign}{}", String::from_utf8_lossy(line.text)));
            }
        }
    }
    lines
}

async fn find(workspace: &Workspace, from: &Oid, to: &Oid, name: impl AsRef<Path>) -> Option<FileChange> {
    workspace.change_of(from, to, |file| file.path == name.as_ref()).await.unwrap()
}

#[tokio::test]
async fn a_file_of_any_name_can_be_asked_for() {
    let lab = Lab::new();
    let odd = OsStr::from_bytes(b"not \xff\xfe text");
    let mut names: Vec<&OsStr> = NAMES.iter().filter(|name| **name != "dir").map(OsStr::new).collect();
    names.push(odd);
    let put = |root: &Path, text: &str| {
        for name in &names {
            write(root, name, format!("{text} of {}\n", name.display()));
        }
    };
    let (workspace, from, to) = two_trees(&lab, |root| put(root, "one"), |root| put(root, "two")).await;
    assert_eq!(workspace.changes(&from, &to).await.unwrap().len(), names.len());
    for name in names {
        let file = find(&workspace, &from, &to, name).await.unwrap();
        assert_eq!((file.added, file.deleted, file.kind), (1, 1, ChangeKind::Modified), "{name:?}");
        let shown = String::from_utf8_lossy(name.as_bytes()).replace('\n', "\n+");
        let lines = lines(&workspace, &from, &to, &file).await.join("\n");
        assert!(lines.ends_with(&format!("+two of {shown}")) || name == "new\nline", "{name:?}: {lines}");
    }
    assert_eq!(find(&workspace, &from, &to, "file.txt").await, None, "it is the same in both");
    assert_eq!(find(&workspace, &from, &to, "../file.txt").await, None);
}

#[tokio::test]
async fn renames_modes_links_and_folders_are_told_apart() {
    let lab = Lab::new();
    let text: String = (0..40).map(|number| format!("line {number}\n")).collect();
    let (workspace, from, to) = two_trees(
        &lab,
        |root| {
            write(root, "old name.txt", &text);
            write(root, "run.sh", "echo\n");
            write(root, "thing", "a file\n");
            write(root, "place", "a file where a folder will be\n");
            write(root, "picture", b"\0\x01\x02");
        },
        |root| {
            fs::rename(root.join("old name.txt"), root.join("new name.txt")).unwrap();
            write(root, "new name.txt", text.replace("line 7\n", "line seven\n"));
            fs::set_permissions(root.join("run.sh"), fs::Permissions::from_mode(0o755)).unwrap();
            fs::remove_file(root.join("thing")).unwrap();
            symlink("elsewhere", root.join("thing")).unwrap();
            fs::remove_file(root.join("place")).unwrap();
            write(root, "place/inside.txt", "a file in the folder\n");
            write(root, "picture", b"\0\x01\x03");
        },
    )
    .await;
    let renamed = find(&workspace, &from, &to, "new name.txt").await.unwrap();
    assert_eq!(renamed.old_path.as_deref(), Some(Path::new("old name.txt")));
    assert_eq!((renamed.kind, renamed.added, renamed.deleted), (ChangeKind::Renamed, 1, 1));
    let changed = lines(&workspace, &from, &to, &renamed).await;
    assert!(changed.contains(&"-line 7".to_owned()) && changed.contains(&"+line seven".to_owned()));
    assert_eq!(changed.len(), 8, "three lines around on each side");
    let mode = find(&workspace, &from, &to, "run.sh").await.unwrap();
    assert_eq!((mode.kind, mode.new_mode.as_deref()), (ChangeKind::Mode, Some("100755")));
    let link = find(&workspace, &from, &to, "thing").await.unwrap();
    assert_eq!((link.old_mode.as_deref(), link.new_mode.as_deref()), (Some("100644"), Some("120000")));
    assert_eq!(lines(&workspace, &from, &to, &link).await, ["-a file", "+elsewhere"]);
    assert!(find(&workspace, &from, &to, "picture").await.unwrap().binary);
    // What lies in the folder has the file's name before its own.
    let place = find(&workspace, &from, &to, "place").await.unwrap();
    let patch = workspace.diff_of(&from, &to, &place, 3, ALL).await.unwrap();
    let told = String::from_utf8(patch.text).unwrap();
    assert!(told.contains("--- a/place\n") && told.contains("+++ b/place/inside.txt\n"), "{told}");
}

#[tokio::test]
async fn attributes_cannot_hide_a_change() {
    let lab = Lab::new();
    let attributes = "*.txt -diff\n*.md binary\n*.rs diff=trap linguist-generated\n";
    let names = ["a.txt", "b.md", "c.rs"];
    let (workspace, from, to) = two_trees(
        &lab,
        |root| {
            write(root, ".gitattributes", attributes);
            names.iter().for_each(|name| write(root, name, "one\n"));
            let config =
                format!("[diff \"trap\"]\n\ttextconv = {}\n\tbinary = true\n", lab.canary("textconv"));
            let path = root.join(".git/config");
            let before = fs::read_to_string(&path).unwrap();
            fs::write(path, before + &config).unwrap();
        },
        |root| names.iter().for_each(|name| write(root, name, "two\n")),
    )
    .await;
    for name in names {
        let file = find(&workspace, &from, &to, name).await.unwrap();
        assert!(!file.binary && file.added == 1, "{name}: {file:?}");
        assert_eq!(lines(&workspace, &from, &to, &file).await, ["-one", "+two"], "{name}");
    }
    assert!(lab.fired().is_empty());
}

/// Lines that look like the words of a patch, and ends of all sorts.
fn content(dice: &mut Dice) -> Vec<u8> {
    let pieces = [
        "one\n",
        "two\n",
        "three\n",
        "\n",
        "crlf\r\n",
        "--- a/x\n",
        "+++ b/x\n",
        "@@ -1,2 +1,2 @@ f\n",
        " \n",
        "-\n",
        "diff --git a/x b/x\n",
        "\\ No newline at end of file\n",
        "\ttab\n",
        "ünï ☕\n",
        "\u{1b}[31m\n",
    ];
    let mut text: Vec<u8> = (0..dice.roll(30)).flat_map(|_| dice.pick(&pieces).bytes()).collect();
    if dice.roll(3) == 0 {
        text.pop();
    }
    text
}

/// The first old line of each hunk, and its lines.
type Hunks<'a> = Vec<(u32, Vec<PatchLine<'a>>)>;

/// What becomes of a text when the hunks about it are carried out.
fn apply(old: &[u8], hunks: &Hunks<'_>) -> Vec<u8> {
    let old_lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
    let mut new = Vec::new();
    let mut next = 0;
    for (start, lines) in hunks {
        // A hunk without old lines names the line before it.
        let adds_only = lines.iter().all(|line| line.old.is_none());
        let start = usize::try_from(*start).unwrap() - usize::from(!adds_only);
        new.extend(old_lines[next..start].concat());
        next = start;
        for line in lines {
            if let Some(number) = line.old {
                assert_eq!(usize::try_from(number).unwrap(), next + 1);
                let text = old_lines[next].strip_suffix(b"\n").unwrap_or(old_lines[next]);
                assert_eq!((text, !old_lines[next].ends_with(b"\n")), (line.text, line.no_line_break));
                next += 1;
            }
            if line.new.is_some() {
                new.extend(line.text);
                new.extend((!line.no_line_break).then_some(b'\n'));
            }
        }
    }
    new.extend(old_lines[next..].concat());
    new
}

#[tokio::test]
async fn the_hunks_of_any_edit_lead_from_the_old_text_to_the_new() {
    const FILES: u64 = 150;
    let lab = Lab::new();
    let text = |file: u64, side: u64| content(&mut Dice(file * 2 + side));
    // An edit of half of the lines, so that there is something around the changes.
    let edited = |file: u64| {
        let mut dice = Dice(file);
        let old = text(file, 0);
        let lines: Vec<&[u8]> = old.split_inclusive(|byte| *byte == b'\n').collect();
        let other = text(file, 1);
        let kept = lines.iter().filter(|_| dice.roll(5) > 0).copied().collect::<Vec<_>>().concat();
        if dice.roll(2) == 0 { [kept, other].concat() } else { [other, kept].concat() }
    };
    let name = |file: u64| format!("f{file:03}.txt");
    let (workspace, from, to) = two_trees(
        &lab,
        |root| (0..FILES).for_each(|file| write(root, name(file), text(file, 0))),
        |root| (0..FILES).for_each(|file| write(root, name(file), edited(file))),
    )
    .await;
    let patch = workspace.diff(&from, &to, ALL).await.unwrap().text;
    let mut found: Vec<(String, Hunks<'_>)> = Vec::new();
    for part in read_patch(&patch) {
        match part {
            PatchPart::File { new, .. } => found.push((String::from_utf8(new.unwrap()).unwrap(), Vec::new())),
            PatchPart::Hunk { old_start, .. } => found.last_mut().unwrap().1.push((old_start, Vec::new())),
            PatchPart::Line(line) => found.last_mut().unwrap().1.last_mut().unwrap().1.push(line),
        }
    }
    let changed = (0..FILES).filter(|file| text(*file, 0) != edited(*file));
    let mut found = found.iter();
    for file in changed {
        let (path, hunks) = found.next().unwrap();
        assert_eq!(*path, name(file));
        let applied = apply(&text(file, 0), hunks);
        assert_eq!(String::from_utf8_lossy(&applied), String::from_utf8_lossy(&edited(file)), "{path}");
    }
    assert!(found.next().is_none());
}

#[tokio::test]
async fn files_of_a_tree_are_read_by_name() {
    let lab = Lab::new();
    let (workspace, from, _) = two_trees(
        &lab,
        |root| {
            write(root, "scripts/a.sh", "one\ntwo\n");
            write(root, "large", "x".repeat(100));
            write(root, "missing", "");
        },
        |root| write(root, "b", "b"),
    )
    .await;
    let paths = ["scripts/a.sh", "not there", "scripts", "large", "missing", "a\nb", "scripts/a.sh"];
    let found = workspace.read_files(&from, &paths, 50).await.unwrap();
    let text = || Some(b"one\ntwo\n".to_vec());
    assert_eq!(found, [text(), None, None, None, Some(Vec::new()), None, text()]);
}

#[tokio::test]
async fn a_diff_has_as_much_context_as_is_asked_for() {
    let lab = Lab::new();
    let lines = |changed: &str| {
        (0..30).map(|at| format!("{at}{}\n", if at == 15 { changed } else { "" })).collect::<String>()
    };
    let (workspace, from, to) =
        two_trees(&lab, |root| write(root, "a", lines("")), |root| write(root, "a", lines("!"))).await;
    for (context, expected) in [(0, 2), (10, 22), (100, 31)] {
        let patch = workspace.diff_in_context(&from, &to, context, ALL).await.unwrap().text;
        let lines = read_patch(&patch).filter(|part| matches!(part, PatchPart::Line(_))).count();
        assert_eq!(lines, expected, "{context}");
    }
}

//! Examples of each format, and what holds for any text and any document.

use loopwright_domain::task::COMPLEXITIES;
use loopwright_domain::{ErrorCode, TaskStatus};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Document, Format, Group, Item, read, write};

const LOOP: &str = r#"{
  "tag": "tea", "created_at": "2026-01-01T00:00:00Z",
  "tasks": [
    {"id": 1, "title": "Boil", "description": "Water", "status": "done", "complexity": 2, "priority": "high",
     "depends_on": [], "test_strategy": "Look", "phase": "one"},
    {"id": 2, "title": "Brew", "description": "Leaves", "status": "in-progress", "complexity": 4, "priority": 2,
     "depends_on": [1]},
    {"id": 3, "title": "Serve", "status": "awaiting-tune", "depends_on": [2, 1], "owner": {"name": "x"}}
  ],
  "waves": [{"number": 1, "task_ids": [1]}], "summary": {"total": 3}
}"#;

const MAP: &str = r#"{"tea": {"name": "tea", "tasks": [
    {"id": "1", "title": "Pot", "status": "expanded", "dependencies": [], "subtasks": ["1.1"], "priority": "critical"},
    {"id": "1.1", "title": "Lid", "status": "pending", "dependencies": [], "parent_id": "1", "complexity": 5},
    {"id": "2", "title": "Pour", "dependencies": ["1", "cups:1"], "status": "deferred", "details": "slowly"}]},
  "cups": {"tasks": [{"id": "1", "title": "Find cups", "assigned_to": "me"}], "extra": 1}}"#;

const MASTER: &str = r#"{"master": {"tasks": [
    {"id": 1, "title": "Init", "description": "Repo", "details": "git init", "testStrategy": "ls", "status": "done",
     "dependencies": [], "priority": "high", "subtasks": []},
    {"id": 2, "title": "Auth", "dependencies": [1], "status": "review", "metadata": {"issue": 42}, "subtasks": [
       {"id": 1, "title": "Login", "dependencies": [], "status": "pending"},
       {"id": 2, "title": "Logout", "dependencies": [1, "1"], "status": "pending"},
       {"id": 3, "title": "Docs", "dependencies": ["2.2"], "status": "cancelled"}]}],
    "metadata": {"created": "2026"}}}"#;

const SCG: &str = "# SCUD Graph v1\n# Phase: auth\n# [a note]\n\n@meta {\n  name auth\n  id_format sequential\n  updated 2026-01-01T00:00:00Z\n}\n\n@nodes\n# id | title | status | complexity | priority\nauth:1 | Create \\| model | X | 3 | H\n2 | Back\\\\slash | I | 5 | C | more\nauth:1.1 | Part | P | 4 | M\n\n@edges\n# dependent -> dependency\n2 -> auth:1\n2 -> api:1\n\n@parents\nauth:1: auth:1.1\n\n@assignments\n2 | alice | alice | 2025-11-26T10:00:00Z\n\n@agents\n# id | agent_type\n2 | builder | smart\n\n@details\nauth:1 | description |\n  First line\n\n  after a blank one\n  \n2 | test_strategy |\n  Unit tests\n2 | agent_notes |\n  x\n\n---\n\n# SCUD Graph v1\n# Epic: api\n\n@nodes\nid | title | status | complexity | priority\n1 | Route | D | 1 | L\n";

const LIST: &str = "# Plan\r\n\r\nIntro with [ ] no box.\n\n- [ ] Boil water\n  in the kettle\n  - [x] Fill it\n  * [/] Switch on\n    ```\n    - [ ] not a task\n    ```\n1. [X] Warm the pot\n- [ ] Boil water\n- plain\n- [?] unknown\n\nThe end";

fn parse(text: &str, name: &str) -> Document {
    read(name, text, Format::of(name, text).unwrap()).unwrap()
}

fn item<'d>(document: &'d Document, id: &str) -> &'d Item {
    document.items().find(|item| item.id == id).unwrap_or_else(|| panic!("no {id}"))
}

#[test]
fn formats_are_known_by_content_and_name() {
    let cases = [
        (LOOP, "x.json", Format::ScudLoop),
        (MAP, "x.json", Format::ScudMap),
        (MASTER, "x.json", Format::TaskMaster),
        (r#"{"tasks": [{"id": 1, "title": "a"}]}"#, ".taskmaster/tasks/tasks.json", Format::TaskMaster),
        (r#"{"tasks": [{"id": 1, "title": "a"}]}"#, ".scud/tasks/tea.json", Format::ScudLoop),
        (r#"{"tea": {"tasks": []}}"#, ".scud/tasks/tasks.json", Format::ScudMap),
        (r#"{"loopwright": 1, "tasks": []}"#, "x", Format::Loopwright),
        (SCG, "x", Format::Scg),
        (LIST, "x.txt", Format::Checklist),
        ("{\"tasks\": ", "x", Format::TaskMaster),
    ];
    for (text, name, expected) in cases {
        assert_eq!(Format::of(name, text).unwrap(), expected, "{name}");
    }
    for text in ["", "hello", "[]", "{}", "7"] {
        let fault = Format::of("x", text).unwrap_err();
        assert_eq!(fault.code, ErrorCode::ImportInvalid, "{text}");
    }
}

#[test]
fn scud_files_of_both_shapes_are_understood() {
    let tea = parse(LOOP, "tea.json");
    assert_eq!(tea.groups[0].tag.as_deref(), Some("tea"));
    let brew = item(&tea, "2");
    assert_eq!((brew.status, brew.draft.priority, brew.draft.complexity), (TaskStatus::InProgress, 2, 5));
    assert_eq!(
        (brew.depends_on.as_slice(), brew.draft.tag.as_deref()),
        (["1".to_owned()].as_slice(), Some("tea"))
    );
    assert_eq!(item(&tea, "1").draft.test_strategy, "Look");
    assert_eq!(item(&tea, "3").status, TaskStatus::Blocked);
    let map = parse(MAP, "tasks.json");
    assert_eq!(item(&map, "tea:1.1").parent.as_deref(), Some("tea:1"));
    let pour = item(&map, "tea:2");
    assert_eq!(pour.depends_on, ["tea:1", "cups:1"]);
    assert_eq!((pour.draft.description.as_str(), pour.status), ("slowly", TaskStatus::Blocked));
    assert_eq!(item(&map, "tea:1").draft.priority, 1);
}

#[test]
fn task_master_parts_wait_for_their_siblings() {
    let document = parse(MASTER, "tasks.json");
    let logout = item(&document, "master:2.2");
    assert_eq!(logout.depends_on, ["master:2.1", "master:2.1"]);
    assert_eq!(logout.parent.as_deref(), Some("master:2"));
    assert_eq!(item(&document, "master:2.3").depends_on, ["master:2.2"]);
    assert_eq!(item(&document, "master:1").draft.description, "Repo\n\ngit init");
    assert_eq!(item(&document, "master:2").status, TaskStatus::AwaitingApproval);
}

#[test]
fn graph_files_hold_phases_escapes_and_what_is_not_known() {
    let document = parse(SCG, "tasks.scg");
    let first = item(&document, "auth:1");
    assert_eq!((first.draft.title.as_str(), first.status), ("Create | model", TaskStatus::Done));
    assert_eq!(first.draft.description, "First line\n\nafter a blank one\n");
    let second = item(&document, "auth:2");
    assert_eq!((second.draft.title.as_str(), second.draft.priority), ("Back\\slash", 1));
    assert_eq!(second.depends_on, ["auth:1", "api:1"]);
    assert_eq!(item(&document, "auth:1.1").parent.as_deref(), Some("auth:1"));
    assert_eq!(item(&document, "api:1").draft.tag.as_deref(), Some("api"));
    let written = write(&document).unwrap();
    for kept in
        ["# [a note]", "id_format sequential", "| more", "@agents", "2 | builder | smart", "agent_notes"]
    {
        assert!(written.contains(kept), "{kept} in\n{written}");
    }
    assert!(
        written.contains("2 | alice | alice | 2025-11-26T10:00:00Z")
            && written.contains("auth:1 | Create \\| model | X | 3 | H")
    );
}

#[test]
fn check_lists_keep_every_other_byte() {
    let document = parse(LIST, "PLAN.md");
    let ids: Vec<&str> = document.items().map(|item| item.id.as_str()).collect();
    assert_eq!(
        ids,
        ["Boil water", "Boil water > Fill it", "Boil water > Switch on", "Warm the pot", "Boil water (2)"]
    );
    assert_eq!(item(&document, "Boil water").draft.description, "in the kettle");
    let states: Vec<TaskStatus> = document.items().map(|item| item.status).collect();
    use TaskStatus::{Done, InProgress, Pending};
    assert_eq!(states, [Pending, Done, InProgress, Done, Pending]);
    assert_eq!(write(&document).unwrap(), LIST);
    let mut changed = document;
    changed.groups[0].items[0].status = Done;
    changed.groups[0].items[3].draft.title = "Heat the pot".into();
    changed.groups[0].items.push(Item::new("New", "New"));
    let expected = LIST.replacen("- [ ] Boil", "- [x] Boil", 1).replace("1. [X] Warm", "1. [X] Heat");
    let written = write(&changed).unwrap();
    assert!(written.contains("- [ ] New\n"), "{written}");
    assert_eq!(written.replace("- [ ] New\n", ""), expected);
}

#[test]
fn what_was_read_is_written_without_loss() {
    for (text, name) in
        [(LOOP, "a.json"), (MAP, "a.json"), (MASTER, "a.json"), (SCG, "a.scg"), (LIST, "a.md")]
    {
        let document = parse(text, name);
        let written = write(&document).unwrap();
        assert_eq!(
            in_order(read(name, &written, document.format).unwrap()),
            in_order(document),
            "{name}\n{written}"
        );
        if name.ends_with("json") {
            let value = |text: &str| serde_json::from_str::<Value>(text).unwrap();
            assert_eq!(value(&written), value(text));
        }
    }
}

#[test]
fn changes_touch_only_what_changed() {
    let mut document = parse(MASTER, "a.json");
    let auth = &mut document.groups[0].items[1];
    auth.status = TaskStatus::Done;
    auth.depends_on.clear();
    document.groups[0].items[0].draft.description = "Repository\n\ngit init".into();
    let written: Value = serde_json::from_str(&write(&document).unwrap()).unwrap();
    let mut expected: Value = serde_json::from_str(MASTER).unwrap();
    expected["master"]["tasks"][1]["status"] = json!("done");
    expected["master"]["tasks"][1]["dependencies"] = json!([]);
    expected["master"]["tasks"][0]["description"] = json!("Repository");
    assert_eq!(written, expected);
}

#[test]
fn mistakes_name_line_and_field() {
    let cases = [
        (
            "{\"tasks\": [\n {\"id\": 1, \"title\": \"a\", \"depends_on\": \"x\"}]}",
            2,
            "tasks[0].depends_on must be a list",
        ),
        (
            "{\"tag\": \"a\", \"tasks\": [\n {\"id\": 1,\n \"title\": \"\"}]}",
            3,
            "tasks[0].title must be a text that is not empty",
        ),
        ("{\"tag\": \"a\", \"tasks\": [\n {\"title\": \"x\"}]}", 2, "tasks[0] has no id"),
        (
            "{\"tag\": \"a\", \"tasks\": [{\"id\":1,\"title\":\"x\",\n\"status\":\"lost\"}]}",
            2,
            "tasks[0].status is no known status",
        ),
        (
            "{\"tag\": \"a\", \"tasks\": [{\"id\":1,\"title\":\"x\"},\n{\"id\":\"1\",\"title\":\"y\"}]}",
            2,
            "\"1\" is used twice",
        ),
        (
            "{\"tag\": \"a\", \"tasks\": [\n{\"id\":1,\"title\":\"x\",\"depends_on\":[9]}]}",
            2,
            "waits for \"9\"",
        ),
        ("{\"tag\": \"a\",\n \"tasks\": [,]}", 2, "not valid JSON"),
        (
            "{\"a\": {\"tasks\": [{\"id\":\"1\",\"title\":\"x\",\"parent_id\":\"2\"}],\"name\":\"a\"}}",
            1,
            "part of \"a:2\"",
        ),
        ("# SCUD Graph v1\n# Phase: a\n@nodes\n1 | x | Q | 1 | M\n", 4, "status \"Q\""),
        ("# SCUD Graph v1\n# Phase: a\n@nodes\n1 | x | P | many | M\n", 4, "complexity \"many\""),
        ("# SCUD Graph v1\n# Phase: a\n@nodes\n1 |\n", 4, "a node needs an id and a title"),
        (
            "# SCUD Graph v1\n# Phase: a\n@nodes\n1 | x | P | 1 | M\n@edges\n2 -> 1\n",
            6,
            "no node of this phase",
        ),
        (
            "# SCUD Graph v1\n# Phase: a\n@nodes\n1 | x | P | 1 | M\n2 | y | P\n@edges\n2 -> 1\n1 -> 2\n",
            4,
            "circle: a:1 → a:2 → a:1",
        ),
        ("# SCUD Graph v1\n@nodes\n1 | x | P | 1 | M\n", 3, "no name"),
        ("# SCUD Graph v1\n", 1, "no phase"),
    ];
    for (text, line, expected) in cases {
        let format = Format::of("f", text).unwrap();
        let fault = read("f", text, format).unwrap_err();
        assert!(fault.message.contains(expected), "{text}\n{}", fault.message);
        assert_eq!(
            fault.location.as_ref().and_then(|place| place.line),
            Some(line),
            "{text}\n{}",
            fault.message
        );
    }
}

fn word() -> impl Strategy<Value = String> {
    "[a-z|\\\\é\"#:>\\-]{0,3}[a-zé][a-z |\\\\\\[\\]é]{0,6}[a-z]"
}

/// Documents of a format, with only what the format can hold.
fn documents() -> impl Strategy<Value = Document> {
    let item = (
        word(),
        "([a-z]{1,5}\n?){0,3}[a-z]",
        prop::sample::select(vec![1_u32, 3, 5, 7]),
        0..COMPLEXITIES.len(),
        prop::sample::select(TaskStatus::ALL.to_vec()),
        any::<u64>(),
    );
    (prop::sample::select(Format::ALL.to_vec()), prop::collection::vec(item, 0..8), any::<bool>()).prop_map(
        |(format, drawn, tagged)| {
            let tag = match format {
                Format::ScudLoop | Format::ScudMap | Format::Scg => Some("tea"),
                Format::TaskMaster if tagged => Some("tea"),
                _ => None,
            };
            let prefix = tag.filter(|_| format != Format::ScudLoop);
            let mut items: Vec<Item> = Vec::new();
            for (place, (title, text, priority, complexity, status, seed)) in drawn.into_iter().enumerate() {
                items.push(drawn_item(
                    format,
                    prefix,
                    tag,
                    &items,
                    place,
                    (title, text, priority, complexity, status, seed),
                ));
            }
            let group = Group { tag: tag.map(str::to_owned), items, ..Group::default() };
            Document { format, groups: vec![group] }
        },
    )
}

type Drawn = (String, String, u32, usize, TaskStatus, u64);

fn drawn_item(
    format: Format,
    prefix: Option<&str>,
    tag: Option<&str>,
    earlier: &[Item],
    place: usize,
    drawn: Drawn,
) -> Item {
    let (title, text, priority, complexity, status, seed) = drawn;
    let pick = usize::try_from(seed).ok().filter(|_| !earlier.is_empty()).map(|seed| seed % earlier.len());
    let parent = pick.filter(|_| seed % 3 == 0 && format != Format::ScudLoop && format != Format::Loopwright);
    let mut item = if format == Format::Checklist {
        let title = format!("{place} {}", title.trim());
        // A list is a tree in the order it is written: a part stands below the last task or its forebears.
        let parent = earlier.last().filter(|_| parent.is_some());
        let id = parent.map_or_else(|| title.clone(), |parent| format!("{} > {title}", parent.id));
        let mut item = Item::new(id, title);
        item.parent = parent.map(|parent| parent.id.clone());
        item.status = if seed % 2 == 0 { TaskStatus::Done } else { TaskStatus::Pending };
        item.draft.description = text;
        return item;
    } else {
        let parent = parent.map(|parent| earlier[parent].id.clone());
        let local = format!("{}", place + 1);
        let id = match (&parent, format) {
            (Some(parent), Format::TaskMaster) => format!("{parent}.{local}"),
            _ => prefix.map_or(local.clone(), |prefix| format!("{prefix}:{local}")),
        };
        let mut item = Item::new(id, title.trim());
        item.parent = parent;
        item
    };
    item.draft.tag = tag.map(str::to_owned);
    item.draft.description = text.clone();
    item.draft.priority = if format == Format::TaskMaster { priority.max(3) } else { priority };
    item.draft.complexity = COMPLEXITIES[complexity];
    item.status = status;
    if seed % 5 == 0 {
        item.draft.test_strategy = text;
    }
    if format == Format::Loopwright {
        item.draft.notes = "n".into();
        item.draft.acceptance = vec!["a".into()];
    }
    // Waiting for forebears would close a circle with the parts they wait for.
    let related = |other: &Item| item.id.starts_with(&other.id) || item.parent.as_deref() == Some(&other.id);
    let free = earlier.iter().filter(|other| other.parent.is_none() && !related(other));
    item.depends_on = free.take(1).map(|other| other.id.clone()).filter(|_| item.parent.is_none()).collect();
    item
}

/// JSON objects hold their groups in no order.
fn in_order(mut document: Document) -> Document {
    document.groups.sort_by(|one, other| one.tag.cmp(&other.tag));
    document
}

fn without_raw(mut document: Document) -> Document {
    for group in &mut document.groups {
        group.raw.clear();
        group.items.iter_mut().for_each(|item| item.raw.clear());
        // task-master nests parts, so that they stand right below what they are parts of.
        group.items.sort_by(|one, other| one.id.cmp(&other.id));
    }
    document
}

proptest! {
    #[test]
    fn a_document_that_is_written_reads_the_same(document in documents()) {
        let text = write(&document).unwrap();
        let again = read("f", &text, document.format).map_err(|fault| TestCaseError::fail(format!("{fault}\n{text}")))?;
        prop_assert_eq!(without_raw(again.clone()), without_raw(document), "{}", &text);
        prop_assert_eq!(write(&again).unwrap(), text);
    }

    #[test]
    fn any_text_is_read_or_refused(
        text in "([{}\\[\\]\",:|@#>\\-\\\\ 1a\n]|\"tasks\":|\"id\":1|\"title\":\"x\"|@nodes\n|- \\[ \\] |# SCUD Graph v1\n|# Phase: a\n|1 . x . P){0,30}",
        format in prop::sample::select(Format::ALL.to_vec()),
    ) {
        let _ = Format::of("f", &text);
        if let Ok(document) = read("f", &text, format) {
            let written = write(&document).unwrap();
            let again = read("f", &written, format).map_err(|fault| TestCaseError::fail(format!("{fault}\n{written}")))?;
            prop_assert_eq!(in_order(again), in_order(document), "{}", &written);
            if format == Format::Checklist {
                prop_assert_eq!(written, text);
            }
        }
    }
}

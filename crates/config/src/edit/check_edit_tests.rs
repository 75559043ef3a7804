use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

const FILE: &str = "# Ours\nname = \"x\"   # short\n\n# Style first.\n[[checks]]\nname = \"lint\" # quick\ncommand = \"lint\"\n\n\
                    [[checks]]\nname = \"test\"\ncommand = \"test\"\n\n[gate]\nprotected = [\"a\"] # keep\n";

fn command(name: &str, command: &str) -> CheckDraft {
    CheckDraft::command(name, command)
}

fn draft(text: &str, name: &str) -> CheckDraft {
    drafts(text).into_iter().find(|draft| draft.name == name).unwrap()
}

fn changed(text: &str, name: &str, change: impl FnOnce(&mut CheckDraft)) -> String {
    let mut draft = draft(text, name);
    change(&mut draft);
    super::change("f", text, name, &draft).unwrap()
}

fn order(text: &str) -> Vec<String> {
    read("f", text).checks.into_iter().map(|check| check.name).collect()
}

#[test]
fn adding_changes_nothing_else_and_removing_it_again_gives_the_same_file() {
    let new = CheckDraft { required: false, timeout: Some("5m".into()), ..command("docs", "make docs") };
    let added = add("f", FILE, &new, Some(3)).unwrap();
    let table = "[[checks]]\nname = \"docs\"\ncommand = \"make docs\"\ntimeout = \"5m\"\norder = 3\nrequired = false\n";
    assert_eq!(added.replace(&format!("\n{table}"), ""), FILE, "{added}");
    assert_eq!(remove("f", &added, "docs").unwrap(), FILE);
    let without = remove("f", FILE, "lint").unwrap();
    assert_eq!(
        without,
        FILE.replace("\n# Style first.\n[[checks]]\nname = \"lint\" # quick\ncommand = \"lint\"\n", "")
    );
    let clean =
        CheckDraft { name: "clean".into(), builtin: Some("clean-tree".into()), ..CheckDraft::default() };
    let first = add("f", "", &clean, None).unwrap();
    assert_eq!(first, "[[checks]]\nname = \"clean\"\nbuiltin = \"clean-tree\"\n");
    assert_eq!(remove("f", &first, "clean").unwrap(), "");
    assert_eq!(add("f", "name = \"x\"", &clean, None).unwrap(), format!("name = \"x\"\n\n{first}"));
}

#[test]
fn a_comment_that_stands_apart_is_not_the_checks() {
    let text = "# About this file.\n\n# About a.\n[[checks]]\nname = \"a\"\ncommand = \"a\"\n# timeout = \"1m\"\n\n# The end.\n";
    assert_eq!(remove("f", text, "a").unwrap(), "# About this file.\n\n# The end.\n");
}

#[test]
fn an_edit_writes_what_differs_and_keeps_every_comment() {
    let renamed = changed(FILE, "lint", |draft| draft.name = "style".into());
    assert_eq!(renamed, FILE.replace("\"lint\" # quick", "\"style\" # quick"));
    let off = changed(FILE, "lint", |draft| draft.enabled = false);
    assert_eq!(off, FILE.replace("\"lint\"\n", "\"lint\"\nenabled = false\n"));
    assert_eq!(changed(&off, "lint", |draft| draft.enabled = true), FILE);
    let why = off.replace("enabled = false", "enabled = false # flaky");
    assert_eq!(
        changed(&why, "lint", |draft| draft.enabled = true),
        why.replace("enabled = false", "enabled = true"),
        "the comment stays"
    );
    let slow = changed(FILE, "test", |draft| {
        draft.timeout = Some("20m".into());
        draft.dir = Some("it's".into());
        draft.required = false;
    });
    assert!(
        slow.contains("command = \"test\"\nrequired = false\ntimeout = \"20m\"\ndir = \"it's\"\n\n[gate]"),
        "{slow}"
    );
    assert_eq!(changed(FILE, "test", |_| ()), FILE, "nothing differs");
}

#[test]
fn a_check_becomes_a_built_in_one_and_back_and_what_no_longer_fits_goes() {
    let text = "[[checks]]\nname = \"a\"\ncommand = \"x 'y'\" # why\nparser = \"regex\"\npattern = \"(?<message>.*)\"\nwarn = [2]\n";
    let builtin = changed(text, "a", |draft| draft.builtin = Some("merge-markers".into()));
    assert_eq!(builtin, "[[checks]]\nname = \"a\"\nbuiltin = \"merge-markers\" # why\n");
    let back = changed(&builtin, "a", |draft| {
        draft.builtin = None;
        draft.command = "say 'it'".into();
    });
    assert_eq!(back, "[[checks]]\nname = \"a\"\ncommand = \"say 'it'\" # why\n");
    let plain = changed(text, "a", |draft| draft.parser = None);
    assert_eq!(plain, "[[checks]]\nname = \"a\"\ncommand = \"x 'y'\" # why\nwarn = [2]\n");
}

#[test]
fn moving_takes_the_lines_with_their_comment_and_leaves_what_is_between() {
    let moved = move_to("f", FILE, "test", 0).unwrap();
    let expected = "# Ours\nname = \"x\"   # short\n\n[[checks]]\nname = \"test\"\ncommand = \"test\"\n\n\
                    # Style first.\n[[checks]]\nname = \"lint\" # quick\ncommand = \"lint\"\n\n[gate]\nprotected = [\"a\"] # keep\n";
    assert_eq!(moved, expected);
    assert_eq!(move_to("f", &moved, "lint", 0).unwrap(), FILE);
    assert_eq!(move_to("f", FILE, "lint", 0).unwrap(), FILE);
}

#[test]
fn an_order_number_is_written_only_where_it_is_needed() {
    let check =
        |name: &str, order: &str| format!("[[checks]]\nname = \"{name}\"\ncommand = \"x\"\n{order}\n");
    let text =
        [check("late", "order = 5 # last"), check("first", "order = -1\n"), check("plain", "")].concat();
    assert_eq!(order(&text), ["first", "plain", "late"]);
    let moved = move_to("f", &text, "late", 0).unwrap();
    assert_eq!(order(&moved), ["late", "first", "plain"]);
    assert!(moved.contains("order = -1 # last"), "{moved}");
    let moved = move_to("f", &text, "plain", 2).unwrap();
    assert_eq!(order(&moved), ["first", "late", "plain"]);
    assert!(
        moved.ends_with("name = \"plain\"\ncommand = \"x\"\norder = 5\n\n") || moved.contains("order = 5\n"),
        "{moved}"
    );
    let fault = move_to("f", &text, "late", 3).unwrap_err();
    assert_eq!(fault.message, "there are only 3 checks");
    assert_eq!(move_to("f", &text, "lat", 0).unwrap_err().hint.as_deref(), Some("Did you mean \"late\"?"));
}

#[test]
fn texts_that_look_like_tables_and_tables_of_a_check_are_understood() {
    let text = "[[checks]]\nname = \"a\"\ncommand = '''\nsay\n# [[checks]]\n'''\n[checks.env]\nA = \"b\"\n[[checks]]\nname = \"b\"\ncommand = \"b\"\nenv.X = \"1\"";
    let moved = move_to("f", text, "b", 0).unwrap();
    assert_eq!(order(&moved), ["b", "a"]);
    assert!(moved.ends_with("[checks.env]\nA = \"b\"\n"), "{moved}");
    let off = changed(text, "a", |draft| draft.enabled = false);
    assert!(off.contains("'''\nenabled = false\n[checks.env]"), "{off}");
    let apart =
        "[[checks]]\nname = \"a\"\ncommand = \"a\"\n[gate]\nprotected = []\n[checks.env]\nA = \"b\"\n";
    assert!(remove("f", apart, "a").unwrap_err().message.contains("several places"));
}

#[test]
fn the_line_ends_of_the_file_are_used() {
    let text = FILE.replace('\n', "\r\n");
    let added = add("f", &text, &command("docs", "d"), None).unwrap();
    assert!(!added.replace("\r\n", "").contains('\n'), "{added:?}");
    assert_eq!(remove("f", &added, "docs").unwrap(), text);
    let off = changed(&text, "test", |draft| draft.enabled = false);
    assert_eq!(off, changed(FILE, "test", |draft| draft.enabled = false).replace('\n', "\r\n"));
    assert_eq!(
        move_to("f", &text, "test", 0).unwrap(),
        move_to("f", FILE, "test", 0).unwrap().replace('\n', "\r\n")
    );
}

#[test]
fn mistakes_change_nothing_and_say_what_is_wrong() {
    let message = |new: &CheckDraft| add("f", FILE, new, None).unwrap_err().message;
    assert_eq!(message(&command("lint", "x")), "there is a check called \"lint\" already");
    assert!(message(&command("x", "say 'hi")).contains("close every quote"));
    assert!(message(&command("", "x")).contains("name on one line"));
    assert!(
        message(&CheckDraft { dir: Some("../up".into()), ..command("x", "x") })
            .contains("inside the project")
    );
    let message = |new: &CheckDraft| change("f", FILE, "lint", new).unwrap_err().message;
    assert_eq!(message(&command("test", "x")), "there is a check called \"test\" already");
    assert!(
        message(&CheckDraft { timeout: Some("soon".into()), ..command("lint", "x") }).contains("timeout")
    );
    assert!(
        message(&CheckDraft { parser: Some("regex".into()), ..command("lint", "x") }).contains("pattern")
    );
    assert!(message(&CheckDraft { builtin: Some("no".into()), ..command("lint", "") }).contains("builtin"));
    let wrong = remove("f", FILE, "tets").unwrap_err();
    assert_eq!(wrong.hint.as_deref(), Some("Did you mean \"test\"?"));
    assert!(remove("f", "", "a").is_err());
    let broken = [add("f", "[[[", &command("a", "a"), None), move_to("f", "[[[", "a", 0)];
    assert!(broken.into_iter().all(|result| result.unwrap_err().code == ErrorCode::ConfigSyntax));
    let fault = add("f", "checks = 3\n", &command("a", "a"), None).unwrap_err();
    assert_eq!(fault.code, ErrorCode::ConfigBadValue);
}

#[test]
fn a_mistake_elsewhere_in_the_file_is_no_obstacle() {
    let text = format!(
        "{FILE}\n[[checks]]\nname = \"odd\"\ncommand = \"x\"\ntimeout = \"soon\"\n\n[gate.no]\nx = 1\n"
    );
    assert_eq!(
        changed(&text, "lint", |draft| draft.enabled = false).len(),
        text.len() + "enabled = false\n".len()
    );
    let mended = changed(&text, "odd", |draft| draft.timeout = None);
    assert_eq!(mended, text.replace("timeout = \"soon\"\n", ""));
}

/// One thing a person does.
#[derive(Clone, Debug)]
enum Deed {
    Add(String),
    Rename(Index, String),
    Rework(Index, String, bool),
    Enable(Index, bool),
    Move(Index, Index),
    Remove(Index),
}

fn word() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-e]",
        Just("it's \"odd\" # [[checks]]".to_owned()),
        "\\PC{1,8}".prop_map(|text| format!("x{text}x"))
    ]
}

fn deed() -> impl Strategy<Value = Deed> {
    let index = any::<Index>;
    prop_oneof![
        word().prop_map(Deed::Add),
        (index(), word()).prop_map(|(index, name)| Deed::Rename(index, name)),
        (index(), "[a-z]{1,5}( '[a-z# ]{0,5}')?", any::<bool>()).prop_map(|(i, c, o)| Deed::Rework(i, c, o)),
        (index(), any::<bool>()).prop_map(|(index, enabled)| Deed::Enable(index, enabled)),
        (index(), index()).prop_map(|(from, to)| Deed::Move(from, to)),
        index().prop_map(Deed::Remove),
    ]
}

/// A check as somebody might write it, with everything that may be around it.
fn piece() -> impl Strategy<Value = String> {
    let order =
        prop_oneof![Just(String::new()), (-2i64..3).prop_map(|order| format!("order = {order} # why\n"))];
    let above = prop::sample::select(vec![
        "",
        "# Above.\n# It.\n",
        "# Apart.\n\n",
        "[[other]]\nx = \"[[checks]]\"\n\n",
        "\n\n",
    ]);
    let extra = prop::sample::select(vec![
        "",
        "  enabled = false # off\n",
        "timeout = \"5m\"\n",
        "env.A = \"# no\"\n",
        "[checks.env]\nB = '''\n# [[checks]]\n'''\n",
    ]);
    let below = prop::sample::select(vec![
        "",
        "\n",
        "# below = 1\n\n",
        "\n# Apart.\n\n",
        "\n[gate.x]\ny = [\n  1, # one\n]\n",
    ]);
    (above, order, extra, below).prop_map(|(above, order, extra, below)| {
        format!("{above}[[checks]] # header\nname = \"NAME\" # name\ncommand = \"c\"\n{order}{extra}{below}")
    })
}

fn file() -> impl Strategy<Value = String> {
    prop::collection::vec(piece(), 0..5).prop_map(|pieces| {
        // A table is written once only.
        let numbered = pieces.iter().enumerate().map(|(number, piece)| {
            piece.replace("NAME", &format!("n{number}")).replace("gate.x", &format!("gate.x{number}"))
        });
        let checks: String = numbered.collect();
        format!("# Ours\nname = \"p\"\n\n{checks}[ui] # last\ntheme = \"dark\"")
    })
}

/// The lines that belong to no check, without the empty ones.
fn rest(text: &str) -> Vec<String> {
    let document = Document::parse(text).unwrap();
    let mut end = 0;
    let mut rest = String::new();
    for check in written(&document).unwrap() {
        rest.push_str(&text[end..check.block.start]);
        end = check.block.end;
    }
    rest.push_str(&text[end..]);
    rest.lines().filter(|line| !line.trim().is_empty()).map(str::to_owned).collect()
}

type Expected = (String, String, bool, bool);

fn found(text: &str) -> Vec<Expected> {
    let checks = read("f", text).checks;
    checks
        .into_iter()
        .map(|check| {
            let command = check.command_text().unwrap().to_owned();
            (check.name, command, check.required, check.enabled)
        })
        .collect()
}

/// Does it in the text and in the list; what is refused changes neither.
fn carry_out(deed: &Deed, text: &mut String, list: &mut Vec<Expected>) {
    let mut next = list.clone();
    let name = |index: &Index| list.get(index.index(list.len().max(1))).map(|check| check.0.clone());
    let done = match deed {
        Deed::Add(new) => {
            // Among those of the same order it comes last.
            let place = read("f", text).checks.iter().filter(|check| check.order <= 0).count();
            next.insert(place, (new.clone(), "c".into(), true, true));
            add("f", text, &command(new, "c"), None)
        }
        Deed::Rename(index, new) => {
            let Some(old) = name(index) else { return };
            next[index.index(list.len())].0.clone_from(new);
            change("f", text, &old, &CheckDraft { name: new.clone(), ..draft(text, &old) })
        }
        Deed::Rework(index, command, required) => {
            let Some(name) = name(index) else { return };
            let check = &mut next[index.index(list.len())];
            (check.1, check.2) = (command.clone(), *required);
            let draft = CheckDraft { command: command.clone(), required: *required, ..draft(text, &name) };
            change("f", text, &name, &draft)
        }
        Deed::Enable(index, enabled) => {
            let Some(name) = name(index) else { return };
            next[index.index(list.len())].3 = *enabled;
            change("f", text, &name, &CheckDraft { enabled: *enabled, ..draft(text, &name) })
        }
        Deed::Move(from, to) => {
            let Some(name) = name(from) else { return };
            let check = next.remove(from.index(list.len()));
            next.insert(to.index(list.len()), check);
            move_to("f", text, &name, to.index(list.len()))
        }
        Deed::Remove(index) => {
            let Some(name) = name(index) else { return };
            next.remove(index.index(list.len()));
            remove("f", text, &name)
        }
    };
    match done {
        Ok(done) => (*text, *list) = (done, next),
        Err(fault) => assert!(matches!(deed, Deed::Add(_) | Deed::Rename(..)), "{deed:?}: {fault:?}\n{text}"),
    }
}

proptest! {
    #[test]
    fn whatever_is_done_the_list_is_as_expected_and_the_rest_of_the_file_stays(
        original in file(),
        windows in any::<bool>(),
        deeds in prop::collection::vec(deed(), 0..12),
    ) {
        let original = if windows { original.replace('\n', "\r\n") } else { original };
        let mut text = original.clone();
        let mut list = found(&text);
        for deed in &deeds {
            carry_out(deed, &mut text, &mut list);
            prop_assert_eq!(found(&text), list.clone(), "{:?}\n{}", deed, text);
            prop_assert_eq!(rest(&text), rest(&original), "{:?}\n{}", deed, text);
            prop_assert_eq!(text.matches("\r\n").count() == text.matches('\n').count(), windows);
        }
    }
}

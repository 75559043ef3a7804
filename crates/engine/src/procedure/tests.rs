//! Procedures as the loop meets them: from real folders.

use std::fs;
use std::path::Path;
use std::time::Duration;

use proptest::prelude::*;

use super::*;

const SIXTEEN: [&str; 16] = [
    "agents-sync",
    "build",
    "publish-plan",
    "audit-spec",
    "audit-impl",
    "audit-agents",
    "audit-spec-to-impl",
    "audit-impl-to-spec",
    "draft-plan-spec-feat",
    "draft-plan-spec-fix",
    "draft-plan-spec-refactor",
    "draft-plan-spec-chore",
    "draft-plan-impl-feat",
    "draft-plan-impl-fix",
    "draft-plan-impl-refactor",
    "draft-plan-impl-chore",
];

fn project(files: &[(&str, &str)]) -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, text) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    folder
}

fn own(text: &str) -> Result<Procedure, Fault> {
    let folder = project(&[(".loopwright/procedures/mine.toml", text), ("docs/how.md", "Do {what}.\n")]);
    find(folder.path(), "mine")
}

#[test]
fn rooda_the_sixteen_are_there_and_each_stands_alone() {
    let all = procedures(None);
    assert_eq!(all.iter().map(|one| one.name.as_str()).collect::<Vec<_>>(), SIXTEEN);
    let mut prompts = BTreeSet::new();
    for name in SIXTEEN {
        let procedure = find(Path::new("/nowhere"), name).unwrap();
        let prompt = render(&procedure);
        for heading in ["## 1. Observe\n", "## 2. Orient\n", "## 3. Decide\n", "## 4. Act\n"] {
            assert_eq!(prompt.matches(heading).count(), 1, "{name}: {heading}");
        }
        assert!(procedure.phases.iter().all(|phase| !phase.fragments.is_empty()), "{name}");
        assert!(!prompt.contains(['{', '}']), "{name} has a place that nothing fills");
        assert!(!prompt.contains("<promise>"), "{name}: the loop says how to end, not the procedure");
        assert!(prompt.contains("AGENTS.md") && prompt.contains("no guide"), "{name}");
        assert!((200..1200).contains(&prompt.split_whitespace().count()), "{name}");
        assert!(prompts.insert(prompt), "{name} is the same as another");
        assert_eq!(procedure.promise.as_deref(), Some("COMPLETE"));
    }
}

#[test]
fn fragments_are_short_and_each_is_used() {
    let used: BTreeSet<String> = SIXTEEN
        .iter()
        .flat_map(|name| builtin::find(name).unwrap().phases)
        .flat_map(|phase| {
            let key = phase.name.key();
            phase.fragments.into_iter().map(move |fragment| match fragment.source {
                FragmentSource::Builtin { name } => {
                    assert!(name.starts_with(key), "{name} is not for {key}");
                    name
                }
                other => panic!("{other}"),
            })
        })
        .collect();
    for name in fragment_names() {
        let words = builtin::fragment(name).unwrap().split_whitespace().count();
        assert!((20..=120).contains(&words), "{name} has {words} words");
        assert!(used.contains(name), "{name} is not used");
    }
}

#[test]
fn rooda_a_project_replaces_only_the_phases_it_names() {
    let text = "max_iterations = 7\npromise = \"\"\ntimeout = \"30m\"\nharness = \"codex\"\n\
                decide = [{ text = \"Take the smallest.\" }, { builtin = \"decide-one-task\" }]\n";
    let folder = project(&[(".loopwright/procedures/build.toml", text)]);
    let (built_in, own) = (builtin::find("build").unwrap(), find(folder.path(), "build").unwrap());
    for index in [0, 1, 3] {
        assert_eq!(own.phases[index], built_in.phases[index]);
    }
    assert_eq!(own.phases[2].origin, Origin::Project);
    let texts: Vec<&str> = own.phases[2].fragments.iter().map(|fragment| fragment.text.as_str()).collect();
    assert_eq!(texts, ["Take the smallest.", built_in.phases[2].fragments[0].text.as_str()]);
    assert_eq!((own.title, own.summary), (built_in.title, built_in.summary));
    assert_eq!((own.max_iterations, own.promise, own.harness.as_deref()), (Some(7), None, Some("codex")));
    assert_eq!(own.timeout, Some(Duration::from_secs(1800)));
    let listed = procedures(Some(folder.path()));
    let build = listed.iter().find(|one| one.name == "build").unwrap();
    assert_eq!((build.origin, build.replaced.as_slice()), (Origin::Builtin, &[PhaseName::Decide][..]));
}

#[test]
fn texts_come_from_files_fragments_and_the_file_itself_with_parameters() {
    let procedure = own("observe = [\n  { file = \"docs/how.md\", params = { what = \"it {twice}\" } },\n  \
                         { file = \"./docs/how.md\" },\n]\n\n[[act]]\ntext = \"Run {{x}} for {y}.\"\n\n[act.params]\n\
                         y = \"me\"\n\n[[act]]\nbuiltin = \"act-report\"\nparams = { file = \"R.md\" }\n");
    let procedure = procedure.unwrap();
    let prompt = render(&procedure);
    assert!(prompt.starts_with(
        "# mine\n\n## 1. Observe\n\nDo it {twice}.\n\nDo {what}.\n\n## 4. Act\n\nRun {x} for me.\n"
    ));
    assert!(prompt.contains("else to R.md in"), "{prompt}");
    let source = &procedure.phases[0].fragments[0].source;
    assert_eq!(source, &FragmentSource::File { path: "docs/how.md".into() });
}

#[test]
fn mistakes_are_named_by_file_line_and_nearest_key() {
    let cases = [
        ("title = \"x\"\nobsreve = []\n", 2, "unknown key \"obsreve\"", "Did you mean \"observe\"?"),
        ("observe = [{ txt = \"x\" }]\n", 1, "unknown key \"observe[1].txt\"", "Did you mean \"text\"?"),
        ("\nmax_iterations = \"many\"\n", 2, "\"max_iterations\" must be a whole number", ""),
        ("max_iterations = -1\n", 1, "\"max_iterations\" must be a whole number", ""),
        ("timeout = 30\n", 1, "\"timeout\" must be a time", ""),
        ("title = 3\n", 1, "\"title\" must be text", ""),
        ("act = \"do it\"\n", 1, "\"act\" must be a list", ""),
        ("act = [\"do it\"]\n", 1, "\"act\" must be a list", ""),
        ("act = [{ text = \"a\", file = \"b\" }]\n", 1, "\"act[1]\" must have exactly one", ""),
        ("act = [{ params = { a = \"b\" } }]\n", 1, "\"act[1]\" must have exactly one", ""),
        ("act = [{ text = \"{a}\", params = { a = 3 } }]\n", 1, "\"act[1].params\" must be a table", ""),
        (
            "act = [{ text = \"{b}\", params = { a = \"x\" } }]\n",
            1,
            "\"b\" stands for nothing",
            "Name it in params",
        ),
        ("act = [{ builtin = \"act-report\" }]\n", 1, "\"file\" stands for nothing", "Name it in params"),
        ("act = [{ builtin = \"act-bild\" }]\n", 1, "which is not built in", "Did you mean \"act-build\"?"),
        (
            "act = [\n  { text = \"a\" },\n  { file = \"docs/none.md\" },\n]\n",
            3,
            "docs/none.md, which does not exist",
            "Make that file",
        ),
        ("act = [{ file = \"../x\" }]\n", 1, "must be a path inside the project", ""),
        ("act = [{ file = \"/etc/passwd\" }]\n", 1, "must be a path inside the project", ""),
        ("act = [{ file = \"docs\" }]\n", 1, "is not a file", ""),
        ("act = [\n", 1, "cannot be read", "TOML needs"),
    ];
    for (text, line, message, hint) in cases {
        let fault = own(text).unwrap_err();
        let place = fault.location.clone().unwrap();
        assert!(fault.message.contains(message), "{text}: {}", fault.message);
        assert_eq!(place.file, ".loopwright/procedures/mine.toml", "{text}");
        assert!(
            place.line.is_some_and(|found| found.abs_diff(line) <= u32::from(hint == "TOML needs")),
            "{text}: {place:?}"
        );
        assert!(fault.hint.unwrap_or_default().contains(hint), "{text}");
        assert_eq!(fault.kind.exit_code(), 2);
    }
    assert!(own("title = \"x\"\n").unwrap_err().message.contains("says nothing"));
}

#[test]
fn a_broken_file_spoils_only_its_own_procedure() {
    let folder = project(&[
        (".loopwright/procedures/audit-impl.toml", "nonsense = 1\n"),
        (".loopwright/procedures/zeta.toml", "act = [{ text = \"x\" }]\ntitle = \"Last\"\n"),
        (".loopwright/procedures/Not A Name.toml", ""),
        (".loopwright/procedures/notes.md", ""),
    ]);
    let listed = procedures(Some(folder.path()));
    assert_eq!(listed.len(), 17);
    assert_eq!((listed[16].title.as_str(), listed[16].origin), ("Last", Origin::Project));
    let broken: Vec<&str> =
        listed.iter().filter(|one| one.problem.is_some()).map(|one| one.name.as_str()).collect();
    assert_eq!(broken, ["audit-impl"]);
    assert_eq!(find(folder.path(), "audit-impl").unwrap_err().code, ErrorCode::ConfigUnknownKey);
    assert!(find(folder.path(), "build").is_ok());
}

#[test]
fn the_documentation_names_everything_and_its_example_works() {
    let checkout = Path::new(&std::env::var_os("CARGO_MANIFEST_DIR").unwrap()).join("../..");
    let page = fs::read_to_string(checkout.join("docs/procedures.md")).unwrap();
    for name in fragment_names() {
        assert!(page.contains(&format!("`{name}`")), "{name}");
    }
    for name in SIXTEEN {
        let family = name.rsplit_once('-').map_or(name, |(family, _)| family);
        assert!(page.contains(&format!("`{name}`")) || page.contains(&format!("`{family}-feat`")), "{name}");
    }
    let example = page.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let folder = project(&[(".loopwright/procedures/tidy.toml", example), ("docs/style.md", "Be short.\n")]);
    let prompt = render(&find(folder.path(), "tidy").unwrap());
    assert!(prompt.contains("the page in docs/guide that"), "{prompt}");
}

#[test]
fn unknown_names_name_the_nearest() {
    let folder = project(&[(".loopwright/procedures/tidy-docs.toml", "act = [{ text = \"x\" }]\n")]);
    for (name, near) in
        [("biuld", "build"), ("tidy-doc", "tidy-docs"), ("draft-plan-impl-feature", "draft-plan-impl-feat")]
    {
        let fault = find(folder.path(), name).unwrap_err();
        assert_eq!(fault.code, ErrorCode::ProcedureNotFound);
        assert!(fault.hint.unwrap().contains(&format!("\"{near}\"")), "{name}");
    }
    for name in ["", "../x", "a/b", "/etc/passwd", "qqqqqq", "\u{0}"] {
        assert_eq!(find(folder.path(), name).unwrap_err().code, ErrorCode::ProcedureNotFound, "{name:?}");
    }
}

#[cfg(unix)]
#[test]
fn a_link_does_not_lead_out_of_the_project() {
    let outside = project(&[("secret.md", "secret")]);
    let folder = project(&[(".loopwright/procedures/mine.toml", "act = [{ file = \"notes.md\" }]\n")]);
    std::os::unix::fs::symlink(outside.path().join("secret.md"), folder.path().join("notes.md")).unwrap();
    let fault = find(folder.path(), "mine").unwrap_err();
    assert!(fault.message.contains("leads out of the project"), "{}", fault.message);
}

#[test]
fn a_new_procedure_can_be_used_as_it_is() {
    let folder = project(&[]);
    let path = create(folder.path(), "tidy", None).unwrap();
    let tidy = find(folder.path(), "tidy").unwrap();
    assert!(tidy.phases.iter().all(|phase| phase.fragments.len() == 1));
    assert_eq!(create(folder.path(), "tidy", None).unwrap_err().code, ErrorCode::ProcedureExists);
    assert!(fs::read_to_string(path).unwrap().contains("loopwright loop --procedure tidy"));
    for name in ["", "Tidy", "a b", "../x", "-x", &"x".repeat(65)] {
        assert_eq!(create(folder.path(), name, None).unwrap_err().code, ErrorCode::UsageInvalid, "{name}");
    }
    let fault = create(folder.path(), "other", Some("biuld")).unwrap_err();
    assert_eq!(fault.code, ErrorCode::ProcedureNotFound);
}

#[test]
fn a_copy_of_each_built_in_one_says_the_same() {
    for name in SIXTEEN {
        let folder = project(&[]);
        create(folder.path(), "copy", Some(name)).unwrap();
        create(folder.path(), name, None).unwrap();
        let original = builtin::find(name).unwrap();
        for found in ["copy", name] {
            let copy = find(folder.path(), found).unwrap();
            let texts = |procedure: &Procedure| procedure.phases.clone().map(|phase| phase.fragments);
            assert_eq!(texts(&copy), texts(&original), "{name}");
            assert_eq!(copy.title, original.title);
            assert_eq!((copy.max_iterations, &copy.promise), (original.max_iterations, &original.promise));
        }
    }
}

proptest! {
    #[test]
    fn any_file_is_read_or_refused(text in "(?s).{0,120}") {
        let _ = file::read(Path::new("/nowhere"), "mine", &text, None);
    }

    #[test]
    fn any_list_is_read_or_refused(
        key in prop::sample::select(vec!["observe", "act", "title", "params"]),
        inner in prop::sample::select(vec!["text", "file", "builtin", "params", "x"]),
        value in prop::sample::select(vec!["\"{a}\"", "3", "{ a = \"b\" }", "[]", "\"act-done\"", "\"..\"", "true"]),
    ) {
        let text = format!("{key} = [{{ {inner} = {value}, params = {{ }} }}, {{ {inner} = {value} }}]\n");
        let _ = file::read(Path::new("/nowhere"), "mine", &text, builtin::find("build"));
    }
}

//! `loopwright procedure`.

mod common;

use common::{json, loopwright};
use loopwright_testkit::Sandbox;

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["init", "--git"]).code, 0);
    sandbox
}

#[test]
fn list_and_show_work_without_a_project() {
    let sandbox = Sandbox::new();
    let list = loopwright(&sandbox, &["procedure", "list"]);
    insta::assert_snapshot!("procedure_list", sandbox.snapshot(&list));
    let show = loopwright(&sandbox, &["procedure", "show", "build"]);
    insta::assert_snapshot!("procedure_show_build", sandbox.snapshot(&show));
    let all = json(&loopwright(&sandbox, &["procedure", "list", "--json"]));
    assert_eq!(all.as_array().map(Vec::len), Some(16));
    assert_eq!(all[1]["name"], "build");
    let new = loopwright(&sandbox, &["procedure", "new", "mine", "--json"]);
    assert_eq!((new.code, json(&new)["error"]["code"].as_str()), (2, Some("project.not_found")));
}

#[test]
fn show_tells_where_each_phase_comes_from() {
    let sandbox = project();
    sandbox.write("docs/how.md", "Choose {what}.\n");
    sandbox.write(
        ".loopwright/procedures/audit-spec.toml",
        "max_iterations = 1\ntimeout = \"10m\"\ndecide = [\n  { file = \"docs/how.md\", params = { what = \"three\" } },\n  \
         { text = \"Not \\u001b[31mmore.\" },\n]\n",
    );
    let show = loopwright(&sandbox, &["procedure", "show", "audit-spec"]);
    insta::assert_snapshot!("procedure_show_replaced", sandbox.snapshot(&show));
    let shown = json(&loopwright(&sandbox, &["procedure", "show", "audit-spec", "--json"]));
    let origins: Vec<&str> =
        shown["phases"].as_array().unwrap().iter().map(|phase| phase["origin"].as_str().unwrap()).collect();
    assert_eq!(origins, ["builtin", "builtin", "project", "builtin"]);
    assert_eq!(shown["phases"][2]["fragments"][0]["source"]["path"], "docs/how.md");
    assert_eq!((shown["max_iterations"].as_u64(), shown["timeout_seconds"].as_f64()), (Some(1), Some(600.0)));
    assert!(
        shown["prompt"].as_str().unwrap().contains("## 3. Decide\n\nChoose three.\n\nNot \u{1b}[31mmore.\n")
    );
    let listed = loopwright(&sandbox, &["procedure", "list"]).stdout;
    assert!(listed.contains("(this project replaces decide)"), "{listed}");
}

#[test]
fn new_writes_a_file_that_works_and_never_over_another() {
    let sandbox = project();
    let new = loopwright(&sandbox, &["procedure", "new", "tidy-docs"]);
    insta::assert_snapshot!("procedure_new", sandbox.snapshot(&new));
    insta::assert_snapshot!("procedure_new_file", sandbox.read(".loopwright/procedures/tidy-docs.toml"));
    assert_eq!(loopwright(&sandbox, &["procedure", "show", "tidy-docs"]).code, 0);
    let again = loopwright(&sandbox, &["procedure", "new", "tidy-docs", "--json"]);
    assert_eq!((again.code, json(&again)["error"]["code"].as_str()), (2, Some("procedure.exists")));
    let copy = loopwright(&sandbox, &["procedure", "new", "my-audit", "--from", "audit-impl", "--json"]);
    let file = json(&copy)["file"].as_str().unwrap().replace('\\', "/");
    insta::assert_snapshot!("procedure_new_copy", sandbox.read(file));
    let listed = json(&loopwright(&sandbox, &["procedure", "list", "--json"]));
    assert_eq!(
        (listed[16]["name"].as_str(), listed[17]["origin"].as_str()),
        (Some("my-audit"), Some("project"))
    );
}

#[test]
fn mistakes_are_told_with_place_and_advice() {
    let sandbox = project();
    let unknown = loopwright(&sandbox, &["procedure", "show", "biuld"]);
    insta::assert_snapshot!("procedure_unknown", sandbox.snapshot(&unknown));
    sandbox.write(".loopwright/procedures/build.toml", "title = \"x\"\nobsreve = []\n");
    let broken = loopwright(&sandbox, &["procedure", "show", "build"]);
    insta::assert_snapshot!("procedure_broken", sandbox.snapshot(&broken));
    let list = loopwright(&sandbox, &["procedure", "list"]);
    assert_eq!(list.code, 2);
    assert!(
        list.stdout.contains("(its file has a mistake)") && list.stdout.contains("audit-spec"),
        "{list:?}"
    );
    assert!(list.stderr.contains(".loopwright/procedures/build.toml:2: unknown key"), "{list:?}");
    let bad = loopwright(&sandbox, &["procedure", "new", "Bad Name", "--json"]);
    assert_eq!((bad.code, json(&bad)["error"]["code"].as_str()), (2, Some("usage.invalid")));
}

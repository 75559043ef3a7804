//! `loopwright spec`.

mod common;

use common::{json, loopwright};
use loopwright_testkit::{Output, Sandbox};

const SPEC: &str = "# Tea house\n\nGuests drink tea.\n\n## 1. Brewing\n\nWater boils at 100 °C.\n\n```sh\n# not a heading\n```\n\n\
                    ### Leaves\n\nOne spoon each.\n\n## 2. Serving\n\nIn cups.\n";

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["init", "--git"]).code, 0);
    sandbox.write("docs/SPEC.md", SPEC);
    sandbox
}

fn good(sandbox: &Sandbox, args: &[&str]) -> Output {
    let output = loopwright(sandbox, args);
    assert_eq!(output.code, 0, "{args:?}: {output:?}");
    output
}

#[test]
fn a_document_becomes_sections_that_are_listed_shown_and_found() {
    let sandbox = project();
    let empty = good(&sandbox, &["spec", "list"]);
    assert!(empty.stdout.contains("The spec is empty"), "{empty:?}");
    insta::assert_snapshot!("spec_import", sandbox.snapshot(&good(&sandbox, &["spec", "import", "docs"])));
    good(&sandbox, &["spec", "add", "Opening hours", "--text", "From nine to five."]);
    good(&sandbox, &["task", "add", "Boil water", "--section", "2"]);
    insta::assert_snapshot!("spec_list", sandbox.snapshot(&good(&sandbox, &["spec", "list"])));
    insta::assert_snapshot!("spec_show", sandbox.snapshot(&good(&sandbox, &["spec", "show", "1"])));
    let shown = json(&good(&sandbox, &["spec", "show", "brewing", "--json"]));
    assert_eq!((shown["id"].as_u64(), shown["number"].as_str()), (Some(2), Some("1")));
    assert!(shown["content"].as_str().unwrap().contains("# not a heading"), "{shown}");
    let found = json(&good(&sandbox, &["spec", "search", "spoon:", "\"AND(", "--json"]));
    assert_eq!(found[0]["title"], "Leaves");
    assert_eq!(json(&good(&sandbox, &["spec", "list", "--json"])).as_array().map(Vec::len), Some(5));
}

#[test]
fn another_import_keeps_links_and_what_was_written_by_hand() {
    let sandbox = project();
    good(&sandbox, &["spec", "import", "docs/SPEC.md"]);
    good(&sandbox, &["task", "add", "Serve", "--section", "4"]);
    good(&sandbox, &["task", "add", "Weigh", "--section", "3"]);
    good(&sandbox, &["spec", "add", "By hand", "--text", "mine", "--under", "Serving"]);
    good(&sandbox, &["spec", "edit", "2", "--text", "My own words."]);
    // Looked at and left as it is: an import may still change it.
    let same = good(&sandbox, &["spec", "edit", "4", "--title", "Serving"]);
    assert!(same.stdout.starts_with("Nothing to change in §4"), "{same:?}");
    sandbox.write(
        "docs/SPEC.md",
        "# Tea house\n\n## 1. Brewing\n\nOther words.\n\n## 2. Before\n\n## 3. Serving\n\nIn pots.\n",
    );
    let again = good(&sandbox, &["spec", "import", "docs/SPEC.md"]);
    insta::assert_snapshot!("spec_import_again", sandbox.snapshot(&again));
    let all = json(&good(&sandbox, &["spec", "list", "--json"]));
    let of = |title: &str| all.as_array().unwrap().iter().find(|s| s["title"] == title).unwrap().clone();
    assert_eq!((of("Serving")["id"].as_u64(), of("Serving")["tasks"][0].as_u64()), (Some(4), Some(1)));
    assert_eq!(
        (of("Serving")["content"].as_str(), of("Serving")["number"].as_str()),
        (Some("In pots."), Some("3"))
    );
    assert_eq!(of("Brewing")["content"], "My own words.");
    assert_eq!((of("By hand")["number"].as_str(), of("By hand")["file"].as_str()), (Some("2.1"), None));
    good(&sandbox, &["spec", "import", "docs/SPEC.md", "--replace"]);
    assert_eq!(json(&good(&sandbox, &["spec", "show", "2", "--json"]))["content"], "Other words.");
}

#[test]
fn removing_says_what_is_linked_and_mistakes_are_told() {
    let sandbox = project();
    good(&sandbox, &["spec", "import", "docs/SPEC.md"]);
    good(&sandbox, &["task", "add", "Serve", "--section", "4"]);
    let refused = loopwright(&sandbox, &["spec", "remove", "Serving"]);
    insta::assert_snapshot!("spec_remove_linked", sandbox.snapshot(&refused));
    insta::assert_snapshot!(
        "spec_remove",
        sandbox.snapshot(&good(&sandbox, &["spec", "remove", "4", "--yes"]))
    );
    let code = |args: &[&str]| {
        let output = loopwright(&sandbox, &[args, &["--json"]].concat());
        (output.code, json(&output)["error"]["code"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(code(&["spec", "show", "4"]), (2, "section.not_found".into()));
    assert_eq!(code(&["spec", "show", "9.9"]), (2, "section.not_found".into()));
    assert_eq!(code(&["spec", "import", "missing.md"]), (2, "usage.invalid".into()));
    assert_eq!(code(&["spec", "import", ".."]).0, 2);
    assert_eq!(code(&["spec", "add", " "]), (2, "usage.invalid".into()));
    assert_eq!(code(&["spec", "edit", "1"]), (2, "usage.invalid".into()));
    let history = json(&good(&sandbox, &["spec", "list", "--json"]));
    assert_eq!(history.as_array().map(Vec::len), Some(3));
}

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

#[test]
fn terms_are_defined_listed_found_and_removed() {
    let sandbox = project();
    let empty = good(&sandbox, &["spec", "term", "list"]);
    assert!(empty.stdout.contains("No word is defined"), "{empty:?}");
    let guest =
        ["spec", "term", "add", "Guest", "Who drinks tea", "--variant", "guests", "--avoid", "customer"];
    good(&sandbox, &guest);
    good(&sandbox, &["spec", "term", "add", "Cup", "What a guest drinks from"]);
    insta::assert_snapshot!("spec_term_list", sandbox.snapshot(&good(&sandbox, &["spec", "term", "list"])));
    let found = json(&good(&sandbox, &["spec", "term", "search", "\"guest(", "--json"]));
    assert_eq!((found[0]["name"].as_str(), found[1]["name"].as_str()), (Some("Guest"), Some("Cup")));
    let code = |args: &[&str]| {
        let output = loopwright(&sandbox, &[args, &["--json"]].concat());
        (output.code, json(&output)["error"]["code"].as_str().unwrap_or_default().to_owned())
    };
    assert_eq!(code(&guest), (2, "term.invalid".into()));
    assert_eq!(code(&["spec", "term", "add", "Customer", "Who pays"]), (2, "term.invalid".into()));
    assert_eq!(code(&["spec", "term", "remove", "Cup", "Pot"]), (2, "term.not_found".into()));
    good(&sandbox, &["spec", "term", "add", "guest", "Who pays", "--replace"]);
    let all = json(&good(&sandbox, &["spec", "term", "list", "--json"]));
    assert_eq!(
        (all[1]["definition"].as_str(), all[1]["avoid"].as_array().map(Vec::len)),
        (Some("Who pays"), Some(0))
    );
    good(&sandbox, &["spec", "term", "remove", "cup", "GUEST"]);
    assert_eq!(json(&good(&sandbox, &["spec", "term", "list", "--json"])), serde_json::json!([]));
}

#[test]
fn an_import_shows_what_would_change_and_offers_what_changed_since() {
    let sandbox = project();
    sandbox.write("docs/notes.txt", "1 Opening\n\nFrom nine to five.\n");
    let dry = json(&good(&sandbox, &["spec", "import", "docs", "--dry-run", "--json"]));
    assert_eq!(dry["added"].as_u64(), Some(5));
    assert_eq!(json(&good(&sandbox, &["spec", "list", "--json"])), serde_json::json!([]));
    good(&sandbox, &["spec", "import", "docs"]);
    good(&sandbox, &["task", "add", "Serve", "--section", "4"]);
    let changed = SPEC
        .replace("One spoon each.", "Two spoons for each guest.")
        .replace("## 2. Serving\n\nIn cups.\n", "");
    sandbox.write("docs/SPEC.md", &changed);
    insta::assert_snapshot!("spec_list_changed", sandbox.snapshot(&good(&sandbox, &["spec", "list"])));
    let preview = good(&sandbox, &["spec", "import", "docs", "--dry-run"]);
    insta::assert_snapshot!("spec_import_preview", sandbox.snapshot(&preview));
    good(&sandbox, &["spec", "import", "docs"]);
    let kept = json(&good(&sandbox, &["spec", "show", "4", "--json"]));
    assert_eq!((kept["file"].as_str(), kept["tasks"][0].as_u64()), (None, Some(1)));
    assert_eq!(std::fs::read_to_string(sandbox.work().join("docs/SPEC.md")).unwrap(), changed);
    sandbox.write("docs/broken.pdf", "%PDF-1.4");
    let broken = loopwright(&sandbox, &["spec", "import", "docs", "--json"]);
    assert_eq!((broken.code, json(&broken)["error"]["code"].as_str()), (2, Some("import.invalid")));
}

#[test]
fn a_document_is_outdated_when_one_it_depends_on_changes() {
    let sandbox = project();
    sandbox.write("docs/plan.md", "---\nid: plan\ndepends_on:\n  - SPEC.md\n---\n# Plan\n\nFirst the pot.\n");
    good(&sandbox, &["spec", "import", "docs"]);
    sandbox.write("docs/SPEC.md", "# Tea house\n\nOther words.\n");
    good(&sandbox, &["spec", "import", "docs/SPEC.md", "--replace"]);
    let listed = good(&sandbox, &["spec", "list"]).stdout;
    assert!(listed.contains("docs/plan.md depends on SPEC.md, which changed"), "{listed}");
    good(&sandbox, &["spec", "import", "docs/plan.md"]);
    assert!(!good(&sandbox, &["spec", "list"]).stdout.contains("which changed"));
}

#[test]
fn the_spec_is_exported_as_one_document() {
    let sandbox = project();
    good(&sandbox, &["spec", "import", "docs/SPEC.md"]);
    good(&sandbox, &["spec", "term", "add", "Guest", "Who drinks tea"]);
    let text = good(&sandbox, &["spec", "export"]).stdout;
    assert!(text.contains("## 1. Brewing") && text.contains("- **Guest**: Who drinks tea"), "{text}");
    good(&sandbox, &["spec", "export", "--out", "out/all.md"]);
    assert_eq!(std::fs::read_to_string(sandbox.work().join("out/all.md")).unwrap(), text);
    assert_eq!(loopwright(&sandbox, &["spec", "export", "--out", "out/all.md"]).code, 2);
    good(&sandbox, &["spec", "export", "--out", "out/all.md", "--force"]);
    assert_eq!(loopwright(&sandbox, &["spec", "export", "--out", "docs/SPEC.md", "--force"]).code, 2);
}

#[test]
fn the_plan_is_judged_by_rules() {
    let sandbox = project();
    let nothing = good(&sandbox, &["spec", "check", "--min-score", "100"]);
    assert!(nothing.stdout.contains("no section and no open task"), "{nothing:?}");
    sandbox
        .write("docs/SPEC.md", "# Tea house\n\nFor every customer.\n\n## Brewing\n\nFast.\n\n## Serving\n");
    good(&sandbox, &["spec", "import", "docs"]);
    good(&sandbox, &["spec", "term", "add", "Guest", "Who drinks tea", "--avoid", "customer"]);
    good(&sandbox, &["task", "add", "Brew", "--section", "2"]);
    insta::assert_snapshot!("spec_check", sandbox.snapshot(&good(&sandbox, &["spec", "check"])));
    let low = loopwright(&sandbox, &["spec", "check", "--min-score", "90", "--json"]);
    let score = json(&low)["score"].as_u64().unwrap();
    assert_eq!((low.code, score < 90), (1, true), "{low:?}");
    assert_eq!(json(&low)["tasks"][0]["findings"][0]["rule"], "no_criteria");
    assert_eq!(loopwright(&sandbox, &["spec", "check", "--min-score", &score.to_string()]).code, 0);
}

#[test]
fn templates_are_built_in_or_the_projects_own() {
    let sandbox = project();
    insta::assert_snapshot!(
        "spec_templates",
        sandbox.snapshot(&good(&sandbox, &["spec", "templates", "list"]))
    );
    let shown = good(&sandbox, &["spec", "templates", "show", "mvp"]).stdout;
    assert!(shown.contains("## 2. MVP Features"), "{shown}");
    good(&sandbox, &["spec", "templates", "new", "tea", "--from", "mvp"]);
    sandbox.write(".loopwright/templates/tea.md", "# Tea\n\n## Leaves\n\nWhich ones.\n");
    let own = json(&good(&sandbox, &["spec", "templates", "show", "tea", "--json"]));
    assert_eq!(
        (own["sections"][0]["title"].as_str(), own["sections"][0]["guidance"].as_str()),
        (Some("Leaves"), Some("Which ones."))
    );
    assert_eq!(
        json(&good(&sandbox, &["spec", "templates", "list", "--json"])).as_array().map(Vec::len),
        Some(5)
    );
    for args in [["new", "tea"], ["new", "../x"], ["show", "none"]] {
        assert_eq!(loopwright(&sandbox, &[&["spec", "templates"], &args[..]].concat()).code, 2, "{args:?}");
    }
}

#[test]
fn a_changed_section_makes_its_finished_tasks_stale_until_a_person_decides() {
    let sandbox = project();
    good(&sandbox, &["spec", "import", "docs"]);
    good(&sandbox, &["task", "add", "Boil water", "--section", "2"]);
    good(&sandbox, &["task", "add", "Pour", "--section", "2"]);
    good(&sandbox, &["task", "done", "1"]);
    let refused = loopwright(&sandbox, &["task", "accept", "1", "--json"]);
    assert_eq!((refused.code, json(&refused)["error"]["code"].as_str()), (2, Some("task.status")));
    sandbox.write("docs/SPEC.md", SPEC.replace("100 °C", "95 °C"));
    good(&sandbox, &["spec", "import", "docs"]);
    insta::assert_snapshot!("spec_show_stale", sandbox.snapshot(&good(&sandbox, &["spec", "show", "2"])));
    let trace = json(&good(&sandbox, &["spec", "show", "2", "--json"]))["trace"].clone();
    assert_eq!((trace[0]["stale"].as_bool(), trace[1]["stale"].as_bool()), (Some(true), Some(false)));
    assert_eq!(
        json(&good(&sandbox, &["task", "show", "1", "--json"]))["changed_sections"],
        serde_json::json!([2])
    );
    let shown = good(&sandbox, &["task", "show", "1"]).stdout;
    assert!(shown.contains("Stale:") && shown.contains("1 Brewing  (changed since)"), "{shown}");
    good(&sandbox, &["task", "accept", "1"]);
    assert!(!good(&sandbox, &["task", "show", "1"]).stdout.contains("Stale:"));
}

#[test]
fn what_a_section_said_before_is_kept() {
    let sandbox = project();
    good(&sandbox, &["spec", "import", "docs"]);
    let before = json(&good(&sandbox, &["spec", "show", "2", "--json"]))["content"].clone();
    assert!(good(&sandbox, &["spec", "history", "2"]).stdout.contains("no earlier text"));
    good(&sandbox, &["spec", "edit", "2", "--text", "Something else."]);
    good(&sandbox, &["spec", "edit", "2", "--text", "Something else."]);
    let history = json(&good(&sandbox, &["spec", "history", "2", "--json"]));
    assert_eq!(history.as_array().map(Vec::len), Some(1), "only a change counts: {history}");
    assert_eq!((&history[0]["content"], &history[0]["origin"]), (&before, &"cli".into()));
    let number = history[0]["id"].to_string();
    let shown = good(&sandbox, &["spec", "history", "2", "--show", &number]).stdout;
    assert_eq!(Some(shown.trim_end()), before.as_str());
    assert_eq!(loopwright(&sandbox, &["spec", "history", "2", "--show", "99"]).code, 2);
}

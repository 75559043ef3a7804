use super::*;

/// Name and command of each suggestion for a folder with these files.
fn suggested(files: &[(&str, &str)]) -> Vec<(String, String)> {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in files {
        std::fs::write(folder.path().join(name), text).unwrap();
    }
    suggest(folder.path()).into_iter().map(|check| (check.name, check.command)).collect()
}

fn pairs(list: &[(&str, &str)]) -> Vec<(String, String)> {
    list.iter().map(|(name, command)| ((*name).to_owned(), (*command).to_owned())).collect()
}

#[test]
fn an_empty_folder_suggests_nothing() {
    assert_eq!(suggested(&[]), []);
}

#[test]
fn agents_file_commands_that_check_are_taken_and_others_are_not() {
    let text = "# Rules\nRun `cargo test --workspace` before you stop, never `rm -rf /`.\n\n```sh\n$ npm install\n\
                npm run lint   # style\ncargo build && ./deploy\nmake test | tee log\n```\nSay `test` twice.\n";
    assert_eq!(
        suggested(&[("AGENTS.md", text)]),
        pairs(&[("test", "cargo test --workspace"), ("lint", "npm run lint")])
    );
}

#[test]
fn package_scripts_use_the_lock_files_tool_and_npms_empty_test_is_no_test() {
    let package = r#"{"scripts":{"test":"vitest run","build":"vite build","start":"vite"}}"#;
    assert_eq!(
        suggested(&[("package.json", package), ("pnpm-lock.yaml", "")]),
        pairs(&[("test", "pnpm run test"), ("build", "pnpm run build")])
    );
    let empty = r#"{"scripts":{"test":"echo \"Error: no test specified\" && exit 1"}}"#;
    assert_eq!(suggested(&[("package.json", empty)]), []);
    assert_eq!(suggested(&[("package.json", "{ not json")]), []);
}

#[test]
fn make_targets_are_rules_not_variables_or_recipes() {
    let makefile = "test := 3\ncheck lint: deps\n\techo build: no\n";
    assert_eq!(
        suggested(&[("Makefile", makefile)]),
        pairs(&[("check", "make check"), ("lint", "make lint")])
    );
}

#[test]
fn go_java_dotnet_and_just_are_known() {
    let just = "set shell := [\"sh\"]\ntest *args:\n    build: no\n";
    let files =
        [("go.mod", ""), ("build.gradle.kts", ""), ("gradlew", ""), ("b.sln", ""), ("justfile", just)];
    assert_eq!(
        suggested(&files),
        pairs(&[
            ("test", "just test"),
            ("test-2", "go test ./..."),
            ("lint", "go vet ./..."),
            ("check", "./gradlew check"),
            ("test-3", "dotnet test"),
        ])
    );
    assert_eq!(suggested(&[("pom.xml", "<project/>")]), pairs(&[("test", "mvn --batch-mode --quiet test")]));
}

#[test]
fn python_tools_are_found_where_they_are_configured_or_needed() {
    let pyproject = "[project]\ndependencies = [\"pytest>=8\"]\n[tool.ruff]\nline-length = 100\n";
    assert_eq!(
        suggested(&[("pyproject.toml", pyproject), ("uv.lock", "")]),
        pairs(&[("test", "uv run pytest"), ("lint", "uv run ruff check .")])
    );
}

#[test]
fn the_same_command_comes_once_and_names_stay_apart() {
    let agents = "Use `cargo test` and `cargo test --doc`.";
    let found = suggested(&[("AGENTS.md", agents), ("Cargo.toml", "[package]\n")]);
    assert_eq!(found[..2], pairs(&[("test", "cargo test"), ("test-2", "cargo test --doc")]));
    assert_eq!(found.len(), 4);
}

proptest::proptest! {
    #[test]
    fn any_file_content_is_survived(text in "(?s).*") {
        for name in ["AGENTS.md", "package.json", "Makefile", "pyproject.toml"] {
            suggested(&[(name, &text)]);
        }
    }
}

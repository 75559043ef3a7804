use proptest::prelude::*;

use super::*;

#[test]
fn commands_name_what_they_run() {
    let cases: &[(&str, &str, &[&str])] = &[
        ("sh scripts/check.sh", ".", &["scripts/check.sh"]),
        ("./scripts/check", ".", &["scripts/check"]),
        ("bash -e ./ci.sh --fast", "web", &["web/ci.sh"]),
        ("timeout 5 ./check.sh", ".", &["check.sh"]),
        ("env A=1 sh check.sh", ".", &["check.sh"]),
        ("python tools/audit.py", ".", &["tools/audit.py"]),
        ("python3 check_types.py", ".", &["check_types.py"]),
        ("make -s test", ".", &["GNUmakefile#test", "Makefile#test", "makefile#test"]),
        ("make -C web lint", ".", &["web/GNUmakefile#lint", "web/Makefile#lint", "web/makefile#lint"]),
        ("make -f build.mk test", ".", &["build.mk#test"]),
        ("awk -f rules.awk data.txt", ".", &["rules.awk"]),
        ("python3 -m tools.verify --all", ".", &["tools/verify.py"]),
        ("python3 -m pytest tests", ".", &[]),
        ("npm test", ".", &["package.json#test"]),
        ("npm run lint -- --fix", "web", &["web/package.json#lint"]),
        ("npm --prefix web run all", ".", &["web/package.json#all"]),
        ("yarn verify", ".", &["package.json#verify"]),
        // The program under test, what a runner discovers, what is only looked at.
        ("python main.py --self-test", ".", &[]),
        ("./total 1 2", ".", &[]),
        ("pytest tests/test_total.py", ".", &[]),
        ("bats test/total.bats", ".", &[]),
        ("shellcheck install.sh", ".", &[]),
        ("test -s work.txt", ".", &[]),
        ("npm ci", ".", &[]),
        ("git ls-files -z *.sh | xargs -0 shellcheck", ".", &[]),
        ("xargs -0 -n 1 sh scripts/one.sh", ".", &["scripts/one.sh"]),
        ("find data -name *.json -exec sh scripts/one.sh {} ;", ".", &["scripts/one.sh"]),
        ("diff -u expected.txt out/actual.txt", ".", &["<expected.txt", "<out/actual.txt"]),
        ("cmp --silent golden.bin built.bin", "web", &["<web/built.bin", "<web/golden.bin"]),
        ("sha256sum -c SUMS", ".", &["<SUMS"]),
        ("diff README.md docs/all.md", ".", &[]),
        ("cargo test", ".", &[]),
    ];
    for (line, folder, expected) in cases {
        let argv: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert_eq!(named_by(&argv, folder), *expected, "{line}");
    }
    let argv = ["sh", "-c", "cd x && . scripts/lib.sh; make -s unit"].map(str::to_owned);
    let of = |folder: &str| {
        ["GNUmakefile#unit", "Makefile#unit", "makefile#unit", "scripts/lib.sh"]
            .map(|name| format!("{folder}{name}"))
    };
    assert_eq!(named_by(&argv, "."), [of(""), of("x/")].concat());
}

#[test]
fn what_is_run_names_more() {
    let has = |item: &str, text: &str, expected: &[&str]| {
        let found = named_in(item, text);
        for name in expected {
            assert!(found.iter().any(|one| one == name), "{item}: {found:?} lacks {name}");
        }
    };
    has("scripts/check.sh", ". scripts/lib.sh\nask\n", &["scripts/lib.sh"]);
    has("scripts/check.sh", ". \"$(dirname \"$0\")/lib.sh\"\n", &["scripts/lib.sh"]);
    has("scripts/check.sh", "source \"$DIR/lib/all.sh\"\n", &["scripts/lib/all.sh"]);
    has(
        "scripts/check.sh",
        "cd \"$(dirname \"$0\")\" && ./other.sh && make -s unit",
        &["scripts/other.sh", "Makefile#unit"],
    );
    let makefile = "PYTEST = sh tools/pytest.sh\nci: unit lint\nunit:\n\t$(PYTEST) tests\nlint:\n\t@sh scripts/lint.sh\n";
    has("Makefile#ci", makefile, &["Makefile#unit", "Makefile#lint"]);
    has("web/Makefile#unit", makefile, &["web/GNUmakefile", "web/makefile"]);
    has("Makefile#", makefile, &["Makefile#ci", "Makefile#unit"]);
    has("Makefile#unit", makefile, &["Makefile#PYTEST"]);
    has("Makefile#PYTEST", makefile, &["tools/pytest.sh"]);
    has("Makefile#lint", makefile, &["scripts/lint.sh"]);
    let package = r#"{ "scripts": { "test": "npm run unit && node scripts/verify.js", "pretest": "sh a.sh", "unit": "vitest \"x\"" } }"#;
    has(
        "package.json#test",
        package,
        &["package.json#unit", "scripts/verify.js", "package.json#pretest", "a.sh"],
    );
    has("tools/audit.py", "import common\nfrom lib.x import y\n", &["tools/common.py", "tools/lib/x.py"]);
    has("scripts/verify.js", "const a = require('./a');\n", &["scripts/a.js"]);
    has("scripts/check.sh", "for f in scripts/parts/*.sh; do sh \"$f\"; done\n", &["scripts/parts/*.sh"]);
    has("scripts/check.sh", "ls scripts/parts/*.sh | xargs -n1 sh -e\n", &["scripts/parts/*.sh"]);
    has("scripts/check.sh", "find scripts/parts -name '*.sh' | xargs sh\n", &["scripts/parts/*.sh"]);
    has("scripts/check.sh", "exec sh \"$(dirname \"$0\")/real.sh\" \"$@\"\n", &["scripts/real.sh"]);
    has("scripts/check.sh", "./total 1 | diff - tests/total.txt\n", &["<tests/total.txt"]);
    has("tools/check.py", "subprocess.run([\"sh\", \"scripts/inner.sh\"])\n", &["scripts/inner.sh"]);
    assert!(named_in("check.py", "from shop import total\n").is_empty(), "the program under test");
    let read = named_in("scripts/check.sh", "git ls-files '*.sh' | xargs shellcheck\nls *.sh | wc -l\n");
    assert!(read.is_empty(), "what is only looked at: {read:?}");
}

#[test]
fn a_star_stands_for_a_part_of_a_name() {
    let items = BTreeSet::from(["scripts/parts/*.sh", "<a.txt", "b.sh"].map(str::to_owned));
    for (path, among) in [
        ("scripts/parts/x.sh", true),
        ("scripts/parts/x.py", false),
        ("scripts/parts/y/x.sh", false),
        ("b.sh", true),
        ("a.txt", false),
    ] {
        assert_eq!(is_among(&items, path), among, "{path}");
    }
    assert!(is_compared(&items, "a.txt") && !is_compared(&items, "b.sh"));
}

proptest! {
    #[test]
    fn any_text_is_read(text in any::<String>(), words in prop::collection::vec(any::<String>(), 0..6)) {
        for item in ["a.sh", "Makefile#", "Makefile#x", "package.json#test", "tools/a.py", "#", ""] {
            for text in [text.clone(), format!("\"scripts\": {{{text}")] {
                prop_assert!(!named_in(item, &text).iter().any(|one| one == item));
            }
            prop_assert!(!named_in(&text, item).contains(&text));
        }
        prop_assert!(named_by(&words, &text).iter().all(|one| !one.starts_with('/')));
    }
}

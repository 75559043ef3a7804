//! `loopwright check --prompt`: the work list for an agent outside.
#![cfg(unix)]

mod common;

use std::path::Path;

use common::{installed, json, loopwright};
use loopwright_testkit::{Output, Sandbox};

const CONFIG: &str = r#"
[[checks]]
name = "test"
command = "sh test.sh"

[[checks]]
name = "lint"
command = "sh lint.sh"
parser = "regex"
pattern = '^(?<file>[^:]+):(?<line>\d+): (?<severity>\w+): (?<message>.+)$'
order = -1

[[checks]]
name = "no placeholders"
builtin = "placeholders"

[[checks]]
name = "locale"
command = "sh -c 'echo $LC_ALL $LANG $TZ $LC_TIME; date -d @0; ls; exit 1'"
required = false
"#;

/// Prints what no two runs print alike.
const TEST: &str = r#"
echo "FAILED $PWD/src/cart.py:7"
echo "scratch $(mktemp -u)"
echo "finished in 0.$$s at $(date -u +%Y-%m-%dT%H:%M:%SZ)"
echo "thread 'main' ($$) panicked; object at 0x7f$(printf %08x $$)"
echo "Größe: 3 ☕" >&2
exit 1
"#;

const LINT: &str = "echo \"$PWD/src/b.py:10: warning: long line\"; echo 'src/b.py:9: error: bad name'; echo 'src/a.py:1: error: odd'; exit 2\n";

fn fill(sandbox: &Sandbox) {
    sandbox.write(".loopwright/config.toml", CONFIG);
    sandbox.write("test.sh", TEST);
    sandbox.write("lint.sh", LINT);
    sandbox.write("src/cart.py", "def total():\n    return 3\n");
    sandbox.git_init("");
}

/// A clone of a repository on another machine, trusted there, with an edit of its own.
fn clone(origin: &Sandbox) -> Sandbox {
    let copy = Sandbox::new();
    let target = copy.work().join("a longer path of its own").display().to_string();
    origin.git("", &["clone", "--quiet", ".", &target]);
    let inside = copy.work().join("a longer path of its own");
    copy.write(inside.join("src/cart.py"), "def total():\n    pass\n");
    assert_eq!(prompt(&copy, &inside, &["trust"], &[]).code, 0);
    copy
}

fn prompt(sandbox: &Sandbox, folder: &Path, args: &[&str], variables: &[(&str, &str)]) -> Output {
    let mut command = sandbox.command(installed(sandbox));
    command.args(args).current_dir(folder).envs(variables.iter().copied());
    sandbox.run(&mut command)
}

/// Two clones, two languages, two time zones: the same bytes.
#[test]
fn dun_the_same_state_and_settings_give_the_same_bytes() {
    let origin = Sandbox::new();
    fill(&origin);
    let settings: [&[(&str, &str)]; 3] = [
        &[("LC_ALL", "C"), ("TZ", "UTC")],
        &[("LC_ALL", "de_DE.UTF-8"), ("LANGUAGE", "de"), ("TZ", "Pacific/Auckland")],
        &[("LANG", "tr_TR.UTF-8"), ("TZ", "America/St_Johns"), ("COLUMNS", "20"), ("CLICOLOR_FORCE", "1")],
    ];
    for args in [&["check", "--prompt"] as &[_], &["check", "--prompt", "--json"]] {
        let lists: Vec<String> = settings
            .iter()
            .map(|variables| {
                let copy = clone(&origin);
                let folder = copy.work().join("a longer path of its own");
                let output = prompt(&copy, &folder, args, variables);
                assert_eq!(output.code, 1, "{output:?}");
                assert!(!output.stdout.contains(&copy.root().display().to_string()), "{}", output.stdout);
                output.stdout
            })
            .collect();
        assert_eq!(lists[0], lists[1]);
        assert_eq!(lists[0], lists[2]);
    }
}

#[test]
fn the_work_list_is_as_documented() {
    let origin = Sandbox::new();
    fill(&origin);
    let copy = clone(&origin);
    let folder = copy.work().join("a longer path of its own");
    let output = prompt(&copy, &folder, &["check", "--prompt", "--automation", "plan"], &[]);
    insta::assert_snapshot!("check_prompt", copy.snapshot(&output));
    let list = json(&prompt(&copy, &folder, &["check", "--prompt", "--json"], &[]));
    assert_eq!((&list["schema"], &list["status"]), (&"loopwright.work.v1".into(), &"WORK".into()));
    assert_eq!(list["automation"], "auto");
    assert_eq!(list["items"][0]["file"], "src/a.py");
    assert_eq!(list["answer"]["last_line"], "EXIT_SIGNAL: true");
}

#[test]
fn when_all_pass_the_form_is_fixed() {
    let sandbox = Sandbox::new();
    sandbox.write(".loopwright/config.toml", "[[checks]]\nname = \"a\"\ncommand = \"true\"\n");
    sandbox.git_init("");
    let output = loopwright(&sandbox, &["check", "--prompt", "--trust"]);
    let expected = "loopwright.work.v1\nSTATUS: ALL_PASS\nAUTOMATION: auto\n\
                    CHECKS: 1 passed, 0 failed, 0 not run\nEXIT_SIGNAL: true\n";
    assert_eq!((output.code, output.stdout.as_str()), (0, expected));
    let list = json(&loopwright(&sandbox, &["check", "--prompt", "--json"]));
    assert_eq!((&list["status"], &list["items"]), (&"ALL_PASS".into(), &serde_json::json!([])));
}

//! `loopwright config`.

mod common;

use common::{installed, json, loopwright};
use loopwright_testkit::Sandbox;

fn project() -> Sandbox {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["init", "--git"]).code, 0);
    sandbox
}

#[test]
fn show_prints_each_value_with_its_origin() {
    let sandbox = project();
    assert_eq!(loopwright(&sandbox, &["config", "set", "--user", "mode", "review_each"]).code, 0);
    assert_eq!(loopwright(&sandbox, &["config", "set", "gate.protected", "prices/**\n*.key"]).code, 0);
    let mut command = sandbox.command(installed(&sandbox));
    command.args(["-c", "default_harness=codex", "config", "show"]).env("LOOPWRIGHT_UI_THEME", "dark");
    let output = sandbox.run(&mut command);
    insta::assert_snapshot!("config_show", sandbox.snapshot(&output));
}

#[test]
fn set_keeps_comments_and_get_and_unset_agree() {
    let sandbox = project();
    let file = ".loopwright/config.toml";
    let before = sandbox.read(file);
    assert!(before.starts_with("# Loopwright's settings"));
    assert_eq!(loopwright(&sandbox, &["config", "set", "mode", "review_every:3"]).code, 0);
    assert_eq!(loopwright(&sandbox, &["config", "get", "mode"]).stdout, "review_every:3\n");
    let after = sandbox.read(file);
    assert_eq!(after.replace("mode = \"review_every:3\"\n", ""), before);
    assert_eq!(loopwright(&sandbox, &["config", "unset", "mode"]).code, 0);
    assert_eq!(sandbox.read(file), before);
    let activity = json(&loopwright(&sandbox, &["status", "--json"]))["activity"].clone();
    assert_eq!(activity[0]["event"]["type"], "config.changed");
    assert_eq!(activity[0]["event"]["value"], serde_json::Value::Null);
    assert_eq!(activity[1]["event"]["value"], "\"review_every:3\"");
}

#[test]
fn wrong_keys_and_values_name_the_nearest_and_write_nothing() {
    const SET_THERE: &str = "Set it there (loopwright config set --user ui.theme VALUE).";
    let sandbox = project();
    let before = sandbox.read(".loopwright/config.toml");
    let cases: &[(&[&str], &str, &str)] = &[
        (&["config", "set", "mdoe", "x"], "config.unknown_key", "Did you mean \"mode\"?"),
        (&["config", "set", "mode", "sometimes"], "config.bad_value", ""),
        (&["config", "set", "ui.theme", "dark"], "config.bad_value", SET_THERE),
        (&["config", "set", "--user", "name", "x"], "config.bad_value", ""),
        (&["config", "get", "gate.protcted"], "config.unknown_key", "Did you mean \"gate.protected\"?"),
    ];
    for (args, code, hint) in cases {
        let mut args = args.to_vec();
        args.push("--json");
        let output = loopwright(&sandbox, &args);
        let error = json(&output)["error"].clone();
        assert_eq!((output.code, error["code"].as_str()), (2, Some(*code)), "{args:?}");
        assert_eq!(error["hint"].as_str().unwrap_or(""), *hint, "{args:?}");
    }
    assert_eq!(sandbox.read(".loopwright/config.toml"), before);
    assert!(!sandbox.config_dir().join("config.toml").exists());
}

#[test]
fn a_broken_file_is_named_by_file_and_line_everywhere() {
    let sandbox = project();
    sandbox.write(
        ".loopwright/config.toml",
        "name = \"x\"\ndefualt_harness = \"claude\"\n[gate]\nprotected = 3\n",
    );
    let show = loopwright(&sandbox, &["config", "show"]);
    assert_eq!(show.code, 2);
    insta::assert_snapshot!("config_broken", sandbox.snapshot(&show));
    let status = loopwright(&sandbox, &["status"]);
    assert_eq!(status.code, 2);
    assert!(status.stdout.contains("Folder"), "status still shows what it can");
    assert!(status.stderr.contains(".loopwright/config.toml:2: unknown key"), "{}", status.stderr);
    let get = loopwright(&sandbox, &["config", "get", "mode"]);
    assert_eq!(get.code, 2);
    sandbox.write(".loopwright/config.toml", [0xff, 0xfe, 0x00]);
    assert_eq!(loopwright(&sandbox, &["status"]).code, 1);
    sandbox.write(".loopwright/config.toml", "[[[\n");
    let set = loopwright(&sandbox, &["config", "set", "mode", "review_each", "--json"]);
    assert_eq!(json(&set)["error"]["code"], "config.syntax");
    assert_eq!(sandbox.read(".loopwright/config.toml"), "[[[\n");
}

#[test]
fn user_settings_need_no_project() {
    let sandbox = Sandbox::new();
    assert_eq!(loopwright(&sandbox, &["config", "set", "--user", "ui.theme", "dark"]).code, 0);
    assert_eq!(loopwright(&sandbox, &["config", "get", "ui.theme"]).stdout, "dark\n");
    let program = ["config", "set", "--user", "harness.claude.command", "/opt/claude"];
    assert_eq!(loopwright(&sandbox, &program).code, 0);
    assert_eq!(loopwright(&sandbox, &["config", "get", "harness.claude.command"]).stdout, "/opt/claude\n");
}

#[test]
fn own_prices_are_listed_and_their_mistakes_have_a_line() {
    let sandbox = project();
    sandbox.write(
        ".loopwright/config.toml",
        "name = \"x\"\n[prices.\"house-blend\"]\ninput = 2\noutput = 7.5\ncache_read = \"0.25\"\n",
    );
    let shown = loopwright(&sandbox, &["config", "show"]).stdout;
    let line = "prices.\"house-blend\"  2, 7.5, 0.25, 0  from .loopwright/config.toml:2\n";
    assert!(shown.contains(line), "{shown}");
    let prices = json(&loopwright(&sandbox, &["config", "show", "--json"]))["prices"].clone();
    assert_eq!((&prices[0]["model"], &prices[0]["output"]), (&"house-blend".into(), &"7.5".into()));
    sandbox
        .write(".loopwright/config.toml", "name = \"x\"\n[prices.\"house-blend\"]\ninput = 2\noutptu = 3\n");
    let broken = loopwright(&sandbox, &["config", "show"]);
    assert_eq!(broken.code, 2);
    assert!(broken.stderr.contains(".loopwright/config.toml:4: unknown key \"outptu\""), "{}", broken.stderr);
}

//! dun's autonomous loop: its requirements and acceptance criteria, each as a test. `loopwright fix` is `dun loop`.

use crate::common::json;
use crate::place::{ProjectFolder, events, exit_codes};

/// Two checks that look for words in a file, and the trust to run them.
fn shop() -> ProjectFolder {
    let check = |name: &str, word: &str| {
        format!("[[checks]]\nname = \"{name}\"\ncommand = \"sh check.sh {word}\"\nparser = \"lines\"\n\n")
    };
    let place = ProjectFolder::git(&(check("green", "Gyokuro") + &check("black", "Assam")));
    place.sandbox.write("check.sh", "grep -q $1 menu.txt || { echo \"menu.txt:1: no $1\"; exit 1; }\n");
    place.sandbox.git("", &["add", "check.sh"]);
    place.sandbox.git("", &["commit", "-qm", "Check"]);
    place.trusted()
}

/// Adds one missing tea in each iteration.
const MENDS: &str = r#"
cat > ../prompt-$LOOPWRIGHT_ATTEMPT
case $LOOPWRIGHT_ATTEMPT in
    1) echo "Gyokuro 9.00" >> menu.txt;;
    2) echo "Assam 3.00" >> menu.txt;;
esac
"#;

#[test]
fn dun_check_prompt_outputs_a_deterministic_work_list() {
    let place = shop();
    let first = place.run(&["check", "--prompt"]);
    assert_eq!(first.code, 1);
    assert!(first.stdout.contains("no Gyokuro") && first.stdout.contains("no Assam"), "{}", first.stdout);
    let mut elsewhere = place.command(&["check", "--prompt"]);
    elsewhere.env("TZ", "Asia/Tokyo").env("LC_ALL", "C").env("LANG", "de_DE.UTF-8");
    assert_eq!(place.sandbox.run(&mut elsewhere).stdout, first.stdout);
}

#[test]
fn dun_loop_runs_checks_renders_a_prompt_calls_the_harness_and_reruns_checks() {
    let place = shop();
    let output = place.start_fix(MENDS, &[]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    let (first, second) = (place.told("prompt-1"), place.told("prompt-2"));
    assert!(first.contains("no Gyokuro") && first.contains("no Assam"), "{first}");
    assert!(!second.contains("no Gyokuro") && second.contains("no Assam"), "{second}");
    assert_eq!(place.last_run()["iteration"], 2);
}

#[test]
fn dun_loop_flow_exits_successfully_before_any_agent_when_all_checks_pass() {
    let place = shop();
    place.sandbox.write("menu.txt", "Gyokuro\nAssam\n");
    place.sandbox.git("", &["commit", "-qam", "Teas"]);
    let output = place.start_fix("touch ../started\n", &[]);
    assert_eq!(output.code, 0, "{}", output.stdout);
    assert!(!place.beside("started").exists());
    let run = place.last_run();
    assert_eq!((&run["exit_reason"], &run["iteration"]), (&"checks_pass".into(), &0.into()));
}

#[test]
fn dun_exits_when_all_checks_pass() {
    let place = shop();
    let output = place.start_fix("printf 'Gyokuro\\nAssam\\n' >> menu.txt\n", &["-n", "9"]);
    assert_eq!(output.code, 0);
    let run = place.last_run();
    assert_eq!((&run["exit_reason"], &run["iteration"]), (&"checks_pass".into(), &1.into()));
}

/// dun ends with 0 at its limit; here the exit code says that the goal is unmet.
#[test]
fn dun_exits_when_max_iterations_is_reached_with_3() {
    let place = shop();
    let script = "echo \"tea $LOOPWRIGHT_ATTEMPT\" >> menu.txt\n";
    let output = place.start_fix(script, &["-n", "2"]);
    assert_eq!((output.code, &place.last_run()["exit_reason"]), (3, &"max_iterations".into()));
}

#[test]
fn dun_exits_when_the_user_aborts() {
    let place = shop();
    let agent = place.agent("touch ../started; exec sleep 300\n");
    let live = place.launch(&["fix", "--command", &agent]);
    live.wait_for("started");
    live.signal("INT");
    live.signal("INT");
    assert_eq!(live.end().code, 130);
    assert_eq!(place.last_run()["exit_reason"], "interrupted");
}

#[test]
fn dun_exits_on_an_explicit_exit_signal() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("echo Working.; echo 'EXIT_SIGNAL: true'\n", &[]);
    assert_eq!((output.code, &place.last_run()["exit_reason"]), (0, &"exit_signal".into()));
    let output = place.start_loop("loopwright signal complete 'all teas are priced'\n", &[]);
    let run = place.last_run();
    assert_eq!((output.code, &run["exit_reason"]), (0, &"exit_signal".into()), "{}", output.stdout);
    assert_eq!(run["completion_text"], "all teas are priced");
}

/// dun asks for a status block with BLOCKED and never reads it.
#[test]
fn dun_an_agent_that_is_blocked_stops_the_run_for_a_person() {
    let place = ProjectFolder::plain("");
    let script = "loopwright signal learning --category tool 'the kettle is in the shed'\n\
                  test $LOOPWRIGHT_ATTEMPT = 1 || loopwright signal blocked 'the shed is locked'\n";
    let output = place.start_loop(script, &[]);
    let run = place.last_run();
    assert_eq!((output.code, &run["exit_reason"]), (4, &"blocked".into()), "{}", output.stdout);
    assert_eq!(run["iteration"], 2, "something learned is not the end");
    assert!(output.stdout.contains("the agent needs a person: the shed is locked"), "{}", output.stdout);
}

#[test]
fn dun_exit_signal_counts_only_when_the_checks_pass() {
    let place = shop();
    let script = "cat > /dev/null; echo x >> menu.txt; loopwright signal complete\n";
    let output = place.start_loop(script, &["-n", "2"]);
    assert_eq!(output.code, 3, "{}", output.stdout);
    assert_eq!(place.last_run()["consecutive_failures"], 2);
}

/// Ends well in the words of the CLI that it is called as.
const SPEAKS_AS_NAMED: &str = r#"case " $* " in
  *" claude "*) echo claude >> ../who
    echo '{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}' ;;
  *" gemini "*) echo gemini >> ../who
    echo '{"type":"message","role":"assistant","content":"<promise>COMPLETE</promise>"}'
    echo '{"type":"result","status":"success"}' ;;
  *" codex "*) echo codex >> ../who
    echo '{"type":"item.completed","item":{"id":"0","type":"agent_message","text":"<promise>COMPLETE</promise>"}}'
    echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}' ;;
esac
"#;

#[test]
fn dun_loop_supports_the_harnesses_claude_gemini_and_codex_by_flag_and_by_config() {
    let place = ProjectFolder::plain("");
    let agent = place.agent(SPEAKS_AS_NAMED);
    let named = |name: &str| format!("[harness.{name}]\ncommand = \"{agent}\"\nargs = [\"{name}\"]\n");
    let config = ["claude", "gemini", "codex"].map(named).concat();
    place.sandbox.write(".loopwright/config.toml", format!("default_harness = \"gemini\"\n{config}"));
    let place = place.trusted();
    assert_eq!(place.run(&["loop", "--prompt", "Build it."]).code, 0);
    for name in ["claude", "gemini", "codex"] {
        let output = place.run(&["loop", "--prompt", "Build it.", "--harness", name]);
        assert_eq!(output.code, 0, "{}", output.stderr);
    }
    assert_eq!(place.told("who"), "gemini\nclaude\ngemini\ncodex\n", "the flag beats the configuration");
}

#[test]
fn dun_automation_modes_are_named_in_the_prompt_and_told_to_the_harness() {
    let place = ProjectFolder::plain("");
    for mode in ["plan", "auto", "yolo"] {
        place.start_loop("echo $LOOPWRIGHT_AUTOMATION > ../mode\n", &["-n", "1", "--automation", mode]);
        assert!(place.prompt(1).contains(&format!("- Automation mode: {mode} (")), "{mode}");
        assert_eq!(place.told("mode").trim(), mode);
    }
    place.start_loop("echo $LOOPWRIGHT_AUTOMATION > ../mode\n", &["-n", "1"]);
    assert_eq!(place.told("mode").trim(), "auto", "unless said otherwise");
}

#[test]
fn dun_manual_mode_starts_no_iteration_without_a_person() {
    let place = ProjectFolder::plain("");
    let output =
        place.start_loop("echo $LOOPWRIGHT_ATTEMPT >> ../ran\n", &["--automation", "manual", "-n", "2"]);
    assert_eq!(output.code, 5, "{}", output.stdout);
    assert_eq!(place.told("ran"), "");
    assert_eq!(place.run(&["resume"]).code, 5, "whoever resumes starts one iteration");
    assert_eq!(place.told("ran"), "1\n");
}

#[test]
fn dun_each_iteration_has_fresh_context_without_the_users_environment() {
    let place = ProjectFolder::plain("");
    let agent = place.agent("env > ../env-$LOOPWRIGHT_ATTEMPT; cat > ../prompt-$LOOPWRIGHT_ATTEMPT; echo I was iteration $LOOPWRIGHT_ATTEMPT\n");
    let mut command = place.command(&["loop", "--prompt", "Build it.", "-n", "2", "--command", &agent]);
    command.env("TEA_HOUSE_PASSWORD", "matcha").env("CLAUDECODE", "1").env("EDITOR", "ed");
    let _ = place.sandbox.run(&mut command);
    for name in ["TEA_HOUSE_PASSWORD", "CLAUDECODE", "LOOPWRIGHT_CONFIG_DIR"] {
        assert!(!place.told("env-2").contains(name), "{name}");
    }
    assert!(!place.told("prompt-2").contains("I was iteration"), "nothing is carried over but files");
}

#[test]
fn dun_dry_run_prints_the_prompt_without_invoking_the_harness() {
    let place = shop();
    let output = place.start_fix("touch ../started\n", &["--dry-run"]);
    assert_eq!(output.code, 0, "{}", output.stderr);
    assert!(output.stdout.contains("Make the failing checks of this project pass."), "{}", output.stdout);
    assert!(!place.beside("started").exists());
    assert!(place.last_run().is_null());
}

#[test]
fn dun_verbose_logs_prompts_and_responses() {
    let place = ProjectFolder::plain("");
    let output = place.start_loop("echo Brewing.\n", &["-n", "1", "--verbose"]).stdout;
    let prompt = output.find("--- prompt").unwrap_or_else(|| panic!("{output}"));
    let response = output.find("--- response\nBrewing.\n---").unwrap_or_else(|| panic!("{output}"));
    assert!(prompt < response && output.contains("Build it."), "{output}");
    let quiet = place.start_loop("echo Brewing.\n", &["-n", "1"]).stdout;
    assert!(!quiet.contains("Brewing."), "{quiet}");
    assert_eq!(place.run(&["log", "1", "--part", "response"]).stdout.trim(), "Brewing.", "kept all the same");
}

#[test]
fn dun_install_adds_guidance_for_agents_to_agents_md_once() {
    let place = ProjectFolder::git("");
    place.sandbox.write("AGENTS.md", "# Tea house\n\nBe kind.\n");
    assert_eq!(place.run(&["install"]).code, 0);
    let guide = place.sandbox.read("AGENTS.md");
    assert!(guide.starts_with("# Tea house\n\nBe kind.\n"), "{guide}");
    for words in ["loopwright check --prompt", "loopwright fix"] {
        assert!(guide.contains(words), "{words}: {guide}");
    }
    assert_eq!(place.run(&["install"]).code, 0);
    assert_eq!(place.sandbox.read("AGENTS.md"), guide, "once");
}

#[test]
fn dun_help_documents_check_prompt_loop_and_key_options() {
    let place = ProjectFolder::plain("");
    let help = place.run(&["--help"]).stdout;
    for command in ["  check ", "  loop ", "  fix "] {
        assert!(help.contains(command), "{command}: {help}");
    }
    assert!(place.run(&["check", "--help"]).stdout.contains("--prompt"));
    let options = place.run(&["loop", "--help"]).stdout;
    for option in ["--harness", "--automation", "--max-iterations", "--dry-run", "--verbose", "--model"] {
        assert!(options.contains(option), "{option}");
    }
}

#[test]
fn dun_output_is_deterministic_for_the_same_repository_and_configuration() {
    let (one, other) = (shop(), shop());
    for place in [&one, &other] {
        assert_eq!(place.start_fix(MENDS, &[]).code, 0);
    }
    for number in 1..=2 {
        assert_eq!(one.prompt(number), other.prompt(number), "two clones, the same bytes");
    }
}

/// "In `fix` an iteration counts as failed only if the agent fails or the set of failing issues did not shrink."
#[test]
fn dun_an_iteration_that_mends_nothing_is_a_failure_and_one_that_mends_something_is_not() {
    let place = shop();
    let script = "echo \"tea $LOOPWRIGHT_ATTEMPT\" >> menu.txt; test $LOOPWRIGHT_ATTEMPT != 2 || echo Assam >> menu.txt\n";
    let output = place.start_fix(script, &["--json"]);
    assert_eq!(output.code, 1);
    let settled = events(&output);
    let outcomes: Vec<_> = settled.iter().filter(|event| event["type"] == "iteration.settled").collect();
    let words: Vec<_> = outcomes.iter().map(|event| event["outcome"].as_str().unwrap()).collect();
    assert_eq!(words, ["failed", "succeeded", "failed", "failed"], "mending one does not reset the count");
    assert!(outcomes[0]["message"].as_str().unwrap().contains("no fewer checks fail than before"));
    assert_eq!(exit_codes(&place.last_run()), [Some(0); 4]);
    place.sandbox.write("menu.txt", "Sencha 4.20\n");
    let human = place.start_fix(script, &["--dirty", "include"]).stdout;
    for count in ["1/3", "2/3", "3/3"] {
        assert_eq!(human.matches(&format!("consecutive failures: {count}")).count(), 1, "{count}: {human}");
    }
}

/// dun: "apply responses". An answer is kept, and no patch is taken out of it: agents change files themselves.
#[test]
fn dun_a_text_only_answer_is_kept_and_never_applied() {
    let place = ProjectFolder::git("");
    let script =
        "printf -- '--- a/menu.txt\\n+++ b/menu.txt\\n@@ -1 +1 @@\\n-Sencha 4.20\\n+Sencha 1.00\\n'\n";
    assert_eq!(place.start_loop(script, &[]).code, 3);
    assert_eq!(place.sandbox.read("menu.txt"), "Sencha 4.20\n");
    assert!(place.run(&["log", "1", "--part", "response"]).stdout.contains("+Sencha 1.00"));
    assert_eq!(place.last_run()["exit_reason"], "no_progress");
}

#[test]
fn dun_check_json_is_one_document() {
    let place = shop();
    let document = json(&place.run(&["check", "--json"]));
    assert!(document.to_string().contains("no Gyokuro"), "{document}");
}

//! What holds for every CLI that is known by name: how it is called, and what its refusals mean.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::Path;

use loopwright_agents::{
    Adapter, AdapterOptions, AgentRequest, Harness, Invocation, McpServer, OutputStream, adapter, adapters,
};
use loopwright_domain::{Automation, ErrorCode, Fault, ProblemKind};

use crate::support::{PROMPT, request};

const MODES: [Automation; 4] = [Automation::Manual, Automation::Plan, Automation::Auto, Automation::Yolo];

fn harness(adapter: &'static Adapter) -> Box<dyn Harness> {
    adapter.harness(AdapterOptions::new("/opt/agents/agent"))
}

/// A request with everything that can be asked for.
fn whole(prompt: &str) -> AgentRequest<'_> {
    let mut asked = request(prompt).model(Some("the-model"));
    asked = asked.folders(Some(Path::new("/state/given")), Some(Path::new("/temp/own")));
    asked.home = Some(Path::new("/home/user"));
    asked.mcp = Some(McpServer {
        name: "loopwright",
        program: Path::new("/opt/loopwright"),
        args: &["mcp"],
        env: &[("LOOPWRIGHT_NONCE", "the-nonce")],
    });
    asked.schema = Some(r#"{"type":"object"}"#);
    asked
}

fn words(call: &Invocation) -> Vec<String> {
    call.args.iter().map(|arg| arg.to_string_lossy().into_owned()).collect()
}

#[test]
fn names_are_unique_and_everything_is_explained() {
    let names: BTreeSet<&str> = adapters().iter().map(|adapter| adapter.name).collect();
    assert_eq!(names.len(), adapters().len());
    for one in adapters() {
        assert!(!one.label.is_empty() && !one.programs.is_empty() && one.log_in.ends_with('.'), "{one:?}");
        assert!(!one.version.is_empty() && !one.credentials.is_empty(), "{}", one.name);
        for kind in [ProblemKind::Login, ProblemKind::BadOption] {
            assert!(one.advice(kind).is_some(), "{} {kind}", one.name);
        }
        assert_eq!(adapter(one.name).unwrap().label, one.label);
    }
    let untested: Vec<&str> = adapters().iter().filter(|one| !one.tested).map(|one| one.name).collect();
    assert_eq!(untested, ["cursor", "kiro"]);
    assert!(adapter("bash").is_none());
}

#[test]
fn a_long_prompt_never_becomes_an_argument_and_is_never_shown() {
    let prompt = format!("secret words {}", "ä€ \u{1f375}\n".repeat(30_000));
    assert!(prompt.len() > 300_000);
    for one in adapters() {
        let call = harness(one).invoke(&whole(&prompt)).unwrap();
        let in_file = words(&call).contains(&"/state/the prompt.md".to_owned());
        assert!(call.stdin == prompt.as_bytes() || in_file && call.stdin.is_empty(), "{}", one.name);
        let public = format!("{:?} {} {call:?}", call.args, call.shown);
        assert!(!public.contains("secret words"), "{}", one.name);
        assert!(call.args.iter().all(|arg| arg.len() < 2000), "{}", one.name);
        assert!(call.files.iter().all(|(path, _)| path.starts_with("/state/given")), "{}", one.name);
        assert!(call.report.is_none_or(|path| path.starts_with("/temp/own")), "{}", one.name);
    }
}

#[test]
fn no_call_goes_on_with_an_earlier_talk_and_none_holds_a_key() {
    let forbidden = ["--resume", "--continue", "-r", "-c=", "--session", "--fork-session", "--api-key"];
    for one in adapters() {
        for mode in MODES {
            let mut asked = whole(PROMPT).automation(mode);
            asked.sandboxed = true;
            let call = harness(one).invoke(&asked).unwrap();
            let words = words(&call);
            let clash = words.iter().find(|word| forbidden.contains(&word.as_str()));
            assert_eq!(clash, None, "{} {mode}", one.name);
            assert!(!words.join(" ").contains("the-nonce"), "{} {mode}: a value in an argument", one.name);
            let keys = one.credentials.iter().find(|key| call.env.contains_key(&OsString::from(key)));
            assert_eq!(keys, None, "{} {mode}", one.name);
        }
    }
}

#[test]
fn what_a_cli_remembers_by_itself_stays_away_unless_the_user_wants_it() {
    let env = |name: &str, variable: &str, own: Option<&str>| {
        let mut options = AdapterOptions::new("/opt/agents/agent");
        options.env.extend(own.map(|value| (variable.to_owned(), value.to_owned())));
        let call = adapter(name).unwrap().harness(options).invoke(&whole(PROMPT)).unwrap();
        call.env[&OsString::from(variable)].clone()
    };
    for (name, variable, value) in [
        ("claude", "CLAUDE_CODE_DISABLE_AUTO_MEMORY", "1"),
        ("qwen", "QWEN_CODE_MEMORY_BASE_DIR", "/temp/own/qwen"),
    ] {
        assert_eq!(env(name, variable, None), value, "{name}");
        assert_eq!(env(name, variable, Some("mine")), "mine", "{name}");
    }
    let codex = harness(adapter("codex").unwrap()).invoke(&whole(PROMPT)).unwrap();
    assert!(words(&codex).contains(&"features.memories=false".to_owned()), "{:?}", codex.args);
}

#[test]
fn each_mode_is_mapped_to_the_options_of_the_cli() {
    let options = |name: &str, mode: Automation| {
        let call = harness(adapter(name).unwrap()).invoke(&request(PROMPT).automation(mode)).unwrap();
        let env: Vec<String> =
            call.env.iter().map(|(name, value)| format!("{}={}", name.display(), value.display())).collect();
        format!("{} {}", env.join(" "), words(&call).join(" "))
    };
    for (name, plan, auto, yolo) in [
        (
            "claude",
            "--permission-mode plan",
            "acceptEdits --allowedTools Bash",
            "--dangerously-skip-permissions",
        ),
        (
            "codex",
            "--sandbox read-only",
            "--sandbox workspace-write",
            "--dangerously-bypass-approvals-and-sandbox",
        ),
        ("gemini", "--approval-mode plan", "--approval-mode auto_edit", "--approval-mode yolo"),
        ("copilot", "--deny-tool=write", "--allow-all-tools", "--allow-all"),
        ("opencode", r#""edit":"deny""#, r#""edit":"allow""#, "--auto"),
        ("qwen", "--approval-mode plan", "--approval-mode auto-edit", "--approval-mode yolo"),
        ("pi", "--tools read,grep,find,ls", "--no-session", "--no-session"),
        ("aider", "--chat-mode ask", "--yes-always", "--yes-always"),
        ("cursor", "--mode plan", "--force", "--force --sandbox disabled"),
        ("kiro", "--trust-tools=fs_read", "--trust-tools=fs_read,fs_write,execute_bash", "--trust-all-tools"),
    ] {
        for (mode, expected) in [(Automation::Plan, plan), (Automation::Auto, auto), (Automation::Yolo, yolo)]
        {
            let said = options(name, mode);
            assert!(said.contains(expected), "{name} {mode}: {said}");
        }
        assert_eq!(options(name, Automation::Manual), options(name, Automation::Auto), "{name}");
        assert_ne!(options(name, Automation::Plan), options(name, Automation::Auto), "{name}");
    }
}

#[test]
fn codex_leaves_the_fence_to_ours_where_there_is_one() {
    for mode in [Automation::Plan, Automation::Auto] {
        let asked = request(PROMPT).automation(mode).user(true, true);
        let words = words(&harness(adapter("codex").unwrap()).invoke(&asked).unwrap());
        assert!(
            words.contains(&"--dangerously-bypass-approvals-and-sandbox".to_owned()),
            "{mode}: {words:?}"
        );
        assert!(!words.contains(&"--sandbox".to_owned()), "{mode}: {words:?}");
    }
}

#[test]
fn claude_skips_its_permissions_as_root_only_inside_our_sandbox() {
    let claude = harness(adapter("claude").unwrap());
    let mut asked = request(PROMPT).automation(Automation::Yolo).user(true, false);
    let fault: Fault = claude.invoke(&asked).unwrap_err().into();
    assert_eq!(fault.code, ErrorCode::AgentRoot);
    assert!(fault.hint.unwrap().contains("sandbox"));
    asked.sandboxed = true;
    let is_sandbox = OsString::from("IS_SANDBOX");
    assert_eq!(claude.invoke(&asked).unwrap().env[&is_sandbox], "1");
    let user = request(PROMPT).automation(Automation::Yolo).user(false, true);
    assert!(!claude.invoke(&user).unwrap().env.contains_key(&is_sandbox));
    for one in adapters() {
        let auto = request(PROMPT).user(true, false);
        assert!(harness(one).invoke(&auto).is_ok(), "{}", one.name);
    }
}

#[test]
fn our_server_is_attached_without_a_trace_in_the_users_settings() {
    for one in adapters() {
        let call = harness(one).invoke(&whole(PROMPT)).unwrap();
        let said: Vec<u8> = call.files.iter().flat_map(|(_, content)| content.clone()).collect();
        let env: Vec<String> = call.env.values().map(|value| value.to_string_lossy().into_owned()).collect();
        let mirrored =
            call.home_overlay.map(|home_overlay| home_overlay.settings.to_string()).unwrap_or_default();
        let said = String::from_utf8(said).unwrap();
        let all =
            format!("{said} {} {} {mirrored}", call.args.join(&OsString::from(" ")).display(), env.join(" "));
        let takes = harness(one).takes_mcp();
        assert_eq!(all.contains("/opt/loopwright"), takes, "{}: {all}", one.name);
        assert_eq!(all.contains("the-nonce"), takes, "{}", one.name);
    }
}

#[test]
fn claudes_own_servers_stay_unless_it_only_reads() {
    for mode in MODES {
        let mut asked = whole(PROMPT).automation(mode);
        asked.sandboxed = true;
        let words = words(&harness(adapter("claude").unwrap()).invoke(&asked).unwrap());
        let strict = words.iter().any(|word| word == "--strict-mcp-config");
        assert_eq!(strict, mode == Automation::Plan, "{mode}");
        assert!(words.iter().any(|word| word == "--mcp-config"), "{mode}");
    }
}

#[test]
fn a_script_for_node_goes_beside_the_users_own_options() {
    let options = |own: Option<&str>, asked: &AgentRequest<'_>| {
        let mut options = AdapterOptions::new("/opt/agents/agent");
        options.env = own.map(|own| ("NODE_OPTIONS".to_owned(), own.to_owned())).into_iter().collect();
        let call = adapter("qwen").unwrap().harness(options).invoke(asked).unwrap();
        call.env.get(&OsString::from("NODE_OPTIONS")).map(|set| set.to_str().unwrap().to_owned())
    };
    let ours = r#"--require "/state/given/loopwright-inside.cjs""#;
    assert_eq!(options(None, &whole(PROMPT)).as_deref(), Some(ours));
    let both = format!("--use-openssl-ca {ours}");
    assert_eq!(options(Some("--use-openssl-ca"), &whole(PROMPT)), Some(both));
    assert_eq!(options(None, &request(PROMPT)), None, "there is no folder for it");
}

#[test]
fn opencodes_settings_of_the_users_stay_and_our_server_goes_beside_theirs() {
    let settings = |own: &str| {
        let mut options = AdapterOptions::new("/opt/agents/agent");
        options.env = [("OPENCODE_CONFIG_CONTENT".into(), own.to_owned())].into();
        let call = adapter("opencode").unwrap().harness(options).invoke(&whole(PROMPT)).unwrap();
        call.env[&OsString::from("OPENCODE_CONFIG_CONTENT")].clone().into_string().unwrap()
    };
    let own = "{ // mine\n \"share\": \"disabled\", \"mcp\": { \"theirs\": { \"enabled\": false } }, \"plugin\": [\"theirs\"], }";
    let laid: serde_json::Value = serde_json::from_str(&settings(own)).unwrap();
    assert_eq!((&laid["share"], &laid["mcp"]["theirs"]["enabled"]), (&"disabled".into(), &false.into()));
    assert_eq!(laid["mcp"]["loopwright"]["command"][0], "/opt/loopwright");
    assert_eq!(laid["plugin"], serde_json::json!(["theirs", "file:///state/given/loopwright-inside.js"]));
    for unreadable in [r#"{"mcp":"x"}"#, r#"{"plugin":"x"}"#, r#"{"mcp":null}"#, "[]", "3", "{", "", "\u{0}"]
    {
        assert_eq!(settings(unreadable), unreadable, "it is left to opencode");
    }
}

#[test]
fn a_cli_that_reads_only_its_home_gets_one_in_its_own_folder_and_the_users_is_only_named() {
    let gemini = adapter("gemini").unwrap();
    let home = |call: &Invocation| call.env.get(&OsString::from("GEMINI_CLI_HOME")).cloned();
    let call = harness(gemini).invoke(&whole(PROMPT)).unwrap();
    assert_eq!(home(&call), Some("/temp/own/gemini".into()));
    let home_overlay = call.home_overlay.unwrap();
    assert_eq!(
        (home_overlay.source, home_overlay.target),
        ("/home/user/.gemini".into(), "/temp/own/gemini/.gemini".into())
    );
    let mut options = AdapterOptions::new("/opt/agents/agent");
    options.env = [("GEMINI_CLI_HOME".into(), "/elsewhere".into())].into();
    let call = gemini.harness(options).invoke(&whole(PROMPT)).unwrap();
    assert_eq!(home(&call), Some("/temp/own/gemini".into()));
    assert_eq!(call.home_overlay.unwrap().source, Path::new("/elsewhere/.gemini"));
    let nowhere = harness(gemini).invoke(&request(PROMPT)).unwrap();
    assert_eq!((home(&nowhere), nowhere.home_overlay), (None, None), "nothing is started there");
}

#[test]
fn what_the_user_says_comes_before_our_options_and_wins_over_our_variables() {
    for one in adapters() {
        let mut options = AdapterOptions::new("/opt/agents/agent");
        options.args = vec!["--mine".into()];
        options.env = [("GEMINI_CLI_NO_RELAUNCH".into(), "false".into())].into();
        options.credentials = vec!["MY_KEY".into()];
        let own = one.harness(options);
        let call = own.invoke(&whole(PROMPT)).unwrap();
        let place = words(&call).iter().position(|word| word == "--mine").unwrap();
        assert!(place < 2, "{}: {:?}", one.name, call.args);
        assert_eq!(call.env[&OsString::from("GEMINI_CLI_NO_RELAUNCH")], "false");
        assert!(own.credentials().contains(&"MY_KEY"));
    }
}

#[test]
fn refusals_to_begin_are_told_apart() {
    use ProblemKind::{BadOption, Login, Other, Root, UntrustedFolder};
    for (name, code, stderr, kind) in [
        ("claude", 1, "error: unknown option '--nonsense'", BadOption),
        ("claude", 1, "--dangerously-skip-permissions cannot be used with root/sudo privileges for", Root),
        ("codex", 2, "error: unexpected argument '--nonsense' found", BadOption),
        (
            "codex",
            1,
            "Not inside a trusted directory and --skip-git-repo-check was not specified.",
            UntrustedFolder,
        ),
        ("gemini", 1, "Unknown argument: nonsense", BadOption),
        ("gemini", 41, "Invalid auth method selected.", Login),
        ("gemini", 55, "anything", UntrustedFolder),
        ("copilot", 1, "error: unexpected argument '--nonsense' found", BadOption),
        ("copilot", 1, "Error: No authentication information found.", Login),
        ("opencode", 1, "run opencode with a message", BadOption),
        ("qwen", 1, "Unknown argument: nonsense", BadOption),
        ("pi", 1, "Error: Unknown option: --nonsense", BadOption),
        ("aider", 2, "aider: error: unrecognized arguments: --nonsense", BadOption),
        ("kiro", 1, "error: You are not logged in, please log in with kiro-cli login", Login),
        ("cursor", 1, "error: unknown option '--trust'", BadOption),
        ("claude", 3, "Segmentation fault", Other),
    ] {
        let mut parser = harness(adapter(name).unwrap()).output_parser(&request(PROMPT));
        parser.line(OutputStream::Stderr, stderr.as_bytes());
        let problem = parser.finish(Some(code)).error.unwrap();
        assert_eq!((problem.kind, problem.message.as_str()), (kind, stderr), "{name}");
    }
}

#[test]
fn words_of_a_model_are_no_refusal() {
    let text = r#"{"type":"assistant","message":{"id":"m","content":[{"type":"text","text":"Not logged in. error: unknown option"}]}}"#;
    let end = r#"{"type":"result","subtype":"success","is_error":false,"result":"Not logged in"}"#;
    let mut parser = harness(adapter("claude").unwrap()).output_parser(&request(PROMPT));
    parser.line(OutputStream::Stdout, text.as_bytes());
    parser.line(OutputStream::Stdout, end.as_bytes());
    assert_eq!(parser.finish(Some(0)).error, None);
    let mut parser = harness(adapter("claude").unwrap()).output_parser(&request(PROMPT));
    parser.line(OutputStream::Stdout, text.as_bytes());
    parser.line(OutputStream::Stderr, b"killed");
    assert_eq!(parser.finish(Some(1)).error.unwrap().kind, ProblemKind::Other);
    let mut parser = harness(adapter("aider").unwrap()).output_parser(&request(PROMPT));
    for line in ["litellm.RateLimitError is what I catch now.", "Tokens: 1k sent, 80 received."] {
        parser.line(OutputStream::Stdout, line.as_bytes());
    }
    assert_eq!(parser.finish(Some(0)).error, None, "the model answered after all");
}

#[test]
fn copilots_tokens_come_from_its_report() {
    let mut parser = harness(adapter("copilot").unwrap()).output_parser(&request(PROMPT));
    parser.line(OutputStream::Stdout, br#"{"type":"result","sessionId":"s","exitCode":0,"usage":{}}"#);
    parser.report(
        br#"{"modelMetrics":{"gpt-4.1":{"requests":{"count":3},"usage":{"inputTokens":6600,"outputTokens":240,"cacheReadTokens":3000}}}}"#,
    );
    let parsed = parser.finish(Some(0));
    assert_eq!((parsed.usage.input, parsed.usage.cache_read, parsed.usage.output), (3600, 3000, 240));
    assert_eq!((parsed.turns, parsed.events.len()), (Some(3), 1));
    let mut parser = harness(adapter("copilot").unwrap()).output_parser(&request(PROMPT));
    for broken in [&b""[..], b"{", b"[]", b"{\"modelMetrics\":3}", b"\xff"] {
        parser.report(broken);
    }
    assert_eq!(parser.finish(None).usage.tokens(), 0);
}

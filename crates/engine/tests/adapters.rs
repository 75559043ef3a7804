//! Known CLIs through the whole engine, with a program in their place that tells how it was called.
#![cfg(unix)]
#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;

use loopwright_domain::{
    ErrorCode, Event, ExitReason, FailureCause, Iteration, LoginState, Origin, Run, SandboxState,
};
use loopwright_engine::agent::examine_agents;
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Unobserved};
use loopwright_engine::trial::try_agent;
use loopwright_engine::{Host, NewProject, Project};
use loopwright_testkit::Sandbox;

/// Writes down how it was called at its n-th start, then does what `act` says.
const PROGRAM: &str = r#"#!/bin/sh
here=$(dirname "$0")
case "$*" in
  --version) echo "9.9.9 (Stand-in)"; exit 0 ;;
  "auth status") echo '{"loggedIn": true, "authMethod": "test"}'; exit 0 ;;
esac
number=$(( $(cat "$here/starts" 2>/dev/null || echo 0) + 1 ))
echo $number > "$here/starts"
env > "$here/env-$number"
for word in "$@"; do printf '%s\n' "$word"; done > "$here/args-$number"
ls -A "$TMPDIR" > "$here/temp-$number"
ls .loopwright/run 2>/dev/null | grep signal > "$here/signal-$number"
cat > "$here/prompt-$number"
. "$here/act"
"#;

const WELL: &str = r#"echo '{"type":"result","subtype":"success","is_error":false,"num_turns":2,"session_id":"s-1","result":"A step."}'"#;

struct ProjectFolder {
    sandbox: Sandbox,
    project: Project,
}

impl ProjectFolder {
    async fn new(agent: &str, act: &str) -> Self {
        let sandbox = Sandbox::new();
        let bin = sandbox.root().join("bin");
        std::fs::create_dir_all(&bin).unwrap();
        std::fs::write(bin.join(agent), PROGRAM).unwrap();
        std::fs::set_permissions(bin.join(agent), std::fs::Permissions::from_mode(0o755)).unwrap();
        std::fs::write(bin.join("act"), act).unwrap();
        let mut path = bin.into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").unwrap());
        let mut host = Host::in_folder(sandbox.root(), path);
        host.environment.insert("HOME".into(), sandbox.root().into());
        host.environment.insert("ANTHROPIC_API_KEY".into(), "sk-ant-very-secret-key".into());
        host.environment.insert("OPENAI_API_KEY".into(), "sk-of-another-agent".into());
        std::fs::create_dir_all(&host.config_dir).unwrap();
        std::fs::write(
            host.user_config_file(),
            format!("default_harness = \"{agent}\"\nsandbox = \"off\"\n"),
        )
        .unwrap();
        let new = NewProject { git: true, ..NewProject::default() };
        let project = Project::create(&host, &sandbox.work(), &new, Origin::Cli).await.unwrap();
        sandbox.git("", &["config", "user.name", "Cook"]);
        sandbox.git("", &["config", "user.email", "cook@example.org"]);
        sandbox.git("", &["add", "--all"]);
        sandbox.git("", &["commit", "--quiet", "--message", "Begin"]);
        Self { sandbox, project }
    }

    async fn run(&self, iterations: &str, automation: &str) -> Run {
        let request = RunRequest::prompt("Take a step.")
            .set("loop.max_iterations", iterations)
            .set("loop.automation", automation);
        let prepared = self.project.runs().prepare(&request).unwrap();
        self.project
            .runs()
            .start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new())
            .await
            .unwrap()
    }

    async fn last(&self, run: &Run) -> Iteration {
        self.project.iterations().list(run.id, 0, 100).await.unwrap().pop().unwrap()
    }

    /// The codes that were told.
    async fn told_codes(&self) -> Vec<ErrorCode> {
        let events = self.project.events().recent(500).await.unwrap();
        let code = |event: &Event| match event {
            Event::IterationSettled { code, .. } | Event::RunStatusChanged { code, .. } => *code,
            _ => None,
        };
        events.iter().filter_map(|envelope| code(&envelope.event)).collect()
    }

    fn kept(&self, name: &str, start: u32) -> String {
        std::fs::read_to_string(self.sandbox.root().join("bin").join(format!("{name}-{start}"))).unwrap()
    }

    fn variables(&self, start: u32) -> BTreeMap<String, String> {
        let pairs = self.kept("env", start);
        pairs.lines().filter_map(|line| line.split_once('=')).map(|(n, v)| (n.into(), v.into())).collect()
    }
}

#[tokio::test]
async fn nothing_crosses_iterations() {
    let act = format!(
        "touch \"$TMPDIR/left-over\"; echo \"step $number\" >> steps.txt; mkdir -p .loopwright/run\necho '{{}}' > .loopwright/run/signal.json\n{WELL}"
    );
    let place = ProjectFolder::new("claude", &act).await;
    let run = place.run("2", "auto").await;
    assert_eq!(run.reason, Some(ExitReason::MaxIterations));
    let (first, second) = (place.variables(1), place.variables(2));
    assert_eq!((&first["HOME"], &first["PATH"]), (&second["HOME"], &second["PATH"]));
    assert_ne!(first["TMPDIR"], second["TMPDIR"]);
    for (start, variables) in [(1, &first), (2, &second)] {
        assert_eq!(place.kept("temp", start), "", "an empty temporary folder");
        assert_eq!(place.kept("signal", start), "", "no signal is left over");
        assert!(!PathBuf::from(&variables["TMPDIR"]).exists(), "it is removed afterwards");
        assert_eq!(variables["ANTHROPIC_API_KEY"], "sk-ant-very-secret-key");
        assert!(!variables.contains_key("OPENAI_API_KEY"), "the key of another agent");
        assert!(!place.kept("args", start).contains("secret"));
    }
    let session = |start: u32| {
        let args = place.kept("args", start);
        let mut words = args.lines().skip_while(|word| *word != "--session-id");
        words.nth(1).unwrap().to_owned()
    };
    assert_ne!(session(1), session(2));
    assert_ne!(first["LOOPWRIGHT_NONCE"], second["LOOPWRIGHT_NONCE"]);
    assert!(place.kept("args", 1).lines().any(|word| word == "--no-session-persistence"));
    let last = place.last(&run).await;
    assert_eq!(last.agent.harness.as_deref(), Some("claude"));
    assert_eq!((last.agent.turns, last.agent.session.as_deref()), (Some(2), Some("s-1")));
}

#[tokio::test]
async fn a_denial_without_a_change_is_a_failure_that_names_the_setting() {
    let denied = r#"echo '{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>","permission_denials":[{"tool_name":"Write"}]}'"#;
    let place = ProjectFolder::new("claude", denied).await;
    let run = place.run("1", "auto").await;
    let last = place.last(&run).await;
    assert_eq!((run.reason, last.cause), (Some(ExitReason::MaxIterations), Some(FailureCause::Denied)));
    let message = last.message.unwrap();
    assert!(message.contains("Write") && message.contains("loop.automation = \"yolo\""), "{message}");
    assert_eq!(last.agent.denied, ["Write"]);
    let place = ProjectFolder::new("claude", &format!("date > work.txt\n{denied}")).await;
    let run = place.run("1", "auto").await;
    assert_eq!(place.last(&run).await.cause, None, "it did its work in another way");
}

#[tokio::test]
async fn an_error_of_the_cli_is_told_with_what_to_do_whatever_its_exit_code() {
    for (act, words) in [
        (
            "echo '{\"type\":\"system\",\"subtype\":\"init\",\"session_id\":\"s\"}'; exit 0",
            "without an answer",
        ),
        ("exit 9", "exit code 9"),
    ] {
        let place = ProjectFolder::new("claude", act).await;
        let run = place.run("1", "auto").await;
        let last = place.last(&run).await;
        assert_eq!(last.cause, Some(FailureCause::AgentError), "{act}");
        assert!(last.message.as_deref().unwrap().contains(words), "{:?}", last.message);
        assert!(last.agent.problem.is_some(), "{act}");
    }
}

#[tokio::test]
async fn an_agent_that_cannot_be_used_like_this_stops_the_run_and_costs_no_attempt() {
    use ErrorCode::{AgentFolder, AgentOption};
    for (agent, act, words, code) in [
        ("claude", "echo \"error: unknown option '--verbose'\" >&2; exit 1", "2.0.0 or newer", AgentOption),
        ("gemini", "exit 55", "trust", AgentFolder),
    ] {
        let place = ProjectFolder::new(agent, act).await;
        let run = place.run("3", "auto").await;
        assert_eq!((run.reason, run.code), (Some(ExitReason::Error), Some(code)), "{agent}");
        assert_eq!(
            (place.last(&run).await.agent.code, place.told_codes().await),
            (Some(code), vec![code; 2])
        );
        assert_eq!((run.progress.iteration, run.progress.consecutive_failures), (0, 0), "{agent}");
        let message = run.message.unwrap();
        assert!(message.contains(words) && message.contains("Then resume."), "{message}");
        std::fs::write(place.sandbox.root().join("bin/act"), "exit 9").unwrap();
        let (mut unobserved, stop) = (Unobserved, StopHandle::new());
        let resumed = place.project.runs().resume(None, Origin::Cli, &mut unobserved, stop).await.unwrap();
        assert!(resumed.progress.iteration > 0, "{agent}: it is tried again");
        assert_ne!(resumed.code, Some(code), "{agent}: what is over is not told again");
    }
}

#[tokio::test]
async fn an_agent_that_is_gone_stops_the_run_with_its_code() {
    let place = ProjectFolder::new("claude", &format!("rm \"$here/claude\"\n{WELL}")).await;
    let run = place.run("3", "auto").await;
    assert_eq!((run.reason, run.progress.iteration), (Some(ExitReason::Error), 1));
    assert_eq!(run.code, Some(ErrorCode::AgentMissing));
    assert_eq!((place.last(&run).await.agent.code, run.holds[0].code), (run.code, run.code));
}

#[tokio::test]
async fn nothing_that_an_untrusted_folder_names_is_started_to_ask_an_agent() {
    let place = ProjectFolder::new("claude", WELL).await;
    let planted = place.sandbox.root().join("planted");
    let command = format!("sh -c 'touch {}' claude", planted.display());
    let config =
        format!("[harness.claude]\ncommand = \"{command}\"\n[harness.mine]\ncommand = \"{command}\"\n");
    std::fs::write(place.project.layout().config_file(), config).unwrap();
    let config = place.project.config_for_asking().unwrap();
    let report = examine_agents(place.project.host(), &config).await;
    assert_eq!(report.agents[0].version.as_deref(), Some("9.9.9"), "the user's own is asked");
    assert!(report.agents.iter().all(|card| card.name != "mine"));
    let _ = try_agent(place.project.host(), &config, "claude").await;
    assert!(!planted.exists());
}

#[tokio::test]
async fn a_trial_ends_as_soon_as_the_agent_is_refused() {
    let refused = r#"echo '{"type":"system","subtype":"init","session_id":"s"}'
echo '{"type":"system","subtype":"api_retry","attempt":1,"max_retries":10,"retry_delay_ms":500,"error_status":401,"error":"authentication_failed"}'
sleep 50
touch "$here/waited""#;
    let place = ProjectFolder::new("claude", refused).await;
    let trial =
        try_agent(place.project.host(), &place.project.config_for_asking().unwrap(), "claude").await.unwrap();
    assert_eq!(trial.problem.unwrap().code, ErrorCode::AgentLogin);
    assert!(!place.sandbox.root().join("bin/waited").exists(), "nobody waited for its end");
}

#[tokio::test]
async fn secrets_that_the_settings_give_an_agent_are_hidden() {
    let place = ProjectFolder::new("claude", "echo \"key $CORP_API_KEY\"; exit 9").await;
    let file = place.project.host().user_config_file();
    let more = "[harness.claude.env]\nCORP_API_KEY = \"hunter2-hunter2\"\n";
    let text = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("{text}{more}")).unwrap();
    let run = place.run("1", "auto").await;
    let folder = place.project.iterations().files(&place.last(&run).await).folder().to_path_buf();
    for kept in std::fs::read_dir(folder).unwrap().flatten().filter(|entry| entry.path().is_file()) {
        let text = std::fs::read_to_string(kept.path()).unwrap_or_default();
        assert!(!text.contains("hunter2"), "{}", kept.path().display());
    }
}

#[tokio::test]
async fn a_resumed_run_keeps_its_sandbox() {
    let place = ProjectFolder::new("claude", "echo \"error: unknown option '--verbose'\" >&2; exit 1").await;
    let request = RunRequest::prompt("Take a step.").set("sandbox", "auto").set("sandbox_network", "false");
    let prepared = place.project.runs().prepare(&request).unwrap();
    let sandbox = prepared.options.sandbox.clone().unwrap();
    assert_eq!((sandbox.sandbox.as_str(), sandbox.network), ("auto", false));
    let (mut unobserved, stop) = (Unobserved, StopHandle::new());
    let run = place
        .project
        .runs()
        .start(prepared, Earlier::Leave, Origin::Cli, &mut unobserved, stop)
        .await
        .unwrap();
    let begun = place.last(&run).await;
    assert_ne!(begun.agent.sandbox, Some(SandboxState::Off));
    let run =
        place.project.runs().resume(None, Origin::Cli, &mut unobserved, StopHandle::new()).await.unwrap();
    let resumed = place.last(&run).await;
    assert_ne!(resumed.id, begun.id);
    assert_eq!(resumed.agent.sandbox, begun.agent.sandbox, "though the settings say off");
}

#[tokio::test]
async fn agents_are_examined_and_tried() {
    let answer = r#"echo '{"type":"result","subtype":"success","is_error":false,"result":"Ready.","usage":{"input_tokens":9,"output_tokens":1}}'"#;
    let place = ProjectFolder::new("claude", answer).await;
    let (host, config) = (place.project.host(), place.project.config_for_asking().unwrap());
    let report = examine_agents(host, &config).await;
    assert_eq!(report.chosen.as_deref(), Some("claude"));
    let card = &report.agents[0];
    assert_eq!((card.name.as_str(), card.version.as_deref()), ("claude", Some("9.9.9")));
    assert_eq!((card.login, card.login_detail.as_deref()), (LoginState::LoggedIn, Some("test")));
    assert!(card.tested && card.problem.is_none());
    let missing = report.agents.iter().find(|card| card.name == "codex").unwrap();
    assert_eq!(missing.problem.as_ref().unwrap().code, ErrorCode::AgentMissing);
    let trial = try_agent(host, &config, "claude").await.unwrap();
    assert!(trial.answered && trial.usage.tokens() == 10, "{trial:?}");
    assert!(place.kept("args", 1).contains("plan"), "it may only read");
    assert_ne!(place.variables(1)["PWD"], place.sandbox.work().to_string_lossy());
    assert_eq!(try_agent(host, &config, "codex").await.unwrap_err().code, ErrorCode::AgentMissing);
}

#[tokio::test]
async fn a_program_that_is_too_old_is_known_by_its_version() {
    let place = ProjectFolder::new("claude", "echo \"error: unknown option '--verbose'\" >&2; exit 1").await;
    let bin = place.sandbox.root().join("bin/claude");
    let old = PROGRAM.replace("9.9.9", "1.0.3");
    std::fs::write(&bin, old).unwrap();
    let (host, config) = (place.project.host(), place.project.config_for_asking().unwrap());
    let trial = try_agent(host, &config, "claude").await.unwrap();
    let problem = trial.problem.unwrap();
    assert_eq!((trial.answered, problem.code), (false, ErrorCode::AgentVersion));
    assert!(problem.message.contains("1.0.3") && problem.hint.unwrap().contains("2.0.0"));
    let card = &examine_agents(host, &config).await.agents[0];
    assert_eq!(card.problem.as_ref().unwrap().code, ErrorCode::AgentVersion);
    let run = place.run("1", "auto").await;
    assert!(run.message.unwrap().contains("1.0.3 is too old"));
}

#[tokio::test]
async fn a_key_that_the_program_knows_nothing_of_leaves_its_login_open() {
    let place = ProjectFolder::new("codex", "").await;
    let told = r#""login status") echo "Not logged in"; exit 1 ;;"#;
    std::fs::write(
        place.sandbox.root().join("bin/codex"),
        PROGRAM.replace("--version)", &format!("{told}\n  --version)")),
    )
    .unwrap();
    let (mut host, config) = (place.project.host().clone(), place.project.config_for_asking().unwrap());
    let card = examine_agents(&host, &config).await.agents.remove(0);
    assert_eq!((card.name.as_str(), card.login), ("codex", LoginState::LoggedOut));
    assert!(card.hints.iter().any(|hint| hint.contains("codex login")), "{:?}", card.hints);
    host.environment.insert("CODEX_API_KEY".into(), "sk-of-codex".into());
    let card = examine_agents(&host, &config).await.agents.remove(0);
    assert_eq!(
        (card.login, card.login_detail.as_deref()),
        (LoginState::Unknown, Some("CODEX_API_KEY is set"))
    );
    assert!(card.hints.is_empty(), "{:?}", card.hints);
}

#[tokio::test]
async fn a_program_that_cannot_tell_its_version_is_a_problem_that_says_why() {
    let place = ProjectFolder::new("claude", "").await;
    let broken = "#!/bin/sh\necho 'env: node: No such file or directory' >&2\nexit 127\n";
    std::fs::write(place.sandbox.root().join("bin/claude"), broken).unwrap();
    let (host, config) = (place.project.host(), place.project.config_for_asking().unwrap());
    let card = examine_agents(host, &config).await.agents.remove(0);
    let problem = card.problem.unwrap();
    assert_eq!((card.name.as_str(), problem.code), ("claude", ErrorCode::AgentFailed));
    assert!(problem.message.contains("exit code 127"), "{}", problem.message);
    assert!(problem.message.contains("node: No such file"), "{}", problem.message);
}

//! A project with agents that print, at their n-th start, what a test wrote down for it.

use std::path::Path;

use loopwright_domain::{ControlKind, Event, Fault, Iteration, Origin, Outcome, Run, RunStatus, WaitReason};
use loopwright_engine::run::{Earlier, RunRequest, StopHandle, Unobserved};
use loopwright_engine::{Host, NewProject, Project};
use loopwright_testkit::{Sandbox, eventually_async};

/// Counts its starts, does what is in `do-N.sh`, prints `say-N` or else `say`, ends with the code in `exit-N`.
const AGENT: &str = r#"
here=$(dirname "$0")/$1
number=$(( $(cat "$here/starts" 2>/dev/null || echo 0) + 1 ))
echo $number > "$here/starts"
cat > "$here/prompt-$number"
if [ -e "$here/say-$number" ]; then cat "$here/say-$number"; else cat "$here/say"; fi
[ -e "$here/do-$number.sh" ] && . "$here/do-$number.sh"
exit $(cat "$here/exit-$number" 2>/dev/null || echo 0)
"#;

/// An agent that ends well and gives its promise.
pub(crate) const DONE: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"<promise>COMPLETE</promise>"}"#;
/// One that ends well and does not.
pub(crate) const WORKED: &str =
    r#"{"type":"result","subtype":"success","is_error":false,"result":"A step."}"#;
/// A limit whose end is not told.
pub(crate) const LIMIT: &str = r#"{"type":"limit","message":"five hours are used"}"#;

pub(crate) struct Scene {
    sandbox: Sandbox,
    pub(crate) project: Project,
}

impl Scene {
    /// With agents of these names. The first is the chosen one.
    pub(crate) async fn new(agents: &[&str]) -> Self {
        Self::made(agents, NewProject::default()).await
    }

    /// The same in git.
    pub(crate) async fn in_git(agents: &[&str]) -> Self {
        let scene = Self::made(agents, NewProject { git: true, ..NewProject::default() }).await;
        scene.sandbox.git("", &["config", "user.name", "Cook"]);
        scene.sandbox.git("", &["config", "user.email", "cook@example.org"]);
        scene.sandbox.git("", &["add", "--all"]);
        scene.sandbox.git("", &["commit", "--quiet", "--message", "Begin"]);
        scene
    }

    async fn made(agents: &[&str], new: NewProject) -> Self {
        let sandbox = Sandbox::new();
        let script = sandbox.root().join("agent.sh");
        std::fs::write(&script, AGENT).unwrap();
        let host = host(sandbox.root());
        std::fs::create_dir_all(&host.config_dir).unwrap();
        let mut config = format!("default_harness = \"{}\"\n", agents[0]);
        for agent in agents {
            let words = sandbox.root().join(agent);
            std::fs::create_dir_all(&words).unwrap();
            std::fs::write(words.join("say"), format!("{DONE}\n")).unwrap();
            config.push_str(&format!(
                "[harness.{agent}]\ncommand = \"sh {} {agent}\"\noutput_format = \"stream-json\"\n",
                script.display()
            ));
        }
        std::fs::write(host.user_config_file(), config).unwrap();
        let project = Project::create(&host, &sandbox.work(), &new, Origin::Cli).await.unwrap();
        Self { sandbox, project }
    }

    /// Says more about an agent in the user's settings.
    pub(crate) fn add_settings(&self, agent: &str, line: &str) {
        let file = self.project.host().user_config_file();
        let table = format!("[harness.{agent}]\n");
        let text = std::fs::read_to_string(&file).unwrap().replace(&table, &format!("{table}{line}\n"));
        std::fs::write(file, text).unwrap();
    }

    /// What an agent says at its n-th start, and the code it ends with.
    pub(crate) fn says(&self, agent: &str, start: u32, lines: &str, exit: i32) {
        self.write(agent, &format!("say-{start}"), &format!("{lines}\n"));
        self.write(agent, &format!("exit-{start}"), &exit.to_string());
    }

    /// What an agent does at its n-th start, as a shell script.
    pub(crate) fn does(&self, agent: &str, start: u32, script: &str) {
        self.write(agent, &format!("do-{start}.sh"), script);
    }

    fn write(&self, agent: &str, name: &str, text: &str) {
        std::fs::write(self.sandbox.root().join(agent).join(name), text).unwrap();
    }

    pub(crate) fn root(&self) -> &Path {
        self.sandbox.root()
    }

    /// How often an agent was started.
    pub(crate) fn starts(&self, agent: &str) -> u32 {
        let count = std::fs::read_to_string(self.sandbox.root().join(agent).join("starts"));
        count.map_or(0, |count| count.trim().parse().unwrap())
    }

    pub(crate) fn prompt(&self, agent: &str, start: u32) -> String {
        let file = self.sandbox.root().join(agent).join(format!("prompt-{start}"));
        std::fs::read_to_string(file).unwrap()
    }

    /// Works to the end, with short waits.
    pub(crate) async fn run(&self, settings: &[(&str, &str)]) -> Run {
        self.start(request(settings)).await
    }

    pub(crate) async fn start(&self, request: RunRequest) -> Run {
        let prepared = self.project.runs().prepare(&request).unwrap();
        self.project
            .runs()
            .start(prepared, Earlier::Leave, Origin::Cli, &mut Unobserved, StopHandle::new())
            .await
            .unwrap()
    }

    pub(crate) async fn resume(&self) -> Run {
        self.project.runs().resume(None, Origin::Cli, &mut Unobserved, StopHandle::new()).await.unwrap()
    }

    /// Waits until the run waits for an agent.
    pub(crate) async fn waiting(&self) {
        self.until(RunStatus::Waiting).await;
        assert_eq!(self.now().await.waiting, Some(WaitReason::Limit));
    }

    /// Waits until somebody has gone on with the run: before that it still stands as it was left.
    pub(crate) async fn taken_up(&self) {
        let is_resumed = async || {
            let events = self.project.events().recent(50).await.unwrap();
            events.iter().any(|envelope| matches!(envelope.event, Event::RunResumed { .. }))
        };
        eventually_async("somebody goes on with the run", is_resumed).await;
    }

    pub(crate) async fn until(&self, status: RunStatus) {
        let is_so = async || self.project.runs().find(None).await.is_ok_and(|run| run.status == status);
        eventually_async(&format!("the run is {status}"), is_so).await;
    }

    pub(crate) async fn now(&self) -> Run {
        self.project.runs().find(None).await.unwrap()
    }

    pub(crate) async fn ask(&self, kind: ControlKind) -> Result<(), Fault> {
        self.project.runs().ask(kind, Origin::Cli).await.map(drop)
    }

    /// The run's iterations, the first one first.
    pub(crate) async fn iterations(&self) -> Vec<Iteration> {
        let run = self.now().await;
        self.project.iterations().list(run.id, 0, 100).await.unwrap()
    }

    pub(crate) async fn outcomes(&self) -> Vec<Outcome> {
        self.iterations().await.iter().map(|iteration| iteration.outcome.unwrap()).collect()
    }

    /// What the run told, the first first.
    pub(crate) async fn told(&self) -> Vec<String> {
        let events = self.project.events().recent(500).await.unwrap();
        let words = events.into_iter().rev().filter_map(|envelope| match envelope.event {
            Event::RunStatusChanged { status, message, .. } => Some(format!("{status}: {message}")),
            Event::RunWarning { message, .. } => Some(message),
            _ => None,
        });
        words.collect()
    }
}

pub(crate) fn host(folder: &Path) -> Host {
    Host::in_folder(folder, std::env::var_os("PATH").unwrap_or_default())
}

/// A loop with waits that a test can wait for.
pub(crate) fn request(settings: &[(&str, &str)]) -> RunRequest {
    let short = [
        ("limit.margin", "10ms"),
        ("limit.recheck", "150ms"),
        ("overload.max_wait", "100ms"),
        ("loop.no_progress", "0"),
        ("loop.max_iterations", "6"),
    ];
    let all = short.iter().chain(settings);
    all.fold(RunRequest::prompt("Brew tea."), |request, (key, value)| request.set(*key, *value))
}

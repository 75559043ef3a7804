//! The agent CLIs: how each is pointed at a model on loopback, and kept from asking anywhere else.

use std::path::Path;

use serde_json::{Value, json};

/// A key that opens nothing.
const KEY: &str = "no-real-key";

/// One agent CLI.
#[derive(Debug)]
pub(crate) struct Cli {
    /// Its name in the settings.
    pub(crate) name: &'static str,
    /// How much it may do, so that it can edit files and run commands here: several have a sandbox or a rule of their
    /// own that does not work for root in a temporary folder.
    pub(crate) automation: &'static str,
    /// The model it is asked for; none leaves it to the CLI.
    pub(crate) model: Option<&'static str>,
    /// Another model that it takes.
    pub(crate) other_model: Option<&'static str>,
    /// The variable that holds its key.
    key: Option<&'static str>,
    arrange: fn(&mut Setup<'_>),
    /// What keeps it from writing beside the project, each by itself.
    pub(crate) bounds: &'static [Bounds],
    /// How long it may take to start on a busy machine.
    pub(crate) start: &'static str,
    /// Whether its model sees our tools at once.
    pub(crate) has_tools: bool,
    /// Where in its home it keeps what it remembers of earlier talks, `{folder}` for the folder it works in.
    memory: Option<&'static str>,
}

/// How a CLI is kept from writing a file beside the project, and what it says about that.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bounds {
    /// A rule of its own, which it tells of.
    Told,
    /// A setting of the user's in this file of its home: the tools for it are not there. It tells of that.
    Without(&'static str, &'static [&'static str]),
    /// A rule of the user's in this file of its home, which holds whatever it may do otherwise: the tools are not there.
    Denied(&'static str),
    /// A sandbox around its commands: one that writes elsewhere fails, and says what the system says.
    Sandbox,
    /// Nothing but the tools it has when it only reads.
    ReadOnly,
}

/// What a CLI needs around it.
pub(crate) struct Setup<'a> {
    /// Where the model is.
    url: &'a str,
    /// The home folder.
    home: &'a Path,
    pub(crate) args: Vec<String>,
    pub(crate) env: Vec<(String, String)>,
}

impl Cli {
    /// Its settings, with what it needs in its home folder written there.
    pub(crate) fn set_up<'a>(&self, url: &'a str, home: &'a Path) -> Setup<'a> {
        let mut setup = Setup { url, home, args: Vec::new(), env: Vec::new() };
        // Whoever asks elsewhere nevertheless finds nobody there.
        setup.set("HTTPS_PROXY", "http://127.0.0.1:9");
        setup.set("NO_PROXY", "127.0.0.1,localhost");
        (self.arrange)(&mut setup);
        setup
    }

    /// Its home gets the bounds that are a setting of the user's.
    pub(crate) fn set_bounds(bounds: Bounds, home: &Path) {
        match bounds {
            Bounds::Without(file, tools) => {
                let file = home.join(file);
                let own = std::fs::read_to_string(&file).unwrap_or_else(|_| "{}".to_owned());
                let mut settings: Value = serde_json::from_str(&own).unwrap();
                settings["tools"]["exclude"] = json!(tools);
                write(&file, &settings);
            }
            Bounds::Denied(file) => {
                write(&home.join(file), json!({ "permission": { "edit": "deny", "bash": "deny" } }));
            }
            Bounds::Told | Bounds::Sandbox | Bounds::ReadOnly => {}
        }
    }

    /// Writes into its memory, where it has one.
    pub(crate) fn plant_memory(&self, home: &Path, work: &Path, text: &str) {
        let Some(place) = self.memory else { return };
        let folder = work.to_string_lossy().replace(|c: char| !c.is_ascii_alphanumeric(), "-");
        write(&home.join(place.replace("{folder}", &folder)), text);
    }

    /// Whether it offers its model nothing to call.
    pub(crate) fn is_without_tools(&self) -> bool {
        self.name == AIDER.name
    }

    /// The user's own variable with the key.
    pub(crate) fn key(&self) -> Option<(&'static str, &'static str)> {
        self.key.map(|name| (name, KEY))
    }
}

impl Setup<'_> {
    fn set(&mut self, name: &str, value: impl Into<String>) {
        self.env.push((name.to_owned(), value.into()));
    }

    fn arg(&mut self, arg: impl Into<String>) {
        self.args.push(arg.into());
    }

    fn at_home(&self, path: &str, text: impl ToString) {
        write(&self.home.join(path), text);
    }
}

fn write(file: &Path, text: impl ToString) {
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(file, text.to_string()).unwrap();
}

/// What writes in gemini and its like.
const WRITERS: &[&str] = &["write_file", "replace", "edit", "run_shell_command"];

pub(crate) const CLAUDE: Cli = Cli {
    name: "claude",
    automation: "auto",
    model: None,
    other_model: Some("claude-haiku-4-5"),
    key: Some("ANTHROPIC_API_KEY"),
    bounds: &[Bounds::Told],
    start: "12s",
    has_tools: true,
    memory: Some(".claude/projects/{folder}/memory/MEMORY.md"),
    arrange: |setup| {
        setup.set("ANTHROPIC_BASE_URL", setup.url);
        setup.set("CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC", "1");
        // It tries ten times over three minutes, even with a key that is refused.
        setup.set("CLAUDE_CODE_MAX_RETRIES", "2");
    },
};

pub(crate) const CODEX: Cli = Cli {
    name: "codex",
    automation: "yolo",
    model: None,
    other_model: Some("gpt-5-codex"),
    key: Some("CODEX_API_KEY"),
    bounds: &[Bounds::Sandbox],
    start: "12s",
    has_tools: true,
    memory: Some(".codex/memories/memory_summary.md"),
    arrange: |setup| {
        setup.arg("-c");
        setup.arg(format!("openai_base_url=\"{}/v1\"", setup.url));
        setup.at_home(".codex/config.toml", "[features]\nmemories = true\n");
    },
};

pub(crate) const GEMINI: Cli = Cli {
    name: "gemini",
    automation: "yolo",
    model: None,
    other_model: None,
    key: Some("GEMINI_API_KEY"),
    bounds: &[Bounds::Without(".gemini/settings.json", WRITERS)],
    start: "15s",
    has_tools: true,
    memory: None,
    arrange: |setup| {
        setup.set("GOOGLE_GEMINI_BASE_URL", setup.url);
        // With an address of its own it takes the service for a gateway, which it then refuses, unless told otherwise.
        let security = json!({ "auth": { "selectedType": "gemini-api-key" } });
        let privacy = json!({ "usageStatisticsEnabled": false });
        setup.at_home(".gemini/settings.json", json!({ "security": security, "privacy": privacy }));
    },
};

pub(crate) const COPILOT: Cli = Cli {
    name: "copilot",
    automation: "auto",
    model: None,
    other_model: None,
    key: Some("COPILOT_PROVIDER_API_KEY"),
    bounds: &[Bounds::Told],
    start: "15s",
    has_tools: true,
    memory: None,
    arrange: |setup| {
        setup.set("COPILOT_PROVIDER_BASE_URL", format!("{}/v1", setup.url));
        setup.set("COPILOT_MODEL", "gpt-4.1");
        setup.set("COPILOT_OFFLINE", "true");
        setup.set("COPILOT_AUTO_UPDATE", "false");
        setup.set("COPILOT_PROVIDER_MAX_PROMPT_TOKENS", "900000");
    },
};

pub(crate) const OPENCODE: Cli = Cli {
    name: "opencode",
    automation: "auto",
    model: Some("loopback/scripted"),
    other_model: None,
    key: None,
    bounds: &[Bounds::Told, Bounds::Denied(".config/opencode/opencode.json")],
    start: "40s",
    has_tools: true,
    memory: None,
    arrange: |setup| {
        let options = json!({ "baseURL": format!("{}/v1", setup.url), "apiKey": KEY });
        let models = json!({ "scripted": { "limit": { "context": 1_000_000, "output": 10_000 } } });
        let provider = json!({ "npm": "@ai-sdk/openai-compatible", "options": options, "models": models });
        setup.set("OPENCODE_CONFIG_CONTENT", json!({ "provider": { "loopback": provider } }).to_string());
        for name in ["MODELS_FETCH", "AUTOUPDATE", "DEFAULT_PLUGINS", "LSP_DOWNLOAD"] {
            setup.set(&format!("OPENCODE_DISABLE_{name}"), "true");
        }
        // It fetches a package for its plugins from npm whenever it starts.
        setup.set("npm_config_offline", "true");
    },
};

pub(crate) const QWEN: Cli = Cli {
    name: "qwen",
    automation: "yolo",
    model: Some("scripted"),
    other_model: None,
    key: Some("OPENAI_API_KEY"),
    bounds: &[Bounds::Without(".qwen/settings.json", WRITERS)],
    start: "20s",
    // It keeps them behind a search of its own, which the scripted model does not do.
    has_tools: false,
    memory: Some(".qwen/projects/{folder}/memory/MEMORY.md"),
    arrange: |setup| {
        setup.args.extend(["--auth-type".to_owned(), "openai".to_owned()]);
        setup.set("OPENAI_BASE_URL", format!("{}/v1", setup.url));
    },
};

pub(crate) const PI: Cli = Cli {
    name: "pi",
    automation: "auto",
    model: Some("loopback/scripted"),
    other_model: None,
    key: None,
    bounds: &[Bounds::ReadOnly],
    start: "15s",
    has_tools: false,
    memory: None,
    arrange: |setup| {
        let model = json!({ "id": "scripted", "contextWindow": 1_000_000, "maxTokens": 10_000 });
        let provider = json!({
            "baseUrl": format!("{}/v1", setup.url),
            "apiKey": KEY,
            "api": "openai-completions",
            "models": [model],
        });
        setup.at_home(".pi/agent/models.json", json!({ "providers": { "loopback": provider } }));
    },
};

pub(crate) const AIDER: Cli = Cli {
    name: "aider",
    automation: "yolo",
    model: Some("openai/scripted"),
    other_model: None,
    key: Some("OPENAI_API_KEY"),
    bounds: &[Bounds::ReadOnly],
    start: "30s",
    has_tools: false,
    memory: None,
    arrange: |setup| setup.set("OPENAI_API_BASE", format!("{}/v1", setup.url)),
};

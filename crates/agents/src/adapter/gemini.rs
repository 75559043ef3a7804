//! Gemini CLI.

use std::path::{Path, PathBuf};

use loopwright_domain::ProblemKind;
use serde_json::json;

use super::invocation_builder::{InvocationBuilder, Permissions};
use super::probe::Version;
use super::success_rule::SuccessRule;
use super::{Adapter, CliOutput, injected, mcp};
use crate::error::AgentsError;
use crate::event_decoder;
use crate::home_overlay::HomeOverlay;
use crate::output::EventSource;

/// The folder of its settings in the home folder.
const FOLDER: &str = ".gemini";
/// The variable that gives it another home folder.
const HOME: &str = "GEMINI_CLI_HOME";

pub(super) const ADAPTER: Adapter = Adapter {
    name: "gemini",
    label: "Gemini CLI",
    programs: &["gemini"],
    tested: true,
    mcp: cfg!(unix),
    install: Some("npm install -g @google/gemini-cli"),
    credentials: &["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    settings: &[
        "GOOGLE_GEMINI_BASE_URL",
        "GOOGLE_VERTEX_BASE_URL",
        "GOOGLE_GENAI_USE_VERTEXAI",
        "GOOGLE_GENAI_USE_GCA",
        "GOOGLE_CLOUD_PROJECT",
        "GOOGLE_CLOUD_LOCATION",
        "GOOGLE_APPLICATION_CREDENTIALS",
    ],
    home: Some(HOME),
    hints: &["GEMINI_CLI"],
    version: &["--version"],
    least: Version(0, 20, 0),
    login: None,
    log_in: "Run \"gemini\" once and log in, or set GEMINI_API_KEY.",
    trust: Some("Run \"gemini\" in the folder once and trust it."),
    output: CliOutput::JsonLines(EventSource {
        log: Some(event_decoder::injected_log),
        ..EventSource::of(event_decoder::GEMINI)
    }),
    rule: SuccessRule {
        // Errors of the service are told as their HTTP status modulo 256.
        exits: &[
            (41, ProblemKind::Login),
            (53, ProblemKind::TurnLimit),
            (55, ProblemKind::UntrustedFolder),
            (145, ProblemKind::Login),
            (146, ProblemKind::Billing),
            (147, ProblemKind::Login),
            (173, ProblemKind::RateLimit),
            (244, ProblemKind::Overload),
            (246, ProblemKind::Overload),
            (247, ProblemKind::Overload),
            (248, ProblemKind::Overload),
        ],
        refusals: &[
            ("Unknown argument", ProblemKind::BadOption),
            ("Invalid values:", ProblemKind::BadOption),
            ("Please set an Auth method", ProblemKind::Login),
        ],
        text_markers: None,
    },
    build,
};

/// It starts itself again and forgets signals unless told not to, and refuses folders nobody trusted; the folder was
/// trusted in Loopwright before anything ran in it. That it waits for its service, and what each answer used, is told by a
/// script of ours.
fn build(builder: &mut InvocationBuilder<'_>) -> Result<(), AgentsError> {
    builder.env("GEMINI_CLI_NO_RELAUNCH", "true");
    builder.env("GEMINI_CLI_TRUST_WORKSPACE", "true");
    injected::for_gemini(builder);
    builder.begin(&[], &["-o", "stream-json"]);
    builder.option("--session-id", builder.request.iteration);
    builder.model("-m");
    match builder.permissions {
        Permissions::ReadOnly => builder.option("--approval-mode", "plan"),
        Permissions::Edit => {
            builder.option("--approval-mode", "auto_edit");
            builder.option("--allowed-tools", "run_shell_command");
        }
        Permissions::Unrestricted => builder.option("--approval-mode", "yolo"),
    }
    home(builder);
    Ok(())
}

/// It takes a server only by a file of settings, of which it reads those of the user, of the project, and those that
/// belong to root. So it gets a home folder of its own, in which the user's settings also name the server. What it
/// remembers of earlier talks is not in there.
fn home(builder: &mut InvocationBuilder<'_>) {
    let (Some(temp), true) = (builder.request.temp, cfg!(unix)) else { return };
    let user = builder.own_env(HOME).map(PathBuf::from).or(builder.request.home.map(Path::to_path_buf));
    let Some(user) = user else { return };
    let servers = builder.request.mcp.map(|server| mcp::servers(&server, &[("trust", json!(true))]));
    let settings = servers.map_or_else(|| json!({}), |servers| json!({ "mcpServers": servers }));
    let home = temp.join("gemini");
    builder.home_overlay(HomeOverlay {
        source: user.join(FOLDER),
        target: home.join(FOLDER),
        excluded: &["tmp", "history"],
        copied: &["GEMINI.md"],
        settings_file: "settings.json",
        settings,
    });
    builder.env_over(HOME, home);
}

//! A model on loopback that says what a script tells it to: the agent CLIs run against it as they are, without an
//! account and without a network.
//!
//! It speaks Anthropic Messages, OpenAI Responses, OpenAI chat completions and Gemini's content generation. A script
//! is a list of [`Rule`]s; a rule is chosen by words of the prompt, and its [`Turn`] by how often the model has
//! spoken since the prompt. Tool calls are written once for all CLIs: [`Call::write`] uses whatever tool the CLI
//! offers for writing files.
//!
//! ```
//! use loopwright_testkit::model::{Call, Rule, Script, Server, Turn};
//!
//! let model = Server::start(Script::from(vec![
//!     Rule::when("greeting").turns([
//!         Turn::fail(529).times(1),
//!         Turn::call(Call::write("hello.txt", "Hello!\n")),
//!         Turn::say("Done.\n<promise>COMPLETE</promise>"),
//!     ]),
//!     Rule::any().turns([Turn::say("There is nothing to do.")]),
//! ]));
//!
//! // Start the CLI with ANTHROPIC_BASE_URL, or what it calls it, set to:
//! assert!(model.url().starts_with("http://127.0.0.1:"));
//! // … and see afterwards what it asked:
//! assert!(model.turns().is_empty());
//! ```
//!
//! By hand: `cargo run -p loopwright-testkit --features model --bin fake-model -- --script FILE`.

mod ask;
mod call;
mod code;
mod exchange;
mod http;
mod script;
mod script_progress;
mod seen;
mod server;
mod tools;
mod trouble;
mod wire;

pub use call::Call;
pub use script::{Rule, Script, Turn, Usage};
pub use seen::Seen;
pub use server::Server;
pub use trouble::{Status, StreamPosition, Trouble};

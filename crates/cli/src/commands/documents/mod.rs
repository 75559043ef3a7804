//! Every JSON document and line that a command prints, by its type: the published JSON Schema is made of these.

mod reference;
mod settings;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use loopwright_domain::{
    Failure, HealthReport, Learning, Metrics, PromptPreview, SolutionDetail, Task, TaskId, Term,
};
use loopwright_engine::check::work_list::WorkList;
use loopwright_engine::{CheckSuggestion, DoctorReport, ProjectSummary, TrustReport};
use serde_json::{Map, Value, json};
use specta::Type;
use specta_jsonschema::JsonSchema;
use specta_serde::Format;

use super::run::documents as of_runs;
use crate::output::{ErrorDocument, Sent};

/// Where the schema is published.
const FILE: &str = "docs/guide/loopwright.schema.json";

/// The schema as it grows: types that several documents share are in it once.
#[derive(Default)]
struct Published {
    definitions: BTreeMap<String, Value>,
    documents: BTreeMap<&'static str, Vec<Value>>,
    /// Types without a schema, and types that share their name with others.
    problems: Vec<String>,
}

impl Published {
    /// Adds a document that some commands print.
    fn add<T: Type>(&mut self, commands: &[&'static str]) {
        let schema = JsonSchema::default().allow_additional_properties(true);
        let mut root = match schema.export_type_value::<T>(Format) {
            Ok(root) => root,
            Err(error) => return self.problems.push(format!("{commands:?}: {error:?}")),
        };
        let object = root.as_object_mut().unwrap();
        object.remove("$schema");
        if let Some(Value::Object(definitions)) = object.remove("$defs") {
            for (name, definition) in definitions {
                let known = self.definitions.entry(name.clone()).or_insert_with(|| definition.clone());
                if *known != definition {
                    self.problems.push(format!("two types are called {name}: {}", definition["description"]));
                }
            }
        }
        for command in commands {
            self.documents.entry(command).or_default().push(root.clone());
        }
    }

    fn schema(self) -> Value {
        let mut definitions: Map<String, Value> = self.definitions.into_iter().collect();
        for (command, mut documents) in self.documents {
            documents.push(json!({ "$ref": "#/$defs/ErrorDocument" }));
            definitions.insert(format!("loopwright {command}"), json!({ "anyOf": documents }));
        }
        let mut schema = json!({
            "$schema": "https://json-schema.org/draft/2020-12/schema",
            "title": "Loopwright",
            "description": "What `loopwright COMMAND --json` prints: `$defs` has a schema for each command. Later versions may add fields.",
            "$defs": definitions,
        });
        without_bounds(&mut schema);
        schema
    }
}

/// Sizes of Rust's integers say nothing about values.
fn without_bounds(schema: &mut Value) {
    match schema {
        Value::Object(object) => {
            object.retain(|name, value| {
                !matches!(name.as_str(), "maximum" | "minimum" | "format")
                    || !value.is_number() && !value.is_string()
            });
            object.values_mut().for_each(without_bounds);
        }
        Value::Array(items) => items.iter_mut().for_each(without_bounds),
        _ => {}
    }
}

fn published() -> Published {
    let mut all = Published::default();
    all.add::<ErrorDocument>(&[]);
    project(&mut all);
    runs(&mut all);
    checks(&mut all);
    tasks(&mut all);
    spec_and_wizard(&mut all);
    memory(&mut all);
    all
}

fn project(all: &mut Published) {
    all.add::<super::init::Initialised>(&["init"]);
    all.add::<ProjectSummary>(&["demo"]);
    all.add::<super::status::Status<'static>>(&["status"]);
    all.add::<TrustReport>(&["trust"]);
    all.add::<super::config::ShownConfig>(&["config show"]);
    all.add::<loopwright_engine::settings::SettingsReport>(&["config set", "config unset"]);
    all.add::<loopwright_engine::settings::Setting>(&["config get"]);
    all.add::<DoctorReport>(&["doctor"]);
    all.add::<loopwright_engine::agent::AgentsReport>(&["doctor"]);
    all.add::<loopwright_engine::agent::AgentTrial>(&["doctor"]);
    all.add::<super::install::InstallReport<'static>>(&["install"]);
    all.add::<super::open::OpenedApp>(&["open"]);
    all.add::<Sent>(&["signal", "notify test"]);
    all.add::<Vec<loopwright_engine::procedure::Summary>>(&["procedure list"]);
    all.add::<super::procedure::ShownProcedure<'static>>(&["procedure show"]);
    all.add::<super::procedure::CreatedProcedure<'static>>(&["procedure new"]);
}

fn runs(all: &mut Published) {
    all.add::<of_runs::EventLine>(&["run", "loop", "fix", "resume", "watch"]);
    all.add::<of_runs::RunLine<'static>>(&["run", "loop", "fix", "resume"]);
    all.add::<crate::signals::StoppingLine<'static>>(&["run", "loop", "fix", "resume"]);
    all.add::<loopwright_engine::run::DryRun>(&["run", "loop", "fix"]);
    all.add::<of_runs::Begun<'static>>(&["run", "loop", "fix", "resume"]);
    all.add::<of_runs::Asked>(&["resume", "pause", "cancel"]);
    all.add::<loopwright_engine::run::RunView>(&["watch", "show"]);
    all.add::<of_runs::ShownIteration>(&["show"]);
    all.add::<Vec<of_runs::RunDocument<'static>>>(&["history"]);
    all.add::<of_runs::LogDocument>(&["log"]);
    all.add::<of_runs::PatchDocument<'static>>(&["diff"]);
    all.add::<loopwright_engine::run::DiffReport>(&["diff"]);
    all.add::<loopwright_engine::run::RestorePreview>(&["restore"]);
    all.add::<loopwright_engine::run::TreeRestored>(&["restore"]);
    all.add::<loopwright_engine::run::Recovered>(&["recover"]);
    all.add::<loopwright_engine::task::HandWork>(&["begin"]);
    all.add::<loopwright_engine::task::Finished>(&["finish"]);
    all.add::<loopwright_engine::run::Handoff>(&["handoff"]);
    all.add::<loopwright_engine::gate::GateInbox>(&["gate list"]);
    all.add::<super::gate::ShownGate>(&["gate show"]);
    all.add::<super::gate::AnsweredGate>(&["approve", "reject"]);
    all.add::<loopwright_engine::gate::Reverted>(&["revert"]);
}

fn checks(all: &mut Published) {
    all.add::<super::check::CheckRound<'static>>(&["check"]);
    all.add::<WorkList>(&["check"]);
    all.add::<Vec<super::check::ListedCheck<'static>>>(&[
        "check list",
        "check add",
        "check edit",
        "check move",
        "check enable",
        "check disable",
        "check remove",
        "check suggest",
    ]);
    all.add::<Vec<CheckSuggestion>>(&["check suggest"]);
}

fn tasks(all: &mut Published) {
    use loopwright_engine::import::{ExportReport, ImportReport};
    use loopwright_engine::task::{Moved, TaskRow};
    all.add::<Vec<TaskRow>>(&["task list", "task search"]);
    all.add::<super::task::ShownTask>(&["task show"]);
    all.add::<super::task::NextTask<'static>>(&["task next"]);
    all.add::<Task>(&["task add", "task edit"]);
    all.add::<Moved>(&[
        "task edit",
        "task done",
        "task block",
        "task unblock",
        "task cancel",
        "task reopen",
        "task depend",
        "task undepend",
    ]);
    all.add::<Vec<TaskId>>(&["task accept"]);
    all.add::<Vec<Task>>(&["task remove", "task chronic"]);
    all.add::<ImportReport>(&["task import"]);
    all.add::<ExportReport>(&["task export"]);
    all.add::<super::wave::Waves<'static>>(&["wave list"]);
}

fn spec_and_wizard(all: &mut Published) {
    use loopwright_engine::spec::{SpecCheck, SpecExport, SpecImport, SpecSection, SpecTemplate};
    all.add::<Vec<SpecSection>>(&["spec list", "spec search", "spec remove"]);
    all.add::<super::spec::ShownSection>(&["spec show"]);
    all.add::<SpecSection>(&["spec add", "spec edit"]);
    all.add::<SpecImport>(&["spec import"]);
    all.add::<SpecExport>(&["spec export"]);
    all.add::<SpecCheck>(&["spec check"]);
    all.add::<Vec<SpecTemplate>>(&["spec templates list"]);
    all.add::<SpecTemplate>(&["spec templates show", "spec templates new"]);
    all.add::<Term>(&["spec term add"]);
    all.add::<Vec<Term>>(&["spec term list", "spec term search", "spec term remove"]);
    all.add::<super::wizard::WizardOutcome<'static>>(&["new", "spec wizard"]);
    all.add::<loopwright_engine::wizard::WizardView>(&["wizard show"]);
    all.add::<Vec<loopwright_engine::wizard::WizardSummary>>(&["wizard list"]);
    all.add::<super::wizard::Discarded<'static>>(&["wizard discard"]);
}

fn memory(all: &mut Published) {
    use loopwright_engine::memory::{ImportedSolutions, SolutionExport};
    all.add::<Vec<Failure>>(&["failure list"]);
    all.add::<Failure>(&["failure show"]);
    all.add::<Vec<super::memory::PatternRow>>(&["pattern list"]);
    all.add::<super::memory::ShownPattern>(&["pattern show"]);
    all.add::<Vec<super::memory::TestedOutput>>(&["pattern test"]);
    all.add::<Vec<SolutionDetail>>(&["solution list"]);
    all.add::<SolutionDetail>(&[
        "solution show",
        "solution add",
        "solution edit",
        "solution retire",
        "solution restore",
        "solution refresh",
    ]);
    all.add::<SolutionExport>(&["solution export"]);
    all.add::<ImportedSolutions>(&["solution import"]);
    all.add::<Learning>(&["learn", "learning show", "learning edit"]);
    all.add::<Vec<Learning>>(&["learning list", "learning search"]);
    all.add::<Vec<u32>>(&["learning remove"]);
    all.add::<PromptPreview>(&["preview"]);
    all.add::<Metrics>(&["stats"]);
    all.add::<HealthReport>(&["health"]);
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Compares a generated file with what is committed, or writes it with `UPDATE_DOCS`.
fn require_same(file: &str, text: &str) {
    let path = root().join(file);
    if std::env::var_os("UPDATE_DOCS").is_some() {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default().replace("\r\n", "\n");
    assert!(committed == text, "{file} is stale: run `cargo xtask docs`");
}

#[test]
fn the_published_schema_is_that_of_the_types() {
    let published = published();
    assert!(published.problems.is_empty(), "{}", published.problems.join("\n"));
    let schema = published.schema();
    require_same(FILE, &(serde_json::to_string_pretty(&schema).unwrap() + "\n"));
    require_same("docs/guide/json.md", &reference::of(&schema));
}

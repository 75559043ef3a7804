//! Scenario files: what they mean and how they are read. Reading never has an effect; a file with
//! a mistake is refused whole, with the file, the line and the nearest valid name.

mod error;
mod model;
mod relative_path;
mod shape_name;
mod source;
mod steps;
mod table_reader;

use std::path::Path;

pub use error::ScenarioError;
pub use model::{
    Crash, Family, FileStep, Ignored, Message, PlacedStep, Printed, Scenario, Scene, SignalStep,
    SignalVariant, Spawn, Step, StreamName, Usage,
};
pub use relative_path::RelativePath;
pub use shape_name::ShapeName;

use source::Source;
use table_reader::TableReader;
use toml_edit::{Document, Item, TableLike};

const SCENARIO_KEYS: &[&str] = &["output", "frame", "read_prompt", "scene"];
const SCENE_KEYS: &[&str] = &["name", "task", "attempt", "prompt_contains", "output", "frame", "steps"];

impl Scenario {
    /// Reads and checks a scenario file.
    ///
    /// # Errors
    /// When the file cannot be read or holds any mistake.
    pub fn load(file: &Path) -> Result<Self, ScenarioError> {
        let name = file.display().to_string();
        match std::fs::read_to_string(file) {
            Ok(text) => Self::parse(&name, &text),
            Err(error) => Err(ScenarioError::Unreadable { file: name, reason: error.to_string() }),
        }
    }

    /// Checks a scenario's text. `file` is how errors name it.
    ///
    /// # Errors
    /// When the text is not TOML or holds any mistake.
    pub fn parse(file: &str, text: &str) -> Result<Self, ScenarioError> {
        let source = Source::new(file, text);
        let document = Document::parse(text).map_err(|error| source.syntax(&error))?;
        let reader = TableReader::new(&source, document.as_table(), 1, "a scenario", SCENARIO_KEYS)?;
        let read_prompt = reader.flag("read_prompt")?.unwrap_or(true);
        let frame = reader.flag("frame")?.unwrap_or(true);
        let output = shape_of(&reader)?;
        let mut scenes = Vec::new();
        for (table, line) in reader.tables("scene")? {
            scenes.push(scene(&source, table, line, frame, read_prompt)?);
        }
        if scenes.is_empty() {
            return Err(source.invalid(1, "a scenario needs at least one [[scene]]".into(), None));
        }
        Ok(Self { output, read_prompt, scenes })
    }
}

/// The names of all steps a scenario can use.
#[must_use]
pub fn step_names() -> Vec<&'static str> {
    steps::names()
}

fn shape_of(reader: &TableReader<'_>) -> Result<Option<ShapeName>, ScenarioError> {
    reader.choice("output", &ShapeName::ALL.map(|shape| (shape.as_str(), shape)))
}

fn scene(
    source: &Source<'_>,
    table: &dyn TableLike,
    line: u32,
    frame: bool,
    read_prompt: bool,
) -> Result<Scene, ScenarioError> {
    let reader = TableReader::new(source, table, line, "a scene", SCENE_KEYS)?;
    let prompt_contains = reader.text("prompt_contains")?;
    if prompt_contains.is_some() && !read_prompt {
        let message = "\"prompt_contains\" needs the prompt, but \"read_prompt\" is false".into();
        return Err(source.invalid(reader.line_of("prompt_contains"), message, None));
    }
    let scene = Scene {
        line,
        name: reader.text("name")?,
        task: reader.count("task")?,
        attempt: reader.count("attempt")?,
        prompt_contains,
        output: shape_of(&reader)?,
        frame: reader.flag("frame")?.unwrap_or(frame),
        steps: reader
            .tables("steps")?
            .into_iter()
            .map(|(table, line)| Ok(PlacedStep { line, step: steps::step(source, table, line)? }))
            .collect::<Result<_, ScenarioError>>()?,
    };
    if scene.steps.is_empty() {
        return Err(source.invalid(line, "a scene needs at least one step in \"steps\"".into(), None));
    }
    Ok(scene)
}

/// What kind of value an item is, for messages.
fn kind_of(item: &Item) -> &'static str {
    match item {
        Item::None => "nothing",
        Item::Table(_) => "a table",
        Item::ArrayOfTables(_) => "a list of tables",
        Item::Value(value) => match value {
            toml_edit::Value::String(_) => "a text",
            toml_edit::Value::Integer(_) => "a whole number",
            toml_edit::Value::Float(_) => "a number with a fraction",
            toml_edit::Value::Boolean(_) => "true or false",
            toml_edit::Value::Datetime(_) => "a date",
            toml_edit::Value::Array(_) => "a list",
            toml_edit::Value::InlineTable(_) => "a table",
        },
    }
}

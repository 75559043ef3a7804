//! A task as a form that a person fills in with an editor: TOML, so that texts keep their lines.

use loopwright_domain::{ErrorCode, Fault, SectionId, TaskDraft, TaskId, TaskKind, TaskSize};
use toml_edit::{Array, Document, Item, Value};

use loopwright_config::line_of;

/// What the file is called.
const LABEL: &str = "task.toml";

/// A draft as a form, with words about what each field takes.
#[must_use]
pub fn write(draft: &TaskDraft) -> String {
    let kinds: Vec<&str> = TaskKind::ALL.iter().map(|kind| kind.as_str()).collect();
    let sizes: Vec<&str> = TaskSize::ALL.iter().map(|size| size.as_str()).collect();
    let texts = |texts: &[String]| {
        let lines: String = texts.iter().map(|text| format!("  {},\n", value(text))).collect();
        if lines.is_empty() { "[]".to_owned() } else { format!("[\n{lines}]") }
    };
    let numbers = |numbers: Vec<i64>| Array::from_iter(numbers).to_string();
    let fields = [
        ("title", value(&draft.title), "one line".to_owned()),
        ("description", value(&draft.description), String::new()),
        ("acceptance", texts(&draft.acceptance), "what must hold when it is done".to_owned()),
        ("test_strategy", value(&draft.test_strategy), String::new()),
        ("priority", draft.priority.to_string(), "smaller is sooner".to_owned()),
        ("size", value(draft.size.map_or("", TaskSize::as_str)), sizes.join(", ")),
        ("complexity", draft.complexity.to_string(), "0, 1, 2, 3, 5, 8, 13, 21, 34, 55 or 89".to_owned()),
        ("kind", value(draft.kind.map_or("", TaskKind::as_str)), kinds.join(", ")),
        ("tag", value(draft.tag.as_deref().unwrap_or_default()), String::new()),
        (
            "depends_on",
            numbers(draft.depends_on.iter().map(|id| i64::from(id.0)).collect()),
            "numbers of tasks".to_owned(),
        ),
        (
            "sections",
            numbers(draft.sections.iter().map(|id| i64::from(id.0)).collect()),
            "numbers of sections".to_owned(),
        ),
        ("notes", value(&draft.notes), String::new()),
    ];
    let line = |(name, value, note): &(&str, String, String)| {
        let note = if note.is_empty() { String::new() } else { format!("# {note}\n") };
        format!("{note}{name} = {value}\n")
    };
    fields.iter().map(line).collect()
}

fn value(text: &str) -> String {
    Value::from(text).to_string()
}

/// Reads a form back. What is left out is as in a new task.
///
/// # Errors
/// Names the line and the field that cannot be understood.
pub fn read(text: &str) -> Result<TaskDraft, Fault> {
    let form = Form { text };
    let document = Document::parse(text).map_err(|error| form.fault(error.message(), error.span()))?;
    let mut draft = TaskDraft::titled("");
    for (name, item) in document.iter() {
        form.take(name, item, &mut draft)?;
    }
    Ok(draft)
}

struct Form<'a> {
    text: &'a str,
}

impl Form<'_> {
    fn take(&self, name: &str, item: &Item, draft: &mut TaskDraft) -> Result<(), Fault> {
        let wrong = |expected: &str| self.fault(&format!("\"{name}\" should be {expected}"), item.span());
        let text = || item.as_str().map(str::to_owned).ok_or_else(|| wrong("text"));
        let number = || whole(item.as_value()).ok_or_else(|| wrong("a number of 0 or more"));
        let numbers = || list(item, whole).ok_or_else(|| wrong("a list of numbers"));
        match name {
            "title" => draft.title = text()?,
            "description" => draft.description = text()?,
            "acceptance" => {
                let texts = list(item, |value| value?.as_str().map(str::to_owned));
                draft.acceptance = texts.ok_or_else(|| wrong("a list of texts"))?;
            }
            "test_strategy" => draft.test_strategy = text()?,
            "priority" => draft.priority = number()?,
            "size" => {
                draft.size = word(&text()?, TaskSize::parse).ok_or_else(|| wrong("S, M, L, XL or \"\""))?
            }
            "complexity" => draft.complexity = number()?,
            "kind" => {
                draft.kind =
                    word(&text()?, TaskKind::parse).ok_or_else(|| wrong("one of the kinds or \"\""))?
            }
            "tag" => draft.tag = Some(text()?).filter(|tag| !tag.trim().is_empty()),
            "depends_on" => draft.depends_on = numbers()?.into_iter().map(TaskId).collect(),
            "sections" => draft.sections = numbers()?.into_iter().map(SectionId).collect(),
            "notes" => draft.notes = text()?,
            _ => return Err(self.fault(&format!("there is no field \"{name}\""), item.span())),
        }
        Ok(())
    }

    fn fault(&self, message: &str, span: Option<std::ops::Range<usize>>) -> Fault {
        let line = span.map(|span| line_of(self.text, span.start));
        Fault::new(ErrorCode::TaskInvalid, message).hint("Nothing was changed.").at(LABEL, line)
    }
}

fn whole(value: Option<&Value>) -> Option<u32> {
    value?.as_integer().and_then(|number| u32::try_from(number).ok())
}

fn list<T>(item: &Item, one: impl Fn(Option<&Value>) -> Option<T>) -> Option<Vec<T>> {
    item.as_array()?.iter().map(|value| one(Some(value))).collect()
}

/// A word of some, or none for no word at all.
fn word<T>(text: &str, parse: fn(&str) -> Option<T>) -> Option<Option<T>> {
    if text.is_empty() { Some(None) } else { parse(text).map(Some) }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_form_reads_like_a_form() {
        let draft = TaskDraft {
            description: "Three minutes,\nnot four.".into(),
            acceptance: vec!["it is hot".into()],
            size: Some(TaskSize::M),
            depends_on: vec![TaskId(1), TaskId(2)],
            ..TaskDraft::titled("Brew tea")
        };
        let form = write(&draft);
        for part in [
            "# one line\ntitle = \"Brew tea\"\n",
            "description = \"\"\"\nThree minutes,\nnot four.\"\"\"\n",
            "acceptance = [\n  \"it is hot\",\n]\n",
            "# S, M, L, XL\nsize = \"M\"\n",
            "depends_on = [1, 2]\n",
            "notes = \"\"\n",
        ] {
            assert!(form.contains(part), "{part} is not in\n{form}");
        }
    }

    #[test]
    fn a_mistake_is_named_with_its_line() {
        let cases = [
            ("title = \"a\"\npriority = -1\n", 2, "\"priority\" should be a number of 0 or more"),
            ("title = \"a\"\n\nkind = \"chore\"\n", 3, "\"kind\" should be one of the kinds or \"\""),
            ("depends_on = [1, \"2\"]\n", 1, "\"depends_on\" should be a list of numbers"),
            ("titel = \"a\"\n", 1, "there is no field \"titel\""),
        ];
        for (text, line, message) in cases {
            let fault = read(text).unwrap_err();
            assert_eq!((fault.message.as_str(), fault.location.unwrap().line), (message, Some(line)));
        }
        assert_eq!(read("title = \"a\ntag = \"b\"\n").unwrap_err().code, ErrorCode::TaskInvalid);
        assert_eq!(read("").unwrap(), TaskDraft::titled(""));
    }

    proptest! {
        /// Whatever is written comes back.
        #[test]
        fn a_form_keeps_everything(
            title in any::<String>(), description in any::<String>(), notes in "[\\PC\n\"'\\\\]*",
            acceptance in proptest::collection::vec(any::<String>(), 0..4),
            numbers in proptest::collection::vec(any::<u32>(), 0..4), priority in any::<u32>(),
        ) {
            let draft = TaskDraft {
                title,
                description,
                notes,
                acceptance,
                priority,
                size: Some(TaskSize::XL),
                kind: Some(TaskKind::Docs),
                tag: Some("tea".into()),
                depends_on: numbers.iter().copied().map(TaskId).collect(),
                sections: numbers.into_iter().map(SectionId).collect(),
                ..TaskDraft::titled("")
            };
            prop_assert_eq!(read(&write(&draft)).unwrap(), draft);
        }

        #[test]
        fn any_text_is_read_or_refused(text in any::<String>()) {
            let _ = read(&text);
        }
    }
}

//! JSON whose parts know where they stand, so that a mistake is told with its line and a value can be replaced in
//! its place.

use std::fmt;
use std::ops::Range;

use loopwright_domain::{ErrorCode, Fault};
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

/// A value in a JSON text.
#[derive(Clone, Debug)]
pub(super) struct Node<'a> {
    file: &'a str,
    text: &'a str,
    raw: &'a str,
    path: String,
}

impl<'a> Node<'a> {
    /// Reads a whole text. `file` is what faults call it.
    pub(super) fn parse(file: &'a str, text: &'a str) -> Result<Self, Fault> {
        let json = text.strip_prefix('\u{feff}').unwrap_or(text);
        let raw: &RawValue = serde_json::from_str(json).map_err(|error| {
            let line = u32::try_from(error.line()).ok().filter(|line| *line > 0);
            let reason = error.to_string();
            let reason = reason.split(" at line ").next().unwrap_or_default();
            Fault::new(ErrorCode::ImportInvalid, format!("this is not valid JSON: {reason}")).at(file, line)
        })?;
        Ok(Self { file, text, raw: raw.get(), path: String::new() })
    }

    /// The value that begins at a place of a text.
    pub(super) fn at(file: &'a str, text: &'a str, place: usize) -> Result<Self, Fault> {
        let rest = text.get(place..).unwrap_or_default();
        let first = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>().next();
        let raw = first.and_then(Result::ok).map(RawValue::get).unwrap_or_default();
        let node = Self { file, text, raw, path: String::new() };
        if raw.is_empty() { Err(node.bad("has changed")) } else { Ok(node) }
    }

    /// A fault about this value.
    pub(super) fn bad(&self, reason: &str) -> Fault {
        let name = if self.path.is_empty() { "the document" } else { &self.path };
        Fault::new(ErrorCode::ImportInvalid, format!("{name} {reason}")).at(self.file, Some(self.line()))
    }

    fn line(&self) -> u32 {
        let before = self.text.get(..self.span().start).unwrap_or_default();
        u32::try_from(before.matches('\n').count()).unwrap_or(u32::MAX).saturating_add(1)
    }

    /// Where it stands in the text.
    pub(super) fn span(&self) -> Range<usize> {
        let start = (self.raw.as_ptr() as usize).saturating_sub(self.text.as_ptr() as usize);
        start..start + self.raw.len()
    }

    /// It as a plain value.
    pub(super) fn value(&self) -> Result<Value, Fault> {
        serde_json::from_str(self.raw)
            .map_err(|_| self.bad("is nested too deeply or holds a number that is none"))
    }

    /// Whether it is an object.
    pub(super) fn is_object(&self) -> bool {
        self.raw.starts_with('{')
    }

    /// The members of an object, in order.
    pub(super) fn members(&self) -> Result<Vec<(String, Self)>, Fault> {
        let Members(members) = serde_json::from_str(self.raw).map_err(|_| self.bad("must be an object"))?;
        let dot = if self.path.is_empty() { "" } else { "." };
        let member = |(key, raw): (String, &'a RawValue)| {
            let path = format!("{}{dot}{key}", self.path);
            (key, Self { raw: raw.get(), path, ..*self })
        };
        Ok(members.into_iter().map(member).collect())
    }

    /// One member of an object; the last one of that name, as everywhere else.
    pub(super) fn member(&self, key: &str) -> Result<Option<Self>, Fault> {
        Ok(self.members()?.into_iter().rfind(|(name, _)| name == key).map(|(_, node)| node))
    }

    /// The items of an array.
    pub(super) fn items(&self) -> Result<Vec<Self>, Fault> {
        let items: Vec<&'a RawValue> =
            serde_json::from_str(self.raw).map_err(|_| self.bad("must be a list"))?;
        let item = |(place, raw): (usize, &'a RawValue)| Self {
            raw: raw.get(),
            path: format!("{}[{place}]", self.path),
            ..*self
        };
        Ok(items.into_iter().enumerate().map(item).collect())
    }
}

/// An object's members in the order they stand in.
struct Members<'a>(Vec<(String, &'a RawValue)>);

impl<'de> Deserialize<'de> for Members<'de> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;
        impl<'de> Visitor<'de> for InOrder {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Self::Value, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry::<String, &RawValue>()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        deserializer.deserialize_map(InOrder)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn faults_name_line_and_field() {
        let text = "{\n  \"tasks\": [\n    {\"id\": 1},\n    {\"id\":\n true}\n  ]\n}\n";
        let root = Node::parse("tea.json", text).unwrap();
        let items = root.member("tasks").unwrap().unwrap().items().unwrap();
        let id = items[1].member("id").unwrap().unwrap();
        let fault = id.bad("must be a number");
        assert_eq!(fault.message, "tasks[1].id must be a number");
        assert_eq!(fault.location.unwrap().line, Some(5));
        assert_eq!(text.get(id.span()), Some("true"));
        let fault = Node::parse("tea.json", "{\n \"a\": }").unwrap_err();
        assert_eq!(fault.location.unwrap().line, Some(2));
        assert!(root.items().unwrap_err().message.contains("must be a list"));
    }

    #[test]
    fn a_deep_text_is_refused_and_does_no_harm() {
        let text = format!("{{\"a\":{}{}}}", "[".repeat(100_000), "]".repeat(100_000));
        let root = Node::parse("deep", &text);
        if let Ok(root) = root {
            assert!(root.value().is_err());
        }
    }
}

//! Lines of a program's log: `name=value name="quoted value" …`.

/// The fields of such a line, in order; the rest of a line that is something else is left out.
pub(super) fn fields(line: &str) -> impl Iterator<Item = (&str, String)> {
    let mut rest = line;
    std::iter::from_fn(move || {
        let (name, after) = rest.trim_start().split_once('=')?;
        let (value, behind) = match after.starts_with('"') {
            true => {
                let mut values = serde_json::Deserializer::from_str(after).into_iter::<String>();
                let value = values.next()?.ok()?;
                (value, after.get(values.byte_offset()..)?)
            }
            false => {
                let (value, behind) = after.split_once(' ').unwrap_or((after, ""));
                (value.to_owned(), behind)
            }
        };
        rest = behind;
        Some((name, value))
    })
}

/// The value of one field.
pub(super) fn field(line: &str, name: &str) -> Option<String> {
    fields(line).find(|(own, _)| *own == name).map(|(_, value)| value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_are_bare_or_quoted() {
        let line = r#"level=ERROR message="stream \"error\"" small=false  n=1"#;
        let read: Vec<_> = fields(line).collect();
        let expected = [("level", "ERROR"), ("message", "stream \"error\""), ("small", "false"), ("n", "1")];
        assert_eq!(read, expected.map(|(name, value)| (name, value.to_owned())));
        assert_eq!(field(line, "n").as_deref(), Some("1"));
        assert_eq!(field(line, "stream"), None, "a word of another value is no name");
        assert_eq!(fields(r#"a="never ends b=1"#).count(), 0);
    }
}

//! Templates with `{names}`: commit messages, branch names.

/// Fills `{name}` by the value of that name. `{{` and `}}` stand for the braces themselves.
///
/// # Errors
/// The first name that is not known, or what is left open.
pub fn fill(template: &str, values: &[(&str, &str)]) -> Result<String, UnknownName> {
    let mut filled = String::new();
    let mut rest = template;
    while let Some((before, brace, after)) = split_at_brace(rest) {
        filled.push_str(before);
        rest = after;
        if let Some(after) = rest.strip_prefix(brace) {
            filled.push_str(brace);
            rest = after;
            continue;
        }
        let (name, after) = rest.split_once('}').filter(|_| brace == "{").ok_or_else(|| open(brace, rest))?;
        let value = values.iter().find(|(known, _)| *known == name.trim());
        filled.push_str(value.ok_or_else(|| UnknownName(name.to_owned()))?.1);
        rest = after;
    }
    filled.push_str(rest);
    Ok(filled)
}

/// The text before the first brace, the brace, and the text after it.
fn split_at_brace(text: &str) -> Option<(&str, &str, &str)> {
    let (at, brace) = text.match_indices(['{', '}']).next()?;
    Some((text.get(..at)?, brace, text.get(at + brace.len()..)?))
}

fn open(brace: &str, rest: &str) -> UnknownName {
    UnknownName(format!("{brace}{}", rest.chars().take(20).collect::<String>()))
}

/// A name in a template that stands for nothing.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("\"{0}\" stands for nothing here")]
pub struct UnknownName(pub String);

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn names_are_filled_and_braces_can_be_written() {
        let values = [("iteration", "3"), ("timestamp", "20260102-030405")];
        assert_eq!(fill("loop: iteration {iteration}", &values).unwrap(), "loop: iteration 3");
        assert_eq!(fill("loop/{ timestamp }", &values).unwrap(), "loop/20260102-030405");
        assert_eq!(fill("{{{iteration}}}", &values).unwrap(), "{3}");
        assert_eq!(fill("{iterations}", &values), Err(UnknownName("iterations".into())));
        assert!(fill("open {iteration", &values).is_err());
        assert!(fill("close }", &values).is_err());
    }

    proptest! {
        #[test]
        fn any_template_is_filled_or_refused(template in ".{0,60}") {
            let _ = fill(&template, &[("a", "{b}")]);
        }

        #[test]
        fn values_are_never_read_as_templates(value in ".{0,30}") {
            prop_assert_eq!(fill("<{a}>", &[("a", &value)]).unwrap(), format!("<{value}>"));
        }
    }
}

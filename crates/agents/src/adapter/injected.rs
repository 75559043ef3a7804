//! Scripts for CLIs that take one into their own process: they tell which requests the model's service refused, which
//! some CLIs wait out in silence, and what an answer used, which one of them says only at its end. What they print is read
//! by [`crate::event_decoder`].

use std::path::Path;

use serde_json::Value;

use super::invocation_builder::InvocationBuilder;

/// Puts the parts of a script together.
macro_rules! script {
    ($($part:literal)+) => { concat!($(include_str!(concat!("injected/", $part))),+) };
}

const OPENCODE: &str = script!("tell.js" "watch.js" "opencode.js");
const PI: &str = script!("tell.js" "watch.js" "pi.js");
const QWEN: &str = script!("tell.js" "node.cjs" "qwen.cjs");
const GEMINI: &str = script!("tell.js" "watch.js" "node.cjs" "gemini.cjs");

/// What Node is told to do for a program besides running it.
const NODE_OPTIONS: &str = "NODE_OPTIONS";

/// The address of the script for opencode, as one of its plugins; none where there is no folder for it.
pub(super) fn for_opencode(builder: &mut InvocationBuilder<'_>) -> Option<String> {
    file_url(&builder.file("loopwright-inside.js", OPENCODE)?)
}

/// Gives pi the script, as one of its extensions.
pub(super) fn for_pi(builder: &mut InvocationBuilder<'_>) {
    if let Some(extension) = builder.file("loopwright-inside.js", PI) {
        builder.option("--extension", extension);
    }
}

/// Gives Qwen Code the script.
pub(super) fn for_qwen(builder: &mut InvocationBuilder<'_>) {
    by_node(builder, QWEN);
}

/// Gives Gemini CLI the script.
pub(super) fn for_gemini(builder: &mut InvocationBuilder<'_>) {
    by_node(builder, GEMINI);
}

/// For a CLI that takes no script itself: Node loads it, and the script sees to it that no program that the agent starts
/// inherits it.
fn by_node(builder: &mut InvocationBuilder<'_>, script: &str) {
    let Some(script) = builder.file("loopwright-inside.cjs", script) else { return };
    let Some(script) = script.to_str() else { return };
    let own = builder.own_env(NODE_OPTIONS).unwrap_or_default();
    let options = format!("{own} --require {}", Value::from(script));
    builder.env_over(NODE_OPTIONS, options.trim_start());
}

/// The address of a file; none where its path is no text.
fn file_url(path: &Path) -> Option<String> {
    let path = path.to_str()?.replace('\\', "/");
    let root = if path.starts_with('/') { "" } else { "/" };
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"/:._-~".contains(&byte);
    let encoded = path.bytes().map(|byte| match plain(byte) {
        true => char::from(byte).to_string(),
        false => format!("%{byte:02X}"),
    });
    Some(format!("file://{root}{}", encoded.collect::<String>()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_becomes_an_address_whatever_is_in_it() {
        for (path, url) in [
            ("/tmp/a b/ä%.js", "file:///tmp/a%20b/%C3%A4%25.js"),
            (r"C:\Users\me\x.js", "file:///C:/Users/me/x.js"),
        ] {
            assert_eq!(file_url(Path::new(path)).as_deref(), Some(url));
        }
    }
}

//! What an agent's settings would start or trust when a person uses it.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;
use toml_edit::DocumentMut;

use loopwright_agents::lenient_json;
use loopwright_config::text_file;

/// Settings are shorter than this.
const LIMIT: u64 = 32 * 1024 * 1024;
/// The names under which agents keep the programs they start, and whom they trust.
const STARTING: &[&str] = &[
    "mcpServers",
    "mcp_servers",
    "hooks",
    "apiKeyHelper",
    "statusLine",
    "enabledPlugins",
    "enabledMcpjsonServers",
    "enableAllProjectMcpServers",
    "hasTrustDialogAccepted",
    "bypassPermissionsModeAccepted",
    "allowedTools",
    "trusted_folders",
    "trustedFolders",
];
/// What settings say that start nothing; all else may.
const HARMLESS: &[&str] =
    &["$schema", "$version", "model", "model_reasoning_effort", "personality", "notice"];
/// Whom codex trusts, by folder.
const PROJECTS: &str = "projects";
/// The skills that codex brings along.
const BROUGHT_ALONG: &str = ".system";

/// What a file of settings would start, by its place in the file; none where that cannot be told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Starts(Option<BTreeMap<String, Value>>);

impl Starts {
    /// What a file would start now. A missing one starts nothing.
    pub(super) fn of(path: &Path) -> Self {
        let text = match text_file::read(path, LIMIT) {
            Ok(text) => text.unwrap_or_default(),
            Err(_) => return Self(None),
        };
        if text.trim().is_empty() {
            return Self(Some(BTreeMap::new()));
        }
        let parsed = lenient_json::read(&text).ok();
        Self(parsed.map(|value| {
            let mut found = BTreeMap::new();
            collect(&value, "", &mut found);
            found
        }))
    }

    /// The names of what is other than it was before; none when all that is started was started before.
    pub(super) fn since(&self, before: &Self) -> Option<String> {
        let Some(now) = &self.0 else {
            return before.0.is_some().then(|| "it cannot be read any more".to_owned());
        };
        let was = |place: &String| before.0.as_ref().and_then(|before| before.get(place));
        let new = now.iter().filter(|(place, value)| was(place) != Some(value));
        let names: Vec<&str> = new.filter_map(|(place, _)| place.rsplit('\n').next()).collect();
        (!names.is_empty()).then(|| names.join(", "))
    }
}

/// Collects what has one of the names and says anything, wherever it stands.
fn collect(value: &Value, place: &str, found: &mut BTreeMap<String, Value>) {
    match value {
        Value::Object(entries) => {
            for (name, value) in entries {
                let place = format!("{place}\n{name}");
                if STARTING.contains(&name.as_str()) && says_something(value) {
                    found.insert(place, value.clone());
                } else {
                    collect(value, &place, found);
                }
            }
        }
        Value::Array(entries) => entries.iter().for_each(|value| collect(value, place, found)),
        _ => {}
    }
}

fn says_something(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => false,
        Value::String(text) => !text.is_empty(),
        Value::Array(entries) => !entries.is_empty(),
        Value::Object(entries) => !entries.is_empty(),
        _ => true,
    }
}

/// Whether a new place is as an agent's program makes it at its first start, and makes nothing be started: settings
/// that say only what is known to be harmless, or a folder with nothing in it but such settings and what the program
/// brings along. `root` is the folder that it may say to trust.
pub(super) fn is_harmless(path: &Path, root: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(found) if found.is_dir() => fs::read_dir(path).is_ok_and(|mut entries| {
            entries.all(|entry| {
                entry.is_ok_and(|entry| {
                    entry.file_name() == BROUGHT_ALONG || is_harmless_file(&entry.path(), root)
                })
            })
        }),
        _ => is_harmless_file(path, root),
    }
}

fn is_harmless_file(path: &Path, root: &Path) -> bool {
    if !fs::symlink_metadata(path).is_ok_and(|found| found.is_file()) {
        return false;
    }
    let Ok(Some(text)) = text_file::read(path, LIMIT) else { return false };
    match path.extension().and_then(|extension| extension.to_str()) {
        Some("toml") => text.parse().is_ok_and(|settings| is_harmless_toml(&settings, root)),
        Some("json" | "jsonc") => match lenient_json::read(&text) {
            Ok(Value::Object(settings)) => settings.keys().all(|key| HARMLESS.contains(&key.as_str())),
            _ => false,
        },
        _ => false,
    }
}

fn is_harmless_toml(settings: &DocumentMut, root: &Path) -> bool {
    settings.iter().all(|(key, value)| match (key, value.as_table_like()) {
        (PROJECTS, Some(projects)) => projects.iter().all(|(folder, _)| Path::new(folder) == root),
        (key, _) => HARMLESS.contains(&key),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn starts(text: &str) -> Starts {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("settings.json");
        fs::write(&path, text).unwrap();
        Starts::of(&path)
    }

    #[test]
    fn only_what_is_started_or_trusted_is_compared() {
        let before = starts(r#"{"mcpServers": {"mine": {"command": "x"}}, "startups": 1}"#);
        let same = starts(
            r#"{"startups": 2, "projects": {"/w": {"mcpServers": {}, "hasTrustDialogAccepted": false}},
                "mcpServers": {"mine": {"command": "x"}}}"#,
        );
        assert_eq!(same.since(&before), None);
        for (text, names) in [
            (r#"{"mcpServers": {"mine": {"command": "y"}}}"#, "mcpServers"),
            (r#"{"projects": {"/w": {"mcpServers": {"a": {}}, "hooks": ["b"]}}}"#, "hooks, mcpServers"),
            (
                r#"// A remark.
                {"trusted_folders": ["/"]}"#,
                "trusted_folders",
            ),
            ("evil", "it cannot be read any more"),
        ] {
            assert_eq!(starts(text).since(&before).as_deref(), Some(names), "{text}");
        }
        let missing = Starts::of(Path::new("/nowhere/settings.json"));
        assert_eq!(missing.since(&before), None);
        assert_eq!(before.since(&missing).as_deref(), Some("mcpServers"));
    }

    #[test]
    fn what_a_program_makes_at_its_first_start_is_told_from_what_starts_something() {
        let folder = tempfile::tempdir().unwrap();
        let root = Path::new("/work");
        let is = |name: &str, text: &str| {
            let path = folder.path().join(name);
            fs::write(&path, text).unwrap();
            is_harmless(&path, root)
        };
        assert!(is("config.toml", "[projects.\"/work\"]\ntrust_level = \"trusted\"\n"));
        assert!(is("config.toml", "") && is("settings.json", r#"{"$version": 3}"#));
        for text in [
            "[projects.\"/other\"]\ntrust_level = \"trusted\"\n",
            "notify = [\"x\"]\n",
            "[mcp_servers.x]\ncommand = \"x\"\n",
            "[hooks]\n",
            "unheard_of = 1\n",
            "no toml",
        ] {
            assert!(!is("config.toml", text), "{text}");
        }
        assert!(!is("settings.json", r#"{"hooks": {}}"#) && !is("settings.json", "[]"));
        assert!(!is("CLAUDE.md", ""));
        let skills = folder.path().join("skills");
        fs::create_dir_all(skills.join(".system/one")).unwrap();
        fs::write(skills.join("enabled.json"), "{}").unwrap();
        assert!(is_harmless(&skills, root));
        fs::create_dir(skills.join("mine")).unwrap();
        assert!(!is_harmless(&skills, root));
    }
}

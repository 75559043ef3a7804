//! Makes the folder of settings that an agent CLI gets for one call.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use loopwright_agents::{HomeOverlay, lenient_json};
use loopwright_config::text_file::{io_fault, make_private, private_file};
use loopwright_domain::Fault;
use serde_json::{Map, Value};

/// Makes it. What the user has in the folder stays where it is: the new one leads there.
pub(crate) fn make(overlay: &HomeOverlay) -> Result<(), Fault> {
    make_private(&overlay.target).map_err(|error| io_fault("make", &overlay.target, &error))?;
    link_entries(overlay).map_err(|error| io_fault("link", &overlay.source, &error))?;
    lay_settings(overlay)
}

fn link_entries(overlay: &HomeOverlay) -> io::Result<()> {
    let entries = match fs::read_dir(&overlay.source) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        let is_among = |names: &[&str]| names.iter().any(|other| name == *other);
        let (from, to) = (overlay.source.join(&name), overlay.target.join(&name));
        if name == overlay.settings_file || is_among(overlay.excluded) {
            continue;
        }
        if is_among(overlay.copied) && from.is_file() {
            fs::copy(from, to)?;
        } else {
            link(&from, &to)?;
        }
    }
    Ok(())
}

/// The user's settings with more over them. Settings that nobody can read are left to the CLI, which says so.
fn lay_settings(overlay: &HomeOverlay) -> Result<(), Fault> {
    let (own, path) =
        (overlay.source.join(overlay.settings_file), overlay.target.join(overlay.settings_file));
    let text = match fs::read_to_string(&own) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "{}".to_owned(),
        text => text.map_err(|error| io_fault("read", &own, &error))?,
    };
    let Ok(Value::Object(mut settings)) = lenient_json::read(&text) else {
        return link(&own, &path).map_err(|error| io_fault("link", &own, &error));
    };
    lay_over(&mut settings, &overlay.settings);
    private_file(&path)
        .and_then(|mut file| file.write_all(Value::Object(settings).to_string().as_bytes()))
        .map_err(|error| io_fault("write", &path, &error))
}

/// Lays values over others: objects field by field, everything else as it is.
fn lay_over(below: &mut Map<String, Value>, above: &Value) {
    for (name, value) in above.as_object().into_iter().flatten() {
        match below.get_mut(name) {
            Some(Value::Object(fields)) if value.is_object() => lay_over(fields, value),
            _ => {
                below.insert(name.clone(), value.clone());
            }
        }
    }
}

#[cfg(unix)]
fn link(to: &Path, at: &Path) -> io::Result<()> {
    std::os::unix::fs::symlink(to, at)
}

/// No adapter asks for it there: links are for administrators.
#[cfg(not(unix))]
fn link(_to: &Path, _at: &Path) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

#[cfg(all(test, unix))]
mod tests {
    use serde_json::json;

    use super::*;

    fn overlay_of(folder: &Path) -> HomeOverlay {
        HomeOverlay {
            source: folder.join("own"),
            target: folder.join("temp/home/.cli"),
            excluded: &["talks"],
            copied: &["notes.md"],
            settings_file: "settings.json",
            settings: json!({ "servers": { "ours": { "trust": true } } }),
        }
    }

    #[expect(clippy::unwrap_used, reason = "in a test a panic is the report")]
    fn settings(overlay: &HomeOverlay) -> Value {
        serde_json::from_str(&fs::read_to_string(overlay.target.join(overlay.settings_file)).unwrap())
            .unwrap()
    }

    #[test]
    fn the_users_settings_are_all_there_and_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let overlay = overlay_of(folder.path());
        fs::create_dir_all(overlay.source.join("talks")).unwrap();
        let own = "{\n  // mine\n  \"theme\": \"dark\", \"servers\": { \"mine\": { \"port\": 1 } },\n}";
        fs::write(overlay.source.join("settings.json"), own).unwrap();
        fs::write(overlay.source.join("login.json"), "old").unwrap();
        fs::write(overlay.source.join("notes.md"), "mine").unwrap();
        make(&overlay).unwrap();
        let servers = json!({ "mine": { "port": 1 }, "ours": { "trust": true } });
        assert_eq!(settings(&overlay), json!({ "theme": "dark", "servers": servers }));
        assert_eq!(fs::read_to_string(overlay.source.join("settings.json")).unwrap(), own);
        fs::write(overlay.target.join("login.json"), "renewed").unwrap();
        assert_eq!(fs::read_to_string(overlay.source.join("login.json")).unwrap(), "renewed");
        assert!(!overlay.target.join("talks").exists(), "nothing of earlier talks");
        assert_eq!(fs::read_to_string(overlay.target.join("notes.md")).unwrap(), "mine");
        fs::write(overlay.target.join("notes.md"), "the agent's").unwrap();
        assert_eq!(
            fs::read_to_string(overlay.source.join("notes.md")).unwrap(),
            "mine",
            "nothing for later talks"
        );
        fs::remove_dir_all(folder.path().join("temp")).unwrap();
        assert!(overlay.source.join("login.json").exists(), "only the links are gone");
    }

    #[test]
    fn a_user_without_the_folder_has_only_what_is_laid_over() {
        let folder = tempfile::tempdir().unwrap();
        let overlay = overlay_of(folder.path());
        make(&overlay).unwrap();
        assert_eq!(settings(&overlay), overlay.settings);
        assert!(!overlay.source.exists());
    }

    #[test]
    fn settings_that_nobody_can_read_are_left_to_the_cli() {
        let folder = tempfile::tempdir().unwrap();
        let overlay = overlay_of(folder.path());
        fs::create_dir_all(&overlay.source).unwrap();
        fs::write(overlay.source.join("settings.json"), "[not settings").unwrap();
        make(&overlay).unwrap();
        assert_eq!(fs::read_to_string(overlay.target.join("settings.json")).unwrap(), "[not settings");
    }
}

//! Makes the folder of settings that an agent CLI gets for one call.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use loopwright_agents::Mirror;
use loopwright_domain::Fault;
use serde_json::{Map, Value};

use super::files::{make_private, private_file};
use crate::structured;
use crate::text_file::io_fault;

/// Makes it. What the user has in the folder stays where it is: the new one leads there.
pub(super) fn make(mirror: &Mirror) -> Result<(), Fault> {
    make_private(&mirror.at).map_err(|error| io_fault("make", &mirror.at, &error))?;
    link_entries(mirror).map_err(|error| io_fault("link", &mirror.of, &error))?;
    lay_settings(mirror)
}

fn link_entries(mirror: &Mirror) -> io::Result<()> {
    let entries = match fs::read_dir(&mirror.of) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
        entries => entries?,
    };
    for entry in entries {
        let name = entry?.file_name();
        let is_among = |names: &[&str]| names.iter().any(|other| name == *other);
        let (from, to) = (mirror.of.join(&name), mirror.at.join(&name));
        if name == mirror.file || is_among(mirror.without) {
            continue;
        }
        if is_among(mirror.copied) && from.is_file() {
            fs::copy(from, to)?;
        } else {
            link(&from, &to)?;
        }
    }
    Ok(())
}

/// The user's settings with more over them. Settings that nobody can read are left to the CLI, which says so.
fn lay_settings(mirror: &Mirror) -> Result<(), Fault> {
    let (own, path) = (mirror.of.join(mirror.file), mirror.at.join(mirror.file));
    let text = match fs::read_to_string(&own) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => "{}".to_owned(),
        text => text.map_err(|error| io_fault("read", &own, &error))?,
    };
    let Ok(Value::Object(mut settings)) = structured::read(&text) else {
        return link(&own, &path).map_err(|error| io_fault("link", &own, &error));
    };
    lay_over(&mut settings, &mirror.settings);
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

    fn mirror_of(folder: &Path) -> Mirror {
        Mirror {
            of: folder.join("own"),
            at: folder.join("temp/home/.cli"),
            without: &["talks"],
            copied: &["notes.md"],
            file: "settings.json",
            settings: json!({ "servers": { "ours": { "trust": true } } }),
        }
    }

    #[expect(clippy::unwrap_used, reason = "in a test a panic is the report")]
    fn settings(mirror: &Mirror) -> Value {
        serde_json::from_str(&fs::read_to_string(mirror.at.join(mirror.file)).unwrap()).unwrap()
    }

    #[test]
    fn the_users_settings_are_all_there_and_stay_as_they_are() {
        let folder = tempfile::tempdir().unwrap();
        let mirror = mirror_of(folder.path());
        fs::create_dir_all(mirror.of.join("talks")).unwrap();
        let own = "{\n  // mine\n  \"theme\": \"dark\", \"servers\": { \"mine\": { \"port\": 1 } },\n}";
        fs::write(mirror.of.join("settings.json"), own).unwrap();
        fs::write(mirror.of.join("login.json"), "old").unwrap();
        fs::write(mirror.of.join("notes.md"), "mine").unwrap();
        make(&mirror).unwrap();
        let servers = json!({ "mine": { "port": 1 }, "ours": { "trust": true } });
        assert_eq!(settings(&mirror), json!({ "theme": "dark", "servers": servers }));
        assert_eq!(fs::read_to_string(mirror.of.join("settings.json")).unwrap(), own);
        fs::write(mirror.at.join("login.json"), "renewed").unwrap();
        assert_eq!(fs::read_to_string(mirror.of.join("login.json")).unwrap(), "renewed");
        assert!(!mirror.at.join("talks").exists(), "nothing of earlier talks");
        assert_eq!(fs::read_to_string(mirror.at.join("notes.md")).unwrap(), "mine");
        fs::write(mirror.at.join("notes.md"), "the agent's").unwrap();
        assert_eq!(
            fs::read_to_string(mirror.of.join("notes.md")).unwrap(),
            "mine",
            "nothing for later talks"
        );
        fs::remove_dir_all(folder.path().join("temp")).unwrap();
        assert!(mirror.of.join("login.json").exists(), "only the links are gone");
    }

    #[test]
    fn a_user_without_the_folder_has_only_what_is_laid_over() {
        let folder = tempfile::tempdir().unwrap();
        let mirror = mirror_of(folder.path());
        make(&mirror).unwrap();
        assert_eq!(settings(&mirror), mirror.settings);
        assert!(!mirror.of.exists());
    }

    #[test]
    fn settings_that_nobody_can_read_are_left_to_the_cli() {
        let folder = tempfile::tempdir().unwrap();
        let mirror = mirror_of(folder.path());
        fs::create_dir_all(&mirror.of).unwrap();
        fs::write(mirror.of.join("settings.json"), "[not settings").unwrap();
        make(&mirror).unwrap();
        assert_eq!(fs::read_to_string(mirror.at.join("settings.json")).unwrap(), "[not settings");
    }
}

//! The environment of a check: what every program needs, fixed language and time zone, and its own variables.

use std::collections::BTreeMap;
use std::ffi::OsString;

use loopwright_process::allowed_environment;

use loopwright_config::check::{Check, CheckCommand};

/// The variable that tells a check its own name.
const NAME_VARIABLE: &str = "LOOPWRIGHT_CHECK";

/// Where build tools keep what they have built already.
const BUILD_FOLDERS: &[&str] = &[
    "CARGO_TARGET_DIR",
    "RUSTUP_TOOLCHAIN",
    "GOCACHE",
    "GOMODCACHE",
    "GRADLE_USER_HOME",
    "NUGET_PACKAGES",
    "UV_CACHE_DIR",
];

/// The same for everybody, so that the same files give the same output on every machine; a check's own `env` wins.
/// Nothing is said about colours: programs behave differently when they are forbidden them, and what is kept of their
/// output is without them anyway.
const FIXED: &[(&str, &str)] = &[("LC_ALL", "C.UTF-8"), ("LANG", "C.UTF-8"), ("TZ", "UTC"), ("TERM", "dumb")];

/// A program's whole environment.
pub(crate) type Environment = BTreeMap<OsString, OsString>;

/// How the user wants colours, handed on as it is.
const COLOURS: &[&str] = &["FORCE_COLOR", "CLICOLOR", "CLICOLOR_FORCE", "PY_COLORS"];

/// Of the user's variables those a check may see. The language is left out: it would show in the output.
pub(crate) fn allowed(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Environment {
    let named: Vec<&str> = BUILD_FOLDERS.iter().chain(COLOURS).copied().collect();
    let mut allowed = allowed_environment(variables, &named);
    allowed.retain(|name, _| {
        let name = name.to_string_lossy();
        !name.starts_with("LC_") && name != "LANGUAGE"
    });
    allowed
}

/// The environment of one check.
pub(crate) fn of_check(allowed: &Environment, check: &Check, command: &CheckCommand) -> Environment {
    let mut environment = allowed.clone();
    let own = command.env.iter().map(|(name, value)| (name.as_str(), value.as_str()));
    for (name, value) in FIXED.iter().copied().chain(own).chain([(NAME_VARIABLE, check.name.as_str())]) {
        environment.insert(name.into(), value.into());
    }
    environment
}

#[cfg(test)]
mod tests {
    use super::*;
    use loopwright_config::check::CheckWork;

    #[test]
    fn colours_are_as_the_user_has_them() {
        let check = Check::verifying("true", 0).unwrap().remove(0);
        let CheckWork::Command(mut command) = check.work.clone() else { panic!("no command") };
        let seen = |allowed: &Environment, command: &CheckCommand| {
            of_check(allowed, &check, command).get(std::ffi::OsStr::new("NO_COLOR")).cloned()
        };
        assert_eq!(seen(&allowed([]), &command), None);
        let users = allowed([("NO_COLOR".into(), "1".into()), ("FORCE_COLOR".into(), "3".into())]);
        assert_eq!(seen(&users, &command), Some("1".into()));
        assert!(users.contains_key(std::ffi::OsStr::new("FORCE_COLOR")));
        command.env.insert("NO_COLOR".into(), String::new());
        assert_eq!(seen(&users, &command), Some("".into()), "a check's own word wins");
    }

    #[test]
    fn keys_and_the_users_language_stay_behind() {
        let variables = [
            ("PATH", "/bin"),
            ("GITHUB_TOKEN", "t"),
            ("LC_TIME", "de_DE"),
            ("LANGUAGE", "de"),
            ("CARGO_TARGET_DIR", "/t"),
        ];
        let passed = allowed(variables.map(|(name, value)| (name.into(), value.into())));
        let names: Vec<_> = passed.keys().collect();
        assert_eq!(names, ["CARGO_TARGET_DIR", "PATH"]);
    }
}

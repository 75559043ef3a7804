//! The environment of a check: what every program needs, fixed language and time zone, and its own variables.

use std::collections::BTreeMap;
use std::ffi::OsString;

use loopwright_process::allowed_environment;

use super::model::{Check, CheckCommand};

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

/// The same for everybody, so that the same files give the same output on every machine.
const FIXED: &[(&str, &str)] =
    &[("LC_ALL", "C.UTF-8"), ("LANG", "C.UTF-8"), ("TZ", "UTC"), ("TERM", "dumb"), ("NO_COLOR", "1")];

/// A program's whole environment.
pub(super) type Environment = BTreeMap<OsString, OsString>;

/// Of the user's variables those a check may see. Language and colours are left out: they would show in the output.
pub(super) fn allowed(variables: impl IntoIterator<Item = (OsString, OsString)>) -> Environment {
    let mut allowed = allowed_environment(variables, BUILD_FOLDERS);
    allowed.retain(|name, _| {
        let name = name.to_string_lossy();
        !name.starts_with("LC_") && !matches!(name.as_ref(), "LANGUAGE" | "COLORTERM")
    });
    allowed
}

/// The environment of one check.
pub(super) fn of_check(allowed: &Environment, check: &Check, command: &CheckCommand) -> Environment {
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

//! What of our own environment agents and checks get to see.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};

use crate::system;

/// Who and where one is, how to write, and where programs find their things. None of these hold secrets but the
/// proxies, whose passwords are hidden like all others in addresses.
const NAMES: &[&str] = &[
    "PATH",
    "HOME",
    "USER",
    "LOGNAME",
    "SHELL",
    "LANG",
    "LANGUAGE",
    "TZ",
    "TERM",
    "COLORTERM",
    "NO_COLOR",
    "TMPDIR",
    "HOSTNAME",
    // Certificates and proxies.
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "NODE_EXTRA_CA_CERTS",
    "REQUESTS_CA_BUNDLE",
    "CURL_CA_BUNDLE",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "NO_PROXY",
    "ALL_PROXY",
    "http_proxy",
    "https_proxy",
    "no_proxy",
    "all_proxy",
    // Where toolchains live.
    "CARGO_HOME",
    "RUSTUP_HOME",
    "GOPATH",
    "GOROOT",
    "JAVA_HOME",
    "NVM_DIR",
    "VOLTA_HOME",
    "PNPM_HOME",
    "BUN_INSTALL",
    "DENO_DIR",
    "PYENV_ROOT",
    "VIRTUAL_ENV",
    "CONDA_PREFIX",
    "RBENV_ROOT",
    "ASDF_DIR",
    "ASDF_DATA_DIR",
    "MISE_DATA_DIR",
    "ANDROID_HOME",
    "DOTNET_ROOT",
    "NIX_PROFILES",
    "NIX_SSL_CERT_FILE",
    // Windows.
    "SystemRoot",
    "SystemDrive",
    "windir",
    "ComSpec",
    "PATHEXT",
    "TEMP",
    "TMP",
    "USERNAME",
    "USERPROFILE",
    "HOMEDRIVE",
    "HOMEPATH",
    "APPDATA",
    "LOCALAPPDATA",
    "ProgramData",
    "ProgramFiles",
    "ProgramFiles(x86)",
    "ProgramW6432",
    "CommonProgramFiles",
    "PROCESSOR_ARCHITECTURE",
    "NUMBER_OF_PROCESSORS",
    "OS",
];

/// Beginnings of further names.
const PREFIXES: &[&str] = &["LC_", "XDG_"];

/// Parts of names whose values are secrets, and what may stand around them.
const SECRET_WORDS: &[&str] =
    &["KEY", "TOKEN", "SECRET", "PASSWORD", "PASSWD", "PASSPHRASE", "CREDENTIAL", "PAT"];

/// The variables of an environment that a child may have: the ones every program needs, and those named in
/// `extra`. Everything else, credentials above all, stays behind.
#[must_use]
pub fn allowed_environment<N: AsRef<OsStr>>(
    from: impl IntoIterator<Item = (OsString, OsString)>,
    extra: impl IntoIterator<Item = N>,
) -> BTreeMap<OsString, OsString> {
    let extra: Vec<OsString> = extra.into_iter().map(|name| name.as_ref().to_owned()).collect();
    let asked_for = |name: &OsStr| extra.iter().any(|extra| system::same_variable(extra, name));
    from.into_iter().filter(|(name, _)| is_harmless(name) || asked_for(name)).collect()
}

fn is_harmless(name: &OsStr) -> bool {
    let begins = |prefix: &&str| name.to_str().is_some_and(|name| name.starts_with(*prefix));
    NAMES.iter().any(|known| system::same_variable(OsStr::new(known), name)) || PREFIXES.iter().any(begins)
}

/// The values of an environment that are secret by their names, for [`Secrets`](crate::Secrets).
pub fn secret_values<'a>(
    environment: impl IntoIterator<Item = (&'a OsString, &'a OsString)>,
) -> impl Iterator<Item = &'a OsString> {
    environment.into_iter().filter(|(name, _)| names_secret(name)).map(|(_, value)| value)
}

fn names_secret(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    name.split(|c: char| !c.is_ascii_alphanumeric())
        .any(|part| SECRET_WORDS.iter().any(|word| part == *word || word.len() > 3 && part.contains(word)))
        || name.ends_with("APIKEY")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment(pairs: &[(&str, &str)]) -> Vec<(OsString, OsString)> {
        pairs.iter().map(|(name, value)| ((*name).into(), (*value).into())).collect()
    }

    #[test]
    fn only_harmless_and_named_variables_pass() {
        let all = environment(&[
            ("PATH", "/bin"),
            ("LC_ALL", "C"),
            ("XDG_CONFIG_HOME", "/c"),
            ("ANTHROPIC_API_KEY", "x"),
            ("AWS_SECRET_ACCESS_KEY", "y"),
            ("LD_PRELOAD", "/evil.so"),
            ("NODE_OPTIONS", "--require x"),
            ("SSH_AUTH_SOCK", "/s"),
            ("LOOPWRIGHT_ITERATION", "outer"),
        ]);
        let names = |extra: &[&str]| -> Vec<String> {
            let allowed = allowed_environment(all.clone(), extra);
            allowed.into_keys().map(|name| name.into_string().unwrap()).collect()
        };
        assert_eq!(names(&[]), ["LC_ALL", "PATH", "XDG_CONFIG_HOME"]);
        let named = names(&["ANTHROPIC_API_KEY", "NOT_SET"]);
        assert_eq!(named, ["ANTHROPIC_API_KEY", "LC_ALL", "PATH", "XDG_CONFIG_HOME"]);
    }

    #[test]
    fn secrets_are_told_by_their_names() {
        for name in ["API_KEY", "GITHUB_TOKEN", "db_password", "MY_SECRETS", "GITLAB_PAT", "OPENAI_APIKEY"] {
            assert!(names_secret(OsStr::new(name)), "{name}");
        }
        for name in ["PATH", "HOME", "MONKEY_ISLAND", "KEYBOARD", "COMPAT", "PATTERN"] {
            assert!(!names_secret(OsStr::new(name)), "{name}");
        }
    }
}

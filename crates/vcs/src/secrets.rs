//! Files that never enter a checkpoint or a commit, by their names.

/// Endings of files that show what an environment file looks like without holding anything.
const HARMLESS_ENDINGS: &[&str] = &["example", "sample", "template", "dist", "defaults", "schema"];
/// Whole names, in lower case.
const NAMES: &[&str] = &[
    ".netrc",
    "_netrc",
    ".pypirc",
    ".pgpass",
    ".htpasswd",
    ".git-credentials",
    ".dockercfg",
    "credentials.json",
    "id_rsa",
    "id_dsa",
    "id_ecdsa",
    "id_ed25519",
    "secrets.json",
    "secrets.yml",
    "secrets.yaml",
    "secrets.toml",
    "service-account.json",
];
/// Endings, in lower case.
const ENDINGS: &[&str] =
    &[".pem", ".key", ".p12", ".pfx", ".jks", ".keystore", ".kdbx", ".ppk", ".token", ".tfstate"];
/// The last two parts of a path.
const PLACES: &[&str] = &[".aws/credentials", ".docker/config.json", ".ssh/config", ".kube/config"];

/// Whether a path, as git writes it, is that of a file with secrets: environment files, keys, tokens.
#[must_use]
pub fn is_secret(path: &[u8]) -> bool {
    let path = String::from_utf8_lossy(path).to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    is_environment(name)
        || NAMES.contains(&name)
        || ENDINGS.iter().any(|ending| name.ends_with(ending) && !name.ends_with(".pub"))
        || PLACES.iter().any(|place| path == *place || path.ends_with(&format!("/{place}")))
}

/// Whether a file of this name may hold secrets and is often committed without any: a new one is worth a look.
#[must_use]
pub fn may_hold_secrets(path: &[u8]) -> bool {
    let path = String::from_utf8_lossy(path).to_ascii_lowercase();
    let name = path.rsplit('/').next().unwrap_or(&path);
    [".npmrc", "kubeconfig", ".kubeconfig", "kube.config"].contains(&name) || name.ends_with(".kubeconfig")
}

/// `.env`, `.env.local`, `prod.env`, `.envrc`; not `.env.example`.
fn is_environment(name: &str) -> bool {
    if matches!(name, ".env" | ".envrc") || (name.ends_with(".env") && name.len() > ".env".len()) {
        return true;
    }
    name.strip_prefix(".env.").or_else(|| name.strip_prefix(".env-")).is_some_and(|rest| {
        !HARMLESS_ENDINGS.iter().any(|ending| rest == *ending || rest.ends_with(&format!(".{ending}")))
    })
}

/// Whether a path belongs to what Loopwright itself writes while it works. A project may be in a subfolder.
#[must_use]
pub fn is_own_state(path: &[u8]) -> bool {
    is_below(path, b".loopwright/run/") || is_below(path, b".loopwright/state/")
}

/// Whether a path leads through a folder of this name, with a slash at its end.
pub(crate) fn is_below(path: &[u8], folder: &[u8]) -> bool {
    let begins = |at: usize| path.get(at..).is_some_and(|rest| rest.starts_with(folder));
    begins(0) || path.iter().enumerate().any(|(at, byte)| *byte == b'/' && begins(at + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_known_by_their_names() {
        for secret in [
            ".env",
            "app/.env.local",
            ".ENV.production",
            "prod.env",
            ".envrc",
            "certs/server.key",
            "a.PEM",
            "home/id_ed25519",
            ".aws/credentials",
            "x/.docker/config.json",
            ".netrc",
        ] {
            assert!(is_secret(secret.as_bytes()), "{secret}");
        }
        for harmless in [
            ".env.example",
            ".env.local.sample",
            "environment.rs",
            "src/env.rs",
            "id_ed25519.pub",
            "credentials",
            "keys.md",
            "env",
            "monkey",
            "",
        ] {
            assert!(!is_secret(harmless.as_bytes()), "{harmless}");
        }
    }

    #[test]
    fn some_names_are_worth_a_look() {
        for name in [".npmrc", "deploy/kubeconfig", "prod.kubeconfig"] {
            assert!(may_hold_secrets(name.as_bytes()) && !is_secret(name.as_bytes()), "{name}");
        }
        assert!(!may_hold_secrets(b"npmrc.md") && !may_hold_secrets(b"src/kubeconfig.rs"));
    }

    #[test]
    fn only_the_working_folders_are_our_own_state() {
        assert!(is_own_state(b".loopwright/run/signal.json") && is_own_state(b".loopwright/state/state.db"));
        assert!(is_own_state(b"x/.loopwright/run/a"));
        assert!(!is_own_state(b".loopwright/config.toml") && !is_own_state(b"x.loopwright/run/a"));
    }
}

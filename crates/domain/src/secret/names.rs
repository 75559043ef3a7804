//! Names that tell what their values are: `DB_PASSWORD`, `X-Api-Key`, `api_key`.

/// What a name promises.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NameKind {
    /// What people think of.
    Password,
    /// What machines make.
    Key,
}

use NameKind::{Key, Password};

/// Names, or their endings, as they are spelled. Each is here in lower case too.
pub const NAMES: &[(NameKind, &[&str])] = &[
    (Password, &["PASSWORD", "PASSWD", "PASSPHRASE", "password", "Password", "passwd", "passphrase"]),
    (Key, &["SECRET", "TOKEN", "API_KEY", "APIKEY", "ACCESS_KEY", "PRIVATE_KEY", "SECRET_KEY", "AUTH_KEY"]),
    (Key, &["secret", "token", "api_key", "apikey", "access_key", "private_key", "secret_key", "auth_key"]),
    (Key, &["Secret", "Token", "apiKey", "ApiKey", "AccessKey", "PrivateKey", "SecretKey", "AuthKey"]),
    (Key, &["accessKey", "privateKey", "secretKey", "authKey"]),
    (Key, &["accesskey", "privatekey", "secretkey", "authkey"]),
    (Key, &["api-key", "Api-Key", "API-Key", "API-KEY", "auth-token", "Auth-Token", "auth-key", "Auth-Key"]),
    (Key, &["CREDENTIAL", "credential", "Credential"]),
];

/// Whether one of the names stands in a text, which is in lower case.
#[must_use]
pub fn has_name(lower: &str) -> bool {
    let all = NAMES.iter().flat_map(|(_, names)| names.iter());
    all.filter(|name| is_lower(name)).any(|name| lower.contains(name))
}

fn is_lower(name: &str) -> bool {
    !name.bytes().any(|byte| byte.is_ascii_uppercase())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_is_known_in_lower_case() {
        let all: Vec<&str> = NAMES.iter().flat_map(|(_, names)| names.iter().copied()).collect();
        for name in &all {
            assert!(all.contains(&name.to_ascii_lowercase().as_str()), "{name}");
        }
        assert!(has_name("db_password = 1") && !has_name("passport = 1"));
    }
}

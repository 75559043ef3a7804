//! Values under telling names are hidden; code and talk about passwords is not.
use loopwright_process::Secrets;

/// A text with a gap, and the value that stands there. They are put together in the tests, so that no file holds
/// anything like a secret.
const HIDDEN: &[(&str, &str)] = &[
    ("DB_PASSWORD=\"@\"", "correct horse"),
    ("DB_PASSWORD='@'", "hunter2x"),
    ("export DB_PASSWORD=@\n", "correcthorse"),
    ("DB_PASSWORD: @\n", "hunter2x"),
    ("password=@;Server=x", "hunter22"),
    ("\"password\": \"@\"", "hunter22"),
    ("{\\\"password\\\":\\\"@\\\"}", "hunter22"),
    ("curl -H 'X-Api-Key: @'", "3f9ab27c41"),
    ("x-api-key: @\r\n", "3f9ab27c41"),
    ("STRIPE_API_KEY=@\n", "q7Xp2mVb9Lr4"),
    ("MY_SERVICE_API_KEY=\"@\"", "q7Xp2mVb9Lr4"),
    ("TWILIO_AUTH_TOKEN=@ ", "9f86d081884c7d659a2feaa0c55ad015"),
    ("JWT_SECRET=@", "s3cr3tval"),
    ("const apiKey = \"@\";", "q7Xp2mVb9Lr4Tz8Kw1Nd"),
    ("api_key: @\n", "q7Xp2mVb9Lr4Tz8Kw1Nd"),
    ("https://host/path?api_key=@&x=1", "q7Xp2mVb9Lr4"),
    // Names that gates know.
    ("SERVICE_CREDENTIAL=@\n", "q7Xp2mVb9Lr4"),
    ("accesskey=@;", "q7Xp2mVb9Lr4"),
    ("secret => '@'", "q7Xp2mVb9Lr4Tz8K"),
];

const ORDINARY: &[&str] = &[
    "password: string",
    "password: Option<String>,",
    "let password = read_password(1)?;",
    "password = \"changeme\"",
    "\"password\": \"Password\"",
    "label: \"Enter your password: \"",
    "Enter password: ",
    "password=***",
    "password=${DB_PASSWORD1}",
    "PASSWORD=$PASSWORD1",
    "PASSWORD=",
    "DB_PASSWORD=\"\"",
    "\"input_tokens\":1234567,\"output_tokens\":89",
    "max_tokens=200000",
    "MAX_TOKEN=200000",
    "token: \"user_id\"",
    "token = next_token_2(abc1)",
    "const token: Token2 = tokens[3];",
    "token: sha256_of_v2_thing",
    "secret: Uint8Array",
    "the secret: never give up 2 times",
    "API_KEY=process.env.API_KEY1",
    "api_key = os.environ[\"SERVICE_API_KEY_2\"]",
    "apiKey: process.env.API_KEY",
    "X-Api-Key: <your key 1>",
    "SECRET_KEY_BASE and API_KEY are read from the environment",
    "error[E0425]: cannot find value `token` in this scope",
    "token=$(gh auth token)",
    "secret_key = \"{{ vault.key1 }}\"",
    "private_key: \"-----BEGIN PUBLIC KEY-----\"",
    "TOKEN: ${{ secrets.GITHUB_TOKEN }}",
    "`password` and `token` are strings of 1 to 64 characters",
    // Shapes that are close to those of services.
    "SKIP and ACCEPT, SK1, ACDC",
    "the path patchAbCdEfGhIjK.js",
    "12:30:45:AABB and 127.0.0.1:AAAA",
    "2026-11-18T00:00:00.000Z 00a 00b-00c",
    "MD5 MTU NTP ODT.file.name",
    "monkey-0123456789",
    "commit 00f3e1a2b3c4d5e6f708192a3b4c5d6e7f809102",
];

#[test]
fn a_value_under_a_telling_name_is_hidden_and_its_name_stays() {
    let secrets = Secrets::built_in();
    for (gap, value) in HIDDEN {
        let clean = secrets.redact(&gap.replace('@', value)).into_owned();
        assert_eq!(clean, gap.replace('@', "[redacted:value]"));
    }
}

#[test]
fn ordinary_text_stays() {
    let secrets = Secrets::built_in();
    for text in ORDINARY {
        for text in [(*text).to_owned(), format!("{text}\n"), format!("{{\"text\":\"{text}\"}}")] {
            assert_eq!(secrets.redact(&text), text);
        }
    }
}

/// In files a telling name alone proves nothing: tests and examples are full of them.
#[test]
fn for_files_only_known_values_and_tokens_count() {
    let secrets = Secrets::with_values(["correct-horse"]);
    for (gap, value) in HIDDEN {
        assert!(!secrets.stands_in(&gap.replace('@', value)), "{gap}");
    }
    let token = format!("TOKEN=key-{}", "0123456789abcdef".repeat(2));
    assert!(secrets.stands_in(&token) && secrets.stands_in("password = \"correct-horse\""));
}

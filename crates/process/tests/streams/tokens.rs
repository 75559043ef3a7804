//! A made-up token of every service. They are put together here so that no file holds anything like a token.

use crate::split::Numbers;

const LOWER: &str = "abcdefghijklmnopqrstuvwxyz0123456789";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const URL: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-";
const BASE64: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const HEX: &str = "0123456789abcdef";

/// What a token begins with, what it is made of, and how long that is in real ones.
const FORMS: &[(&str, &str, usize)] = &[
    ("ghp_", ALNUM, 36),
    ("gho_", ALNUM, 36),
    ("ghu_", ALNUM, 36),
    ("ghs_", ALNUM, 36),
    ("ghr_", ALNUM, 76),
    ("github_pat_11", ALNUM, 80),
    ("glpat-", URL, 20),
    ("gldt-", URL, 20),
    ("glrt-", URL, 20),
    ("glptt-", HEX, 40),
    ("glcbt-64_", URL, 20),
    ("AKIA", UPPER, 16),
    ("ASIA", UPPER, 16),
    ("AIza", URL, 35),
    ("ya29.", URL, 120),
    ("GOCSPX-", URL, 28),
    ("xoxb-", ALNUM, 50),
    ("xoxp-", HEX, 60),
    ("xapp-1-A0123456789-", HEX, 64),
    ("hooks.slack.com/services/T", "ABCDEFGHIJ0123456789/", 43),
    ("sk_live_", ALNUM, 24),
    ("rk_test_", ALNUM, 24),
    ("whsec_", ALNUM, 32),
    ("npm_", ALNUM, 36),
    ("pypi-AgEIcHlwaS5vcmc", URL, 150),
    ("rubygems_", HEX, 48),
    ("sk-proj-", URL, 120),
    ("sk-svcacct-", URL, 120),
    ("sk-", ALNUM, 48),
    ("sk-ant-api03-", URL, 95),
    ("sk-or-v1-", HEX, 64),
    ("hf_", ALNUM, 34),
    ("gsk_", ALNUM, 52),
    ("xai-", ALNUM, 80),
    ("pplx-", ALNUM, 48),
    ("r8_", ALNUM, 37),
    ("tvly-", ALNUM, 32),
    ("dop_v1_", HEX, 64),
    ("shpat_", HEX, 32),
    ("dckr_pat_", URL, 27),
    ("dapi", HEX, 32),
    ("lin_api_", ALNUM, 40),
    ("ntn_", ALNUM, 46),
    ("ATATT3xFfGF0", URL, 180),
    ("ATBB", ALNUM, 32),
    ("dp.pt.", ALNUM, 43),
    ("hvs.", URL, 90),
    ("pul-", HEX, 40),
    ("NRAK-", UPPER, 27),
    ("glsa_", ALNUM, 41),
    ("sntrys_", BASE64, 90),
    ("sq0atp-", URL, 22),
    ("AGE-SECRET-KEY-1", UPPER, 58),
    ("fm2_", BASE64, 120),
    ("pscale_tkn_", URL, 43),
    ("sbp_", HEX, 40),
    ("nfp_", ALNUM, 36),
    ("PMAK-", HEX, 59),
    ("figd_", URL, 40),
    ("dt0c01.", UPPER, 88),
    ("bkua_", HEX, 40),
    ("CCIPAT_", ALNUM, 64),
    ("CFPAT-", URL, 43),
    ("SG.", URL, 66),
    ("SK", HEX, 32),
    ("AC", HEX, 32),
    ("key-", HEX, 32),
    ("patAbCdEfGhIjK1Mn.", HEX, 64),
    ("MTIzNDU2Nzg5MDEyMzQ1Njc4.GaBcD1.", URL, 38),
    ("123456789:AA", URL, 33),
    ("00QzX", URL, 37),
    ("discord.com/api/webhooks/123456789012345678/", URL, 68),
];

/// A run of characters that looks random; the part of each token that must not be seen.
fn run(characters: &str, length: usize, numbers: &mut Numbers) -> String {
    let characters: Vec<char> = characters.chars().collect();
    (0..length).map(|_| characters[numbers.below(characters.len())]).collect()
}

/// Texts with a secret in them, and the part that must be gone.
pub(crate) fn corpus(seed: u64) -> Vec<(String, String)> {
    let numbers = &mut Numbers(seed);
    let mut corpus: Vec<(String, String)> = FORMS
        .iter()
        .map(|(prefix, characters, length)| {
            let secret = run(characters, *length, numbers);
            (format!("{prefix}{secret}"), secret)
        })
        .collect();
    let mut add = |before: &str, characters: &str, length: usize, after: &str| {
        let secret = run(characters, length, numbers);
        corpus.push((format!("{before}{secret}{after}"), secret));
    };
    add("Authorization: Bearer ", URL, 40, "\n");
    add("\"authorization\": \"Basic ", BASE64, 24, "\"");
    add("Authorization: token ", HEX, 40, "");
    add("Authorization: SSWS 00", URL, 40, "\n");
    add(concat!("DB_PASSWORD", "=\""), ALNUM, 16, "\"");
    add("X-Api-Key: 7a", ALNUM, 30, "\r\n");
    add("SERVICE_API_KEY=7a", ALNUM, 22, "\n");
    add("{\\\"api_key\\\": \\\"7a", ALNUM, 30, "\\\"}");
    add("https://someone:", LOWER, 12, "@example.org/repo.git");
    add("postgres://app:", ALNUM, 16, "@db:5432/app");
    add("aws_secret_access_key = ", BASE64, 40, "\n");
    add("\"SecretAccessKey\": \"9", BASE64, 40, "\",");
    add("AccountKey=", BASE64, 86, "==;EndpointSuffix=x");
    add("//registry/:_authToken=", ALNUM, 36, "\n");
    add("{\"access_token\":\"1", URL, 60, "\"}");
    add(&format!("eyJ{}.eyJ", "hbGciOiJIUzI1NiJ9"), URL, 120, " ok");
    for (kind, line_break) in [("RSA ", "\n"), ("", "\\n"), ("OPENSSH ", "\r\n"), ("EC ", "\n    ")] {
        let secret = run(BASE64, 64, numbers);
        let (begin, end) = (format!("-----BEGIN {kind}PRIV"), format!("-----END {kind}PRIV"));
        let text = format!(
            "{begin}ATE KEY-----{line_break}{secret}{line_break}{secret}{line_break}{end}ATE KEY-----\n"
        );
        corpus.push((text, secret));
    }
    corpus
}

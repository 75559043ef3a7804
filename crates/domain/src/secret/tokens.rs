//! What the tokens of well-known services look like.

use super::alphabet::Alphabet;

/// The form of one service's tokens: a beginning that nothing else has, and a run of characters.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// What to call it.
    pub kind: &'static str,
    /// How it begins.
    pub prefixes: &'static [&'static str],
    /// What follows.
    pub alphabet: Alphabet,
    /// How many characters follow at least.
    pub min: usize,
    /// And at most; longer runs are something else.
    pub max: Option<usize>,
}

const fn token(
    kind: &'static str,
    prefixes: &'static [&'static str],
    alphabet: Alphabet,
    min: usize,
) -> Token {
    Token { kind, prefixes, alphabet, min, max: None }
}

const fn exactly(
    kind: &'static str,
    prefixes: &'static [&'static str],
    alphabet: Alphabet,
    length: usize,
) -> Token {
    Token { kind, prefixes, alphabet, min: length, max: Some(length) }
}

use Alphabet as A;

/// Every known form. The order decides where one beginning is part of another: the more exact comes first.
pub const TOKENS: &[Token] = &[
    token("anthropic", &["sk-ant-"], A::URL, 20),
    token("openrouter", &["sk-or-"], A::URL, 20),
    token("openai", &["sk-proj-", "sk-svcacct-", "sk-admin-", "sess-"], A::URL, 20),
    token("api-key", &["sk-"], A::ALNUM, 32),
    token("github", &["ghp_", "gho_", "ghu_", "ghs_", "ghr_"], A::ALNUM, 36),
    token("github", &["github_pat_"], A::WORD, 30),
    token("gitlab", &["glpat-", "gldt-", "glrt-", "glcbt-", "glptt-", "glft-", "glimt-"], A::DOTTED, 20),
    token("gitlab", &["glsoat-", "glagent-", "gloas-", "glffct-"], A::DOTTED, 20),
    exactly("aws", &["AKIA", "ASIA", "ABIA", "ACCA"], A::ALNUM, 16),
    exactly("google", &["AIza"], A::URL, 35),
    token("google", &["ya29."], A::DOTTED, 20),
    token("google", &["GOCSPX-"], A::URL, 24),
    token("slack", &["xoxa-", "xoxb-", "xoxe-", "xoxo-", "xoxp-", "xoxr-", "xoxs-"], A::URL, 12),
    token("slack", &["xapp-"], A::URL, 20),
    token("slack", &["hooks.slack.com/services/"], A::BASE64, 30),
    token("discord", &["discord.com/api/webhooks/", "discordapp.com/api/webhooks/"], A::CREDENTIAL, 40),
    token("stripe", &["sk_live_", "sk_test_", "rk_live_", "rk_test_"], A::ALNUM, 16),
    token("stripe", &["whsec_"], A::BASE64, 24),
    token("npm", &["npm_"], A::ALNUM, 36),
    token("pypi", &["pypi-AgE"], A::URL, 40),
    token("rubygems", &["rubygems_"], A::HEX, 48),
    token("hugging-face", &["hf_"], A::ALNUM, 34),
    token("digitalocean", &["dop_v1_", "doo_v1_", "dor_v1_"], A::HEX, 64),
    token("shopify", &["shpat_", "shpca_", "shppa_", "shpss_"], A::HEX, 32),
    token("docker", &["dckr_pat_", "dckr_oat_"], A::URL, 20),
    exactly("databricks", &["dapi"], A::HEX, 32),
    token("linear", &["lin_api_", "lin_oauth_"], A::ALNUM, 32),
    token("notion", &["ntn_"], A::ALNUM, 40),
    token("atlassian", &["ATATT3xFf", "ATCTT3xFf"], A::CREDENTIAL, 40),
    token("bitbucket", &["ATBB"], A::ALNUM, 32),
    token("doppler", &["dp.pt.", "dp.st.", "dp.ct.", "dp.sa."], A::DOTTED, 40),
    token("vault", &["hvs.", "hvb.", "hvr."], A::URL, 24),
    exactly("pulumi", &["pul-"], A::HEX, 40),
    token("new-relic", &["NRAK-", "NRJS-"], A::ALNUM, 19),
    token("grafana", &["glsa_"], A::WORD, 32),
    token("sentry", &["sntrys_", "sntryu_"], A::CREDENTIAL, 40),
    token("square", &["sq0atp-", "sq0csp-"], A::URL, 22),
    token("age", &["AGE-SECRET-KEY-1"], A::ALNUM, 58),
    token("fly", &["fm2_", "fo1_"], A::CREDENTIAL, 40),
    token("groq", &["gsk_"], A::ALNUM, 40),
    token("xai", &["xai-"], A::ALNUM, 60),
    token("perplexity", &["pplx-"], A::ALNUM, 40),
    token("replicate", &["r8_"], A::ALNUM, 37),
    token("tavily", &["tvly-"], A::URL, 28),
    token("planetscale", &["pscale_tkn_", "pscale_pw_", "pscale_oauth_"], A::DOTTED, 30),
    token("supabase", &["sbp_"], A::HEX, 40),
    token("supabase", &["sb_secret_"], A::URL, 20),
    token("netlify", &["nfp_"], A::ALNUM, 36),
    token("postman", &["PMAK-"], A::URL, 50),
    token("figma", &["figd_"], A::URL, 36),
    token("dynatrace", &["dt0c01."], A::DOTTED, 60),
    token("buildkite", &["bkua_"], A::HEX, 40),
    token("circleci", &["CCIPAT_"], A::WORD, 40),
    token("contentful", &["CFPAT-"], A::URL, 40),
    token("sendgrid", &["SG."], A::DOTTED, 60),
    exactly("twilio", &["SK", "AC"], A::HEX, 32),
    exactly("mailgun", &["key-", "pubkey-"], A::HEX, 32),
    token("terraform", &["atlasv1."], A::URL, 60),
    token("onepassword", &["ops_eyJ"], A::CREDENTIAL, 60),
];

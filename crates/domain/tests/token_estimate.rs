//! The estimate of tokens against a real tokenizer, on texts that it was not fitted to.
//!
//! The counts are those of `o200k_base`, as the npm package `gpt-tokenizer` has it:
//! `encode(readFileSync(file, "utf8")).length`.

use std::path::Path;

use loopwright_domain::estimate_tokens;

/// The most that an estimate may be wrong, in percent.
const MOST_WRONG: f64 = 10.0;

#[test]
fn an_estimate_is_near_a_tokenizers_count_on_code_prose_and_cjk() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tokens");
    for (name, counted) in [
        ("rust", 1338.0),
        ("typescript", 1053.0),
        ("python", 546.0),
        ("prose", 1353.0),
        ("chinese", 202.0),
        ("japanese", 222.0),
        ("korean", 191.0),
    ] {
        let text = std::fs::read_to_string(folder.join(format!("{name}.txt"))).unwrap();
        let estimated = f64::from(u32::try_from(estimate_tokens(&text)).unwrap());
        let wrong = 100.0 * (estimated - counted) / counted;
        println!("{name}: {estimated} estimated, {counted} counted, {wrong:+.1} %");
        assert!(wrong.abs() <= MOST_WRONG, "{name}: {estimated} for {counted}");
    }
}

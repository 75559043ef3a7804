//! Content digests as text.

use sha2::{Digest, Sha256};

/// The SHA-256 of some bytes, in lowercase hexadecimal.
#[must_use]
pub fn sha256_hex(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect()
}

/// A short name for something long, for file names and labels: the first 24 digits of its digest.
#[must_use]
pub fn short_name(bytes: &[u8]) -> String {
    let mut name = sha256_hex(bytes);
    name.truncate(24);
    name
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_are_the_standard_ones() {
        assert_eq!(sha256_hex(b""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
        assert_eq!(short_name(b""), "e3b0c44298fc1c149afbf4c8");
    }
}

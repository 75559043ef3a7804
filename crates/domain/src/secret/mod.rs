//! What counts as a secret: the one definition, for what is hidden before it is written or shown and for what may not be
//! committed unseen.
//!
//! The two use it in different places. Output is hidden as it arrives, and may be hidden once too often; a line of source
//! is a reason to ask a person, and source files are full of names and examples.

mod alphabet;
mod names;
mod tokens;
mod values;

pub use alphabet::Alphabet;
pub use names::{NAMES, NameKind, has_name};
pub use tokens::{TOKENS, Token};
pub use values::{
    is_example, is_mixed, is_name, is_path_of_names, is_placeholder, is_random, looks_random_in_source,
};

/// How the armour of a key begins.
pub const KEY_BEGINS: &str = "-----BEGIN ";
/// How the label of a private key ends.
pub const PRIVATE_KEYS: &[&str] = &["PRIVATE KEY", "PRIVATE KEY BLOCK"];

/// Whether a line begins a private key; what follows proves nothing by itself.
#[must_use]
pub fn begins_private_key(line: &str) -> bool {
    line.contains(KEY_BEGINS.trim_end()) && PRIVATE_KEYS.iter().any(|label| line.contains(label))
}

//! Enums that are one word each: the same word in JSON, in the database, on the command line and in the UI.

/// Declares an enum whose variants are words, with `ALL`, `as_str`, `parse` and `Display`.
macro_rules! words {
    ($(#[$doc:meta])* $name:ident { $( $(#[$variant_doc:meta])* $variant:ident = $text:literal, )+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        #[cfg_attr(feature = "specta", derive(specta::Type))]
        pub enum $name {
            $( $(#[$variant_doc])* #[serde(rename = $text)] $variant, )+
        }

        impl $name {
            /// Every one, in the order people meet them.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The words of all of them, in the same order.
            pub const WORDS: &[&'static str] = &[$($text),+];

            /// The word.
            #[must_use]
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$variant => $text),+ }
            }

            /// The one with this word.
            #[must_use]
            pub fn parse(word: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|one| one.as_str() == word)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.as_str())
            }
        }
    };
}

pub(crate) use words;

//! The words of a text as people read it: code is left out, case does not matter.

/// Words that can mean anything: nobody can tell whether they are met.
const VAGUE: &[&str] = &[
    "adequate",
    "and so on",
    "appropriate",
    "appropriately",
    "as needed",
    "as required",
    "easily",
    "easy to use",
    "efficient",
    "efficiently",
    "etc",
    "fast",
    "flexible",
    "if necessary",
    "if possible",
    "intuitive",
    "maybe",
    "modern",
    "nice",
    "performant",
    "probably",
    "properly",
    "quickly",
    "reasonable",
    "reliably",
    "robust",
    "scalable",
    "seamless",
    "seamlessly",
    "smooth",
    "state of the art",
    "sufficient",
    "user friendly",
    "where possible",
];

/// What is left to be decided.
const OPEN: &[&str] =
    &["fixme", "tba", "tbc", "tbd", "to be decided", "to be defined", "to be determined", "todo"];

/// A text as one line of lower-case words with blanks between and around them, so that whole words are found by
/// searching for them with blanks around.
pub(super) struct Prose(String);

impl Prose {
    pub(super) fn new(text: &str) -> Self {
        let mut words = String::from(" ");
        let mut fence: Option<&str> = None;
        for line in text.lines() {
            let start = line.trim_start();
            let mark = ["```", "~~~"].into_iter().find(|mark| start.starts_with(mark));
            match (fence, mark) {
                (Some(open), Some(mark)) if open == mark => fence = None,
                (None, Some(mark)) => fence = Some(mark),
                (Some(_), _) => {}
                // Every second piece between backticks is code.
                (None, None) => line.split('`').step_by(2).for_each(|piece| push_words(&mut words, piece)),
            }
        }
        Self(words)
    }

    /// Whether it has these words, one after the other; they are [folded](fold).
    pub(super) fn has(&self, folded: &str) -> bool {
        !folded.trim().is_empty() && self.0.contains(folded)
    }

    pub(super) fn vague_words(&self) -> Vec<&'static str> {
        self.which(VAGUE)
    }

    pub(super) fn open_points(&self) -> Vec<&'static str> {
        self.which(OPEN)
    }

    fn which(&self, known: &[&'static str]) -> Vec<&'static str> {
        known.iter().copied().filter(|words| self.0.contains(&format!(" {words} "))).collect()
    }

    pub(super) fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split_whitespace()
    }
}

/// Words as [`Prose`] holds them, with blanks around.
pub(super) fn fold(text: &str) -> String {
    let mut words = String::from(" ");
    push_words(&mut words, text);
    words
}

fn push_words(words: &mut String, text: &str) {
    for word in text.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()) {
        words.push_str(&word.to_lowercase());
        words.push(' ');
    }
}

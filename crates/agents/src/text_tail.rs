//! Text of which only the end is kept when it grows too long.

/// How much of an agent's own text is kept at least; twice as much at most.
pub(crate) const OWN_TEXT_LIMIT: usize = 4 * 1024 * 1024;

/// What stands where the beginning was dropped. It keeps a cut line from looking like a whole one.
const MARK: &str = "…";

/// Text of which at least the last `limit` bytes are there.
#[derive(Clone, Debug)]
pub(crate) struct TextTail {
    text: String,
    limit: usize,
    cut: bool,
}

impl TextTail {
    pub(crate) const fn new(limit: usize) -> Self {
        Self { text: String::new(), limit, cut: false }
    }

    /// Adds text. Dropping is put off until twice the limit is there, so that each byte is moved about once.
    pub(crate) fn push(&mut self, text: &str) {
        self.text.push_str(text);
        if self.text.len() > self.limit * 2 {
            self.trim();
        }
    }

    /// Adds another one's text, and that it was cut.
    pub(crate) fn push_tail(&mut self, other: &Self) {
        self.cut |= other.cut;
        self.push(&other.text);
    }

    /// Begins a new line, unless at the beginning of one.
    pub(crate) fn new_line(&mut self) {
        if !self.text.is_empty() && !self.text.ends_with('\n') {
            self.text.push('\n');
        }
    }

    pub(crate) fn clear(&mut self) {
        self.text.clear();
        self.cut = false;
    }

    pub(crate) fn as_str(&self) -> &str {
        &self.text
    }

    pub(crate) const fn is_empty(&self) -> bool {
        self.text.is_empty()
    }

    /// Whether something was dropped.
    pub(crate) const fn is_cut(&self) -> bool {
        self.cut
    }

    fn trim(&mut self) {
        let mut start = self.text.len().saturating_sub(self.limit);
        while !self.text.is_char_boundary(start) {
            start += 1;
        }
        self.cut = true;
        self.text.replace_range(..start, MARK);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_end_is_kept_and_memory_is_bounded() {
        let mut tail = TextTail::new(100);
        for number in 0..1000 {
            tail.push(&format!("zeile {number} äöü\n"));
            assert!(tail.text.len() <= 200, "{}", tail.text.len());
        }
        assert!(tail.is_cut() && tail.as_str().starts_with(MARK));
        assert!(tail.as_str().ends_with("zeile 999 äöü\n"));
    }
}

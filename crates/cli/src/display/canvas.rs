//! Drawing below lines that stay: a few lines at the end of the terminal's text are replaced by others.

use anstream::adapter::strip_str;

use crate::output::columns;

/// Terminals that know it show what stands between these two at once; the others ignore them.
const BEGIN: &str = "\u{1b}[?2026h";
const END: &str = "\u{1b}[?2026l";
const CLEAR_TO_END: &str = "\u{1b}[J";
const SPINNER: [char; 10] = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];

/// What stands at the end of the terminal's text, the cursor behind it.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    /// How many columns each of its lines takes.
    drawn: Vec<usize>,
    frame: usize,
}

impl Canvas {
    /// What to send to a terminal of so many columns: `lines` are added to the text that stays, `area` stands behind it
    /// in place of what was drawn before. No line of the area may be wider than the terminal.
    pub(super) fn redraw(&mut self, lines: &[String], area: &[String], width: usize) -> String {
        if lines.is_empty() && area.is_empty() && self.drawn.is_empty() {
            return String::new();
        }
        let mut text = BEGIN.to_owned();
        if !self.drawn.is_empty() {
            let up = self.rows(width).saturating_sub(1);
            if up > 0 {
                text.push_str(&format!("\u{1b}[{up}A"));
            }
            text.push('\r');
            text.push_str(CLEAR_TO_END);
        }
        for line in lines {
            text.push_str(line);
            text.push_str("\r\n");
        }
        let area = self.with_spinner(area);
        text.push_str(&area.join("\r\n"));
        text.push_str(END);
        self.drawn = area.iter().map(|line| columns(&strip_str(line).to_string())).collect();
        text
    }

    /// How many rows the area takes by now: a terminal that became narrower has wrapped its lines.
    fn rows(&self, width: usize) -> usize {
        self.drawn.iter().map(|columns| columns.div_ceil(width.max(1)).max(1)).sum()
    }

    /// The first line begins with something that moves, the others below it.
    fn with_spinner(&mut self, area: &[String]) -> Vec<String> {
        self.frame = (self.frame + 1) % SPINNER.len();
        let spinner = SPINNER.get(self.frame).copied().unwrap_or(' ');
        let line = |(place, line)| if place == 0 { format!("{spinner} {line}") } else { format!("  {line}") };
        area.iter().enumerate().map(line).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(of: &[&str]) -> Vec<String> {
        of.iter().map(|text| (*text).to_owned()).collect()
    }

    fn screen(parser: &vt100::Parser) -> Vec<String> {
        let rows = parser.screen().rows(0, 40).map(|row| row.trim_end().to_owned());
        rows.filter(|row| !row.is_empty()).collect()
    }

    #[test]
    fn lines_stay_and_the_area_is_replaced() {
        let mut parser = vt100::Parser::new(10.try_into().unwrap(), 40.try_into().unwrap(), 0);
        let mut canvas = Canvas::default();
        parser.process(canvas.redraw(&texts(&["first"]), &texts(&["working", "1/3"]), 40).as_bytes());
        assert_eq!(screen(&parser), ["first", "⠙ working", "  1/3"]);
        parser.process(canvas.redraw(&texts(&["second 茶室"]), &texts(&["checking"]), 40).as_bytes());
        assert_eq!(screen(&parser), ["first", "second 茶室", "⠹ checking"]);
        parser.process(canvas.redraw(&texts(&["last"]), &[], 40).as_bytes());
        assert_eq!(screen(&parser), ["first", "second 茶室", "last"]);
        assert_eq!(canvas.redraw(&[], &[], 40), "", "nothing to draw");
    }

    #[test]
    fn lines_end_where_their_text_ends_so_that_a_wider_terminal_does_not_join_them() {
        let drawing = Canvas::default().redraw(&texts(&["one", "two"]), &[], 40);
        assert!(drawing.contains("one\r\ntwo\r\n"), "{drawing:?}");
    }

    #[test]
    fn an_area_that_the_terminal_has_wrapped_is_taken_away_whole() {
        let mut canvas = Canvas::default();
        canvas.redraw(&[], &[format!("{:50}|", ""), "short".to_owned()], 80);
        assert!(canvas.redraw(&[], &[], 80).contains("\u{1b}[1A\r\u{1b}[J"));
        canvas.redraw(&[], &[format!("{:50}|", ""), "short".to_owned()], 80);
        assert!(canvas.redraw(&[], &[], 30).contains("\u{1b}[2A\r\u{1b}[J"));
    }
}

//! The lines of a page of a PDF: what is drawn at another height stands on another line.

use std::collections::{BTreeMap, HashMap};

use lopdf::content::{Content, Operation};
use lopdf::{Dictionary, Document, Encoding, Object, ObjectId};

/// Text that is moved by less stands on the same line: exponents, accents.
const SAME_LINE: f32 = 4.0;
/// A gap in a line, in thousandths of the font's size, from which it is a blank.
const BLANK: f32 = 180.0;

/// Reads pages of a document. Fonts are looked at once.
pub(super) struct Pages<'d> {
    document: &'d Document,
    limit: usize,
    /// By the address of the font in the document.
    encodings: HashMap<usize, Option<Encoding<'d>>>,
}

impl<'d> Pages<'d> {
    pub(super) fn new(document: &'d Document, limit: usize) -> Self {
        Self { document, limit, encodings: HashMap::new() }
    }

    pub(super) fn text(&mut self, page: ObjectId) -> Result<String, lopdf::Error> {
        let fonts = self.document.get_page_fonts(page)?;
        for font in fonts.values() {
            let (document, limit) = (self.document, self.limit);
            let encoding = || font.get_font_encoding_with_limit(document, limit).ok();
            self.encodings.entry(address(font)).or_insert_with(encoding);
        }
        let content = self.document.get_page_content_with_limit(page, self.limit)?;
        let mut lines = Lines { text: String::new(), limit: self.limit, ..Lines::default() };
        for operation in &Content::decode(&content)?.operations {
            lines.follow(operation, |name| self.encoding(&fonts, name));
        }
        Ok(lines.text)
    }

    fn encoding(&self, fonts: &BTreeMap<Vec<u8>, &Dictionary>, name: &[u8]) -> Option<&Encoding<'d>> {
        self.encodings.get(&address(fonts.get(name)?))?.as_ref()
    }
}

fn address(font: &Dictionary) -> usize {
    std::ptr::from_ref(font).addr()
}

/// Where text is drawn, and what was drawn so far.
#[derive(Default)]
struct Lines<'e, 'd> {
    text: String,
    limit: usize,
    encoding: Option<&'e Encoding<'d>>,
    /// The height of the line, and of the drawing it is part of.
    height: f32,
    drawing: f32,
    outer: Vec<f32>,
    /// The height of the text that was drawn last.
    last: Option<f32>,
    moved: bool,
}

impl<'e, 'd> Lines<'e, 'd> {
    fn follow(&mut self, operation: &Operation, encoding: impl Fn(&[u8]) -> Option<&'e Encoding<'d>>) {
        let operands = operation.operands.as_slice();
        let number = |place: usize| operands.get(place).and_then(|it| it.as_float().ok()).unwrap_or_default();
        match operation.operator.as_str() {
            "q" => self.outer.push(self.drawing),
            "Q" => self.drawing = self.outer.pop().unwrap_or_default(),
            "cm" => self.drawing += number(5),
            "BT" => self.move_to(0.0),
            "Td" | "TD" => self.move_to(self.height + number(1)),
            "Tm" => self.move_to(number(5)),
            "T*" => self.next_line(),
            "Tf" => {
                let name = operands.first().and_then(|name| name.as_name().ok());
                self.encoding = name.and_then(encoding);
            }
            "Tj" | "TJ" => self.show(operands),
            "'" => {
                self.next_line();
                self.show(operands);
            }
            "\"" => {
                self.next_line();
                self.show(operands.get(2..).unwrap_or_default());
            }
            _ => {}
        }
    }

    fn move_to(&mut self, height: f32) {
        self.height = height;
        self.moved = true;
    }

    fn next_line(&mut self) {
        self.last = None;
        self.moved = true;
    }

    fn show(&mut self, operands: &[Object]) {
        let height = self.drawing + self.height;
        if std::mem::take(&mut self.moved) && !self.text.is_empty() {
            let same = self.last.is_some_and(|last| (last - height).abs() < SAME_LINE);
            if !same {
                self.text.push('\n');
            } else if !self.text.ends_with(char::is_whitespace) {
                self.text.push(' ');
            }
        }
        self.last = Some(height);
        self.push(operands, 0);
    }

    fn push(&mut self, operands: &[Object], depth: u32) {
        for operand in operands {
            match operand {
                Object::String(bytes, _) if self.text.len() <= self.limit => {
                    let decoded = self.encoding.and_then(|it| Document::decode_text(it, bytes).ok());
                    self.text.push_str(&decoded.unwrap_or_default());
                }
                Object::Array(items) if depth == 0 => self.push(items, 1),
                Object::Integer(_) | Object::Real(_)
                    if operand.as_float().is_ok_and(|gap| gap < -BLANK)
                        && !self.text.ends_with(char::is_whitespace) =>
                {
                    self.text.push(' ');
                }
                _ => {}
            }
        }
    }
}

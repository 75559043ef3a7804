//! The text of a Word document: paragraphs, headings, lists and tables of the zip's `word/document.xml`.

use std::collections::HashMap;
use std::io::{Cursor, Read};

use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use zip::ZipArchive;
use zip::result::ZipError;

pub(super) fn markdown(bytes: &[u8], limit: usize) -> Result<String, String> {
    let mut archive =
        ZipArchive::new(Cursor::new(bytes)).map_err(|error| format!("is no Word document: {error}"))?;
    let headings = match part(&mut archive, "word/styles.xml", limit)? {
        Some(styles) => heading_styles(&styles)?,
        None => HashMap::new(),
    };
    let body = part(&mut archive, "word/document.xml", limit)?
        .ok_or_else(|| "is no Word document: it has no word/document.xml".to_owned())?;
    Body { headings, ..Body::default() }.read(&body)
}

/// A part of the archive as text; none when it is not there.
fn part(archive: &mut ZipArchive<Cursor<&[u8]>>, name: &str, limit: usize) -> Result<Option<String>, String> {
    let file = match archive.by_name(name) {
        Ok(file) => file,
        Err(ZipError::FileNotFound) => return Ok(None),
        Err(error) => return Err(format!("is a damaged Word document: {error}")),
    };
    // What the archive says of its size is not believed: what comes out is counted.
    let mut bytes = Vec::new();
    let read = file.take(limit as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| format!("is a damaged Word document: {error}"))?;
    if bytes.len() > limit {
        return Err(format!("has more than {} MiB of text when it is unpacked", limit / 1024 / 1024));
    }
    String::from_utf8(bytes).map(Some).map_err(|_| format!("has a {name} that is not UTF-8 text"))
}

fn damaged(error: &quick_xml::Error) -> String {
    format!("is a damaged Word document: {error}")
}

/// The `val` of an element, whatever its namespace is called.
fn value(element: &BytesStart<'_>, wanted: &str) -> Option<String> {
    let attribute = element.attributes().flatten().find(|it| it.key.local_name().as_ref() == wanted)?;
    Some(attribute.value.to_string())
}

/// Which styles are headings, and how deep. Their ids depend on the language of Word, their names do not.
fn heading_styles(xml: &str) -> Result<HashMap<String, u32>, String> {
    let mut reader = Reader::from_str(xml);
    let mut styles = HashMap::new();
    let mut style: Option<String> = None;
    loop {
        match reader.read_event().map_err(|error| damaged(&error))? {
            Event::Start(element) | Event::Empty(element) => match element.local_name().as_ref() {
                "style" => style = value(&element, "styleId"),
                "name" => {
                    let depth = value(&element, "val").and_then(|name| named_depth(&name));
                    if let (Some(style), Some(depth)) = (&style, depth) {
                        styles.insert(style.clone(), depth);
                    }
                }
                "outlineLvl" => {
                    let depth = value(&element, "val").and_then(|level| level.parse::<u32>().ok());
                    if let (Some(style), Some(depth @ 0..=5)) = (&style, depth) {
                        styles.entry(style.clone()).or_insert(depth + 2);
                    }
                }
                _ => {}
            },
            Event::Eof => return Ok(styles),
            _ => {}
        }
    }
}

/// The depth of a style's name: a title stands above all headings.
fn named_depth(name: &str) -> Option<u32> {
    let name = name.to_ascii_lowercase().replace(' ', "");
    if name == "title" {
        return Some(1);
    }
    let level: u32 = name.strip_prefix("heading")?.parse().ok()?;
    (1..=9).contains(&level).then(|| (level + 1).min(6))
}

/// The document on its way to Markdown.
#[derive(Default)]
struct Body {
    headings: HashMap<String, u32>,
    text: String,
    paragraph: String,
    /// The depth of the paragraph if it is a heading.
    heading: Option<u32>,
    listed: bool,
    /// Whether what comes is text of the document, and not of a deleted passage or a field's code.
    in_text: bool,
    /// How many tables are open, and the cells of the row that is read.
    tables: u32,
    row: Vec<String>,
}

impl Body {
    fn read(mut self, xml: &str) -> Result<String, String> {
        let mut reader = Reader::from_str(xml);
        let (mut open, mut seen) = (0_u64, false);
        loop {
            match reader.read_event().map_err(|error| damaged(&error))? {
                Event::Start(element) => {
                    open += 1;
                    seen |= element.local_name().as_ref() == "body";
                    self.start(&element);
                }
                Event::Empty(element) => {
                    self.start(&element);
                    self.end(element.local_name().as_ref());
                }
                Event::End(element) => {
                    open = open.saturating_sub(1);
                    self.end(element.local_name().as_ref());
                }
                Event::Text(text) if self.in_text => self.paragraph.push_str(&text.xml10_content()),
                Event::CData(text) if self.in_text => self.paragraph.push_str(&text.xml10_content()),
                Event::GeneralRef(reference) if self.in_text => {
                    if let Ok(Some(character)) = reference.resolve_char_ref() {
                        self.paragraph.push(character);
                    } else if let Some(known) =
                        quick_xml::escape::resolve_xml_entity(&reference.xml10_content())
                    {
                        self.paragraph.push_str(known);
                    }
                }
                Event::Eof if seen && open == 0 => return Ok(self.text),
                Event::Eof => return Err("is a damaged Word document: it ends too early".to_owned()),
                _ => {}
            }
        }
    }

    fn start(&mut self, element: &BytesStart<'_>) {
        match element.local_name().as_ref() {
            "p" => {
                self.heading = None;
                self.listed = false;
                if self.tables == 0 {
                    self.paragraph.clear();
                }
            }
            "pStyle" => {
                let style = value(element, "val").unwrap_or_default();
                self.heading = self.headings.get(&style).copied().or_else(|| named_depth(&style));
            }
            "numPr" => self.listed = true,
            "t" => self.in_text = true,
            "tab" => self.paragraph.push(' '),
            "br" | "cr" => self.paragraph.push('\n'),
            "tbl" => self.tables += 1,
            _ => {}
        }
    }

    fn end(&mut self, name: &str) {
        match name {
            "t" => self.in_text = false,
            "p" if self.tables > 0 => self.paragraph.push(' '),
            "p" => self.end_paragraph(),
            "tc" if self.tables == 1 => {
                let cell: Vec<&str> = self.paragraph.split_whitespace().collect();
                self.row.push(cell.join(" "));
                self.paragraph.clear();
            }
            "tr" if self.tables == 1 => {
                let row = std::mem::take(&mut self.row).join(" | ");
                self.text.push_str(&format!("| {row} |\n"));
            }
            "tbl" => {
                self.tables = self.tables.saturating_sub(1);
                if self.tables == 0 {
                    self.text.push('\n');
                }
            }
            _ => {}
        }
    }

    fn end_paragraph(&mut self) {
        let paragraph = std::mem::take(&mut self.paragraph);
        let paragraph = paragraph.trim();
        if paragraph.is_empty() {
            return;
        }
        match self.heading {
            Some(depth) => {
                let marks = "#".repeat(depth as usize);
                let title: Vec<&str> = paragraph.split_whitespace().collect();
                self.text.push_str(&format!("{marks} {}\n\n", title.join(" ")));
            }
            None if self.listed => self.text.push_str(&format!("- {paragraph}\n")),
            None => {
                // Only Word's headings are headings.
                let lines: Vec<String> = paragraph
                    .lines()
                    .map(|line| if line.starts_with('#') { format!("\\{line}") } else { line.to_owned() })
                    .collect();
                self.text.push_str(&format!("{}\n\n", lines.join("\n")));
            }
        }
    }
}

#[cfg(test)]
#[path = "docx_tests.rs"]
mod tests;

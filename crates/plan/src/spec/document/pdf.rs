//! The text of a PDF file. A PDF has no headings: numbered lines make the sections, else the pages do.

use std::fmt::Write;

use lopdf::{Document, LoadOptions};

use super::pdf_page::Pages;
use super::plain_text::heading_depth;

/// More pages than this is no document that somebody wrote.
const MOST_PAGES: usize = 20_000;

pub(super) fn markdown(bytes: &[u8], limit: usize) -> Result<String, String> {
    let options = LoadOptions { max_decompressed_size: Some(limit), ..LoadOptions::default() };
    let document = Document::load_mem_with_options(bytes, options)
        .map_err(|error| format!("is no PDF that can be read: {error}"))?;
    if document.is_encrypted() {
        return Err("is encrypted".to_owned());
    }
    let pages = document.get_pages();
    if pages.len() > MOST_PAGES {
        return Err(format!("has more than {MOST_PAGES} pages"));
    }
    let mut texts = Vec::with_capacity(pages.len());
    let mut size = 0;
    let mut reader = Pages::new(&document, limit);
    for (page, id) in pages {
        let text = reader
            .text(id)
            .map_err(|error| format!("has text that cannot be read on page {page}: {error}"))?;
        size += text.len();
        if size > limit {
            return Err(format!("has more than {} MiB of text", limit / 1024 / 1024));
        }
        texts.push(text);
    }
    if texts.iter().all(|text| text.trim().is_empty()) {
        return Err("has no text: its pages are pictures".to_owned());
    }
    Ok(sections(&texts))
}

fn sections(pages: &[String]) -> String {
    let headed = pages.iter().flat_map(|page| page.lines()).any(|line| heading_depth(line).is_some());
    let mut marked = String::new();
    for (place, page) in pages.iter().enumerate() {
        if !headed {
            let _ = writeln!(marked, "## Page {}\n", place + 1);
        }
        for line in page.lines() {
            match heading_depth(line) {
                Some(depth) => {
                    let _ = writeln!(marked, "\n{} {}\n", "#".repeat(depth), line.trim());
                }
                None => {
                    marked.push_str(line.trim_end());
                    marked.push('\n');
                }
            }
        }
    }
    marked
}

#[cfg(test)]
mod tests {
    use lopdf::content::{Content, Operation};
    use lopdf::{Object, Stream, dictionary};

    use super::*;

    /// A PDF with one line of text for each line given, on pages.
    fn pdf(pages: &[&[&str]]) -> Vec<u8> {
        let mut document = Document::with_version("1.5");
        let tree = document.new_object_id();
        let font = document.add_object(dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
        });
        let resources = document.add_object(dictionary! { "Font" => dictionary! { "F1" => font } });
        let mut kids: Vec<Object> = Vec::new();
        for lines in pages {
            let mut operations =
                vec![Operation::new("BT", vec![]), Operation::new("Tf", vec!["F1".into(), 12.into()])];
            for line in *lines {
                operations.push(Operation::new("Td", vec![0.into(), (-14).into()]));
                operations.push(Operation::new("Tj", vec![Object::string_literal(*line)]));
            }
            operations.push(Operation::new("ET", vec![]));
            let content = Content { operations }.encode().unwrap();
            let content = document.add_object(Stream::new(dictionary! {}, content));
            let page = document.add_object(dictionary! {
                "Type" => "Page", "Parent" => tree, "Contents" => content, "Resources" => resources,
            });
            kids.push(page.into());
        }
        let count = i64::try_from(kids.len()).unwrap();
        let node = dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count };
        document.objects.insert(tree, Object::Dictionary(node));
        let catalog = document.add_object(dictionary! { "Type" => "Catalog", "Pages" => tree });
        document.trailer.set("Root", catalog);
        document.compress();
        let mut bytes = Vec::new();
        document.save_to(&mut bytes).unwrap();
        bytes
    }

    #[test]
    fn numbered_lines_or_pages_make_the_sections() {
        let numbered =
            pdf(&[&["Tea house", "1 Brewing", "Water boils."], &["1.1 Leaves", "One spoon each."]]);
        let text = markdown(&numbered, 1 << 20).unwrap();
        assert!(text.contains("## 1 Brewing\n\nWater boils."), "{text}");
        assert!(text.contains("### 1.1 Leaves\n\nOne spoon each."), "{text}");
        let paged = markdown(&pdf(&[&["first words"], &["more words"]]), 1 << 20).unwrap();
        assert!(
            paged.contains("## Page 1\n\nfirst words") && paged.contains("## Page 2\n\nmore words"),
            "{paged}"
        );
    }

    #[test]
    fn hostile_files_are_errors() {
        let empty = markdown(&pdf(&[&[]]), 1 << 20).unwrap_err();
        assert!(empty.contains("no text"), "{empty}");
        let long = "x".repeat(5_000);
        let bomb = pdf(&[&[&long, &long, &long]]);
        assert!(bomb.len() < 4_000, "{}", bomb.len());
        let refused = markdown(&bomb, 4_000).unwrap_err();
        assert!(refused.contains("page 1"), "{refused}");
        let good = pdf(&[&["1 Tea", "Water"]]);
        for end in (0..good.len()).step_by(7) {
            let _ = markdown(&good[..end], 1 << 16);
        }
    }
}

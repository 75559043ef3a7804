use std::io::Write;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::*;

fn zipped(parts: &[(&str, &str)]) -> Vec<u8> {
    let mut writer = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default().compression_method(CompressionMethod::Deflated);
    for (name, text) in parts {
        writer.start_file(*name, options).unwrap();
        writer.write_all(text.as_bytes()).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

fn document(body: &str) -> String {
    format!(
        "<?xml version=\"1.0\"?><w:document xmlns:w=\"http://schemas.openxmlformats.org/wordprocessingml/2006/main\">\
         <w:body>{body}</w:body></w:document>"
    )
}

const STYLES: &str = "<w:styles xmlns:w=\"x\"><w:style w:styleId=\"berschrift1\"><w:name w:val=\"heading 1\"/></w:style>\
     <w:style w:styleId=\"Own\"><w:name w:val=\"Own\"/><w:pPr><w:outlineLvl w:val=\"1\"/></w:pPr></w:style></w:styles>";

#[test]
fn paragraphs_headings_lists_and_tables_become_markdown() {
    let styled = |style: &str, text: &str| {
        format!("<w:p><w:pPr><w:pStyle w:val=\"{style}\"/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
    };
    let body = [
        styled("Title", "Tea house"),
        styled("berschrift1", "Brewing"),
        "<w:p><w:r><w:t xml:space=\"preserve\">Water </w:t></w:r><w:r><w:t>&lt;100&#176; &amp; hot</w:t></w:r>\
         <w:del><w:r><w:delText>gone</w:delText></w:r></w:del></w:p>"
            .to_owned(),
        "<w:p/><w:p><w:r><w:t># no heading</w:t></w:r></w:p>".to_owned(),
        styled("Own", "Leaves"),
        "<w:p><w:pPr><w:numPr><w:numId w:val=\"1\"/></w:numPr></w:pPr><w:r><w:t>One spoon</w:t></w:r></w:p>".to_owned(),
        "<w:tbl><w:tr><w:tc><w:p><w:r><w:t>Tea</w:t></w:r></w:p></w:tc><w:tc><w:p><w:r><w:t>3 min</w:t></w:r></w:p>\
         </w:tc></w:tr></w:tbl>"
            .to_owned(),
    ]
    .concat();
    let bytes = zipped(&[("word/styles.xml", STYLES), ("word/document.xml", &document(&body))]);
    assert_eq!(
        markdown(&bytes, 1 << 20).unwrap(),
        "# Tea house\n\n## Brewing\n\nWater <100° & hot\n\n\\# no heading\n\n### Leaves\n\n- One spoon\n| Tea | 3 min |\n\n"
    );
}

#[test]
fn hostile_files_are_errors() {
    let bomb = zipped(&[("word/document.xml", &document(&"<w:p/>".repeat(200_000)))]);
    assert!(bomb.len() < 20_000, "{}", bomb.len());
    let cut_off = document("<w:p><w:r>").replace("</w:body></w:document>", "");
    let entities = "<!DOCTYPE x [<!ENTITY a \"aaaa\">]><w:document><w:body><w:p><w:t>&a;</w:t></w:p></w:body></w:document>";
    let cases = [
        (b"no zip".to_vec(), "is no Word document"),
        (zipped(&[("other.txt", "x")]), "it has no word/document.xml"),
        (bomb, "MiB of text when it is unpacked"),
        (zipped(&[("word/document.xml", &cut_off)]), "damaged"),
        (zipped(&[("word/document.xml", "<a></b>")]), "damaged"),
        (zipped(&[("word/document.xml", "")]), "ends too early"),
    ];
    for (bytes, expected) in cases {
        let refused = markdown(&bytes, 1 << 20).unwrap_err();
        assert!(refused.contains(expected), "{refused}");
    }
    // Entities of the document itself are not expanded.
    assert_eq!(markdown(&zipped(&[("word/document.xml", entities)]), 1 << 20).unwrap(), "");
    let good = zipped(&[("word/document.xml", &document("<w:p><w:r><w:t>Tea</w:t></w:r></w:p>"))]);
    for end in 0..good.len() {
        assert!(markdown(&good[..end], 1 << 16).is_err());
    }
}

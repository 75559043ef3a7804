//! Documents that a spec is imported from, whatever they are written with. Each becomes Markdown; the file stays as it is.

mod docx;
mod front_matter;
mod pdf;
mod pdf_page;
mod plain_text;

use std::fs::{self, File};
use std::io::{ErrorKind, Read};
use std::path::Path;

use loopwright_config::text_file::{io_fault, leads_out};
use loopwright_domain::digest::sha256_hex;
use loopwright_domain::{ErrorCode, Fault};

pub(super) use front_matter::{FrontMatter, read as front_matter};

/// A larger file is no document that somebody wrote.
const FILE_LIMIT: u64 = 64 * 1024 * 1024;
/// More than this is not unpacked of a compressed document: a few kilobytes could become gigabytes.
const UNPACKED_LIMIT: usize = 64 * 1024 * 1024;

/// How a document is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Format {
    Markdown,
    PlainText,
    Docx,
    Pdf,
}

/// A document that was read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Document {
    /// The text, as Markdown.
    pub(super) text: String,
    /// The SHA-256 of the file.
    pub(super) hash: String,
}

impl Format {
    /// The format that a file name tells; none for names that tell nothing.
    pub(super) fn of(name: &str) -> Option<Self> {
        let extension = Path::new(name).extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "md" | "markdown" => Some(Self::Markdown),
            "txt" | "text" => Some(Self::PlainText),
            "docx" => Some(Self::Docx),
            "pdf" => Some(Self::Pdf),
            _ => None,
        }
    }

    /// The document's text as Markdown; an error says in words what is wrong.
    fn markdown(self, bytes: Vec<u8>) -> Result<String, String> {
        let text = |bytes| String::from_utf8(bytes).map_err(|_| "is not UTF-8 text".to_owned());
        match self {
            Self::Markdown => text(bytes),
            Self::PlainText => Ok(plain_text::mark_headings(&text(bytes)?)),
            Self::Docx => docx::markdown(&bytes, UNPACKED_LIMIT),
            Self::Pdf => pdf::markdown(&bytes, UNPACKED_LIMIT),
        }
    }
}

/// Reads a document of the project, named from the project folder.
pub(super) fn read(root: &Path, name: &str) -> Result<Document, Fault> {
    let path = root.join(name);
    let bad = |code, reason: &str| Fault::new(code, format!("{name} {reason}"));
    if leads_out(root, &path) {
        return Err(bad(ErrorCode::UsageInvalid, "is outside of the project")
            .hint("Copy it into the project folder, then name it there."));
    }
    read_file(&path, name)
}

/// The text of a document anywhere on this machine, as Markdown, for a person who named it.
///
/// # Errors
/// It is not there, too large, encrypted or damaged, or no text.
pub fn read_any(path: &Path) -> Result<String, Fault> {
    Ok(read_file(path, &path.display().to_string())?.text)
}

fn read_file(path: &Path, name: &str) -> Result<Document, Fault> {
    let bad = |code, reason: &str| Fault::new(code, format!("{name} {reason}"));
    let metadata = fs::metadata(path).map_err(|error| match error.kind() {
        ErrorKind::NotFound | ErrorKind::NotADirectory => {
            bad(ErrorCode::UsageInvalid, "does not exist").hint("Check the path.")
        }
        _ => io_fault("read", path, &error),
    })?;
    if !metadata.is_file() {
        return Err(bad(ErrorCode::UsageInvalid, "is not a file"));
    }
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(|error| io_fault("read", path, &error))?;
    file.take(FILE_LIMIT + 1).read_to_end(&mut bytes).map_err(|error| io_fault("read", path, &error))?;
    if bytes.len() as u64 > FILE_LIMIT {
        return Err(bad(ErrorCode::ImportInvalid, "is larger than 64 MiB")
            .hint("Split it, or import only the part that is the spec."));
    }
    let hash = sha256_hex(&bytes);
    let format = Format::of(name).unwrap_or(Format::Markdown);
    let text = format.markdown(bytes).map_err(|reason| {
        bad(ErrorCode::ImportInvalid, &reason).hint("Nothing was changed. Save it anew as Markdown or text.")
    })?;
    Ok(Document { text, hash })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_tell_the_format() {
        let cases = [
            ("a.md", Some(Format::Markdown)),
            ("docs/A.MARKDOWN", Some(Format::Markdown)),
            ("a.txt", Some(Format::PlainText)),
            ("a.DOCX", Some(Format::Docx)),
            ("a.b.pdf", Some(Format::Pdf)),
            ("README", None),
            (".md", None),
            ("a.doc", None),
        ];
        for (name, expected) in cases {
            assert_eq!(Format::of(name), expected, "{name}");
        }
    }

    #[test]
    fn what_cannot_be_read_is_told_by_name() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().join("project");
        std::fs::create_dir_all(root.join("folder.md")).unwrap();
        std::fs::write(root.join("latin.txt"), [b'T', 0xe9]).unwrap();
        std::fs::write(root.join("broken.docx"), "PK no zip").unwrap();
        std::fs::write(root.join("broken.pdf"), "%PDF-1.4 and nothing more").unwrap();
        File::create(root.join("huge.md")).unwrap().set_len(FILE_LIMIT + 1).unwrap();
        std::fs::write(folder.path().join("secret.md"), "s").unwrap();
        let cases = [
            ("missing.md", "missing.md does not exist"),
            ("folder.md", "folder.md is not a file"),
            ("latin.txt", "latin.txt is not UTF-8 text"),
            ("broken.docx", "broken.docx is no Word document"),
            ("broken.pdf", "broken.pdf is no PDF that can be read"),
            ("huge.md", "huge.md is larger than 64 MiB"),
            ("../secret.md", "outside of the project"),
        ];
        for (name, expected) in cases {
            let fault = read(&root, name).unwrap_err();
            assert!(fault.message.contains(expected), "{name}: {fault}");
        }
    }
}

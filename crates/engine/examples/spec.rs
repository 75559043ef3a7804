//! Measures a spec: importing a document of 400 pages and one of twice that, and searching in 5,000 sections.
//!
//! Prints one line of JSON with milliseconds.

use std::error::Error;
use std::fmt::Write;
use std::time::Instant;

use loopwright_domain::Origin;
use loopwright_engine::{Host, NewProject, Project};

/// A page of a document has about so many words.
const WORDS_OF_A_PAGE: usize = 500;
/// Sections of a document of 400 pages.
const SECTIONS: usize = 2_500;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn Error>> {
    let folder = tempfile::tempdir()?;
    let host = Host::in_folder(folder.path(), std::env::var_os("PATH").unwrap_or_default());
    let place = folder.path().join("tea-house");
    let project = Project::create(&host, &place, &NewProject::default(), Origin::Cli).await?;
    let write = |name: &str, pages: usize| std::fs::write(place.join(name), document(pages));
    write("one.md", 400)?;
    write("two.md", 400)?;
    write("long.md", 800)?;

    let mut figures = Vec::new();
    let mut clock = Instant::now();
    let mut lap = |what: &str| {
        figures.push(format!("\"{what}_ms\":{:.2}", clock.elapsed().as_secs_f64() * 1000.0));
        clock = Instant::now();
    };
    project.spec().preview_import(&["long.md".into()], false).await?;
    lap("preview_twice");
    project.spec().import(&["one.md".into()], false, Origin::Cli).await?;
    lap("import");
    project.spec().import(&["one.md".into()], false, Origin::Cli).await?;
    lap("import_again");
    project.spec().import(&["two.md".into()], false, Origin::Cli).await?;
    lap("import_second");
    let found = project.spec().search("opening hours of guest 777", 20).await?;
    lap("search");
    let sections = project.spec().sections().await?.len();
    lap("read");
    project.spec().check().await?;
    lap("check");
    assert!(found.len() == 20 && sections > 2 * SECTIONS, "the sections are as they were made");
    println!("{{{}}}", figures.join(","));
    Ok(())
}

/// A document of so many pages, with as many sections as such a one has.
fn document(pages: usize) -> String {
    let sections = SECTIONS * pages / 400;
    let words = pages * WORDS_OF_A_PAGE / sections;
    let mut text = "# Tea house\n\n".to_owned();
    for section in 0..sections {
        let _ = writeln!(text, "{} Guest {section}\n", if section % 5 == 0 { "##" } else { "###" });
        for word in 0..words {
            let _ = write!(
                text,
                "{}{} ",
                ["tea", "cup", "leaf", "opening", "pot"][word % 5],
                (section * 7 + word) % 911
            );
        }
        text.push_str("\n\n");
    }
    text
}

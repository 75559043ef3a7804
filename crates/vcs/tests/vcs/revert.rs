//! What the files would be without a commit, and when that cannot be said.

use std::path::Path;

use loopwright_vcs::{Oid, Without};

use crate::support::Lab;

async fn commit(lab: &Lab, message: &str) -> Oid {
    lab.must("project", &["add", "-A"]).await;
    lab.must("project", &["commit", "-q", "-m", message]).await;
    Oid::parse(lab.must("project", &["rev-parse", "HEAD"]).await.trim()).unwrap()
}

#[tokio::test]
async fn an_earlier_commit_is_taken_out_and_later_work_stays() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/tea.txt", "green\n");
    lab.write("project/file.txt", "changed\n");
    let taken = commit(&lab, "tea").await;
    lab.write("project/later.txt", "later\n");
    commit(&lab, "later").await;
    let workspace = lab.workspace("project").await;
    let Without::Trees { head, without } = workspace.without(&taken).await.unwrap() else {
        panic!("nothing stands in the way")
    };
    let files = lab.must("project", &["ls-tree", "-r", "--name-only", without.as_str()]).await;
    assert_eq!(files.lines().collect::<Vec<_>>(), ["file.txt", "later.txt"]);
    assert_eq!(lab.must("project", &["show", &format!("{without}:file.txt")]).await, "content");
    assert_ne!(head, without);
    assert_eq!(lab.read("project/tea.txt"), "green\n", "the files are as they were");
}

#[tokio::test]
async fn the_first_commit_can_be_taken_out() {
    let lab = Lab::new();
    lab.repository("project").await;
    let first = lab.must("project", &["rev-list", "--max-parents=0", "HEAD"]).await;
    lab.write("project/more.txt", "more\n");
    commit(&lab, "more").await;
    let found = lab.workspace("project").await.without(&Oid::parse(first.trim()).unwrap()).await.unwrap();
    let Without::Trees { without, .. } = found else { panic!("nothing stands in the way") };
    assert_eq!(lab.must("project", &["ls-tree", "-r", "--name-only", without.as_str()]).await, "more.txt");
}

#[tokio::test]
async fn later_work_on_the_same_lines_is_named() {
    let lab = Lab::new();
    lab.repository("project").await;
    lab.write("project/file.txt", "first\n");
    let taken = commit(&lab, "first").await;
    lab.write("project/file.txt", "second\n");
    commit(&lab, "second").await;
    let found = lab.workspace("project").await.without(&taken).await.unwrap();
    assert_eq!(found, Without::Conflicts(vec![Path::new("file.txt").to_owned()]));
    assert_eq!(lab.read("project/file.txt"), "second\n");
}

#[tokio::test]
async fn other_lines_of_the_same_file_and_files_that_look_alike_are_told_apart() {
    let lab = Lab::new();
    lab.repository("project").await;
    let lines = |first: &str, last: &str| format!("{first}\n2\n3\n4\n5\n6\n7\n8\n{last}\n");
    lab.write("project/list.txt", lines("1", "9"));
    commit(&lab, "list").await;
    lab.write("project/list.txt", lines("one", "9"));
    lab.write("project/a.txt", "tea\n");
    let taken = commit(&lab, "first").await;
    lab.write("project/list.txt", lines("one", "nine"));
    lab.write("project/b.txt", "tea\n");
    commit(&lab, "second").await;
    let workspace = lab.workspace("project").await;
    let Without::Trees { without, .. } = workspace.without(&taken).await.unwrap() else {
        panic!("nothing stands in the way")
    };
    let read = |name: &str| format!("{without}:{name}");
    let list = lab.must("project", &["show", &read("list.txt")]).await;
    assert_eq!(list.trim(), lines("1", "nine").trim());
    let files = lab.must("project", &["ls-tree", "--name-only", without.as_str()]).await;
    assert_eq!(files.lines().collect::<Vec<_>>(), ["b.txt", "file.txt", "list.txt"]);
    lab.must("project", &["rm", "-q", "a.txt"]).await;
    lab.write("project/list.txt", lines("1", "nine"));
    commit(&lab, "taken back").await;
    let Without::Trees { head, without } = workspace.without(&taken).await.unwrap() else {
        panic!("nothing is left of it")
    };
    assert_eq!(head, without);
}

//! Damaged repositories: a coded error or an answer, never a panic and never a wait.

use std::fs;
use std::path::{Path, PathBuf};

use loopwright_domain::{ErrorCode, Fault};
use loopwright_vcs::{discover, findings, head, hooks};
use proptest::prelude::*;

use crate::support::Lab;

async fn code_after(damage: impl Fn(&Path)) -> Option<ErrorCode> {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    damage(&repository.git_dir);
    let _ = (head(&repository), findings(&repository.work_tree, Some(&repository)), hooks(&repository));
    lab.git().inspect(&repository).summary().await.err().map(|error| Fault::from(error).code)
}

fn objects(git_dir: &Path) -> Vec<PathBuf> {
    let folders = fs::read_dir(git_dir.join("objects")).unwrap().map(|entry| entry.unwrap().path());
    let folders = folders.filter(|path| path.file_name().unwrap().len() == 2);
    folders.flat_map(|path| fs::read_dir(path).unwrap().map(|entry| entry.unwrap().path())).collect()
}

#[tokio::test]
async fn each_kind_of_damage_has_a_code() {
    let truncated_index = |dir: &Path| fs::write(dir.join("index"), b"DIRC").unwrap();
    assert_eq!(code_after(truncated_index).await, Some(ErrorCode::GitFailed));
    let garbage_head = |dir: &Path| fs::write(dir.join("HEAD"), b"\0\xff garbage").unwrap();
    assert_eq!(code_after(garbage_head).await, Some(ErrorCode::GitFailed));
    let broken_config = |dir: &Path| fs::write(dir.join("config"), b"[core\nbare").unwrap();
    assert_eq!(code_after(broken_config).await, Some(ErrorCode::GitFailed));
    let unknown_format =
        |dir: &Path| fs::write(dir.join("config"), b"[core]\nrepositoryformatversion = 99\n").unwrap();
    assert_eq!(code_after(unknown_format).await, Some(ErrorCode::GitFailed));
    let no_objects = |dir: &Path| objects(dir).iter().for_each(|path| fs::remove_file(path).unwrap());
    assert_eq!(code_after(no_objects).await, Some(ErrorCode::GitFailed));
    let index_folder = |dir: &Path| {
        fs::remove_file(dir.join("index")).unwrap();
        fs::create_dir(dir.join("index")).unwrap();
    };
    assert_eq!(code_after(index_folder).await, Some(ErrorCode::GitFailed));
    let no_index = |dir: &Path| fs::remove_file(dir.join("index")).unwrap();
    assert_eq!(code_after(no_index).await, None, "a missing index is an empty one");
}

#[tokio::test]
async fn a_git_folder_that_loses_its_head_is_no_longer_found() {
    let lab = Lab::new();
    let repository = lab.repository("project").await;
    fs::remove_file(repository.git_dir.join("HEAD")).unwrap();
    assert_eq!(discover(&lab.path("project")), None);
    let error = lab.git().inspect(&repository).summary().await.unwrap_err();
    assert_eq!(Fault::from(error).code, ErrorCode::GitFailed);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, max_shrink_iters: 20, ..ProptestConfig::default() })]

    /// Random bytes in random places of git's files.
    #[test]
    fn random_damage_is_survived(
        file in prop_oneof![Just("index"), Just("HEAD"), Just("config"), Just("refs/heads/main")],
        place in 0.0f64..1.0,
        bytes in proptest::collection::vec(any::<u8>(), 1..20),
        cut: bool,
    ) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(code_after(|dir| {
            let path = dir.join(file);
            let mut content = fs::read(&path).unwrap();
            let at = (content.len() as f64 * place) as usize;
            if cut {
                content.truncate(at);
            }
            for (index, byte) in bytes.iter().enumerate() {
                match content.get_mut(at + index) {
                    Some(old) => *old = *byte,
                    None => content.push(*byte),
                }
            }
            fs::write(&path, content).unwrap();
        }));
    }
}

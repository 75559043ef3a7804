//! References, branches, and finding what was committed before.

use super::{Memory, Workspace};
use crate::display_text::shown;
use crate::error::VcsError;
use crate::oid::Oid;

/// Everything below this belongs to Loopwright.
const OURS: &str = "refs/loopwright/";
/// How far back a commit is looked for.
const SEARCH_DEPTH: &str = "--max-count=2000";

impl Workspace {
    /// The references whose names begin with this, and what they name.
    ///
    /// # Errors
    /// Git fails.
    pub async fn refs(&self, prefix: &str) -> Result<Vec<(String, Oid)>, VcsError> {
        let memory = self.remembered().await?;
        self.refs_below(&memory, &[prefix]).await
    }

    pub(crate) async fn refs_below(
        &self,
        memory: &Memory,
        prefixes: &[&str],
    ) -> Result<Vec<(String, Oid)>, VcsError> {
        let mut args = vec!["for-each-ref", "--format=%(objectname) %(refname)"];
        args.extend(prefixes);
        let output = self.git.run(self.inspecting(memory, &args)).await?;
        let text = String::from_utf8_lossy(&output.stdout);
        let refs = text.lines().map(|line| {
            let (oid, name) = line.split_once(' ')?;
            Some((name.to_owned(), Oid::parse(oid)?))
        });
        refs.collect::<Option<_>>().ok_or(VcsError::Unexpected { command: "git for-each-ref" })
    }

    /// Removes references of our own, each only if it still names what is given with it.
    ///
    /// # Errors
    /// One of them is not ours or names something else: then none is removed.
    pub async fn delete_refs(&self, refs: &[(String, Oid)]) -> Result<(), VcsError> {
        let mut input = Vec::new();
        for (name, oid) in refs {
            if !name.starts_with(OURS) || !is_ref_name(name) {
                return Err(VcsError::BadName { name: shown(name.as_bytes()) });
            }
            input.extend(format!("delete {name}\0{oid}\0").into_bytes());
        }
        let memory = self.remembered().await?;
        let mut call = self.inspecting(&memory, &["update-ref", "--no-deref", "--stdin", "-z"]);
        call.input = input;
        if refs.is_empty() { Ok(()) } else { self.git.run(call).await.map(drop) }
    }

    /// Makes a branch at HEAD and switches to it. Files and index stay as they are.
    ///
    /// # Errors
    /// The name is no good, the branch is there already, or something larger is under way.
    pub async fn create_branch(&self, name: &str) -> Result<(), VcsError> {
        let reference = format!("refs/heads/{name}");
        if !is_ref_name(&reference) || name == "HEAD" || name.starts_with('-') {
            return Err(VcsError::BadName { name: shown(name.as_bytes()) });
        }
        let memory = self.remembered().await?;
        let state = self.calm_state(&memory).await?;
        match &state.head.commit {
            Some(commit) => self.create_reference(&memory, &reference, commit).await?,
            None if self.reference(&memory, &reference).await?.is_some() => {
                return Err(VcsError::Exists { name: reference });
            }
            None => {}
        }
        let message = format!("loopwright: moving to {name}");
        let switch = self.inspecting(&memory, &["symbolic-ref", "-m", &message, "HEAD", &reference]);
        self.git.run(switch).await.map(drop)
    }

    /// The newest commit of the current branch that bears this trailer with this value. Looks at the last 2,000.
    ///
    /// # Errors
    /// Git fails.
    pub async fn find_commit(&self, trailer: &str, value: &str) -> Result<Option<Oid>, VcsError> {
        let memory = self.remembered().await?;
        if self.state_now(&memory).await?.head.commit.is_none() {
            return Ok(None);
        }
        let format = format!("--format=%H%n%(trailers:key={trailer},valueonly,unfold)");
        let args = [
            "--no-pager",
            "log",
            "-z",
            SEARCH_DEPTH,
            "--no-show-signature",
            "--no-color",
            &format,
            "HEAD",
            "--",
        ];
        let output = self.git.run(self.inspecting(&memory, &args)).await?;
        let text = String::from_utf8_lossy(&output.stdout);
        Ok(text.split('\0').find_map(|record| {
            let (oid, values) = record.split_once('\n')?;
            values.lines().any(|line| line.trim() == value).then(|| Oid::parse(oid)).flatten()
        }))
    }
}

/// Whether git accepts this as the whole name of a reference.
pub(crate) fn is_ref_name(name: &str) -> bool {
    let forbidden = |byte: u8| byte <= b' ' || byte == 0x7f || b"~^:?*[\\".contains(&byte);
    let part_is_good = |part: &str| {
        !part.is_empty() && !part.starts_with('.') && !part.ends_with(".lock") && !part.ends_with('.')
    };
    name.len() <= 240
        && !name.bytes().any(forbidden)
        && !name.contains("..")
        && !name.contains("@{")
        && name.split('/').all(part_is_good)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_git_refuses_are_refused() {
        for good in ["refs/heads/main", "refs/heads/loop/2026-11-16", "refs/heads/ä"] {
            assert!(is_ref_name(good), "{good}");
        }
        for bad in [
            "refs/heads/",
            "refs/heads/a b",
            "refs/heads/a..b",
            "refs/heads/.a",
            "refs/heads/a.lock",
            "refs/heads/a/",
            "refs/heads/a~1",
            "refs/heads/a@{1}",
            "refs/heads/a\\b",
            "refs/heads/a\n",
        ] {
            assert!(!is_ref_name(bad), "{bad}");
        }
    }
}

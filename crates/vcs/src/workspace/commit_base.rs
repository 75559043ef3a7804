//! What a commit has to be compared with.

use std::collections::BTreeSet;
use std::fs;

use super::changes::Difference;
use super::{Memory, Workspace};
use crate::error::VcsError;
use crate::oid::Oid;

impl Workspace {
    /// The tree from which `to` differs by exactly what a commit of the change from `from` to `to` brings to HEAD.
    ///
    /// A commit takes a changed file as a whole. Where the file was not as in HEAD before the change, the commit brings
    /// more than the change: that is seen from here. Files that `earlier` changes touched are compared with `from`.
    ///
    /// # Errors
    /// A tree is not there, or git fails.
    pub async fn commit_base(&self, from: &Oid, to: &Oid, earlier: &[(Oid, Oid)]) -> Result<Oid, VcsError> {
        let mut memory = self.remembered().await?;
        let Some(head) = self.state_now(&memory).await?.head.commit else { return Ok(from.clone()) };
        let head = self.tree_of(&mut memory, &head).await?;
        self.see_index(&mut memory, false).await?;
        // Where git stores something else than the files' bytes, the two cannot be compared.
        let converts = memory.private.taken.as_ref().is_none_or(|taken| taken.converts);
        if head == *from || converts {
            return Ok(from.clone());
        }
        let mut names = self.changed_names(&memory, from, to).await?;
        for (from, to) in earlier {
            for name in self.changed_names(&memory, from, to).await? {
                names.remove(&name);
            }
        }
        let wanted: Vec<Difference> = self
            .differences(&memory, from, &head)
            .await?
            .into_iter()
            .filter(|change| names.contains(&change.name))
            .collect();
        if wanted.is_empty() {
            return Ok(from.clone());
        }
        let index = memory.private.file("base-index");
        let _ = fs::remove_file(&index);
        let mut environment = memory.profile.environment.clone();
        environment.insert("GIT_INDEX_FILE".into(), index.into());
        self.git.run(self.call(&["read-tree", from.as_str()], environment.clone())).await?;
        let zeros = Oid::zeros(memory.profile.format);
        self.stage_objects(environment.clone(), &wanted, &zeros).await?;
        self.object(self.call(memory.write_tree(), environment), "git write-tree").await
    }

    async fn changed_names(
        &self,
        memory: &Memory,
        from: &Oid,
        to: &Oid,
    ) -> Result<BTreeSet<Vec<u8>>, VcsError> {
        let changes = self.differences(memory, from, to).await?;
        Ok(changes.into_iter().map(|change| change.name).collect())
    }
}

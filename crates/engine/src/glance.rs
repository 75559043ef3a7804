//! A project at one glance, for a few lines of text: everything is looked at at once.

use std::path::Path;

use loopwright_domain::{ErrorCode, Fault, Task};
use tokio::task::yield_now;

use crate::config::Config;
use crate::host::Host;
use crate::layout::Layout;
use crate::overview::{Look, Overview, outside};
use crate::project::Project;
use crate::run::RunView;

/// What a few lines of text tell of a project.
#[derive(Debug)]
pub struct Glance {
    /// The project itself, still open: closing it takes time that whoever only prints should not wait for.
    pub project: Project,
    /// The project, without its activity.
    pub overview: Overview,
    /// Its last run.
    pub run: Option<RunView>,
    /// The settings by which it was looked at.
    pub config: Config,
}

impl Project {
    /// The project at or above a folder and its last run. Its state is read while everything else is looked at, and
    /// without looking it through; where reading then meets damage, it is opened again in the ordinary way, which
    /// deals with it.
    ///
    /// # Errors
    /// There is no project, or its state cannot be read.
    pub async fn glance(host: &Host, start: &Path) -> Result<Glance, Fault> {
        let layout = Layout::find(start)?;
        // The state is asked first: SQLite works in a thread of its own, which has to have begun to be of use.
        let (inside, around) = tokio::join!(Inside::read(host, &layout), around(host, &layout));
        let ((project, inside), (overview, config)) = (inside?, around?);
        let overview = overview.with_state(inside.tasks, project.recovery().cloned());
        Ok(Glance { project, overview, run: inside.run, config })
    }
}

async fn around(host: &Host, layout: &Layout) -> Result<(Overview, Config), Fault> {
    let config = Config::load(host, Some(&layout.config_file()));
    yield_now().await;
    Ok((outside(host, layout, &config, Look::Glance).await?, config))
}

/// What only the state knows.
struct Inside {
    tasks: Vec<Task>,
    run: Option<RunView>,
}

impl Inside {
    async fn read(host: &Host, layout: &Layout) -> Result<(Project, Self), Fault> {
        let project = Project::open_for_a_glance(host, layout.clone()).await?;
        match Self::of(&project).await {
            Ok(inside) => Ok((project, inside)),
            Err(fault) if fault.code == ErrorCode::StoreCorrupt => {
                drop(project);
                let project = Project::open_layout(host, layout.clone()).await?;
                let inside = Self::of(&project).await?;
                Ok((project, inside))
            }
            Err(fault) => Err(fault),
        }
    }

    async fn of(project: &Project) -> Result<Self, Fault> {
        Ok(Self { tasks: project.tasks().await?, run: project.run_view(None).await? })
    }
}

//! The agents that are known by name: the CLIs with an adapter, and the scripted one.

use loopwright_agents::{Adapter, adapters};

/// The name of the scripted agent.
pub(crate) const REHEARSAL: &str = "rehearsal";

/// An agent that is known by name.
#[derive(Clone, Copy, Debug)]
pub struct KnownAgent {
    /// The name used in the configuration.
    pub name: &'static str,
    /// The name people know it by.
    pub label: &'static str,
    /// The names its program goes by, the usual one first.
    pub programs: &'static [&'static str],
    /// Whether it plays a script instead of thinking.
    pub scripted: bool,
    /// How its CLI is called; none for the scripted agent.
    pub adapter: Option<&'static Adapter>,
}

impl KnownAgent {
    /// The usual name of its program.
    #[must_use]
    pub fn program(&self) -> &'static str {
        self.programs.first().copied().unwrap_or(self.name)
    }

    /// Whether it was driven by Loopwright's own tests.
    #[must_use]
    pub fn tested(&self) -> bool {
        self.adapter.is_none_or(|adapter| adapter.tested)
    }
}

/// The agents that are known by name, the scripted one last.
pub fn known() -> impl Iterator<Item = KnownAgent> {
    let clis = adapters().iter().map(|adapter| KnownAgent {
        name: adapter.name,
        label: adapter.label,
        programs: adapter.programs,
        scripted: false,
        adapter: Some(adapter),
    });
    clis.chain([KnownAgent {
        name: REHEARSAL,
        label: "Rehearsal",
        programs: &["loopwright-rehearsal"],
        scripted: true,
        adapter: None,
    }])
}

/// The agent with this name.
#[must_use]
pub fn known_agent(name: &str) -> Option<KnownAgent> {
    known().find(|agent| agent.name == name)
}

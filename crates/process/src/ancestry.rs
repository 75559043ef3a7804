//! Whether this process was started, over however many steps, by an agent that Loopwright runs.
//!
//! Agents get [`AGENT_MARKER`] in their environment. A child can drop it from its own environment but not from
//! its ancestors', so those are looked at too where the system allows it (Linux). The first process of all is
//! asked too: in a sandbox it is the one that is wrapped around the agent.
//!
//! On Linux every job also bears a mark that the system keeps and no descendant can take off, in whatever session or
//! namespace and however long after the job's end. Only root can. What an agent makes others start for it (a service, a
//! timer, a container engine) is no descendant; without a sandbox such are in its reach.

use std::env;
use std::ffi::OsString;

use crate::system;

/// The environment variable that Loopwright sets for every agent; its value names the iteration.
pub const AGENT_MARKER: &str = "LOOPWRIGHT_ITERATION";

/// More steps than any sane process tree has, so that a walk over a changing one ends.
const MAX_STEPS: usize = 256;

/// What is said for the iteration of an agent that left nothing but the system's mark.
const UNNAMED: &str = "unknown";

/// The iteration of the agent in whose process tree this process runs, if it runs in one.
#[must_use]
pub fn agent_ancestry() -> Option<String> {
    let named = marker_among_ancestors(
        env::var_os(AGENT_MARKER),
        std::process::id(),
        system::starting_environment,
        |pid| system::process(pid).map(|process| process.parent),
    );
    named.or_else(|| system::is_marked().then(|| UNNAMED.to_owned()))
}

/// Whether this process was started, over however many steps, by the process of this number. Where orphans are handed
/// to that process, they count too.
#[must_use]
pub fn descends_from(ancestor: u32) -> bool {
    let parent = |pid: &u32| system::process(*pid).map(|process| process.parent).filter(|parent| *parent > 1);
    let own = std::process::id();
    std::iter::successors(parent(&own), parent).take(MAX_STEPS).any(|pid| pid == ancestor)
}

fn marker_among_ancestors(
    own: Option<OsString>,
    process: u32,
    environment: impl Fn(u32) -> Option<Vec<u8>>,
    parent: impl Fn(u32) -> Option<u32>,
) -> Option<String> {
    if let Some(value) = own {
        return Some(value.to_string_lossy().into_owned());
    }
    std::iter::successors(Some(process), |pid| parent(*pid).filter(|parent| *parent > 0))
        .take(MAX_STEPS)
        .find_map(|pid| marker_in(&environment(pid)?))
}

/// The marker's value in a block of NUL-separated `NAME=value` strings.
pub(crate) fn marker_in(block: &[u8]) -> Option<String> {
    block
        .split(|byte| *byte == 0)
        .find_map(|variable| variable.strip_prefix(AGENT_MARKER.as_bytes())?.strip_prefix(b"="))
        .map(|value| String::from_utf8_lossy(value).into_owned())
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use proptest::prelude::*;

    use super::*;

    /// 40 → 30 → 20 → 10 → 1, where 20 is the agent; and 60 → 1 in a sandbox, where 1 is wrapped around it.
    fn found_from(process: u32) -> Option<String> {
        let parents = HashMap::from([(40, 30), (30, 20), (20, 10), (10, 1), (50, 50), (60, 1), (1, 0)]);
        let environment = |pid| match pid {
            0 => Some(b"LOOPWRIGHT_ITERATION=nobody\0".to_vec()),
            1 if process == 60 => Some(b"LOOPWRIGHT_ITERATION=around-the-agent\0".to_vec()),
            20 => Some(b"HOME=/root\0LOOPWRIGHT_ITERATION=the-agent\0".to_vec()),
            30 => None,
            _ => Some(b"HOME=/root\0NOT_LOOPWRIGHT_ITERATION=no\0LOOPWRIGHT_ITERATIONS=no\0".to_vec()),
        };
        marker_among_ancestors(None, process, environment, |pid| parents.get(&pid).copied())
    }

    #[test]
    fn the_chain_is_followed_past_processes_that_cannot_be_read() {
        assert_eq!(found_from(40).as_deref(), Some("the-agent"));
        assert_eq!(found_from(20).as_deref(), Some("the-agent"));
        assert_eq!(found_from(10), None);
        assert_eq!(found_from(60).as_deref(), Some("around-the-agent"));
    }

    #[test]
    fn a_circle_in_a_changing_process_table_ends() {
        assert_eq!(found_from(50), None);
    }

    #[test]
    fn the_own_environment_is_enough_even_when_empty() {
        let nothing = |_| None;
        assert_eq!(marker_among_ancestors(Some("".into()), 9, |_| None, nothing), Some(String::new()));
    }

    proptest! {
        #[test]
        fn the_marker_is_found_wherever_it_stands(
            before in proptest::collection::vec("[A-KM-Z]{1,5}=[a-z=]{0,5}", 0..5),
            value in "[a-z0-9=-]{0,20}",
        ) {
            let mut block: Vec<u8> = before.iter().flat_map(|text| [text.as_bytes(), b"\0"].concat()).collect();
            prop_assert_eq!(marker_in(&block), None);
            block.extend(format!("{AGENT_MARKER}={value}\0LAST=1\0").into_bytes());
            prop_assert_eq!(marker_in(&block), Some(value));
        }

        #[test]
        fn any_bytes_are_read_without_harm(block in proptest::collection::vec(any::<u8>(), 0..200)) {
            let _ = marker_in(&block);
        }
    }
}

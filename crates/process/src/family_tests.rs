//! Who belongs to a job, as tables.
use std::collections::BTreeSet;

use proptest::prelude::*;

use super::*;

const OWN: u32 = 10;
const LEADER: u32 = 20;

fn process(pid: u32, parent: u32, session: u32, born: u64) -> Process {
    Process { pid, parent, session, over: false, marked: false, born, started: format!("at {born}") }
}

/// The family of process 20, born at 100, in a session of its own.
fn family() -> Family {
    Family {
        marker: Some("m".to_owned()),
        leader: Some(ProcessIdentity { pid: LEADER, started: "at 100".to_owned() }),
        born: 100,
        known: BTreeMap::from([(LEADER, "at 100".to_owned())]),
        strays: Vec::new(),
        secrets: Secrets::built_in(),
        unsettled: false,
        wrapper: None,
    }
}

fn members(table: &[Process]) -> Vec<u32> {
    family().members(table, OWN).into_iter().collect()
}

fn leader() -> Process {
    process(LEADER, OWN, LEADER, 100)
}

#[test]
fn descendants_belong_in_whatever_order_they_are_listed() {
    let table = [process(23, 22, 23, 103), process(22, 21, 22, 102), process(21, LEADER, 21, 101), leader()];
    assert_eq!(members(&table), [20, 21, 22, 23]);
}

#[test]
fn the_marker_and_the_session_lead_to_those_who_lost_their_parents() {
    let marked = Process { marked: true, ..process(31, 1, 31, 101) };
    let in_session = process(32, 1, LEADER, 101);
    let child_of_marked = process(33, 31, 33, 102);
    let stranger = process(34, 1, 34, 101);
    assert_eq!(members(&[marked, in_session, child_of_marked, stranger]), [31, 32, 33]);
}

#[test]
fn a_stranger_who_got_the_leaders_id_and_all_of_its_session_are_left_alone() {
    let stranger = process(LEADER, 1, LEADER, 500);
    let its_child = process(21, LEADER, LEADER, 501);
    assert_eq!(members(&[stranger, its_child]), Vec::<u32>::new());
}

#[test]
fn neither_we_nor_anybody_older_belongs() {
    let own = Process { marked: true, ..process(OWN, 1, OWN, 100) };
    let older = Process { marked: true, ..process(11, 1, 11, 99) };
    assert_eq!(members(&[own, older, leader()]), [LEADER]);
}

#[test]
fn who_was_seen_once_is_recognised_and_a_successor_is_not() {
    let mut family = family();
    family.known.insert(50, "at 120".to_owned());
    assert_eq!(family.members(&[process(50, 1, 50, 120)], OWN), BTreeSet::from([50]));
    assert_eq!(family.members(&[process(50, 1, 50, 121)], OWN), BTreeSet::new());
}

proptest! {
    /// Whatever the table looks like, circles included: everybody found is younger, is not us, and is tied to the
    /// job by a chain of parents, the session or the marker.
    #[test]
    fn nobody_belongs_without_a_reason(
        rows in proptest::collection::vec((2u32..30, 1u32..30, 1u32..30, 90u64..110, any::<bool>()), 0..20),
    ) {
        let table: Vec<Process> = rows
            .into_iter()
            .map(|(pid, parent, session, born, marked)| Process { marked, ..process(pid, parent, session, born) })
            .collect();
        let found = family().members(&table, OWN);
        for pid in &found {
            let tied = table.iter().filter(|process| process.pid == *pid).any(|process| {
                process.born >= 100
                    && (process.marked
                        || process.session == LEADER
                        || process.pid == LEADER
                        || found.contains(&process.parent))
            });
            prop_assert!(tied && *pid != OWN);
        }
    }
}

#[test]
fn what_is_wrapped_around_a_program_is_known_by_its_command_line_or_its_name_when_that_is_gone() {
    let wrapped = Family { wrapper: Some(b"/usr/bin/bwrap\0--x\0agent\0".to_vec()), ..family() };
    assert!(wrapped.is_wrapper("bwrap", b"/usr/bin/bwrap\0--x\0agent\0") && wrapped.is_wrapper("bwrap", b""));
    assert!(!wrapped.is_wrapper("bwrap", b"/usr/bin/bwrap\0--y\0") && !wrapped.is_wrapper("agent", b""));
    assert!(!family().is_wrapper("bwrap", b""));
}

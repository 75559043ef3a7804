//! Events come back as they were, in order.

use loopwright_domain::event::EVENT_VERSION;
use loopwright_domain::{Event, EventEnvelope, EventSeq, Origin, TaskId};
use loopwright_store::Store;
use proptest::prelude::*;

use crate::support::{NOW, runtime};

fn any_origin() -> impl Strategy<Value = Origin> {
    prop_oneof![Just(Origin::Cli), Just(Origin::App)]
}

fn any_event() -> impl Strategy<Value = Event> {
    let text = any::<String>;
    prop_oneof![
        (text(), any_origin(), any::<bool>()).prop_map(|(name, origin, sample)| Event::ProjectCreated {
            name,
            origin,
            sample
        }),
        (text(), any_origin()).prop_map(|(digest, origin)| Event::ProjectTrusted { digest, origin }),
        (text(), any::<Option<String>>(), any_origin())
            .prop_map(|(key, value, origin)| Event::ConfigChanged { key, value, origin }),
        (text(), text()).prop_map(|(moved_to, reason)| Event::StoreRecovered { moved_to, reason }),
        (any::<u32>(), text()).prop_map(|(task, title)| Event::TaskAdded { task: TaskId(task), title }),
    ]
}

/// Appends all, then reads them back in pages of this size and, newest first, at once.
async fn round_trip(events: &[(String, Event)], page: u32) -> (Vec<EventEnvelope>, Vec<EventEnvelope>) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    for (at, event) in events {
        store.append(at, event).await.unwrap();
    }
    let mut paged: Vec<EventEnvelope> = Vec::new();
    loop {
        let after = paged.last().map_or(EventSeq(0), |last| last.seq);
        let next = store.events_since(after, page).await.unwrap();
        if next.is_empty() {
            break;
        }
        assert!(next.len() <= page as usize);
        paged.extend(next);
    }
    let recent = store.recent_events(1_000).await.unwrap();
    store.close().await.unwrap();
    (paged, recent)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(32))]

    #[test]
    fn events_come_back_equal_and_in_order(
        events in prop::collection::vec((any::<String>(), any_event()), 0..20),
        page in 1_u32..8,
    ) {
        let (paged, recent) = runtime().block_on(round_trip(&events, page));
        let expected: Vec<EventEnvelope> = (1..)
            .zip(events)
            .map(|(seq, (at, event))| EventEnvelope { v: EVENT_VERSION, seq: EventSeq(seq), at, event })
            .collect();
        prop_assert_eq!(&paged, &expected);
        prop_assert_eq!(recent.into_iter().rev().collect::<Vec<_>>(), expected);
    }
}

#[tokio::test]
async fn pages_begin_after_the_given_place_and_end_at_the_limit() {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    for number in 1..=5 {
        let event = Event::TaskAdded { task: TaskId(number), title: "Brew".into() };
        store.append(NOW, &event).await.unwrap();
    }
    let places = async |after, limit| -> Vec<u64> {
        let page = store.events_since(EventSeq(after), limit).await.unwrap();
        page.into_iter().map(|envelope| envelope.seq.0).collect()
    };
    assert_eq!(places(0, 2).await, [1, 2]);
    assert_eq!(places(3, 10).await, [4, 5]);
    assert_eq!(places(2, 1).await, [3]);
    assert_eq!(places(0, 0).await, [] as [u64; 0]);
    assert_eq!(places(5, 10).await, [] as [u64; 0]);
    assert_eq!(places(u64::MAX, 10).await, [] as [u64; 0]);
    let recent = store.recent_events(2).await.unwrap();
    assert_eq!(recent.iter().map(|envelope| envelope.seq.0).collect::<Vec<_>>(), [5, 4]);
}

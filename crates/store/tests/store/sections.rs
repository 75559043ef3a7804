//! Sections of the spec.

use loopwright_domain::{Event, Origin, Section, SectionId, TaskDraft};
use loopwright_store::{
    NewTask, PutSection, Source, SourceDependency, SpecChange, Store, StoreProblem, StoredSection,
};

use tempfile::TempDir;

use crate::support::NOW;

async fn new_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    (folder, store)
}

fn put(id: Option<u32>, position: u32, title: &str, file: Option<&str>) -> PutSection {
    let section = Section {
        id: SectionId(0),
        number: format!("{}", position + 1),
        title: title.to_owned(),
        level: 2,
        content: format!("{title}: the \"quoted\" (text) -of- it"),
        file: file.map(str::to_owned),
        words: 5,
    };
    PutSection { id: id.map(SectionId), position, section, edited: false, under: None }
}

async fn change(store: &Store, put: &[PutSection], remove: &[u32]) -> Result<Vec<SectionId>, StoreProblem> {
    let remove: Vec<SectionId> = remove.iter().copied().map(SectionId).collect();
    let change =
        SpecChange { at: NOW, what: "a test", put, remove: &remove, sources: &[], origin: Origin::Cli };
    store.change_spec(change).await.map_err(|error| error.problem)
}

async fn titles(store: &Store) -> Vec<String> {
    store.sections().await.unwrap().into_iter().map(|stored| stored.section.title).collect()
}

#[tokio::test]
async fn sections_stand_in_the_order_of_their_documents_and_keep_their_ids() {
    let (_folder, store) = new_store().await;
    let all = [
        put(None, 0, "By hand", None),
        put(None, 1, "Second", Some("b.md")),
        put(None, 0, "First", Some("b.md")),
        put(None, 0, "Other", Some("a.md")),
    ];
    assert_eq!(change(&store, &all, &[]).await.unwrap(), [1, 2, 3, 4].map(SectionId));
    assert_eq!(titles(&store).await, ["Other", "First", "Second", "By hand"]);
    let ids = change(
        &store,
        &[put(Some(3), 2, "First again", Some("b.md")), put(None, 3, "New", Some("b.md"))],
        &[2],
    )
    .await;
    assert_eq!(ids.unwrap(), [3, 5].map(SectionId));
    assert_eq!(titles(&store).await, ["Other", "First again", "New", "By hand"]);
    let last = store.recent_events(1).await.unwrap().remove(0).event;
    assert_eq!(last, Event::SpecChanged { what: "a test".into(), sections: 4, origin: Origin::Cli });
}

#[tokio::test]
async fn what_is_not_there_changes_nothing() {
    let (_folder, store) = new_store().await;
    change(&store, &[put(None, 0, "One", None)], &[]).await.unwrap();
    for (add, remove) in [(put(Some(9), 0, "x", None), vec![]), (put(None, 0, "x", None), vec![1, 9])] {
        let problem = change(&store, &[add], &remove).await.unwrap_err();
        assert!(matches!(problem, StoreProblem::NoSection(SectionId(9))), "{problem:?}");
    }
    assert_eq!(titles(&store).await, ["One"]);
}

#[tokio::test]
async fn any_text_can_be_searched_for_and_titles_weigh_more() {
    let (_folder, store) = new_store().await;
    let mut brew = put(None, 0, "Brewing", None);
    brew.section.content = "How the water is boiled".into();
    let mut water = put(None, 1, "Water", None);
    water.section.content = "Brewing needs it".into();
    change(&store, &[water, brew], &[]).await.unwrap();
    let found = async |text| {
        let found = store.search_sections(text, 5).await.unwrap();
        found.into_iter().map(|stored| stored.section.id.0).collect::<Vec<u32>>()
    };
    assert_eq!(found("brew").await, [2, 1]);
    for text in ["", "\"", "a AND (", "-:*^", "NEAR(x y)", "brew\0ing", "🍵"] {
        store.search_sections(text, 5).await.unwrap();
    }
    change(&store, &[put(Some(2), 0, "Nothing", None)], &[]).await.unwrap();
    assert_eq!(found("boiled").await, [0; 0]);
}

#[tokio::test]
async fn sections_know_their_tasks_and_links_go_with_them() {
    let (_folder, store) = new_store().await;
    change(&store, &[put(None, 0, "One", None), put(None, 1, "Two", None)], &[]).await.unwrap();
    let draft = TaskDraft { sections: vec![SectionId(1), SectionId(2)], ..TaskDraft::titled("Brew") };
    let task = store.add_tasks(NOW, &[NewTask::from(draft)]).await.unwrap()[0];
    assert_eq!(store.sections().await.unwrap()[0].tasks, [task]);
    change(&store, &[], &[1]).await.unwrap();
    assert_eq!(store.tasks().await.unwrap()[0].draft.sections, [SectionId(2)]);
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn sections_stand_below_their_headings_or_where_they_were_put() {
    let (_folder, store) = new_store().await;
    let mut all = [put(None, 0, "Tea", Some("a.md")), put(None, 1, "Pot", Some("a.md"))];
    all[0].section.level = 1;
    change(&store, &all, &[]).await.unwrap();
    let by_hand = PutSection { under: Some(SectionId(2)), ..put(None, 0, "Lid", None) };
    change(&store, &[by_hand], &[]).await.unwrap();
    let parents = |found: Vec<StoredSection>| found.into_iter().map(|one| one.parent).collect::<Vec<_>>();
    let expected = [None, Some(SectionId(1)), Some(SectionId(2))];
    assert_eq!(parents(store.sections().await.unwrap()), expected);
    for (text, expected) in ["tea", "pot", "lid"].into_iter().zip(expected) {
        assert_eq!(parents(store.search_sections(text, 1).await.unwrap()), [expected], "{text}");
    }
    change(&store, &[], &[2]).await.unwrap();
    assert_eq!(parents(store.sections().await.unwrap()), [None, None]);
}

#[tokio::test]
async fn documents_are_remembered_as_they_were_imported() {
    let (_folder, store) = new_store().await;
    let depends_on = vec![SourceDependency { name: "prd".into(), hash: None }];
    let first = Source { file: "a.md".into(), name: None, hash: "1".into(), depends_on };
    let again =
        Source { hash: "2".into(), name: Some("tea".into()), depends_on: Vec::new(), ..first.clone() };
    for source in [first, again] {
        let sources = [source];
        let change = SpecChange {
            at: NOW,
            what: "a test",
            put: &[],
            remove: &[],
            sources: &sources,
            origin: Origin::Cli,
        };
        store.change_spec(change).await.unwrap();
        assert_eq!(store.sources().await.unwrap(), sources);
    }
}

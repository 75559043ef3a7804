//! Tasks are stored as given, wait only for what exists, and are found by any text.

use std::sync::OnceLock;

use loopwright_domain::{ErrorCode, Event, EventSeq, Task, TaskDraft, TaskId};
use loopwright_store::{NewTask, Store};
use proptest::prelude::*;
use tempfile::TempDir;

use crate::support::{NOW, runtime};

fn draft(title: &str, description: &str, priority: u32, depends_on: &[u32]) -> TaskDraft {
    let depends_on = depends_on.iter().copied().map(TaskId).collect();
    TaskDraft { description: description.into(), priority, depends_on, ..TaskDraft::titled(title) }
}

fn new_task(title: &str, description: &str, depends_on: &[u32]) -> NewTask {
    draft(title, description, 1, depends_on).into()
}

async fn empty_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    (folder, store)
}

#[tokio::test]
async fn tasks_are_stored_with_their_dependencies_and_events() {
    let (_folder, store) = empty_store().await;
    assert_eq!(store.tasks().await.unwrap(), []);
    let ids = store
        .add_tasks(
            NOW,
            &[
                draft("Boil water", "In the kettle", u32::MAX, &[]).into(),
                NewTask { after: vec![0, 0], ..new_task("Brew", "", &[]) },
            ],
        )
        .await
        .unwrap();
    assert_eq!(ids, [TaskId(1), TaskId(2)]);
    let more = [new_task("Drink\0 🍵", "\0", &[2, 1])];
    assert_eq!(store.add_tasks(NOW, &more).await.unwrap(), [TaskId(3)]);

    let expected = |id, title: &str, description: &str, priority, depends_on: &[u32]| {
        Task::new(TaskId(id), draft(title, description, priority, depends_on), NOW)
    };
    assert_eq!(
        store.tasks().await.unwrap(),
        [
            expected(1, "Boil water", "In the kettle", u32::MAX, &[]),
            expected(2, "Brew", "", 1, &[1]),
            expected(3, "Drink\0 🍵", "\0", 1, &[1, 2]),
        ]
    );
    let events = store.events_since(EventSeq(0), 10).await.unwrap();
    let last = events.last().unwrap();
    assert_eq!(events.len(), 3);
    assert_eq!(last.event, Event::TaskAdded { task: TaskId(3), title: "Drink\0 🍵".into() });
}

#[tokio::test]
async fn a_batch_with_a_bad_task_adds_nothing_and_says_which() {
    let (_folder, store) = empty_store().await;
    store.add_tasks(NOW, &[new_task("Boil water", "", &[])]).await.unwrap();
    let good = new_task("Find cups", "", &[]);
    let cases = [
        (new_task("", "", &[]), "new task 2 cannot be added: it has no title"),
        (new_task(" \t", "", &[]), "new task 2 cannot be added: it has no title"),
        (new_task("Two\nlines", "", &[]), "new task 2 cannot be added: its title is longer than one line"),
        (
            NewTask { after: vec![1], ..new_task("Waits for itself", "", &[]) },
            "new task 2 cannot be added: it waits for itself",
        ),
        (
            new_task("Waits for its own number", "", &[3]),
            "new task 2 waits for task #3, which does not exist",
        ),
        (new_task("Waits for nothing", "", &[77]), "new task 2 waits for task #77, which does not exist"),
        (new_task("Waits for number zero", "", &[0]), "new task 2 waits for task #0, which does not exist"),
    ];
    for (bad, message) in cases {
        let error = store.add_tasks(NOW, &[good.clone(), bad]).await.unwrap_err();
        assert_eq!(error.to_string(), message);
        assert_eq!(error.problem.code(), ErrorCode::TaskInvalid);
        assert_eq!(store.tasks().await.unwrap().len(), 1, "{message}");
        assert_eq!(store.recent_events(10).await.unwrap().len(), 1, "{message}");
    }
}

#[tokio::test]
async fn a_cancelled_write_changes_nothing_and_the_next_one_works() {
    let (_folder, store) = empty_store().await;
    let many: Vec<NewTask> = (0..1000).map(|number| new_task(&format!("Cup {number}"), "", &[])).collect();
    {
        let mut write = std::pin::pin!(store.add_tasks(NOW, &many));
        for _ in 0..20 {
            let soon = std::time::Duration::from_micros(50);
            if tokio::time::timeout(soon, &mut write).await.is_ok() {
                break;
            }
        }
    }
    let left = store.tasks().await.unwrap().len();
    assert!(left == 0 || left == many.len(), "{left} of {} tasks", many.len());
    assert_eq!(store.add_tasks(NOW, &many).await.unwrap().len(), many.len());
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn words_find_tasks_best_match_first() {
    let (_folder, store) = empty_store().await;
    let tasks = [
        new_task("Boil water", "for tea and for pasta", &[]),
        new_task("Brew tea", "three minutes", &[]),
        new_task("Café: naïve order", "a \"quoted\" don't-know", &[]),
        new_task("Write parser_tests.rs", "cover `foo::bar()`", &[]),
        new_task("お茶を淹れる", "", &[]),
    ];
    store.add_tasks(NOW, &tasks).await.unwrap();
    let found = async |text: &str| -> Vec<u32> {
        store.search_tasks(text, 10).await.unwrap().into_iter().map(|id| id.0).collect()
    };
    assert_eq!(found("tea").await, [2, 1], "a title counts more than a description");
    assert_eq!(found("brew pasta").await.len(), 2, "any of the words");
    assert_eq!(found("BREW tea minutes").await[0], 2);
    assert_eq!(found("bre").await, [2], "the beginning of a word");
    assert_eq!(found("p").await, [4, 1], "even of one letter");
    assert_eq!(found("cafe").await, [3]);
    assert_eq!(found("NAÏVE").await, [3]);
    assert_eq!(found("\"quoted\"").await, [3]);
    assert_eq!(found("don't").await, [3]);
    assert_eq!(found("parser_tests.rs").await, [4]);
    assert_eq!(found("foo::bar()").await, [4]);
    assert_eq!(found("お茶").await, [5]);
    assert_eq!(found("nothing like it").await, [] as [u32; 0]);
    assert_eq!(found("").await, [] as [u32; 0]);
    assert_eq!(store.search_tasks("tea", 1).await.unwrap(), [TaskId(2)]);
}

/// One store for every case: searching changes nothing.
fn searched() -> &'static (tokio::runtime::Runtime, TempDir, Store) {
    static SEARCHED: OnceLock<(tokio::runtime::Runtime, TempDir, Store)> = OnceLock::new();
    SEARCHED.get_or_init(|| {
        let runtime = runtime();
        let (folder, store) = runtime.block_on(async {
            let (folder, store) = empty_store().await;
            let tasks = ["Brew tea", "AND OR NOT NEAR", "title description", "ab 12 🍵"]
                .map(|title| new_task(title, "word", &[]));
            store.add_tasks(NOW, &tasks).await.unwrap();
            (folder, store)
        });
        (runtime, folder, store)
    })
}

fn search(text: &str) -> Vec<TaskId> {
    let (runtime, _, store) = searched();
    runtime.block_on(store.search_tasks(text, 10)).unwrap()
}

/// Any characters that belong to no word.
fn signs() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| text.chars().filter(|c| !c.is_alphanumeric()).collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn any_text_can_be_searched_for(text in any::<String>()) {
        search(&text);
    }

    #[test]
    fn text_that_looks_like_an_expression_can_be_searched_for(
        text in r#"(AND|OR|NOT|NEAR|title|word|[\-"'():*^+{}\[\]\\,.;0-9a-z \x00🍵])*"#,
    ) {
        search(&text);
    }

    #[test]
    fn a_word_is_found_whatever_surrounds_it(before in signs(), after in signs()) {
        prop_assert_eq!(search(&format!("{before}brew{after}")), [TaskId(1)]);
    }
}

#[test]
fn a_very_long_text_can_be_searched_for() {
    let text: String = (0..50_000).map(|number| format!("word{number} ")).collect();
    assert_eq!(search(&format!("tea {text}")), [TaskId(1)]);
    assert_eq!(search(&"x".repeat(1_000_000)), []);
}

//! Terms of the spec.

use loopwright_domain::{ErrorCode, Event, Origin, Term, TermId};
use loopwright_store::{PutTerm, Store, StoreError};
use tempfile::TempDir;

use crate::support::NOW;

async fn new_store() -> (TempDir, Store) {
    let folder = tempfile::tempdir().unwrap();
    let (store, _) = Store::open(&folder.path().join("state.db"), NOW).await.unwrap();
    (folder, store)
}

fn term(name: &str, definition: &str, variants: &[&str], avoid: &[&str]) -> Term {
    let owned = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect();
    Term {
        id: TermId(0),
        name: name.to_owned(),
        definition: definition.to_owned(),
        variants: owned(variants),
        avoid: owned(avoid),
    }
}

async fn put(store: &Store, term: &Term, replace: bool) -> Result<Term, StoreError> {
    store.put_term(PutTerm { at: NOW, term, replace, origin: Origin::Cli }).await
}

#[tokio::test]
async fn terms_are_kept_by_name_with_their_history() {
    let (_folder, store) = new_store().await;
    let guest =
        put(&store, &term("Guest", "Who drinks tea", &["guests"], &["customer"]), false).await.unwrap();
    put(&store, &term("cup", "What tea is drunk from", &[], &[]), false).await.unwrap();
    let names: Vec<String> = store.terms().await.unwrap().into_iter().map(|term| term.name).collect();
    assert_eq!(names, ["cup", "Guest"]);
    for clash in
        [term("GUEST", "x", &[], &[]), term("Pot", "x", &["Customer"], &[]), term("Pot", " ", &[], &[])]
    {
        let error = put(&store, &clash, false).await.unwrap_err();
        assert_eq!(error.problem.code(), ErrorCode::TermInvalid, "{clash:?}");
    }
    let again = put(&store, &term("guest", "Who pays", &[], &[]), true).await.unwrap();
    assert_eq!((again.id, again.name.as_str(), again.variants.len()), (guest.id, "guest", 0));
    let remove = async |names: &[&str]| {
        let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
        store.remove_terms(NOW, &names, Origin::App).await
    };
    for missing in [&["guest", "pot"] as &[&str], &["guest", "guest"]] {
        assert_eq!(remove(missing).await.unwrap_err().problem.code(), ErrorCode::TermNotFound);
    }
    assert_eq!(remove(&[" GUEST"]).await.unwrap(), [again]);
    let events = store.recent_events(9).await.unwrap();
    let told: Vec<&str> = events
        .iter()
        .filter_map(|envelope| match &envelope.event {
            Event::SpecChanged { what, .. } => Some(what.as_str()),
            _ => None,
        })
        .collect();
    assert_eq!(
        told,
        ["removed the term guest", "changed the term guest", "added the term cup", "added the term Guest"]
    );
    assert_eq!(store.verify().await.unwrap(), Vec::<String>::new());
}

#[tokio::test]
async fn any_text_finds_terms_names_first() {
    let (_folder, store) = new_store().await;
    put(&store, &term("Cup", "What a guest drinks from", &[], &[]), false).await.unwrap();
    put(&store, &term("Guest", "Who drinks tea", &["visitor"], &["customer"]), false).await.unwrap();
    let found = async |text| {
        let found = store.search_terms(text, 5).await.unwrap();
        found.into_iter().map(|term| term.name).collect::<Vec<String>>()
    };
    assert_eq!(found("guest").await, ["Guest", "Cup"]);
    assert_eq!(found("visit").await, ["Guest"]);
    assert_eq!(found("customer").await, ["Guest"]);
    for text in ["", "\"", "a AND (", "-:*^", "NEAR(x y)", "cu\0p", "🍵"] {
        found(text).await;
    }
}

use proptest::prelude::*;

use super::*;
use PromptItemKind as Kind;

fn candidate(key: &str, kind: Kind, words: usize) -> Candidate {
    Candidate {
        key: key.to_owned(),
        kind,
        title: key.to_owned(),
        why: "why".to_owned(),
        text: "word ".repeat(words).trim_end().to_owned(),
        trust: None,
        held_back: None,
    }
}

fn choose(key: &str, choice: ItemChoice) -> PromptChoice {
    PromptChoice { key: key.to_owned(), choice }
}

/// Each item as `key:state`.
fn states(candidates: &[Candidate], budget: u32, choices: &[PromptChoice]) -> String {
    let items = assemble(candidates.to_vec(), budget, choices);
    items.iter().map(|item| format!("{}:{}", item.key, item.state)).collect::<Vec<_>>().join(" ")
}

#[test]
fn items_are_in_cut_or_out_in_their_order() {
    let all = [
        candidate("rules", Kind::Rules, 500),
        candidate("linked", Kind::LinkedSection, 300),
        candidate("related", Kind::RelatedSection, 100),
        candidate("learned", Kind::Learning, 20),
        candidate("ending", Kind::Ending, 500),
    ];
    for (budget, choices, expected) in [
        (0, vec![], "rules:in linked:in related:in learned:in ending:in"),
        (1_000, vec![], "rules:in linked:in related:in learned:in ending:in"),
        // What is always in costs no budget and is never out.
        (10, vec![], "rules:in linked:out related:out learned:out ending:in"),
        // A smaller one after one that does not fit still fits.
        (40, vec![], "rules:in linked:out related:out learned:in ending:in"),
        (200, vec![], "rules:in linked:cut related:out learned:out ending:in"),
        (380, vec![], "rules:in linked:in related:cut learned:out ending:in"),
        (
            1_000,
            vec![choose("linked", ItemChoice::Out)],
            "rules:in linked:out related:in learned:in ending:in",
        ),
        (
            200,
            vec![choose("learned", ItemChoice::Pinned)],
            "rules:in linked:cut related:out learned:in ending:in",
        ),
        (
            120,
            vec![choose("linked", ItemChoice::Out)],
            "rules:in linked:out related:in learned:out ending:in",
        ),
        // Nobody can take the rules out.
        (1_000, vec![choose("rules", ItemChoice::Out)], "rules:in linked:in related:in learned:in ending:in"),
    ] {
        assert_eq!(states(&all, budget, &choices), expected, "{budget} {choices:?}");
    }
}

#[test]
fn the_seeds_caps_hold() {
    for (kind, most) in [
        (Kind::RelatedSection, 3),
        (Kind::KnownFix, 5),
        (Kind::Solution, 5),
        (Kind::TrialSolution, 1),
        (Kind::SimilarTask, 3),
        (Kind::RecentFailure, 5),
        (Kind::Learning, 10),
    ] {
        let all: Vec<Candidate> = (0..30).map(|n| candidate(&format!("k{n}"), kind, 3)).collect();
        let items = assemble(all.clone(), 0, &[]);
        assert_eq!(items.iter().filter(|item| item.state == ItemState::In).count(), most, "{kind}");
        let last = items.last().unwrap();
        assert_eq!(last.why, "below the cut: why");
        // One that is asked for by name is in all the same.
        let items = assemble(all, 0, &[choose("k29", ItemChoice::In)]);
        assert_eq!(items.last().unwrap().state, ItemState::In, "{kind}");
    }
}

#[test]
fn an_item_on_trial_never_takes_the_room_of_a_trusted_one() {
    let all = [candidate("trusted", Kind::KnownFix, 100), candidate("trial", Kind::TrialSolution, 100)];
    assert_eq!(states(&all, 110, &[]), "trusted:in trial:out");
    let reason = assemble(all.to_vec(), 110, &[]).pop().unwrap().why;
    assert!(reason.starts_with("no room: it takes "), "{reason}");
}

#[test]
fn what_is_held_back_comes_in_only_when_a_person_asks_for_it() {
    let held_back = Some("failed twice when included".to_owned());
    let all = [
        Candidate { held_back, ..candidate("sunk", Kind::TrialSolution, 9) },
        candidate("trial", Kind::TrialSolution, 9),
    ];
    assert_eq!(states(&all, 0, &[]), "sunk:out trial:in");
    assert_eq!(assemble(all.to_vec(), 0, &[]).first().unwrap().why, "failed twice when included");
    assert_eq!(states(&all, 0, &[choose("sunk", ItemChoice::In)]), "sunk:in trial:out");
}

#[test]
fn a_cut_says_so_and_counts_what_is_left() {
    let items = assemble(vec![candidate("linked", Kind::LinkedSection, 300)], 200, &[]);
    let item = items.first().unwrap();
    assert!(item.text.ends_with("\n[cut]") && item.tokens <= 200 && item.tokens > 150, "{}", item.tokens);
    assert!(item.why.contains("cut from 30"), "{}", item.why);
    assert_eq!(context_tokens(&items), item.tokens);
}

#[test]
fn the_more_specific_is_ranked_first() {
    let none = Relevance::default();
    let table = [
        (Relevance { same_pattern: true, ..none }, "pattern"),
        (Relevance { words: 1.0, shared_files: 1, ..none }, "words and a file"),
        (Relevance { words: 1.0, newer: 9, ..none }, "words"),
        (Relevance { shared_files: 9, newer: 9, ..none }, "files"),
        (Relevance { trust: 0.6, newer: 9, ..none }, "trust"),
        (Relevance { newer: 0, ..none }, "newest"),
        (Relevance { newer: 3, ..none }, "older"),
    ];
    let mut ranked: Vec<(Relevance, &str)> = table.iter().rev().copied().collect();
    rank(&mut ranked);
    let expected: Vec<&str> = table.iter().map(|(_, name)| *name).collect();
    assert_eq!(ranked.iter().map(|(_, name)| *name).collect::<Vec<_>>(), expected);
}

proptest! {
    #[test]
    fn the_budget_holds_and_nothing_is_lost(
        sizes in proptest::collection::vec((0_usize..PromptItemKind::ALL.len(), 0_usize..400), 0..40),
        budget in 1_u32..4_000,
        pinned in proptest::collection::vec(0_usize..40, 0..5),
    ) {
        let candidates: Vec<Candidate> = sizes.iter().enumerate().map(|(place, (kind, words))| {
            candidate(&format!("k{place}"), PromptItemKind::ALL[*kind], *words)
        }).collect();
        let choices: Vec<PromptChoice> = pinned.iter().map(|n| choose(&format!("k{n}"), ItemChoice::Pinned)).collect();
        let items = assemble(candidates.clone(), budget, &choices);
        prop_assert!(context_tokens(&items) <= budget);
        let keys: Vec<&str> = items.iter().map(|item| item.key.as_str()).collect();
        let expected: Vec<&str> = candidates.iter().map(|candidate| candidate.key.as_str()).collect();
        prop_assert_eq!(keys, expected);
        prop_assert_eq!(&items, &assemble(candidates, budget, &choices));
        for item in &items {
            prop_assert!(!item.kind.is_always_in() || item.state == ItemState::In);
            prop_assert!(item.state != ItemState::In || item.tokens == item.whole_tokens);
        }
    }
}

use super::*;
use crate::ids::TermId;
use crate::task::{TaskDraft, TaskSize, TaskStatus};

fn section(id: u32, content: &str) -> Section {
    Section {
        id: SectionId(id),
        number: id.to_string(),
        title: format!("Section {id}"),
        level: 2,
        content: content.to_owned(),
        file: None,
        words: u32::try_from(content.split_whitespace().count()).unwrap(),
    }
}

fn task(id: u32, draft: TaskDraft) -> Task {
    Task {
        id: TaskId(id),
        draft,
        status: TaskStatus::Pending,
        blocked: None,
        attempts: 0,
        failures: 0,
        commit: None,
        external: None,
        created_at: String::new(),
        updated_at: String::new(),
    }
}

/// A task that no rule finds fault with.
fn good(title: &str) -> TaskDraft {
    TaskDraft {
        acceptance: vec!["Water boils within four minutes".to_owned()],
        test_strategy: "A test with a clock.".to_owned(),
        ..TaskDraft::titled(title)
    }
}

fn guest() -> Term {
    Term {
        id: TermId(1),
        name: "Guest".to_owned(),
        definition: "Who drinks tea.".to_owned(),
        variants: vec!["guests".to_owned()],
        avoid: vec!["end user".to_owned()],
    }
}

fn rules<Id>(judged: &Judged<Id>) -> Vec<&'static str> {
    judged.findings.iter().map(|finding| finding.rule.as_str()).collect()
}

#[test]
fn what_is_found_in_a_section() {
    let cases: [(&str, &[&str], u32); 12] = [
        ("Tea is served within five minutes.", &[], 100),
        (" \n", &["empty_section"], 60),
        ("It should be fast, robust, etc.", &["vague_words", "vague_words", "vague_words"], 85),
        ("It is user-friendly.", &["vague_words"], 95),
        ("Breakfast is served. `fast` and ```fast``` are names.", &[], 100),
        ("```\nfast TBD\n```\nTea.", &[], 100),
        ("Cups: TBD", &["open_point"], 85),
        ("The End-User pays.", &["avoided_word"], 95),
        ("The end users pay.", &[], 100),
        ("- **Guest**: who drinks TEA", &[], 100),
        ("- **Guest**: who pays", &["redefined_term"], 85),
        ("**guest** means who sits down", &["redefined_term"], 85),
    ];
    for (content, expected, score) in cases {
        let section = section(1, content);
        let placed = [PlacedSection { section: &section, parent: None, linked: false }];
        let quality = judge(&placed, &[], &[guest()]);
        assert_eq!(
            (rules(&quality.sections[0]), quality.score),
            (expected.to_vec(), Some(score)),
            "{content}"
        );
    }
}

#[test]
fn sections_are_judged_beside_each_other() {
    let same = "Tea is served in cups of white porcelain.";
    let mut all = [
        section(1, ""),
        section(2, same),
        section(3, "Tea is served, in cups of WHITE porcelain!"),
        section(4, "More."),
    ];
    all[3].number = "0".to_owned();
    let placed = |linked: u32| {
        let place = |section| PlacedSection { section, parent: None, linked: false };
        let mut placed: Vec<PlacedSection<'_>> = all.iter().map(place).collect();
        placed[1].parent = Some(SectionId(1));
        placed[2].parent = Some(SectionId(1));
        placed.iter_mut().for_each(|one| one.linked = one.section.id.0 == linked);
        placed
    };
    let found = |linked: u32, tasks: &[Task]| {
        judge(&placed(linked), tasks, &[]).sections.iter().map(rules).collect::<Vec<_>>()
    };
    let duplicate = vec!["duplicate_section"];
    assert_eq!(found(0, &[]), [vec![], vec![], duplicate.clone(), vec![]]);
    let tasks = [task(1, good("Boil"))];
    assert_eq!(
        found(0, &tasks),
        [vec![], vec!["orphan_section"], vec!["duplicate_section", "orphan_section"], vec![]]
    );
    assert_eq!(found(1, &tasks), [vec![], vec![], duplicate, vec![]]);
}

#[test]
fn what_is_found_in_a_task() {
    let with = |change: fn(&mut TaskDraft)| {
        let mut draft = good("Boil water");
        change(&mut draft);
        draft
    };
    let cases: [(TaskDraft, &[&str], u32); 11] = [
        (good("Boil water"), &[], 100),
        (with(|draft| draft.acceptance.clear()), &["no_criteria"], 70),
        (with(|draft| draft.test_strategy.clear()), &["unchecked_criteria"], 90),
        (
            with(|draft| {
                draft.acceptance =
                    vec!["Works".into(), "Is fast enough here".into(), "Looks nice to me".into()]
            }),
            &["untestable_criterion"; 3],
            70,
        ),
        (with(|draft| draft.acceptance = vec!["`make test` passes".into()]), &[], 100),
        (with(|draft| draft.size = Some(TaskSize::XL)), &["large_task"], 80),
        (with(|draft| draft.complexity = 21), &["large_task"], 80),
        (with(|draft| draft.acceptance = vec!["Water boils at once".into(); 11]), &["large_task"], 80),
        (with(|draft| draft.description = "word ".repeat(1_001)), &["large_task"], 80),
        (
            with(|draft| draft.description = "For the end user, todo.".into()),
            &["open_point", "avoided_word"],
            80,
        ),
        (with(|draft| draft.description = "As the guests like it.".into()), &[], 100),
    ];
    for (draft, expected, score) in cases {
        let quality = judge(&[], &[task(1, draft.clone())], &[guest()]);
        assert_eq!((rules(&quality.tasks[0]), quality.score), (expected.to_vec(), Some(score)), "{draft:?}");
    }
}

#[test]
fn tasks_are_judged_beside_each_other_and_the_spec() {
    let after = |title: &str, notes: &str| TaskDraft {
        depends_on: vec![TaskId(1)],
        notes: notes.to_owned(),
        ..good(title)
    };
    let mut tagged = after("Paint", "");
    tagged.tag = Some("house".to_owned());
    let mut first = good("Boil water");
    first.tag = Some("house".to_owned());
    let tasks = [
        task(1, first),
        task(2, after("Pour the water", "")),
        task(3, after("Paint walls", "")),
        task(4, after("Build", "Needs the pipes of #1.")),
        task(5, tagged),
        task(6, good("boil WATER")),
    ];
    let quality = judge(&[], &tasks, &[]);
    let found: Vec<_> = quality.tasks.iter().map(rules).collect();
    let expected = [vec![], vec![], vec!["unexplained_dependency"], vec![], vec![], vec!["duplicate_task"]];
    assert_eq!(found, expected);
    let section = section(1, "Tea.");
    let placed = [PlacedSection { section: &section, parent: None, linked: true }];
    let mut done = task(2, TaskDraft::titled("x"));
    done.status = TaskStatus::Done;
    let linked = TaskDraft { sections: vec![SectionId(1)], ..good("Boil") };
    let quality = judge(&placed, &[task(1, good("Pour")), done, task(3, linked)], &[]);
    assert_eq!(quality.tasks.iter().map(rules).collect::<Vec<_>>(), [vec!["orphan_task"], vec![]]);
}

#[test]
fn nothing_has_no_score_and_rules_never_take_more_than_all() {
    assert_eq!(judge(&[], &[], &[]).score, None);
    let bad = TaskDraft {
        size: Some(TaskSize::XL),
        depends_on: vec![TaskId(1)],
        ..TaskDraft::titled("todo tbd fixme tba")
    };
    let quality = judge(&[], &[task(1, good("Boil")), task(2, bad)], &[]);
    assert_eq!(quality.tasks[1].score, 15);
    for rule in QualityRule::ALL {
        let (one, most) = rule.penalty();
        assert!(one > 0 && one <= most && most <= 100, "{rule}");
    }
}

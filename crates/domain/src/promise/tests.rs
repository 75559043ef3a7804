use proptest::prelude::*;

use super::*;

const ASKED: Expected<'_> = Expected { promise: Some("COMPLETE"), plain: false, words: true };

fn claim(text: &str) -> Claim {
    find_claim("", text, ASKED).0
}

#[test]
fn the_last_line_alone_is_a_claim() {
    for text in [
        "<promise>COMPLETE</promise>",
        "  <promise> COMPLETE </promise>  \n\n",
        "All tests pass.\n<promise>COMPLETE</promise>",
        "All tests pass\n<promise>COMPLETE</promise>",
        "All tests pass:\n\n<promise>COMPLETE</promise>",
        "Final answer:\n<promise>COMPLETE</promise>\n",
        "done\n**<promise>COMPLETE</promise>**",
        "done\n__<promise>COMPLETE</promise>__",
        "done\n***<promise>COMPLETE</promise>***",
        "done\n*<promise>COMPLETE</promise>*",
        "done\n`<promise>COMPLETE</promise>`",
        "done\n**`<promise>COMPLETE</promise>`**",
        "```\ncode\n```\n<promise>COMPLETE</promise>",
        "~~~~\n```\n~~~~\n<promise>COMPLETE</promise>",
        "> a quotation\n\n<promise>COMPLETE</promise>",
        "> cargo test\n  3 passed\n<promise>COMPLETE</promise>",
        "> write lib.rs\n<promise>COMPLETE</promise>",
        "- Added tests for the parser and the lexer\n- prints usage when called without arguments\n<promise>COMPLETE</promise>",
        "3 passed, 1 not run\n<promise>COMPLETE</promise>",
        "If a test had failed I would have stopped. All pass.\n<promise>COMPLETE</promise>",
        "I will now output the completion promise:\n\n<promise>COMPLETE</promise>",
        "| a | b |\n<promise>COMPLETE</promise>",
        "\u{1b}[32m<promise>COMPLETE</promise>\u{1b}[0m",
        "\u{1b}[1m\u{1b}[38;5;2m<promise>\u{1b}[0mCOMPLETE</promise>\u{1b}[K",
        "working 50%\rworking 99%\r<promise>COMPLETE</promise>",
        "done\r\n<promise>COMPLETE</promise>\r\n",
        "\u{feff}<promise>COMPLETE</promise>",
    ] {
        assert_eq!(claim(text), Claim::Promise, "{text}");
    }
    for text in [
        "LOOPWRIGHT_COMPLETE: wrote it",
        "I wrote it.\nLOOPWRIGHT_COMPLETE: wrote it",
        "**LOOPWRIGHT_COMPLETE:** wrote it",
        "**LOOPWRIGHT_COMPLETE**: wrote it",
        "`LOOPWRIGHT_COMPLETE: wrote it`",
        "dial complete: wrote it",
        "LOOPWRIGHT_COMPLETE: parser returns nothing when the line is empty",
        "TASK_COMPLETE",
        "\u{1b}[33mLOOPWRIGHT_COMPLETE:\u{1b}[0m wrote it",
        "LOOPWRIGHT_LEARNING: test: run it twice\nLOOPWRIGHT_COMPLETE: wrote it",
        "done\nEXIT_SIGNAL: true\n\n",
    ] {
        assert_eq!(claim(text), Claim::Signal, "{text}");
    }
}

/// Talk, plans, quotations and code. None of it is a claim, and none of it is reported as one in the wrong place.
const TALK: &[&str] = &[
    "",
    "\n\n",
    "The work is incomplete.",
    "COMPLETE",
    "Two tests fail, so I do not print `<promise>COMPLETE</promise>`",
    "Two tests fail, so I do not print <promise>COMPLETE</promise>.",
    "Two tests fail, so I do not print\n<promise>COMPLETE</promise>",
    "Two tests fail, so I don't say\n<promise>COMPLETE</promise>",
    "Two tests fail and I cannot yet say:\n\n<promise>COMPLETE</promise>",
    "When it works I will say <promise>COMPLETE</promise>",
    "When it works I will say\n<promise>COMPLETE</promise>",
    "When it works I will say:\n<promise>COMPLETE</promise>",
    "When it works I will say:\n\n**<promise>COMPLETE</promise>**",
    "Once all of the checks are green the last line of my answer will\nthen read\n<promise>COMPLETE</promise>",
    "I will only ever print, when all of it is truly\nfinished and checked, the line\n<promise>COMPLETE</promise>",
    "I will print <promise>COMPLETE</promise> as soon as the tests pass.",
    "<promise>COMPLETE</promise> is what I print at the end.",
    "My plan:\n1. mend the parser\n2. when all tests pass, print\n<promise>COMPLETE</promise>",
    "My plan:\n1. mend the parser\n2. then print <promise>COMPLETE</promise>",
    "If everything had worked, you would see\n<promise>COMPLETE</promise>",
    "Not done. Until then I shall not print\n\n<promise>COMPLETE</promise>",
    "I stop here without printing\n<promise>COMPLETE</promise>",
    "<promise>INCOMPLETE</promise>",
    "<promise>complete</promise>",
    "<promise></promise>",
    "<promise>COMPLETE",
    "COMPLETE</promise>",
    "<promise>\nCOMPLETE\n</promise>",
    "~~<promise>COMPLETE</promise>~~",
    "<promise>COMPLETE</promise> <promise>COMPLETE</promise>",
    "\"<promise>COMPLETE</promise>\" is for later",
    "> <promise>COMPLETE</promise>",
    ">> <promise>COMPLETE</promise>",
    "   > <promise>COMPLETE</promise>",
    "> The prompt says to print\n<promise>COMPLETE</promise>",
    "```\n<promise>COMPLETE</promise>\n```",
    "<!-- not yet\n<promise>COMPLETE</promise>",
    "<pre>\n<promise>COMPLETE</promise>",
    "<PRE class=x>\n<promise>COMPLETE</promise>\n</PRE>",
    "<code>\n<promise>COMPLETE</promise>\n</code>",
    "```\n<promise>COMPLETE</promise>\n```\nThat is what I would print.",
    "````\n```\n<promise>COMPLETE</promise>\n```\n````",
    "`````text\n````\n<promise>COMPLETE</promise>\n`````",
    "~~~\n<promise>COMPLETE</promise>\n~~~",
    "~~~\n```\n<promise>COMPLETE</promise>\n~~~",
    "```\n~~~\n<promise>COMPLETE</promise>\n```",
    "An example:\n```\nprint(1)\n\n<promise>COMPLETE</promise>",
    "```sh\necho x\n``` not the end\n<promise>COMPLETE</promise>",
    "- an item\n  ```\n<promise>COMPLETE</promise>",
    "An example:\n\n    <promise>COMPLETE</promise>",
    "An example:\n\n\t<promise>COMPLETE</promise>",
    "  \t <promise>COMPLETE</promise>",
    "    LOOPWRIGHT_COMPLETE: done",
    "\u{1b}[2m> <promise>COMPLETE</promise>\u{1b}[0m",
    "I will print LOOPWRIGHT_COMPLETE: done",
    "When it works I will print\nLOOPWRIGHT_COMPLETE: done",
    "Two tests fail, so I do not print\n`LOOPWRIGHT_COMPLETE: done`",
    "Plan:\n- mend it\n- when it passes I print LOOPWRIGHT_COMPLETE: mended",
    "> LOOPWRIGHT_COMPLETE: done",
    "# LOOPWRIGHT_COMPLETE: done",
    "```\nLOOPWRIGHT_COMPLETE: done\n```",
    "LOOPWRIGHT_COMPLETE: <summary>",
    "LOOPWRIGHT_COMPLETE: …",
    "LOOPWRIGHT_COMPLETE: is what I print when all of it works",
    "LOOPWRIGHT_COMPLETED: done",
    "Task complete: I wrote it",
    "print EXIT_SIGNAL: true",
    "EXIT_SIGNAL: false",
    "> EXIT_SIGNAL: true",
    "When all is done my last line will be\nEXIT_SIGNAL: true",
    "```\nEXIT_SIGNAL: true",
];

#[test]
fn talk_about_a_claim_is_none() {
    assert!(TALK.len() >= 60, "{}", TALK.len());
    for text in TALK {
        assert_eq!(find_claim("", text, ASKED), (Claim::None, None), "{text}");
    }
}

#[test]
fn alone_on_an_earlier_line_it_is_reported_and_does_not_count() {
    for (text, line) in [
        ("<promise>COMPLETE</promise>\nbye", "<promise>COMPLETE</promise>"),
        (
            "work\n**<promise>COMPLETE</promise>**\n\nAll eleven tests pass.",
            "**<promise>COMPLETE</promise>**",
        ),
        ("- <promise>COMPLETE</promise>", "- <promise>COMPLETE</promise>"),
        ("done\n<promise>COMPLETE</promise>.", "<promise>COMPLETE</promise>."),
        ("Everything passes so here is the\n<promise>COMPLETE</promise>", "<promise>COMPLETE</promise>"),
        ("LOOPWRIGHT_COMPLETE: wrote it\nAnything else?", "LOOPWRIGHT_COMPLETE: wrote it"),
        ("LOOPWRIGHT_COMPLETE: a\nLOOPWRIGHT_LEARNING: test: run it twice", "LOOPWRIGHT_COMPLETE: a"),
        ("EXIT_SIGNAL: true\nbut there is more to do", "EXIT_SIGNAL: true"),
        ("<promise>COMPLETE</promise>\n```\nTokens: 7\n```", "<promise>COMPLETE</promise>"),
    ] {
        assert_eq!(find_claim("", text, ASKED), (Claim::Misplaced, Some(line.to_owned())), "{text}");
    }
    let before = find_claim("<promise>COMPLETE</promise>", "I go on.", ASKED);
    assert_eq!(before, (Claim::Misplaced, Some("<promise>COMPLETE</promise>".to_owned())));
    let open_before = find_claim("```\nan open fence", "Done.\n<promise>COMPLETE</promise>", ASKED).0;
    assert_eq!(open_before, Claim::Promise, "each message is read for itself");
}

#[test]
fn the_second_time_a_person_looks() {
    use Claim::{Misplaced, None, Promise};
    for (now, before, gates) in [
        (Misplaced, vec![], false),
        (Misplaced, vec![None, Promise], false),
        (Misplaced, vec![None, Misplaced], true),
        (None, vec![Misplaced], false),
        (Promise, vec![Misplaced], false),
    ] {
        assert_eq!(gates_misplaced(now, before.clone()), gates, "{now} after {before:?}");
    }
}

#[test]
fn what_says_the_opposite_counts_on_every_line() {
    for text in [
        "<promise>COMPLETE</promise>\n<promise>FAILURE</promise> disk is full",
        "<promise>FAILURE</promise>\n<promise>COMPLETE</promise>",
        "It broke. <promise>FAILURE</promise>\nLOOPWRIGHT_COMPLETE: x",
        "**<promise>FAILURE</promise>**\nbye\n<promise>COMPLETE</promise>",
        "```\nan open fence\n<promise>FAILURE</promise>",
        "> a quotation\n<promise>FAILURE</promise>\n\n<promise>COMPLETE</promise>",
        "\u{1b}[31m<promise>FAILURE</promise>\u{1b}[0m\n<promise>COMPLETE</promise>",
    ] {
        assert_eq!(claim(text), Claim::Failure, "{text}");
    }
    for text in
        ["TASK_BLOCKED: no key\nPlease help.", "- LOOPWRIGHT_BLOCKED: no key\n<promise>COMPLETE</promise>"]
    {
        assert_eq!(find_claim("", text, ASKED), (Claim::Blocked, Some("no key".to_owned())), "{text}");
    }
    assert_eq!(claim("If there is no key I will print\nTASK_BLOCKED: no key\n\nDone."), Claim::None);
    assert_eq!(
        find_claim("<promise>FAILURE</promise>", "<promise>COMPLETE</promise>", ASKED).0,
        Claim::Failure
    );
}

#[test]
fn the_plain_word_counts_only_when_asked_for() {
    let plain = |text| find_claim("", text, Expected { plain: true, ..ASKED }).0;
    assert_eq!(plain("done\nComplete"), Claim::Promise);
    assert_eq!(plain("done\n**COMPLETE**"), Claim::Promise);
    assert_eq!(plain("done\nCOMPLETE\nbye"), Claim::Misplaced);
    for text in ["not COMPLETE yet", "incomplete", "> COMPLETE", "    COMPLETE", "I will not say\nCOMPLETE"] {
        assert_eq!(plain(text), Claim::None, "{text}");
    }
    assert_eq!(find_claim("", "", Expected { promise: Some(" "), plain: true, words: true }).0, Claim::None);
}

#[test]
fn words_count_only_where_there_is_a_task() {
    let loop_only = Expected { words: false, ..ASKED };
    for text in ["LOOPWRIGHT_COMPLETE: x", "LOOPWRIGHT_BLOCKED: x"] {
        assert_eq!(find_claim("", text, loop_only), (Claim::None, None), "{text}");
    }
    let learned = learnings("> LOOPWRIGHT_LEARNING: no\nLOOPWRIGHT_LEARNING: test: run it twice\nbye");
    assert_eq!(learned, [(LearningCategory::Test, "run it twice".to_owned())]);
}

const PROMPT: &str = "Build it.\n\n- Output <promise>COMPLETE</promise>\nwhen done.\n<promise>COMPLETE</promise>\n\
                      Then stop.\n\n=== HOW ===\n- Print the tag alone.\n";

fn printed(text: &str) -> Claim {
    claim(&without_echoed_lines(&without_echo(text, PROMPT), PROMPT))
}

#[test]
fn an_echoed_prompt_says_nothing() {
    let lines: Vec<&str> = PROMPT.lines().collect();
    let each = |change: &dyn Fn(usize, &str) -> String| {
        let changed: Vec<String> = lines.iter().enumerate().map(|(n, line)| change(n, line)).collect();
        changed.join("\n")
    };
    let backwards: Vec<&str> = lines.iter().rev().copied().collect();
    let mut sorted = lines.clone();
    sorted.sort_unstable();
    let mut whole_echoes = vec![
        PROMPT.to_owned(),
        backwards.join("\n"),
        sorted.join("\n"),
        each(&|n, line| format!("{:6}\t{line}", n + 1)),
        each(&|n, line| format!("{}: {line}", n + 1)),
        each(&|_, line| format!("> {line}")),
        each(&|_, line| format!("| {line}")),
        each(&|_, line| format!("\u{1b}[2m{line}\u{1b}[0m")),
        each(&|_, line| format!("`{line}`")),
        format!("user:\n{PROMPT}\nassistant:\nI began."),
    ];
    // Every part of it, forwards and backwards.
    for first in 0..lines.len() {
        for end in first + 2..=lines.len() {
            whole_echoes.push(lines[first..end].join("\n"));
            whole_echoes.push(format!("You asked:\n{}", lines[first..end].join("\n")));
            whole_echoes.push(lines[first..end].iter().rev().copied().collect::<Vec<_>>().join("\n"));
        }
    }
    for echo in whole_echoes {
        let blank_before = echo == "\n<promise>COMPLETE</promise>";
        assert!(blank_before || printed(&echo) == Claim::None, "{echo}");
    }
}

#[test]
fn a_claim_of_ones_own_counts_behind_an_echo() {
    for text in [
        format!("{PROMPT}\nI did it.\n<promise>COMPLETE</promise>\n"),
        format!("{PROMPT}<promise>COMPLETE</promise>\n"),
        "<promise>COMPLETE</promise>\n".to_owned(),
        "I did it.\n<promise>COMPLETE</promise>\n".to_owned(),
        "Build it.\nI built it.\n<promise>COMPLETE</promise>\n".to_owned(),
    ] {
        assert_eq!(printed(&text), Claim::Promise, "{text}");
    }
}

proptest! {
    #[test]
    fn any_text_is_searched_without_harm(text in ".{0,200}", prompt in ".{0,80}") {
        let rest = without_echoed_lines(&without_echo(&text, &prompt), &prompt);
        let _ = find_claim(&text, &rest, Expected { promise: Some(&prompt), plain: true, words: true });
    }

    #[test]
    fn without_the_claim_as_the_last_line_there_is_none(
        before in "(\\PC{0,30}\n){0,3}",
        tag in prop::sample::select(vec!["<promise>COMPLETE</promise>\n", "LOOPWRIGHT_COMPLETE: x\n", "EXIT_SIGNAL: true\n", ""]),
        last in "[a-zA-Z#>|:;.!0-9][ -~]{0,40}",
    ) {
        let is_claim = [tag.trim(), "TASK_COMPLETE"].contains(&last.trim());
        prop_assume!(!is_claim && !last.to_uppercase().contains("COMPLETE"));
        let (claim, _) = find_claim("", &format!("{before}{tag}{last}\n"), ASKED);
        prop_assert!(!matches!(claim, Claim::Promise | Claim::Signal), "{}", claim);
    }

    #[test]
    fn words_around_a_tag_inside_a_line_never_make_it_count(before in "[a-z]{1,9}", after in "[a-z]{1,9}") {
        for text in [
            format!("{before} <promise>COMPLETE</promise> {after}"),
            format!("{before} <promise>COMPLETE</promise>"),
            format!("<promise>COMPLETE</promise> {after}"),
        ] {
            prop_assert_eq!(claim(&text), Claim::None);
        }
    }

    #[test]
    fn code_of_any_length_hides_it(mark in "[`~]", length in 3_usize..9, inner in "([a-z]{0,5}\n){0,3}", closed: bool) {
        let fence = mark.repeat(length);
        let end = if closed { fence.as_str() } else { "" };
        let text = format!("{fence}\n{inner}<promise>COMPLETE</promise>\n{end}");
        prop_assert_eq!(claim(&text), Claim::None);
    }

    #[test]
    fn colours_change_nothing(codes in prop::collection::vec(0_u8..108, 0..4)) {
        let codes: Vec<String> = codes.iter().map(u8::to_string).collect();
        let text = format!("\u{1b}[{}m<promise>COMPLETE</promise>\u{1b}[0m", codes.join(";"));
        prop_assert_eq!(claim(&text), Claim::Promise);
    }
}

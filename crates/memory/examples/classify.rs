//! Measures how long classifying a megabyte takes, for `cargo xtask bench memory`: prints one line of JSON.

use std::fmt::Write as _;
use std::hint::black_box;
use std::time::Instant;

use loopwright_memory::classify;

const SIZE: usize = 1_000_000;
const ROUNDS: u32 = 25;

fn main() {
    let plain = output(|text, number| {
        let _ = match number % 4 {
            0 => writeln!(text, "test tea_house::orders::case_{number} ... ok"),
            1 => writeln!(text, "   Compiling till-{number} v0.1.{number} (/home/dev/project/crates/till)"),
            2 => {
                writeln!(text, "tests/test_menu.py::test_price[{number}] PASSED                      [ 41%]")
            }
            _ => writeln!(text, "2026-11-18T09:30:34.{number} INFO till: served table {number} in 3 ms"),
        };
    });
    let noisy = output(|text, number| {
        let _ = writeln!(
            text,
            "[warn] order {number}: error: retrying, last Exception: none, till.py: package ok"
        );
    });
    let coloured = output(|text, number| {
        let _ = writeln!(text, "\u{1b}[32m✓\u{1b}[39m serves table {number} \u{1b}[90m(3 ms)\u{1b}[39m");
    });
    println!(
        "{{\"plain_ms\":{:.3},\"noisy_ms\":{:.3},\"coloured_ms\":{:.3}}}",
        best(&plain),
        best(&noisy),
        best(&coloured)
    );
}

/// A megabyte of lines with the cause at its end: everything has to be read.
fn output(line: impl Fn(&mut String, usize)) -> String {
    let mut text = String::with_capacity(SIZE + 200);
    let mut number = 0;
    while text.len() < SIZE {
        line(&mut text, number);
        number += 1;
    }
    text.push_str("error[E0308]: mismatched types\n --> src/lib.rs:4:9\n");
    text
}

/// The best of several rounds, in milliseconds: what else the machine does is no part of it.
fn best(text: &str) -> f64 {
    let round = |_| {
        let begun = Instant::now();
        assert_eq!(black_box(classify(text, "")).pattern, "rust_compile_error");
        begun.elapsed().as_secs_f64() * 1_000.0
    };
    (0..ROUNDS).map(round).fold(f64::INFINITY, f64::min)
}

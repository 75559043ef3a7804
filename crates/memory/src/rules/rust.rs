//! rustc, cargo, clippy, rustfmt, and programs written in Rust.

use super::{Rule, cause, hint, symptom};

pub(super) const RULES: &[Rule] = &[
    cause("module_not_found", &["error[E0432]"], r"unresolved import `\w+`"),
    cause("import_error", &["error[E0432]"], ""),
    cause("import_error", &["error[E0433]"], "undeclared type"),
    cause("module_not_found", &["error[E0433]", "error[E0583]", "error[E0463]"], ""),
    cause(
        "syntax_error",
        &["error[E0765]", "error[E0758]", "error[E0762]", "error[E0763]", "error[E0766]"],
        "",
    ),
    cause("data_syntax", &["error: "], r"^error: .*\n\s*--> \S*Cargo\.toml:"),
    cause(
        "syntax_error",
        &["error: "],
        r"^error: (?:expected|unexpected|unclosed|un-closed|mismatched closing|unterminated|missing `|unknown start of token|this file contains an un-?closed|leading `|invalid (?:suffix|character)|prefix `|found invalid|character literal).*\n\s*--> \S+\.rs:",
    ),
    cause("cargo_error", &["no targets specified in the manifest"], ""),
    cause("lint", &["error: "], r"^error: .*\n\s*--> \S+\.rs:").along("clippy::"),
    cause("rust_compile_error", &["error[E"], r"^\s*error\[E\d{4}\]"),
    cause("rust_compile_error", &["error: "], r"^error: .*\n\s*--> \S+\.rs:"),
    cause("link_error", &["error: linking with"], "^error: linking with"),
    cause("version_mismatch", &["is not supported by the following package", "requires rustc "], ""),
    cause(
        "dependency_unresolved",
        &[
            "no matching package",
            "failed to select a version",
            "failed to load source for dependency",
            "error: failed to get `",
        ],
        "",
    ),
    cause("file_not_found", &["could not find `Cargo.toml`"], ""),
    cause("index_error", &["index out of bounds: the len is", "range end index ", "range start index "], ""),
    cause(
        "arithmetic_error",
        &["attempt to "],
        r"attempt to (?:divide|add|subtract|multiply|negate|calculate|shift)\b.*(?:zero|overflow)",
    ),
    cause("value_error", &["ParseIntError", "ParseFloatError", "ParseBoolError", "Utf8Error {"], ""),
    cause("assertion_failed", &["assertion `left", "assertion failed:", "assertion failed ("], ""),
    cause("stack_overflow", &["has overflowed its stack"], ""),
    cause("snapshot_mismatch", &["snapshot assertion for "], ""),
    cause("format", &["Diff in "], r"^Diff in \S+(?::\d+:?| at line \d+:)"),
    hint("panic", &["panicked at "], r"thread '[^']*'(?: \(\d+\))? panicked at "),
    hint(
        "data_syntax",
        &["failed to parse manifest at", "failed to parse lock file", "could not parse input as TOML"],
        "",
    ),
    hint("test_failed", &["note: test did not panic as expected"], ""),
    hint(
        "cargo_error",
        &["error: "],
        r"^error: .*(?:did not match any packages|target named `|does not (?:contain|have) (?:this|these) features?|--locked was passed|no such command:|none of the selected packages contains|no bin target|a bin target must be available|lock file version|needs to be updated)",
    ),
    symptom("cargo_error", &["error: failed to run custom build command"], ""),
    symptom(
        "test_failed",
        &["test result: FAILED", "error: test failed, to rerun", "error: doctest failed"],
        "",
    ),
    symptom("rust_compile_error", &["error: could not compile", "error: aborting due to"], ""),
];

//! The built-in patterns: what failures are called.

use loopwright_domain::FailureCategory::{self, Build, Environment, Import, Runtime, Syntax, Test, Unknown};
use loopwright_domain::UNKNOWN_PATTERN;
use serde::Serialize;

/// A kind of failure that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "specta", derive(specta::Type))]
pub struct Pattern {
    /// Its name: the same on the command line, in the database and in JSON.
    pub name: &'static str,
    /// What kind of thing went wrong.
    pub category: FailureCategory,
    /// What it means, in one line.
    pub about: &'static str,
}

const fn of(name: &'static str, category: FailureCategory, about: &'static str) -> Pattern {
    Pattern { name, category, about }
}

/// Every built-in pattern, by category.
pub const PATTERNS: &[Pattern] = &[
    of("module_not_found", Import, "a module, package or crate that the code uses is not there"),
    of(
        "import_error",
        Import,
        "a module is there, but what is imported from it is not, or modules import each other",
    ),
    of("header_not_found", Import, "a C or C++ header is not there"),
    of("syntax_error", Syntax, "source code cannot be parsed"),
    of("indentation_error", Syntax, "Python code is indented wrongly"),
    of(
        "data_syntax",
        Syntax,
        "a manifest, settings or data file cannot be parsed, or has a key that it must not have",
    ),
    of("name_error", Runtime, "a variable, function or constant that does not exist is used"),
    of("type_error", Runtime, "a value has another type than the operation needs"),
    of(
        "value_error",
        Runtime,
        "a value has the right type and cannot be used: a number that is none, a bad argument",
    ),
    of("attribute_error", Runtime, "an object has no such member or method"),
    of("null_dereference", Runtime, "a member of null, nil or undefined is used"),
    of("key_error", Runtime, "a collection has no such key or element"),
    of("index_error", Runtime, "an index is outside of a list"),
    of("arithmetic_error", Runtime, "a division by zero or an overflow"),
    of("stack_overflow", Runtime, "calls are nested without end"),
    of("segmentation_fault", Runtime, "memory is used that is not the program's"),
    of("file_not_found", Runtime, "a file or folder that is needed is not there"),
    of("panic", Runtime, "a program gave up: a panic, an abort, a deadlock"),
    of("uncaught_exception", Runtime, "an exception that nothing handles"),
    of("assertion_failed", Test, "an assertion does not hold"),
    of("snapshot_mismatch", Test, "output differs from its stored snapshot"),
    of("test_timeout", Test, "a test took too long"),
    of("no_tests", Test, "there are no tests to run"),
    of("test_failed", Test, "a test failed for another reason than an assertion"),
    of("rust_compile_error", Build, "rustc refuses the code"),
    of("typescript_error", Build, "the TypeScript compiler refuses the code"),
    of("c_compile_error", Build, "a C or C++ compiler refuses the code"),
    of("go_compile_error", Build, "the Go compiler refuses the code"),
    of("java_compile_error", Build, "javac refuses the code"),
    of("kotlin_compile_error", Build, "the Kotlin compiler refuses the code"),
    of("csharp_compile_error", Build, "the C# compiler refuses the code"),
    of("swift_compile_error", Build, "the Swift compiler refuses the code"),
    of("link_error", Build, "the linker finds no definition, two of them, or no library"),
    of("type_check", Build, "a type checker refuses the code"),
    of("lint", Build, "a linter refuses the code"),
    of("format", Build, "a file is not formatted as the formatter would"),
    of("dependency_unresolved", Build, "a dependency, or this version of it, cannot be found"),
    of("cargo_error", Build, "cargo cannot do what it was asked to"),
    of("npm_error", Build, "npm, pnpm or yarn cannot do what it was asked to"),
    of("make_error", Build, "make has no rule, or a command of a rule failed"),
    of("cmake_error", Build, "CMake cannot configure the project"),
    of("maven_error", Build, "Maven cannot do what it was asked to"),
    of("gradle_error", Build, "Gradle cannot do what it was asked to"),
    of("usage_error", Build, "a program was called with arguments it does not know"),
    of("git_conflict", Build, "changes cannot be merged or applied"),
    of("git_error", Build, "git cannot do what it was asked to"),
    of("command_not_found", Environment, "a program is not installed"),
    of("permission_denied", Environment, "access is not allowed"),
    of("network", Environment, "a host cannot be reached, or does not answer as it should"),
    of("port_in_use", Environment, "another program listens on the port"),
    of("out_of_memory", Environment, "there is no memory left, or the process was killed for it"),
    of("disk_full", Environment, "there is no room left on the disk"),
    of("too_many_files", Environment, "too many files are open"),
    of("timeout", Environment, "something took too long"),
    of("missing_library", Environment, "a shared library is not installed"),
    of("version_mismatch", Environment, "a tool has another version than is required"),
    of(UNKNOWN_PATTERN, Unknown, "no pattern fits"),
];

/// The built-in pattern of this name.
#[must_use]
pub fn pattern(name: &str) -> Option<&'static Pattern> {
    PATTERNS.iter().find(|pattern| pattern.name == name)
}

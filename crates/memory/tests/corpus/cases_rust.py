"""Rust: rustc, cargo, rustfmt, clippy."""

MANIFEST = '[package]\nname = "till"\nversion = "0.1.0"\nedition = "2021"\n'


def crate(lib, manifest=MANIFEST, **more):
    return {"Cargo.toml": manifest, "src/lib.rs": lib, **more}


def program(main, manifest=MANIFEST):
    return {"Cargo.toml": manifest, "src/main.rs": main}


def test(body):
    return crate("pub fn add(a: i32, b: i32) -> i32 {\n    a - b\n}\n\n#[cfg(test)]\nmod tests {\n    use super::*;\n\n" + body + "\n}\n")


BUILD, TEST, RUN = "cargo build", "cargo test", "cargo run"

RUST = [
    ("rust-mismatched-types", "rust_compile_error", crate("pub fn a() -> u32 {\n    \"text\"\n}\n"), BUILD, "src/lib.rs", 2),
    ("rust-unknown-name", "rust_compile_error", crate("pub fn a() -> u32 {\n    totel\n}\n"), BUILD, "src/lib.rs", 2),
    ("rust-moved-value", "rust_compile_error", crate("pub fn a() -> String {\n    let a = String::new();\n    let b = a;\n    println!(\"{b}\");\n    a\n}\n"), BUILD, "src/lib.rs", 5),
    ("rust-borrow-twice", "rust_compile_error", crate("pub fn a(v: &mut Vec<u32>) {\n    let first = &v[0];\n    v.push(1);\n    println!(\"{first}\");\n}\n"), BUILD, "src/lib.rs", 3),
    ("rust-lifetime", "rust_compile_error", crate("pub fn a(one: &str, two: &str) -> &str {\n    one\n}\n"), BUILD, "src/lib.rs", 1),
    ("rust-missing-trait", "rust_compile_error", crate("pub struct A;\npub fn a() -> A {\n    A.clone()\n}\n"), BUILD, "src/lib.rs", 3),
    ("rust-private-field", "rust_compile_error", crate("mod m {\n    pub struct A { x: u32 }\n    impl A { pub fn new() -> A { A { x: 1 } } }\n}\npub fn a() -> u32 {\n    m::A::new().x\n}\n"), BUILD, "src/lib.rs", 6),
    ("rust-non-exhaustive", "rust_compile_error", crate("pub enum E { A, B }\npub fn a(e: E) -> u32 {\n    match e {\n        E::A => 1,\n    }\n}\n"), BUILD, "src/lib.rs", 3),
    ("rust-arguments", "rust_compile_error", crate("fn b(x: u32) -> u32 { x }\npub fn a() -> u32 {\n    b(1, 2)\n}\n"), BUILD, "src/lib.rs", 3),
    ("rust-warnings-before-error", "rust_compile_error", crate("fn unused() {}\npub fn a() -> u32 {\n    let x = 3;\n    let y: u8 = \"a\";\n    1\n}\n"), BUILD, "src/lib.rs", 4),
    ("rust-tests-do-not-compile", "rust_compile_error", test("    #[test]\n    fn adds() {\n        assert_eq!(add(1), 2);\n    }"), TEST, "src/lib.rs", 11),
    ("rust-trait-bound", "rust_compile_error", crate("fn show<T: std::fmt::Display>(t: T) -> String { t.to_string() }\npub struct A;\npub fn a() -> String {\n    show(A)\n}\n"), "cargo check", "src/lib.rs", 4),
    ("rustc-alone", "rust_compile_error", {"main.rs": "fn main() {\n    let x: i32 = 1.5;\n}\n"}, "rustc main.rs", "main.rs", 2),
    ("rust-deny-unused", "rust_compile_error", crate("#![deny(unused_variables)]\npub fn a() {\n    let x = 3;\n}\n"), BUILD, "src/lib.rs", 3),
    ("rust-unresolved-import", "import_error", crate("use std::collections::HashMapp;\npub fn a() -> HashMapp<u8, u8> { HashMapp::new() }\n"), BUILD, "src/lib.rs", 1),
    ("rust-unresolved-crate", "module_not_found", crate("use serde::Serialize;\n#[derive(Serialize)]\npub struct A;\n"), BUILD, "src/lib.rs", 1),
    ("rust-missing-module-file", "module_not_found", crate("mod prices;\npub fn a() {}\n"), BUILD, "src/lib.rs", 1),
    ("rust-undeclared-module", "module_not_found", crate("pub fn a() -> u32 {\n    prices::total()\n}\n"), BUILD, "src/lib.rs", 2),
    ("rust-missing-brace", "syntax_error", crate("pub fn a() {\n    if true {\n        println!(\"x\");\n}\n"), BUILD, "src/lib.rs", 4),
    ("rust-missing-semicolon", "syntax_error", crate("pub fn a() -> u32 {\n    let x = 3\n    x\n}\n"), BUILD, "src/lib.rs", 2),
    ("rust-stray-token", "syntax_error", crate("pub fn a() -> u32 {\n    let = 3;\n    4\n}\n"), BUILD, "src/lib.rs", 2),
    ("rust-unterminated-string", "syntax_error", crate("pub fn a() -> &'static str {\n    \"open\n}\n"), BUILD, "src/lib.rs", 2),
    ("rust-test-syntax", "syntax_error", test("    #[test]\n    fn adds( {\n    }"), TEST, "src/lib.rs", 10),
    ("rust-test-assert-eq", "assertion_failed", test("    #[test]\n    fn adds() {\n        assert_eq!(add(1, 2), 3);\n    }"), TEST, "src/lib.rs", 11),
    ("rust-test-assert", "assertion_failed", test("    #[test]\n    fn adds() {\n        assert!(add(1, 2) == 3);\n    }"), TEST, "src/lib.rs", 11),
    ("rust-test-assert-message", "assertion_failed", test("    #[test]\n    fn adds() {\n        assert!(add(1, 2) == 3, \"the sum of one and two\");\n    }"), TEST),
    ("rust-test-many", "assertion_failed", test("".join(f"    #[test]\n    fn adds_{i}() {{\n        assert_eq!(add({i}, 0), {i});\n    }}\n" for i in range(6)) + "    #[test]\n    fn last() {\n        assert_eq!(add(1, 9), 10);\n    }"), TEST),
    ("rust-test-integration", "assertion_failed", crate("pub fn a() -> u32 { 1 }\n", **{"tests/whole.rs": "#[test]\nfn whole() {\n    assert_eq!(till::a(), 2);\n}\n"}), TEST, "tests/whole.rs", 3),
    ("rust-doctest", "assertion_failed", crate("/// Adds.\n///\n/// ```\n/// assert_eq!(till::add(1, 2), 3);\n/// ```\npub fn add(a: u32, b: u32) -> u32 {\n    a * b\n}\n"), TEST),
    ("rust-test-should-panic", "test_failed", test("    #[test]\n    #[should_panic]\n    fn adds() {\n        add(1, 2);\n    }"), TEST),
    ("rust-test-returns-error", "test_failed", test("    #[test]\n    fn adds() -> Result<(), String> {\n        Err(format!(\"wrong sum {}\", add(1, 2)))\n    }"), TEST),
    ("rust-test-unwrap-none", "panic", test("    #[test]\n    fn adds() {\n        let none: Option<i32> = None;\n        assert_eq!(none.unwrap(), add(1, 2));\n    }"), TEST, "src/lib.rs", 12),
    ("rust-test-index", "index_error", test("    #[test]\n    fn adds() {\n        let v: Vec<i32> = Vec::new();\n        let at = v.len();\n        assert_eq!(v[at], add(1, 2));\n    }"), TEST, "src/lib.rs", 13),
    ("rust-test-overflow", "arithmetic_error", test("    #[test]\n    fn adds() {\n        assert_eq!(add(i32::MIN, 5), 0);\n    }"), TEST, "src/lib.rs", 2),
    ("rust-panic", "panic", program("fn main() {\n    panic!(\"no price for {}\", \"tea\");\n}\n"), RUN, "src/main.rs", 2),
    ("rust-unwrap-err", "value_error", program("fn main() {\n    let n: u32 = \"tea\".parse().unwrap();\n    println!(\"{n}\");\n}\n"), RUN, "src/main.rs", 2),
    ("rust-expect-none", "panic", program("fn main() {\n    let a: Option<u32> = std::env::args().nth(9).and_then(|a| a.parse().ok());\n    println!(\"{}\", a.expect(\"a ninth argument\"));\n}\n"), RUN, "src/main.rs", 3),
    ("rust-divide-zero", "arithmetic_error", program("fn main() {\n    let zero = std::env::args().count() - 1;\n    println!(\"{}\", 4 / zero);\n}\n"), RUN, "src/main.rs", 3),
    ("rust-file-missing", "file_not_found", program("fn main() {\n    let text = std::fs::read_to_string(\"prices.txt\").unwrap();\n    println!(\"{text}\");\n}\n"), RUN, "src/main.rs", 2),
    ("rust-main-error", "file_not_found", program("fn main() -> std::io::Result<()> {\n    std::fs::File::open(\"prices.txt\")?;\n    Ok(())\n}\n"), RUN),
    ("rust-stack-overflow", "stack_overflow", program("fn down(n: u64) -> u64 {\n    if n == u64::MAX { 0 } else { down(n + 1) + std::hint::black_box(n) }\n}\nfn main() {\n    println!(\"{}\", down(0));\n}\n"), RUN),
    ("rust-refcell", "panic", program("use std::cell::RefCell;\nfn main() {\n    let a = RefCell::new(1);\n    let b = a.borrow_mut();\n    let c = a.borrow_mut();\n    println!(\"{b} {c}\");\n}\n"), RUN, "src/main.rs", 5),
    ("rust-address-in-use", "port_in_use", program("use std::net::TcpListener;\nfn main() {\n    let a = TcpListener::bind(\"127.0.0.1:0\").unwrap();\n    TcpListener::bind(a.local_addr().unwrap()).unwrap();\n}\n"), RUN, "src/main.rs", 4),
    ("rust-connection-refused", "network", program("use std::net::TcpStream;\nfn main() {\n    TcpStream::connect(\"127.0.0.1:1\").unwrap();\n}\n"), RUN, "src/main.rs", 3),
    ("cargo-manifest-syntax", "data_syntax", {"Cargo.toml": "[package\nname = \"till\"\n", "src/lib.rs": ""}, BUILD, "Cargo.toml", 1),
    ("cargo-manifest-key", "data_syntax", {"Cargo.toml": "[package]\nname = \"till\"\nversion = 3\n", "src/lib.rs": ""}, BUILD, "Cargo.toml", 3),
    ("cargo-no-manifest", "file_not_found", {"a.txt": ""}, BUILD),
    ("cargo-no-targets", "cargo_error", {"Cargo.toml": MANIFEST}, BUILD),
    ("cargo-missing-dependency", "dependency_unresolved", crate("", MANIFEST + "\n[dependencies]\nno-such-crate-of-the-till = \"1\"\n"), BUILD),
    ("cargo-missing-path", "dependency_unresolved", crate("", MANIFEST + "\n[dependencies]\nprices = { path = \"../prices\" }\n"), BUILD),
    ("cargo-wrong-feature", "cargo_error", crate(""), "cargo build --features fast"),
    ("cargo-wrong-package", "cargo_error", crate(""), "cargo build -p prices"),
    ("cargo-wrong-test", "cargo_error", crate(""), "cargo test --test nothing"),
    ("cargo-locked", "cargo_error", crate(""), "cargo build --locked"),
    ("cargo-rust-version", "version_mismatch", crate("", MANIFEST + 'rust-version = "1.999"\n'), BUILD),
    ("cargo-build-script", "panic", {**crate(""), "build.rs": "fn main() {\n    panic!(\"no protobuf compiler\");\n}\n"}, BUILD, "build.rs", 2),
    ("cargo-unknown-command", "cargo_error", crate(""), "cargo biuld"),
    ("rustfmt-check", "format", crate("pub fn a( ) ->u32{1}\n"), "cargo fmt --check", "src/lib.rs", 1),
    ("rustfmt-many", "format", crate("pub fn a( ) ->u32{1}\npub   fn b(){}\nmod   c { pub fn d( ){} }\n"), "cargo fmt -- --check"),
    ("clippy-denied", "lint", crate("pub fn a(v: &Vec<u32>) -> bool {\n    v.len() == 0\n}\n"), "cargo clippy -- -D warnings", "src/lib.rs", 1),
    ("clippy-unwrap", "lint", crate("#![deny(clippy::unwrap_used)]\npub fn a(v: Option<u32>) -> u32 {\n    v.unwrap()\n}\n"), "cargo clippy", "src/lib.rs", 3),
    ("clippy-type-error", "rust_compile_error", crate("pub fn a() -> u32 {\n    -1i64\n}\n"), "cargo clippy -- -D warnings", "src/lib.rs", 2),
    ("rust-link", "link_error", program("extern \"C\" {\n    fn weigh_tea() -> i32;\n}\nfn main() {\n    println!(\"{}\", unsafe { weigh_tea() });\n}\n"), BUILD),
    ("rust-link-library", "link_error", program("#[link(name = \"teaweight\")]\nextern \"C\" {\n    fn weigh_tea() -> i32;\n}\nfn main() {\n    println!(\"{}\", unsafe { weigh_tea() });\n}\n"), BUILD),
]

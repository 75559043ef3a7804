use super::*;

/// What is found when every line of a file is new.
fn found(path: &str, text: &str) -> Vec<LineFinding> {
    let count = u32::try_from(text.lines().count()).unwrap();
    find(&ChangedFile { path: path.into(), added: (1..=count).collect() }, text)
}

fn lines(path: &str, text: &str) -> Vec<u32> {
    found(path, text).into_iter().map(|(line, _)| line).collect()
}

#[test]
fn each_language_has_its_placeholders() {
    let cases = [
        ("a.rs", "fn f() { todo!() }"),
        ("a.rs", "    unimplemented!(\"later\")"),
        ("a.rs", "panic!(\"not implemented\")"),
        ("a.rs", "// TODO: finish"),
        ("a.py", "def f():\n    raise NotImplementedError(\"x\")"),
        ("a.py", "def f(a): pass"),
        ("a.py", "x = 1  # FIXME later"),
        ("a.py", "raise ValueError('Not implemented yet')"),
        ("a.ts", "throw new Error(\"not implemented\");"),
        ("a.jsx", "  return null; // stub"),
        ("a.mjs", "/* XXX wrong */"),
        ("a.js", "// ... existing code ..."),
        ("a.go", "panic(\"not implemented\")"),
        ("a.go", "return errors.New(\"TODO\")"),
        ("A.java", "throw new UnsupportedOperationException(\"Not implemented\");"),
        ("A.java", "// your code here"),
        ("A.cs", "throw new NotImplementedException();"),
    ];
    for (path, text) in cases {
        assert_eq!(found(path, text).len(), 1, "{path}: {text}");
    }
}

#[test]
fn a_todo_app_may_speak_of_todos() {
    let cases = [
        ("a.ts", "const TODO = \"TODO: buy milk\"; addTodo(TODO_LIST, 'FIXME');"),
        ("a.ts", "throw new Error(\"Todo not found\");"),
        ("a.ts", "expect(render(\"TODO\")).toBe(`TODO: stub`); // shows each TODO once"),
        ("a.rs", "struct Todo { todo: String } // Todo items by date"),
        ("a.rs", "// TODO items are sorted by date"),
        ("a.rs", "fn todo() {} my_todo!(); let x = \"todo!()\"; // see TODO.md and the TODO-list"),
        ("a.py", "todo = todos['TODO']  # marks the TODO as done"),
        ("a.go", "fmt.Println(\"TODO: \", t.XXX)"),
        ("A.java", "throw new UnsupportedOperationException();"),
        ("a.ts", "throw new HttpError(501, \"Not Implemented\");"),
        ("a.md", "TODO: write this"),
        ("Makefile", "# TODO"),
    ];
    for (path, text) in cases {
        assert_eq!(found(path, text), [], "{path}: {text}");
    }
}

#[test]
fn python_bodies_without_code_are_found_unless_they_are_meant_so() {
    let stubs =
        "def a():\n    pass\n\nasync def b(\n    x,\n) -> int:\n    \"\"\"Says\n    much.\"\"\"\n    ...\n";
    assert_eq!(lines("a.py", stubs), [2, 9]);
    let meant = "class P(Protocol):\n    def a(self): ...\n\nclass B(ABC):\n    def b(self):\n        raise NotImplementedError\n\n\
                 class C:\n    @abstractmethod\n    def c(self):\n        pass\n\n\
                 class E(Exception):\n    pass\n\ntry:\n    f()\nexcept E:\n    pass\nx[...] = 1\n";
    assert_eq!(found("a.py", meant), []);
}

#[test]
fn a_text_on_the_next_line_belongs_to_the_failure() {
    assert_eq!(lines("a.ts", "throw new Error(\n  \"not implemented\",\n);"), [2]);
    assert_eq!(found("a.ts", "show(\n  \"not implemented\",\n);"), []);
}

#[test]
fn only_new_lines_count() {
    let file = ChangedFile { path: "a.rs".into(), added: vec![2, 900] };
    let found = find(&file, "// TODO old\n// TODO new\n");
    assert_eq!(found, [(2, "placeholder: TODO in a comment".to_owned())]);
}

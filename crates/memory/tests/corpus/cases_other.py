"""Go, Java with Maven, Ruby with RSpec and Minitest, PHP with PHPUnit."""

GOMOD = "module till\n\ngo 1.19\n"


def go(name, label, text, line=None, run="go build ./...", file="till.go", **more):
    place = (file, line) if line else ()
    return (name, label, {"go.mod": GOMOD, file: text, **more}, run, *place)


def gotest(name, label, body, line=None, head="import \"testing\"\n", run="go test ./..."):
    text = f"package till\n\n{head}\nfunc TestAdd(t *testing.T) {{\n{body}\n}}\n"
    return go(name, label, text, line, run, "till_test.go", **{"till.go": "package till\n\nfunc Add(a, b int) int {\n\treturn a - b\n}\n"})


def gorun(name, label, body, line=None, head=""):
    return go(name, label, f"package main\n\n{head}func main() {{\n{body}\n}}\n", line, "go run .")


def java(name, label, body, line=None, run="javac Till.java && java Till", head=""):
    text = f"{head}public class Till {{\n    public static void main(String[] args) throws Exception {{\n{body}\n    }}\n}}\n"
    return (name, label, {"Till.java": text}, run, *(("Till.java", line) if line else ()))


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion><groupId>tea</groupId><artifactId>till</artifactId><version>1</version>
  <properties><maven.compiler.source>17</maven.compiler.source><maven.compiler.target>17</maven.compiler.target></properties>
  %s
</project>
"""
JUNIT = "<dependencies><dependency><groupId>junit</groupId><artifactId>junit</artifactId><version>4.13.2</version><scope>test</scope></dependency></dependencies>"


def mvn(name, label, files, run="mvn -B -q test", pom=JUNIT, place=()):
    return (name, label, {"pom.xml": POM % pom, **files}, run, *place)


def junit(body):
    return {"src/test/java/TillTest.java": f"import org.junit.Test;\nimport static org.junit.Assert.*;\npublic class TillTest {{\n    @Test public void adds() throws Exception {{\n{body}\n    }}\n}}\n"}


def ruby(name, label, text, line=None, run="ruby till.rb", file="till.rb"):
    return (name, label, {file: text}, run, *((file, line) if line else ()))


def minitest(name, label, body, line=None):
    return ruby(name, label, f"require 'minitest/autorun'\nclass TillTest < Minitest::Test\n  def test_add\n{body}\n  end\nend\n", line)


def rspec(name, label, body, line=None, run="rspec till_spec.rb"):
    return ruby(name, label, f"describe 'till' do\n  it 'adds' do\n{body}\n  end\nend\n", line, run, "till_spec.rb")


def php(name, label, text, line=None, run="php till.php", file="till.php"):
    return (name, label, {file: "<?php\n" + text}, run, *((file, line) if line else ()))


def phpunit(name, label, body, line=None):
    return php(name, label, f"use PHPUnit\\Framework\\TestCase;\nclass TillTest extends TestCase {{\n  public function testAdd() {{\n{body}\n  }}\n}}\n", line, "phpunit TillTest.php", "TillTest.php")


OTHER = [
    go("go-undefined", "go_compile_error", "package till\n\nfunc A() int {\n\treturn prise\n}\n", 4),
    go("go-type", "go_compile_error", "package till\n\nfunc A() int {\n\treturn \"x\"\n}\n", 4),
    go("go-unused-variable", "go_compile_error", "package till\n\nfunc A() {\n\tx := 1\n}\n", 4),
    go("go-unused-import", "go_compile_error", "package till\n\nimport \"os\"\n\nfunc A() {}\n", 3),
    go("go-missing-return", "go_compile_error", "package till\n\nfunc A() int {\n}\n", 4),
    go("go-arguments", "go_compile_error", "package till\n\nfunc b(x int) int { return x }\n\nfunc A() int {\n\treturn b()\n}\n", 6),
    go("go-interface", "go_compile_error", "package till\n\ntype P interface{ Pour() }\ntype T struct{}\n\nvar p P = T{}\n", 6),
    go("go-many", "go_compile_error", "package till\n\nfunc A() int {\n\tx := one\n\ty := two\n\treturn three\n}\n", 4),
    go("go-syntax", "syntax_error", "package till\n\nfunc A( {\n}\n", 3),
    go("go-syntax-end", "syntax_error", "package till\n\nfunc A() {\n\tif true {\n}\n", 5),
    go("go-package", "module_not_found", "package till\n\nimport \"till/leaves\"\n\nvar x = leaves.X\n", 3),
    go("go-module", "module_not_found", "package till\n\nimport \"example.com/leaves\"\n\nvar x = leaves.X\n", 3, run="GOFLAGS=-mod=readonly go build ./..."),
    go("go-cycle", "import_error", "package till\n\nimport \"till/b\"\n\nvar X = b.X\n", run="go build ./...", **{"b/b.go": "package b\n\nimport \"till\"\n\nvar X = till.X\n"}),
    go("go-vet", "lint", "package till\n\nimport \"fmt\"\n\nfunc A() {\n\tfmt.Printf(\"%d\", \"x\")\n}\n", 6, run="go vet ./..."),
    go("gofmt", "format", "package till\nfunc   A( ) {}\n", run="out=$(gofmt -d .); echo \"$out\"; test -z \"$out\""),
    ("go-no-mod", "file_not_found", {"a/till.go": "package main\nfunc main() {}\n"}, "cd a && go build ./..."),
    ("go-bad-mod", "data_syntax", {"go.mod": "modul till\n", "a.go": "package a\n"}, "go build ./...", "go.mod", 1),
    gotest("gotest-errorf", "assertion_failed", "\tif Add(1, 2) != 3 {\n\t\tt.Errorf(\"Add(1, 2) = %d, want 3\", Add(1, 2))\n\t}", 7),
    gotest("gotest-fatal", "assertion_failed", "\tif Add(1, 2) != 3 {\n\t\tt.Fatal(\"wrong sum\")\n\t}", 7, run="go test -v ./..."),
    gotest("gotest-compile", "go_compile_error", "\tAdd(1)", 6),
    gotest("gotest-nil", "null_dereference", "\tvar p *struct{ x int }\n\t_ = p.x\n\tt.Log(p.x)"),
    gotest("gotest-index", "index_error", "\tv := []int{}\n\tt.Log(v[Add(3, 1)])", 7),
    gotest("gotest-subtests", "assertion_failed", "\tfor _, n := range []string{\"a\", \"b\"} {\n\t\tt.Run(n, func(t *testing.T) { t.Error(\"wrong \" + n) })\n\t}", 7),
    gotest("gotest-timeout", "test_timeout", "\ttime.Sleep(time.Minute)", head="import (\n\t\"testing\"\n\t\"time\"\n)\n", run="go test -timeout 1s ./..."),
    gotest("gotest-panic", "panic", "\tpanic(\"the till is shut\")", 6),
    gorun("gorun-nil-map", "panic", "\tvar m map[string]int\n\tm[\"a\"] = 1", 5),
    gorun("gorun-index", "index_error", "\tv := []int{}\n\tn := 3\n\tprintln(v[n])", 6),
    gorun("gorun-divide", "arithmetic_error", "\tn := 0\n\tprintln(4 / n)", 5),
    gorun("gorun-nil", "null_dereference", "\tvar p *struct{ x int }\n\tprintln(p.x)", 5),
    gorun("gorun-deadlock", "panic", "\tc := make(chan int)\n\t<-c", 5),
    gorun("gorun-file", "file_not_found", "\t_, err := os.Open(\"prices.csv\")\n\tif err != nil {\n\t\tlog.Fatal(err)\n\t}", head="import (\n\t\"log\"\n\t\"os\"\n)\n\n"),
    gorun("gorun-exit", "unknown", "\tos.Exit(3)", head="import \"os\"\n\n"),
    gorun("gorun-refused", "network", "\t_, err := net.Dial(\"tcp\", \"127.0.0.1:1\")\n\tif err != nil {\n\t\tpanic(err)\n\t}", head="import \"net\"\n\n"),
    gorun("gorun-overflow", "stack_overflow", "\tmain()"),
    java("javac-symbol", "java_compile_error", "        System.out.println(prise);", 3),
    java("javac-type", "java_compile_error", "        int a = \"x\";", 3),
    java("javac-checked", "java_compile_error", "        Runnable r = () -> { throw new Exception(); };", 3),
    java("javac-return", "java_compile_error", "        return 3;", 3),
    java("javac-uninitialised", "java_compile_error", "        int a;\n        System.out.println(a);", 4),
    java("javac-syntax", "syntax_error", "        int a = 3\n        System.out.println(a);", 3),
    java("javac-brace", "syntax_error", "        if (true) {", None),
    java("javac-package", "module_not_found", "        new tea.Leaf();", head="import tea.Leaf;\n"),
    java("javac-import", "import_error", "        System.out.println();", 1, head="import java.util.Lisst;\n"),
    java("java-null", "null_dereference", "        String a = args.length > 9 ? \"x\" : null;\n        System.out.println(a.length());", 4),
    java("java-index", "index_error", "        System.out.println(args[3]);", 3),
    java("java-cast", "type_error", "        Object a = \"x\";\n        Integer b = (Integer) a;", 4),
    java("java-number", "value_error", "        Integer.parseInt(\"tea\");"),
    java("java-divide", "arithmetic_error", "        System.out.println(4 / args.length);", 3),
    java("java-class", "module_not_found", "", run="java Missing"),
    java("java-file", "file_not_found", "        new java.io.FileReader(\"prices.csv\");"),
    java("java-memory", "out_of_memory", "        byte[][] a = new byte[1000][];\n        for (int i = 0; i < 1000; i++) a[i] = new byte[10_000_000];", run="javac Till.java && java -Xmx20m Till"),
    java("java-overflow", "stack_overflow", "        main(args);"),
    java("java-own", "uncaught_exception", "        throw new IllegalStateException(\"the till is shut\");", 3),
    java("java-argument", "value_error", "        throw new IllegalArgumentException(\"no such tea\");", 3),
    java("java-assert", "assertion_failed", "        assert 1 + 1 == 3 : \"sum\";", 3, run="javac Till.java && java -ea Till"),
    java("java-refused", "network", "        new java.net.Socket(\"127.0.0.1\", 1);"),
    java("java-collection", "key_error", "        new java.util.ArrayList<String>().iterator().next();"),
    ("javac-missing-file", "file_not_found", {"a.txt": ""}, "javac Till.java"),
    mvn("mvn-compile", "java_compile_error", {"src/main/java/Till.java": "public class Till {\n    int a = \"x\";\n}\n"}, "mvn -B compile", place=("src/main/java/Till.java", 2)),
    mvn("mvn-test-compile", "java_compile_error", junit("        int a = \"x\";"), "mvn -B test", place=("src/test/java/TillTest.java", 5)),
    mvn("mvn-junit", "assertion_failed", junit("        assertEquals(3, 2);"), "mvn -B test", place=("src/test/java/TillTest.java", 5)),
    mvn("mvn-junit-quiet", "assertion_failed", junit("        assertTrue(\"open\", false);")),
    mvn("mvn-junit-null", "null_dereference", junit("        String a = null;\n        a.length();"), "mvn -B test"),
    mvn("mvn-dependency", "dependency_unresolved", {}, "mvn -B compile", "<dependencies><dependency><groupId>tea</groupId><artifactId>leaves</artifactId><version>9</version></dependency></dependencies>"),
    mvn("mvn-pom-syntax", "data_syntax", {}, "mvn -B compile", "<dependencies>"),
    mvn("mvn-goal", "maven_error", {}, "mvn -B biuld"),
    ("mvn-no-pom", "file_not_found", {"a.txt": ""}, "mvn -B compile"),
    mvn("mvn-plugin", "dependency_unresolved", {}, "mvn -B tea:leaves"),
    ruby("ruby-load", "module_not_found", "require 'tealeaves'\n", 1),
    ruby("ruby-relative", "module_not_found", "require_relative 'leaves'\n", 1),
    ruby("ruby-syntax", "syntax_error", "def a(\n  1\nend\n"),
    ruby("ruby-syntax-end", "syntax_error", "def a\n  if true\nend\n"),
    ruby("ruby-name", "name_error", "puts prise\n", 1),
    ruby("ruby-constant", "name_error", "puts Tea::LEAF\n", 1),
    ruby("ruby-method", "attribute_error", "[].pour\n", 1),
    ruby("ruby-nil", "null_dereference", "a = nil\na.upcase\n", 2),
    ruby("ruby-type", "type_error", "'a' + 1\n", 1),
    ruby("ruby-argument", "value_error", "Integer('tea')\n", 1),
    ruby("ruby-key", "key_error", "{}.fetch(:tea)\n", 1),
    ruby("ruby-file", "file_not_found", "File.read('prices.csv')\n", 1),
    ruby("ruby-zero", "arithmetic_error", "1 / 0\n", 1),
    ruby("ruby-raise", "uncaught_exception", "raise 'the till is shut'\n", 1),
    ruby("ruby-stack", "stack_overflow", "def a\n  a\nend\na\n"),
    ruby("ruby-refused", "network", "require 'socket'\nTCPSocket.new('127.0.0.1', 1)\n", 2),
    ruby("gem-missing", "dependency_unresolved", "", run="gem install no-such-gem-of-the-till"),
    minitest("minitest-equal", "assertion_failed", "    assert_equal 3, 2", 4),
    minitest("minitest-error", "attribute_error", "    [].pour", 4),
    rspec("rspec-equal", "assertion_failed", "    expect(1 + 1).to eq(3)", 3),
    rspec("rspec-error", "attribute_error", "    [].pour", 3),
    rspec("rspec-name", "name_error", "    prise", 3),
    rspec("rspec-load", "module_not_found", "  end\nend\nrequire 'tealeaves'\ndescribe 'b' do\n  it 'c' do"),
    rspec("rspec-missing", "module_not_found", "", run="rspec missing_spec.rb"),
    php("php-syntax", "syntax_error", "$a = ;\n", 2),
    php("php-function", "name_error", "pour();\n", 2),
    php("php-type", "type_error", "function a(int $x) {}\na('x');\n"),
    php("php-class", "module_not_found", "new Tea\\Leaf();\n", 2),
    php("php-null", "null_dereference", "$a = null;\n$a->pour();\n", 3),
    php("php-require", "file_not_found", "require 'prices.php';\n", 2),
    php("php-zero", "arithmetic_error", "echo 1 % 0;\n", 2),
    php("php-exception", "uncaught_exception", "throw new Exception('the till is shut');\n", 2),
    php("php-memory", "out_of_memory", "$a = str_repeat('x', 100000000000);\n", run="php -d memory_limit=8M till.php"),
    php("php-lint", "syntax_error", "function a( {}\n", 2, run="php -l till.php"),
    php("php-undefined-method", "attribute_error", "class A {}\n(new A)->pour();\n", 3),
    phpunit("phpunit-same", "assertion_failed", "    $this->assertSame(3, 2);", 5),
    phpunit("phpunit-error", "name_error", "    pour();", 5),
    phpunit("phpunit-type", "type_error", "    strlen([]);", 5),
]

"""C and C++: gcc, g++, clang, ld, make, cmake, ctest."""


def c(name, label, text, line=None, run="gcc -Wall -o till till.c && ./till", file="till.c", **more):
    place = (file, line) if line else ()
    return (name, label, {file: text, **more}, run, *place)


def clang(name, label, text, line=None):
    return c(name, label, text, line, "clang -o till till.c && ./till")


def cpp(name, label, text, line=None, run="g++ -o till till.cpp && ./till"):
    return c(name, label, text, line, run, "till.cpp")


CMAKE = "cmake_minimum_required(VERSION 3.10)\nproject(till C)\n"


def cmake(name, label, lists, source="int main(void) { return 0; }\n", run="cmake -B build && cmake --build build", place=()):
    return (name, label, {"CMakeLists.txt": lists, "till.c": source}, run, *place)


C = [
    c("gcc-undeclared", "c_compile_error", "int main(void) {\n    return prise;\n}\n", 2),
    c("gcc-type", "c_compile_error", "struct a { int x; };\nint main(void) {\n    struct a a = 3;\n    return a.x;\n}\n", 3),
    c("gcc-arguments", "c_compile_error", "int add(int a) { return a; }\nint main(void) {\n    return add(1, 2);\n}\n", 3),
    c("gcc-member", "c_compile_error", "struct a { int x; };\nint main(void) {\n    struct a a = { 1 };\n    return a.y;\n}\n", 4),
    c("gcc-werror", "c_compile_error", "int main(void) {\n    int unused = 3;\n    return 0;\n}\n", 2, run="gcc -Wall -Werror till.c"),
    c("gcc-syntax", "syntax_error", "int main(void) {\n    int a = 3\n    return a;\n}\n", 2),
    c("gcc-brace", "syntax_error", "int main(void) {\n    if (1) {\n    return 0;\n}\n", 4),
    c("gcc-header", "header_not_found", "#include <tealeaves.h>\nint main(void) { return 0; }\n", 1),
    c("gcc-own-header", "header_not_found", "#include \"till.h\"\nint main(void) { return 0; }\n", 1),
    c("gcc-undefined-reference", "link_error", "int weigh(void);\nint main(void) {\n    return weigh();\n}\n"),
    c("gcc-no-main", "link_error", "int add(void) { return 1; }\n"),
    c("gcc-library", "link_error", "int main(void) { return 0; }\n", run="gcc till.c -ltealeaves"),
    c("gcc-duplicate", "link_error", "int one = 1;\nint main(void) { return 0; }\n", run="gcc till.c other.c", **{"other.c": "int one = 2;\n"}),
    c("gcc-missing-file", "file_not_found", "", run="gcc missing.c"),
    c("gcc-option", "usage_error", "int main(void) { return 0; }\n", run="gcc --no-such-option till.c"),
    c("c-segfault", "segmentation_fault", "int main(void) {\n    volatile int *a = 0;\n    return *a;\n}\n", run="gcc -o till till.c && bash -c './till; exit $?'"),
    c("c-assert", "assertion_failed", "#include <assert.h>\nint main(void) {\n    assert(1 + 1 == 3);\n    return 0;\n}\n", 3, run="gcc -o till till.c && bash -c './till; exit $?'"),
    c("c-abort", "panic", "#include <stdlib.h>\nint main(void) {\n    abort();\n}\n", run="gcc -o till till.c && bash -c './till; exit $?'"),
    c("c-divide", "arithmetic_error", "#include <stdlib.h>\nint main(int n, char **v) {\n    return 4 / (n - 1);\n}\n", run="gcc -o till till.c && bash -c './till; exit $?'"),
    c("c-double-free", "segmentation_fault", "#include <stdlib.h>\nint main(void) {\n    char *a = malloc(8);\n    free(a);\n    free(a);\n}\n", run="gcc -w -o till till.c && bash -c './till; exit $?'"),
    c("c-asan-overflow", "segmentation_fault", "#include <stdlib.h>\nint main(int n, char **v) {\n    char *a = malloc(8);\n    return a[7 + n];\n}\n", 4, run="gcc -g -fsanitize=address -o till till.c && ./till"),
    c("c-ubsan", "arithmetic_error", "int main(int n, char **v) {\n    int a = 2147483647;\n    return (a + n) > 0;\n}\n", 3, run="gcc -fsanitize=undefined -fno-sanitize-recover=all -o till till.c && ./till"),
    clang("clang-undeclared", "c_compile_error", "int main(void) {\n    return prise;\n}\n", 2),
    clang("clang-type", "c_compile_error", "struct a { int x; };\nint main(void) {\n    struct a a = 3;\n    return a.x;\n}\n", 3),
    clang("clang-syntax", "syntax_error", "int main(void) {\n    int a = 3\n    return a;\n}\n", 2),
    clang("clang-header", "header_not_found", "#include <tealeaves.h>\nint main(void) { return 0; }\n", 1),
    clang("clang-link", "link_error", "int weigh(void);\nint main(void) {\n    return weigh();\n}\n"),
    clang("clang-many", "c_compile_error", "int main(void) {\n    int x = one;\n    int y = two;\n    return three;\n}\n", 2),
    cpp("gpp-undeclared", "c_compile_error", "int main() {\n    return prise;\n}\n", 2),
    cpp("gpp-no-match", "c_compile_error", "#include <string>\nint main() {\n    std::string a = \"x\";\n    return a * 2;\n}\n", 4),
    cpp("gpp-conversion", "c_compile_error", "#include <string>\nint main() {\n    int a = std::string(\"x\");\n    return a;\n}\n", 3),
    cpp("gpp-template", "c_compile_error", "#include <vector>\n#include <algorithm>\nstruct A {};\nint main() {\n    std::vector<A> v(3);\n    std::sort(v.begin(), v.end());\n}\n"),
    cpp("gpp-private", "c_compile_error", "class A { int x; };\nint main() {\n    A a;\n    return a.x;\n}\n", 4),
    cpp("gpp-const", "c_compile_error", "int main() {\n    const int a = 1;\n    a = 2;\n}\n", 3),
    cpp("gpp-syntax", "syntax_error", "class A {\n    int x;\n}\nint main() {}\n", 3),
    cpp("gpp-header", "header_not_found", "#include <tealeaves>\nint main() {}\n", 1),
    cpp("gpp-link", "link_error", "struct A { void pour(); };\nint main() {\n    A().pour();\n}\n"),
    cpp("gpp-vtable", "link_error", "struct A { virtual void pour(); };\nint main() {\n    A a;\n}\n"),
    cpp("cpp-exception", "uncaught_exception", "#include <stdexcept>\nint main() {\n    throw std::runtime_error(\"the till is shut\");\n}\n", run="g++ -o till till.cpp && bash -c './till; exit $?'"),
    cpp("cpp-out-of-range", "index_error", "#include <vector>\nint main() {\n    std::vector<int> v;\n    return v.at(3);\n}\n", run="g++ -o till till.cpp && bash -c './till; exit $?'"),
    cpp("cpp-bad-alloc", "out_of_memory", "#include <vector>\nint main() {\n    std::vector<char> v(1ull << 50);\n}\n", run="g++ -o till till.cpp && bash -c './till; exit $?'"),
    ("make-compile", "c_compile_error", {"Makefile": "all: till\ntill: till.c\n\tgcc -o till till.c\n", "till.c": "int main(void) {\n    return prise;\n}\n"}, "make", "till.c", 2),
    ("make-no-rule", "make_error", {"Makefile": "all: till\ntill: missing.c\n\tgcc -o till missing.c\n"}, "make"),
    ("make-no-target", "make_error", {"Makefile": "all:\n\ttrue\n"}, "make biuld"),
    ("make-no-makefile", "make_error", {"a.txt": ""}, "make"),
    ("make-separator", "syntax_error", {"Makefile": "all:\n    true\n"}, "make", "Makefile", 2),
    ("make-recipe", "make_error", {"Makefile": "all:\n\t@exit 3\n"}, "make"),
    ("make-program", "command_not_found", {"Makefile": "all:\n\ttealeaves-cli build\n"}, "make"),
    ("make-header", "header_not_found", {"Makefile": "all: till.o\n%.o: %.c\n\tgcc -c $<\n", "till.c": "#include \"till.h\"\n"}, "make", "till.c", 1),
    ("make-test-python", "assertion_failed", {"Makefile": "test:\n\tpython3 -m pytest -q\n", "test_a.py": "def test_a():\n    assert 1 == 2\n"}, "make test", "test_a.py", 2),
    ("make-nested", "c_compile_error", {"Makefile": "all:\n\t$(MAKE) -C lib\n", "lib/Makefile": "all:\n\tgcc -c a.c\n", "lib/a.c": "int a(void) { return b; }\n"}, "make", "a.c", 1),
    cmake("cmake-compile", "c_compile_error", CMAKE + "add_executable(till till.c)\n", "int main(void) {\n    return prise;\n}\n"),
    cmake("cmake-link", "link_error", CMAKE + "add_executable(till till.c)\n", "int weigh(void);\nint main(void) { return weigh(); }\n"),
    cmake("cmake-missing-source", "cmake_error", CMAKE + "add_executable(till missing.c)\n"),
    cmake("cmake-unknown-command", "cmake_error", CMAKE + "add_programm(till till.c)\n", place=("CMakeLists.txt", 3)),
    cmake("cmake-package", "dependency_unresolved", CMAKE + "find_package(TeaLeaves REQUIRED)\n", place=("CMakeLists.txt", 3)),
    cmake("cmake-message", "cmake_error", CMAKE + "message(FATAL_ERROR \"the till is shut\")\n", place=("CMakeLists.txt", 3)),
    cmake("cmake-syntax", "syntax_error", CMAKE + "add_executable(till till.c\n", place=("CMakeLists.txt", 3)),
    cmake("cmake-version", "version_mismatch", "cmake_minimum_required(VERSION 99.0)\nproject(till C)\n", place=("CMakeLists.txt", 1)),
    cmake("cmake-no-lists", "cmake_error", CMAKE, run="cmake -S missing -B build"),
    cmake("ctest-fails", "test_failed", CMAKE + "enable_testing()\nadd_executable(till till.c)\nadd_test(NAME till COMMAND till)\n", "int main(void) { return 1; }\n", "cmake -B build && cmake --build build && cd build && ctest"),
    cmake("ctest-assert", "assertion_failed", CMAKE + "enable_testing()\nadd_executable(till till.c)\nadd_test(NAME till COMMAND till)\n", "#include <assert.h>\nint main(void) {\n    assert(1 == 2);\n}\n", "cmake -B build && cmake --build build && cd build && ctest --output-on-failure", ("till.c", 3)),
    cmake("ctest-timeout", "test_timeout", CMAKE + "enable_testing()\nadd_test(NAME till COMMAND sleep 30)\nset_tests_properties(till PROPERTIES TIMEOUT 1)\n", run="cmake -B build && cd build && ctest"),
    cmake("ctest-none", "no_tests", CMAKE, run="cmake -B build && cd build && ctest --no-tests=error"),
    cmake("ninja-compile", "c_compile_error", CMAKE + "add_executable(till till.c)\n", "int main(void) {\n    return prise;\n}\n", "cmake -G Ninja -B build && ninja -C build"),
]

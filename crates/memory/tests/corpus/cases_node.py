"""JavaScript and TypeScript: node, tsc, eslint, prettier, jest, vitest, mocha, node --test, npm, pnpm, bundlers."""


def js(name, label, text, line=None, run="node till.js", file="till.js", **more):
    place = (file, line) if line else ()
    return (name, label, {file: text, **more}, run, *place)


def ts(name, label, text, line=None, run="tsc --noEmit --strict --skipLibCheck --types node till.ts"):
    return js(name, label, text, line, run, "till.ts")


def jest(name, label, text, line=None, run="jest"):
    return js(name, label, text, line, run, "till.test.js", **{"package.json": '{"name":"till"}', "till.js": "exports.add = (a, b) => a - b;\n"})


VITEST_CONFIG = {"package.json": '{"name":"till","type":"module"}'}


def vitest(name, label, text, line=None, run="vitest run"):
    head = "import { test, expect } from 'vitest';\n"
    return js(name, label, head + text, line, run, "till.test.ts", **VITEST_CONFIG, **{"till.ts": "export const add = (a: number, b: number) => a - b;\n"})


def mocha(name, label, text, line=None, run="mocha test.js"):
    return js(name, label, "const assert = require('assert');\n" + text, line, run, "test.js")


ESLINT = {"eslint.config.js": "module.exports = [{ rules: { 'no-unused-vars': 'error', 'no-undef': 'error', 'eqeqeq': 'error' } }];\n"}

NODE = [
    js("node-module", "module_not_found", "require('./leaves');\n", 1),
    js("node-package", "module_not_found", "const leaves = require('tealeaves');\n", 1),
    js("node-esm-module", "module_not_found", "import './leaves.mjs';\n", run="node till.mjs", file="till.mjs"),
    js("node-esm-package", "module_not_found", "import leaves from 'tealeaves';\n", run="node till.mjs", file="till.mjs"),
    js("node-esm-name", "import_error", "import { leaves } from './b.mjs';\n", 1, run="node till.mjs", file="till.mjs", **{"b.mjs": "export const a = 1;\n"}),
    js("node-import-outside", "import_error", "import fs from 'fs';\nconsole.log(fs);\nconst a = require('x');\nmodule.exports = a;\n", run="node till.cjs", file="till.cjs"),
    js("node-script-missing", "module_not_found", "", run="node missing.js"),
    js("node-syntax", "syntax_error", "const a = ;\n", 1),
    js("node-syntax-brace", "syntax_error", "function a() {\n  if (true) {\n}\n", ),
    js("node-syntax-string", "syntax_error", "const a = 'open\n", 1),
    js("node-reference", "name_error", "console.log(prise);\n", 1),
    js("node-type", "type_error", "const a = 3;\na();\n", 2),
    js("node-undefined", "null_dereference", "const a = {};\nconsole.log(a.b.c);\n", 2),
    js("node-null", "null_dereference", "const a = null;\na.length;\n", 2),
    js("node-const", "type_error", "const a = 1;\na = 2;\n", 2),
    js("node-range", "stack_overflow", "function down() { return down(); }\ndown();\n"),
    js("node-array-length", "value_error", "new Array(-1);\n", 1),
    js("node-json", "data_syntax", "JSON.parse('{\"a\": }');\n"),
    js("node-throw", "uncaught_exception", "throw new Error('the till is shut');\n", 1),
    js("node-rejection", "uncaught_exception", "Promise.reject(new Error('the till is shut'));\n", 1),
    js("node-throw-string", "uncaught_exception", "throw 'shut';\n", 1),
    js("node-assert", "assertion_failed", "require('assert').strictEqual(1 + 1, 3);\n", 1),
    js("node-file", "file_not_found", "require('fs').readFileSync('prices.csv');\n"),
    js("node-permission", "permission_denied", "process.setuid(65534);\nrequire('fs').readFileSync('/etc/shadow');\n"),
    js("node-refused", "network", "require('net').connect(1, '127.0.0.1');\n"),
    js("node-dns", "network", "require('http').get('http://tea.invalid/');\n"),
    js("node-fetch", "network", "fetch('http://127.0.0.1:1/');\n"),
    js("node-port", "port_in_use", "const net = require('net');\nconst a = net.createServer().listen(0, () => net.createServer().listen(a.address().port));\n"),
    js("node-memory", "out_of_memory", "const a = [];\nfor (;;) a.push(new Array(1000).fill(Math.random()));\n", run="node --max-old-space-size=20 till.js"),
    js("node-spawn", "command_not_found", "require('child_process').spawn('tealeaves-cli');\n"),
    js("node-option", "usage_error", "", run="node --no-such-option till.js"),
    ts("tsc-type", "typescript_error", "const a: number = 'x';\n", 1),
    ts("tsc-many", "typescript_error", "const a: number = 'x';\nfunction b(x) { return x; }\nb(1, 2);\n", 1),
    ts("tsc-name", "typescript_error", "console.log(prise);\n", 1),
    ts("tsc-property", "typescript_error", "const a = { b: 1 };\na.c;\n", 2),
    ts("tsc-null", "typescript_error", "function a(x?: string) { return x.length; }\na();\n", 1),
    ts("tsc-module", "module_not_found", "import { a } from './leaves';\na();\n", 1),
    ts("tsc-package", "module_not_found", "import leaves from 'tealeaves';\nleaves();\n", 1),
    ts("tsc-export", "import_error", "import { readFileSinc } from 'fs';\nreadFileSinc('a');\n", 1),
    ts("tsc-syntax", "syntax_error", "const a = ;\n", 1),
    ts("tsc-brace", "syntax_error", "function a() {\n  if (true) {\n}\n"),
    ts("tsc-pretty", "typescript_error", "const a: number = 'x';\n", 1, run="tsc --pretty --noEmit till.ts"),
    ts("tsc-missing-file", "file_not_found", "", run="tsc --noEmit missing.ts"),
    js("tsc-project", "typescript_error", "export const a: string = 3;\n", 1, run="tsc -p .", file="src/till.ts", **{"tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true,"types":["node"],"skipLibCheck":true},"include":["src"]}'}),
    js("tsc-option", "data_syntax", "", run="tsc -p .", **{"tsconfig.json": '{"compilerOptions":{"strickt":true}}', "a.ts": ""}),
    js("eslint-unused", "lint", "const a = 1;\n", 1, run="eslint .", **ESLINT),
    js("eslint-many", "lint", "if (a == 1) { let b; }\n", 1, run="eslint .", **ESLINT),
    js("eslint-syntax", "syntax_error", "const a = ;\n", 1, run="eslint till.js", **ESLINT),
    js("eslint-json", "lint", "const a = 1;\n", run="eslint -f json .", **ESLINT),
    js("eslint-config", "data_syntax", "", run="eslint .", **{"eslint.config.js": "module.exports = [{ rules: { 'no-such-rule-at-all/x': 'error' } }];\n"}),
    js("eslint-no-config", "file_not_found", "", run="eslint ."),
    js("prettier-check", "format", "const a = {b :1}\n", run="prettier --check till.js"),
    js("prettier-syntax", "syntax_error", "const a = ;\n", 1, run="prettier --check till.js"),
    jest("jest-equal", "assertion_failed", "const { add } = require('./till');\ntest('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n", 3),
    jest("jest-object", "assertion_failed", "test('menu', () => {\n  expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });\n});\n", 2),
    jest("jest-throws", "type_error", "test('adds', () => {\n  const a = 3;\n  a();\n});\n", 3),
    jest("jest-null", "null_dereference", "test('adds', () => {\n  const a = {};\n  expect(a.b.c).toBe(3);\n});\n", 3),
    jest("jest-module", "module_not_found", "const { add } = require('./tills');\ntest('adds', () => {});\n", 1),
    jest("jest-syntax", "syntax_error", "test('adds', () => {\n  const a = ;\n});\n", 2),
    jest("jest-esm", "syntax_error", "import { add } from './till';\ntest('adds', () => {});\n", 1),
    jest("jest-reference", "name_error", "test('adds', () => {\n  expect(prise).toBe(1);\n});\n", 2),
    jest("jest-timeout", "test_timeout", "test('waits', () => new Promise(() => {}), 50);\n", 1),
    jest("jest-empty", "test_failed", "// nothing\n"),
    jest("jest-not-found", "no_tests", "", run="jest nothing-of-this-name"),
    jest("jest-snapshot", "snapshot_mismatch", "test('menu', () => {\n  expect({ a: 1 }).toMatchInlineSnapshot(`\n{\n  \"a\": 2,\n}\n`);\n});\n", 2, run="jest --ci"),
    jest("jest-async-throw", "uncaught_exception", "test('adds', async () => {\n  throw new Error('the till is shut');\n});\n", 2),
    jest("jest-threshold", "test_failed", "const { add } = require('./till');\ntest('adds', () => { expect(typeof add).toBe('function'); });\n", run="jest --coverage --coverageThreshold '{\"global\":{\"functions\":100}}'"),
    vitest("vitest-equal", "assertion_failed", "import { add } from './till';\ntest('adds', () => {\n  expect(add(1, 2)).toBe(3);\n});\n", 4),
    vitest("vitest-object", "assertion_failed", "test('menu', () => {\n  expect({ a: 1, b: [1, 2] }).toEqual({ a: 1, b: [1, 3] });\n});\n", 3),
    vitest("vitest-module", "module_not_found", "import { add } from './tills';\ntest('adds', () => {});\n"),
    vitest("vitest-syntax", "syntax_error", "test('adds', () => {\n  const a = ;\n});\n"),
    vitest("vitest-type", "type_error", "test('adds', () => {\n  const a: any = 3;\n  a();\n});\n", 4),
    vitest("vitest-reference", "name_error", "test('adds', () => {\n  expect(prise).toBe(1);\n});\n", 3),
    vitest("vitest-timeout", "test_timeout", "test('waits', () => new Promise(() => {}), 50);\n"),
    vitest("vitest-none", "no_tests", "", run="vitest run nothing-of-this-name"),
    vitest("vitest-snapshot", "snapshot_mismatch", "test('menu', () => {\n  expect({ a: 1 }).toMatchInlineSnapshot(`\n{\n  \"a\": 2,\n}\n`);\n});\n", 3),
    vitest("vitest-no-suite", "test_failed", "export {};\n"),
    mocha("mocha-equal", "assertion_failed", "it('adds', () => {\n  assert.strictEqual(1 + 1, 3);\n});\n", 3),
    mocha("mocha-deep", "assertion_failed", "it('menu', () => {\n  assert.deepStrictEqual({ a: 1 }, { a: 2 });\n});\n", 3),
    mocha("mocha-type", "type_error", "it('adds', () => {\n  const a = 3;\n  a();\n});\n", 4),
    mocha("mocha-module", "module_not_found", "require('./leaves');\n"),
    mocha("mocha-timeout", "test_timeout", "it('waits', (done) => {}).timeout(30);\n"),
    mocha("mocha-syntax", "syntax_error", "it('adds', () => {\n  const a = ;\n});\n", 3),
    mocha("mocha-hook", "uncaught_exception", "describe('till', () => {\n  before(() => { throw new Error('the till is shut'); });\n  it('adds', () => {});\n});\n"),
    mocha("mocha-none", "no_tests", "", run="mocha nothing.js"),
    js("node-test", "assertion_failed", "const test = require('node:test');\nconst assert = require('assert');\ntest('adds', () => {\n  assert.equal(1 + 1, 3);\n});\n", 4, run="node --test till.js"),
    js("node-test-throw", "name_error", "const test = require('node:test');\ntest('adds', () => {\n  prise();\n});\n", run="node --test till.js"),
    js("npm-no-script", "npm_error", "", run="npm run biuld", **{"package.json": '{"name":"till","scripts":{"build":"tsc"}}'}),
    js("npm-script-fails", "uncaught_exception", "throw new Error('the till is shut');\n", run="npm run build", **{"package.json": '{"name":"till","scripts":{"build":"node till.js"}}'}),
    js("npm-script-exit", "npm_error", "", run="npm run build", **{"package.json": '{"name":"till","scripts":{"build":"exit 3"}}'}),
    js("npm-test-jest", "assertion_failed", "test('adds', () => { expect(1).toBe(2); });\n", 1, run="npm test", file="till.test.js", **{"package.json": '{"name":"till","scripts":{"test":"jest"}}'}),
    js("npm-script-missing-program", "command_not_found", "", run="npm run build", **{"package.json": '{"name":"till","scripts":{"build":"tealeaves-cli build"}}'}),
    js("npm-bad-manifest", "data_syntax", "", run="npm install", **{"package.json": '{"name":"till",}'}),
    js("npm-no-manifest", "file_not_found", "", run="rm -f node_modules; npm test"),
    js("npm-ci-no-lock", "npm_error", "", run="rm -f node_modules; npm ci", **{"package.json": '{"name":"till"}'}),
    js("npm-missing-package", "dependency_unresolved", "", run="rm -f node_modules; npm install no-such-package-of-the-till-xyz"),
    js("npm-version", "dependency_unresolved", "", run="rm -f node_modules; npm install is-odd@999"),
    js("npm-lock-differs", "npm_error", "", run="rm -f node_modules; npm ci", **{"package.json": '{"name":"till","version":"1.0.0","dependencies":{"is-odd":"3.0.1"}}', "package-lock.json": '{"name":"till","version":"1.0.0","lockfileVersion":3,"packages":{"":{"name":"till","version":"1.0.0"}}}'}),
    js("npm-network", "network", "", run="rm -f node_modules; npm install is-odd --fetch-retries 0 --registry http://127.0.0.1:1/"),
    js("npm-engine", "version_mismatch", "", run="rm -f node_modules; npm install --engine-strict", **{"package.json": '{"name":"till","version":"1.0.0","engines":{"node":">=99"}}'}),
    js("pnpm-no-script", "npm_error", "", run="pnpm run biuld", **{"package.json": '{"name":"till"}'}),
    js("pnpm-script-fails", "assertion_failed", "require('assert').equal(1, 2);\n", run="pnpm run build", **{"package.json": '{"name":"till","scripts":{"build":"node till.js"}}'}),
    js("pnpm-frozen", "npm_error", "", run="rm -f node_modules; pnpm install --frozen-lockfile --offline", **{"package.json": '{"name":"till","dependencies":{"is-odd":"3.0.1"}}'}),
    js("esbuild-resolve", "module_not_found", "import './leaves';\n", 1, run="esbuild --bundle till.js --outfile=out.js"),
    js("esbuild-syntax", "syntax_error", "const a = ;\n", 1, run="esbuild --bundle till.js --outfile=out.js"),
    js("esbuild-export", "import_error", "import { leaves } from './b.mjs';\nleaves();\n", run="esbuild --bundle --log-override:import-is-undefined=error till.js --outfile=out.js", **{"b.mjs": "export const a = 1;\n"}),
    js("webpack-resolve", "module_not_found", "require('./leaves');\n", run="webpack ./till.js --mode production"),
    js("webpack-syntax", "syntax_error", "const a = ;\n", run="webpack ./till.js --mode production"),
    js("vite-no-index", "file_not_found", "", run="vite build"),
    js("vite-resolve", "module_not_found", "import './leaves';\n", run="vite build", **{"index.html": '<script type="module" src="/till.js"></script>'}),
    js("vite-export", "import_error", "import { leaves } from './b.js';\nconsole.log(leaves);\n", run="vite build", **{"index.html": '<script type="module" src="/till.js"></script>', "b.js": "export const a = 1;\n"}),
    js("vite-syntax", "syntax_error", "const a = ;\n", run="vite build", **{"index.html": '<script type="module" src="/till.js"></script>'}),
]

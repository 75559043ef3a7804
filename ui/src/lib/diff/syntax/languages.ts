import type { StreamParser } from "@codemirror/streamparser";

type Mode = StreamParser<unknown>;
type Load = () => Promise<Mode>;

/** Every language is a file of its own, loaded when a diff first shows it. */
const clike = () => import("@codemirror/legacy-modes/mode/clike");
const script = () => import("@codemirror/legacy-modes/mode/javascript");
const styles = () => import("@codemirror/legacy-modes/mode/css");
const markup = () => import("@codemirror/legacy-modes/mode/xml");

const LANGUAGES: Record<string, Load> = {
  c: async () => (await clike()).c,
  "c++": async () => (await clike()).cpp,
  "c#": async () => (await clike()).csharp,
  clojure: async () => (await import("@codemirror/legacy-modes/mode/clojure")).clojure,
  cmake: async () => (await import("@codemirror/legacy-modes/mode/cmake")).cmake,
  css: async () => (await styles()).css,
  dart: async () => (await clike()).dart,
  diff: async () => (await import("@codemirror/legacy-modes/mode/diff")).diff,
  dockerfile: async () => (await import("@codemirror/legacy-modes/mode/dockerfile")).dockerFile,
  elm: async () => (await import("@codemirror/legacy-modes/mode/elm")).elm,
  erlang: async () => (await import("@codemirror/legacy-modes/mode/erlang")).erlang,
  go: async () => (await import("@codemirror/legacy-modes/mode/go")).go,
  groovy: async () => (await import("@codemirror/legacy-modes/mode/groovy")).groovy,
  haskell: async () => (await import("@codemirror/legacy-modes/mode/haskell")).haskell,
  html: async () => (await markup()).html,
  java: async () => (await clike()).java,
  javascript: async () => (await script()).javascript,
  json: async () => (await script()).json,
  julia: async () => (await import("@codemirror/legacy-modes/mode/julia")).julia,
  kotlin: async () => (await clike()).kotlin,
  less: async () => (await styles()).less,
  lua: async () => (await import("@codemirror/legacy-modes/mode/lua")).lua,
  markdown: async () => (await import("./markdown")).markdown as Mode,
  nginx: async () => (await import("@codemirror/legacy-modes/mode/nginx")).nginx,
  ocaml: async () => (await import("@codemirror/legacy-modes/mode/mllike")).oCaml,
  perl: async () => (await import("@codemirror/legacy-modes/mode/perl")).perl,
  powershell: async () => (await import("@codemirror/legacy-modes/mode/powershell")).powerShell,
  properties: async () => (await import("@codemirror/legacy-modes/mode/properties")).properties,
  protobuf: async () => (await import("@codemirror/legacy-modes/mode/protobuf")).protobuf,
  python: async () => (await import("@codemirror/legacy-modes/mode/python")).python,
  r: async () => (await import("@codemirror/legacy-modes/mode/r")).r,
  ruby: async () => (await import("@codemirror/legacy-modes/mode/ruby")).ruby,
  rust: async () => (await import("@codemirror/legacy-modes/mode/rust")).rust,
  scala: async () => (await clike()).scala,
  scss: async () => (await styles()).sCSS,
  shell: async () => (await import("@codemirror/legacy-modes/mode/shell")).shell,
  sql: async () => (await import("@codemirror/legacy-modes/mode/sql")).standardSQL,
  swift: async () => (await import("@codemirror/legacy-modes/mode/swift")).swift,
  toml: async () => (await import("@codemirror/legacy-modes/mode/toml")).toml,
  typescript: async () => (await script()).typescript,
  xml: async () => (await markup()).xml,
  yaml: async () => (await import("@codemirror/legacy-modes/mode/yaml")).yaml,
};

/** The endings of file names, by language. */
const ENDINGS: Record<string, string> = {
  c: "c h",
  "c++": "cc cpp cxx hh hpp hxx",
  "c#": "cs",
  clojure: "clj cljc cljs edn",
  cmake: "cmake",
  css: "css",
  dart: "dart",
  diff: "diff patch",
  elm: "elm",
  erlang: "erl hrl",
  go: "go",
  groovy: "gradle groovy",
  haskell: "hs",
  html: "astro htm html svelte vue",
  java: "java",
  javascript: "cjs js jsx mjs",
  json: "json json5 jsonc jsonl webmanifest",
  julia: "jl",
  kotlin: "kt kts",
  less: "less",
  lua: "lua",
  markdown: "markdown md mdx",
  nginx: "nginx",
  ocaml: "ml mli",
  perl: "pl pm",
  powershell: "ps1 psm1",
  properties: "cfg conf env ini properties",
  protobuf: "proto",
  python: "py pyi",
  r: "r",
  ruby: "gemspec rake rb",
  rust: "rs",
  scala: "sbt scala",
  scss: "scss",
  shell: "bash fish sh zsh",
  sql: "sql",
  swift: "swift",
  toml: "toml",
  typescript: "cts mts ts tsx",
  xml: "plist rss svg xhtml xml xsd xsl",
  yaml: "yaml yml",
};

/** Files whose whole name says it. */
const NAMES: Record<string, string> = {
  "cargo.lock": "toml",
  "cmakelists.txt": "cmake",
  containerfile: "dockerfile",
  dockerfile: "dockerfile",
  gemfile: "ruby",
  jenkinsfile: "groovy",
  justfile: "shell",
  makefile: "shell",
  "poetry.lock": "toml",
  rakefile: "ruby",
};

const BY_ENDING = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) => endings.split(" ").map((ending) => [ending, language])),
);

/** The language of a file, by its name; none when it is not known. */
export function languageOf(path: string): string | null {
  const name = path.slice(path.lastIndexOf("/") + 1).toLowerCase();
  const ending = name.slice(name.lastIndexOf(".") + 1);
  return NAMES[name] ?? BY_ENDING.get(ending) ?? null;
}

/** The reader of a file's language; none when there is none for it. */
export async function modeOf(path: string): Promise<Mode | null> {
  const language = languageOf(path);
  return language === null ? null : ((await LANGUAGES[language]?.()) ?? null);
}

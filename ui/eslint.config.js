import { readFileSync } from "node:fs";

import js from "@eslint/js";
import svelte from "eslint-plugin-svelte";
import { defineConfig } from "eslint/config";
import globals from "globals";
import ts from "typescript-eslint";

import svelteConfig from "./svelte.config.js";

const views = JSON.parse(readFileSync(new URL("src/lib/app/views.json", import.meta.url), "utf8"));
const noTauri = {
  group: ["@tauri-apps/*"],
  message: "Only src/lib/backend talks to Tauri; everything else uses the Backend interface.",
};
const noBindings = {
  group: ["**/backend/bindings", "**/backend/tauri"],
  message: "Import types from backend/types and calls from the Backend interface.",
};
const restrict = (...patterns) => ({ "no-restricted-imports": ["error", { patterns }] });

export default defineConfig(
  { ignores: ["dist", "dist-mock", "dist-contract", "node_modules", "src/lib/backend/bindings.ts"] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: globals.browser },
    rules: {
      eqeqeq: ["error", "always"],
      "no-console": "error",
      "@typescript-eslint/consistent-type-imports": "error",
      "max-lines": ["error", { max: 400 }],
      ...restrict(noTauri, noBindings),
    },
  },
  {
    files: ["**/*.svelte", "**/*.svelte.ts"],
    languageOptions: { parserOptions: { parser: ts.parser, extraFileExtensions: [".svelte"], svelteConfig } },
    rules: {
      "svelte/no-at-html-tags": "error",
      "svelte/no-target-blank": "error",
      "svelte/button-has-type": "error",
    },
  },
  {
    // Shared components know nothing of the app around them.
    files: ["src/lib/ui/**"],
    rules: restrict(noTauri, noBindings, {
      group: ["**/app/*", "**/views/*", "**/shell/*", "$lib/app/*"],
      message: "Components in lib/ui are below app state and views.",
    }),
  },
  {
    // Views do not reach into each other.
    files: ["src/views/**"],
    rules: restrict(noTauri, noBindings, {
      regex: `\\.\\./(${views.map(({ id }) => id).join("|")})/`,
      message: "Views share code through src/lib, not through each other.",
    }),
  },
  { files: ["src/lib/backend/**", "src/testing/contract/window.ts"], rules: restrict() },
  {
    files: ["*.config.*", "tests/**"],
    languageOptions: { globals: globals.node },
  },
  { files: ["public/*.js"], languageOptions: { sourceType: "script" }, rules: { "no-var": "off" } },
);

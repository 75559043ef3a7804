import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

/** Tests that need no document start faster without one. */
const WITHOUT_DOCUMENT = ["src/lib/format/**/*.test.ts", "src/testing/*.test.ts"];

export default defineConfig({
  plugins: [svelte(), svelteTesting()],
  resolve: { alias: { $lib: fileURLToPath(new URL("./src/lib", import.meta.url)) } },
  test: {
    restoreMocks: true,
    testTimeout: 60_000,
    projects: [
      { extends: true, test: { name: "logic", include: WITHOUT_DOCUMENT, environment: "node" } },
      {
        extends: true,
        test: {
          name: "window",
          include: ["src/**/*.test.ts"],
          exclude: WITHOUT_DOCUMENT,
          environment: "jsdom",
          setupFiles: ["src/testing/setup.ts"],
        },
      },
    ],
  },
});

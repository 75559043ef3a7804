import { fileURLToPath } from "node:url";

import { svelte } from "@sveltejs/vite-plugin-svelte";
import { svelteTesting } from "@testing-library/svelte/vite";
import { defineConfig } from "vitest/config";

/** Tests of plain functions. They need no document, and leave nothing behind that a process of their own would end. */
const WITHOUT_DOCUMENT = [
  "src/lib/chart/model.test.ts",
  "src/lib/diff/{rows,tree,words}.test.ts",
  "src/lib/format/**/*.test.ts",
  "src/lib/graph/layout.test.ts",
  "src/lib/markdown/parse.test.ts",
  "src/lib/output/segments.test.ts",
  "src/lib/ui/virtual/{heights,track}.test.ts",
  "src/shell/trust/executables.test.ts",
  "src/testing/*.test.ts",
  "src/views/checks/draft.test.ts",
  "src/views/overview/{activity,plan}.test.ts",
  "src/views/settings/setting.test.ts",
  "src/views/tasks/{edit,filter,sort}.test.ts",
  "tests/*.test.ts",
];

export default defineConfig({
  plugins: [svelte()],
  resolve: { alias: { $lib: fileURLToPath(new URL("./src/lib", import.meta.url)) } },
  test: {
    restoreMocks: true,
    testTimeout: 60_000,
    // A worker for each core: by itself vitest leaves one out, which on two cores is half of them.
    maxWorkers: "100%",
    projects: [
      { extends: true, test: { name: "logic", include: WITHOUT_DOCUMENT, environment: "node", isolate: false } },
      {
        extends: true,
        plugins: [svelteTesting()],
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

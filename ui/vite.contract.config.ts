import { fileURLToPath } from "node:url";

import { defineConfig } from "vite";

/** The contract of the backend as one script that a test puts into the app's window. It is no part of the app. */
export default defineConfig({
  resolve: { alias: { $lib: fileURLToPath(new URL("./src/lib", import.meta.url)) } },
  build: {
    outDir: "dist-contract",
    target: ["es2022", "safari16"],
    copyPublicDir: false,
    reportCompressedSize: false,
    lib: {
      entry: "src/testing/contract/window.ts",
      formats: ["iife"],
      name: "contract",
      fileName: () => "contract.js",
    },
  },
});

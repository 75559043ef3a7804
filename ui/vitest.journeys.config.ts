import { defineConfig } from "vitest/config";

/** Journeys in a real browser against the mock build, served under the same content policy as in the app. */
export default defineConfig({
  test: {
    include: ["tests/journeys/**/*.test.ts"],
    globalSetup: ["tests/journeys/server.ts"],
    fileParallelism: false,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

import { defineConfig } from "vitest/config";

/**
 * Journeys in a real browser against the mock build, served under the same content policy as in the app. Two files at
 * a time, each with a browser of its own.
 */
export default defineConfig({
  test: {
    include: ["tests/journeys/**/*.test.ts"],
    globalSetup: ["tests/journeys/server.ts"],
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});

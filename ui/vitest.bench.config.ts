import { defineConfig } from "vitest/config";

/** Measurements in a real browser against the mock build: they print figures and hold nothing against them. */
export default defineConfig({
  test: {
    include: ["tests/bench/**/*.test.ts"],
    globalSetup: ["tests/journeys/server.ts"],
    fileParallelism: false,
    testTimeout: 180_000,
    hookTimeout: 120_000,
  },
});

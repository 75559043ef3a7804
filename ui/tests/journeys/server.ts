import { fileURLToPath } from "node:url";

import { build, preview } from "vite";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    baseUrl: string;
  }
}

const root = fileURLToPath(new URL("../..", import.meta.url));

/** Builds the mock variant once and serves it on a free port of this machine for all journeys. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const options = { root, mode: "mock", logLevel: "error" as const };
  await build(options);
  const server = await preview({ ...options, preview: { host: "127.0.0.1", port: 0, strictPort: false } });
  const address = server.httpServer.address();
  if (address === null || typeof address === "string") {
    throw new Error("The preview server has no port.");
  }
  project.provide("baseUrl", `http://127.0.0.1:${address.port}/`);
  return () => server.close();
}

import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

import { build, type Rolldown } from "vite";
import { beforeAll, describe, expect, it } from "vitest";

const root = fileURLToPath(new URL("../..", import.meta.url));
const INITIAL_JS_LIMIT = 200 * 1024;

type Output = Rolldown.OutputChunk | Rolldown.OutputAsset;

let output: Output[];
beforeAll(async () => {
  const result = (await build({
    root,
    mode: "production",
    logLevel: "error",
    build: { write: false },
  })) as Rolldown.RolldownOutput;
  output = result.output;
});

const chunks = () => output.filter((item): item is Rolldown.OutputChunk => item.type === "chunk");

function page(): string {
  const html = output.find((item) => item.fileName === "index.html") as Rolldown.OutputAsset;
  return String(html.source);
}

/** The entry and everything it imports before it runs. */
function initialChunks(): Rolldown.OutputChunk[] {
  const byName = new Map(chunks().map((chunk) => [chunk.fileName, chunk]));
  const reached = new Set<string>();
  const visit = (name: string): void => {
    if (!reached.has(name)) {
      reached.add(name);
      byName.get(name)?.imports.forEach(visit);
    }
  };
  chunks()
    .filter((chunk) => chunk.isEntry)
    .forEach((chunk) => visit(chunk.fileName));
  return [...reached].map((name) => byName.get(name)).filter((chunk) => chunk !== undefined);
}

describe("the build that ships", () => {
  it("loads little before it runs, in one script and one stylesheet", () => {
    const size = initialChunks().reduce((sum, chunk) => sum + gzipSync(chunk.code).length, 0);
    expect(size).toBeGreaterThan(10_000);
    expect(size).toBeLessThanOrEqual(INITIAL_JS_LIMIT);
    expect(initialChunks()).toHaveLength(1);
    expect(page().match(/<script type="module"/g)).toHaveLength(1);
    expect(page().match(/rel="stylesheet"/g)).toHaveLength(1);
  });

  it("holds neither the mock nor the gallery", () => {
    const code = chunks()
      .map((chunk) => chunk.code)
      .join("\n");
    for (const trace of ["loopwrightMock", "Every shared component in all its states", "/home/ada", "__pwned"]) {
      expect(code.includes(trace), trace).toBe(false);
    }
  });

  it("needs no inline script or style and names no foreign address", () => {
    expect(page()).not.toMatch(/<script(?![^>]*\bsrc=)/);
    expect(page()).not.toMatch(/<style|\sstyle=|\son\w+=/);
    expect(page()).not.toMatch(/https?:\/\//);
    const styles = output
      .filter((item) => item.fileName.endsWith(".css"))
      .map((item) => String((item as Rolldown.OutputAsset).source));
    expect(styles.join("\n")).not.toContain("@import");
    // The bundled fonts, and nothing else.
    const addresses = styles.join("\n").match(/url\([^)]*\)/g) ?? [];
    expect(addresses.map((address) => address.replace(/-[\w-]{8}\./, "."))).toEqual([
      "url(/assets/inter-latin-opsz-normal.woff2)",
      "url(/assets/jetbrains-mono-latin-wght-normal.woff2)",
    ]);
    expect(page().match(/rel="preload"/g)).toHaveLength(2);
  });
});

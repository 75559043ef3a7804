import { ESLint } from "eslint";
import { describe, expect, it } from "vitest";

const eslint = new ESLint();

/** The rules that a file with this content at this place breaks. */
async function broken(path: string, content: string): Promise<(string | null)[]> {
  const [result] = await eslint.lintText(content, { filePath: path });
  return result?.messages.map((message) => message.ruleId) ?? [];
}

describe("the house rules are held by the linter", () => {
  const importsTauri = 'import { invoke } from "@tauri-apps/api/core";\n\nexport const call = invoke;\n';

  it("only the backend folder imports Tauri", async () => {
    expect(await broken("src/views/start/probe.ts", importsTauri)).toEqual(["no-restricted-imports"]);
    expect(await broken("src/shell/probe.ts", importsTauri)).toEqual(["no-restricted-imports"]);
    expect(await broken("src/lib/ui/probe.ts", importsTauri)).toEqual(["no-restricted-imports"]);
    expect(await broken("src/lib/backend/probe.ts", importsTauri)).toEqual([]);
  });

  it("nobody renders text as markup", async () => {
    const markup = '<script lang="ts">\n  let { text }: { text: string } = $props();\n</script>\n\n{@html text}\n';
    expect(await broken("src/views/start/Probe.svelte", markup)).toContain("svelte/no-at-html-tags");
  });

  it("shared components stay below the app, and views beside each other", async () => {
    expect(await broken("src/lib/ui/probe.ts", 'export * from "$lib/app/app.svelte";\n')).toEqual([
      "no-restricted-imports",
    ]);
    for (const place of ["overview/plan", "tasks/state.svelte", "review/words"]) {
      expect(await broken("src/views/start/probe.ts", `export * from "../${place}";\n`)).toEqual([
        "no-restricted-imports",
      ]);
    }
  });
});

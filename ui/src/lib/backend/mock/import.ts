import { emptyDraft } from "$lib/task/words";

import type { ImportBackend } from "../import";
import type { ImportReport, SpecImport } from "../types";

import { refusal } from "./faults";
import type { MockParts } from "./parts";

const CHOSEN = { tasks: "/home/ada/plans/teas.json", spec: "docs/SPEC.md", plan: "/home/ada/plans/owner.md" };
const TITLES = ["Warm the pot", "Weigh the leaves", "Time the second infusion"];

/** Importing in the mock: a file brings three tasks, a document two sections. A path with "missing" is not there. */
export function createImportMock({ tasks, guarded, announce }: MockParts): ImportBackend {
  function exists(file: string): void {
    if (file.includes("missing")) {
      throw refusal("usage.invalid", `${file} does not exist`, "Check the path.");
    }
  }

  return {
    chooseFiles: (purpose) => guarded("chooseFiles", purpose, () => [CHOSEN[purpose]]),
    importTasks: (request) =>
      guarded("importTasks", request, (): ImportReport => {
        exists(request.file);
        const known = tasks.list.filter(({ title }) => TITLES.includes(title));
        const added = TITLES.filter((title) => !known.some((task) => task.title === title));
        if (!request.dry_run) {
          added.forEach((title) => tasks.add({ ...emptyDraft(title), tag: request.tag }));
          announce();
        }
        return {
          file: request.file,
          format: request.file.endsWith(".md") ? "markdown" : "task-master",
          dry_run: request.dry_run,
          added: added.length,
          updated: 0,
          unchanged: known.length,
          changes: added.map((title) => ({ task: null, title })),
          tasks: [],
          missing: [],
          notes: ['"3" also waits for "9", which was not imported'],
        };
      }),
    importSpec: (request) =>
      guarded("importSpec", request, (): SpecImport => {
        request.files.forEach(exists);
        return {
          files: request.files,
          added: 1,
          updated: 1,
          unchanged: 3,
          changes: [
            { section: null, number: "2.1", title: "Water temperature" },
            { section: 3, number: "2", title: "Steeping" },
          ],
          removed: [],
          kept: request.replace ? [] : [5],
        };
      }),
  };
}

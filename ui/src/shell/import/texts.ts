import { plural } from "$lib/format/text";

/** The words of the import dialog. */
export const TEXTS = {
  tasks: {
    title: "Import tasks",
    description: "From SCUD, claude-task-master, a Markdown checklist, or a file that Loopwright exported.",
    file: "File",
    placeholder: ".taskmaster/tasks/tasks.json",
    help: "A path in the project, or browse. Nothing changes until you import.",
    confirm: (count: number) => `Import ${plural(count, "task")}`,
    done: (added: number, updated: number) => `${plural(added, "task")} added, ${updated} updated`,
  },
  spec: {
    title: "Import spec",
    description: "Headings become sections that tasks link to and prompts quote.",
    file: "Markdown file or folder",
    placeholder: "docs/SPEC.md",
    help: "A path in the project, or browse. Nothing changes until you import.",
    confirm: (count: number) => `Import ${plural(count, "section")}`,
    done: (added: number, updated: number) => `${plural(added, "section")} added, ${updated} updated`,
  },
} as const;

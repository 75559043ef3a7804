import { SvelteMap } from "svelte/reactivity";

import type { StartWizard, Wizard } from "$lib/backend/types";

/** What helps with most plans. Each can be left unanswered. */
export const QUESTIONS = [
  "Who will use it?",
  "What must it not do?",
  "Where will it run?",
  "What is there already that it has to work with?",
];

const KEY = "loopwright.wizard.draft";

export function countWords(text: string): number {
  return text.split(/\s+/).filter(Boolean).length;
}

/** The agent that a person chooses. */
export interface AgentDraft {
  /** Its name; empty for none. */
  agent: string;
  model: string;
  /** Only for an HTTP API. */
  baseUrl: string;
}

/** The agent that was chosen; `null` for filling in by hand. */
export function agentOf({ agent, model, baseUrl }: AgentDraft): Wizard["agent"] {
  const text = (value: string) => value.trim() || null;
  return agent === "" ? null : { name: agent, model: text(model), base_url: agent === "api" ? text(baseUrl) : null };
}

/** What somebody is about to begin a plan from. Kept on this computer until it is begun. */
export class StartDraft implements AgentDraft {
  source = $state<"idea" | "document" | "code">("idea");
  idea = $state("");
  folder = $state("");
  template = $state("spec");
  agent = $state("");
  model = $state("");
  baseUrl = $state("");
  documents = $state.raw<string[]>([]);
  readonly #answers = new SvelteMap<string, string>();
  readonly #key: string;

  constructor(inProject: boolean) {
    this.#key = inProject ? `${KEY}.change` : KEY;
    this.source = inProject ? "code" : "idea";
    try {
      const kept: unknown = JSON.parse(localStorage.getItem(this.#key) ?? "{}");
      if (typeof kept === "object" && kept !== null) {
        this.idea = String(Reflect.get(kept, "idea") ?? "");
        this.folder = String(Reflect.get(kept, "folder") ?? "");
      }
    } catch {
      localStorage.removeItem(this.#key);
    }
  }

  keep(): void {
    localStorage.setItem(this.#key, JSON.stringify({ idea: this.idea, folder: this.folder }));
  }

  clear(): void {
    localStorage.removeItem(this.#key);
  }

  addDocuments(paths: string[]): void {
    this.documents = [...this.documents, ...paths.filter((path) => !this.documents.includes(path))];
    if (paths.length > 0 && this.source === "idea" && this.idea.trim() === "") {
      this.source = "document";
    }
  }

  removeDocument(path: string): void {
    this.documents = this.documents.filter((each) => each !== path);
  }

  answerTo(question: string): string {
    return this.#answers.get(question) ?? "";
  }

  answer(question: string, answer: string): void {
    this.#answers.set(question, answer);
  }

  get answers(): { question: string; answer: string }[] {
    return [...this.#answers].map(([question, answer]) => ({ question, answer }));
  }

  request(folder: string): StartWizard {
    return {
      folder,
      idea: this.idea,
      documents: this.documents,
      from_code: this.source === "code",
      template: this.template,
      agent: agentOf(this),
    };
  }
}

import { SvelteSet } from "svelte/reactivity";

import { type Backend, faultOf } from "$lib/backend/backend";
import type { Fault, FolderReport, NewProject } from "$lib/backend/types";

/** A project about to be made: what was entered so far and what is known of the chosen folder. */
export class ProjectDraft {
  path = $state("");
  report = $state.raw<FolderReport | null>(null);
  fault = $state.raw<Fault | null>(null);
  inspecting = $state(false);
  git = $state(true);
  /** The names of the suggested checks to take. None is taken unasked. */
  readonly checks = new SvelteSet<string>();

  readonly #backend: Backend;
  #givenName = $state<string | null>(null);
  #version = 0;

  constructor(backend: Backend, path: string) {
    this.#backend = backend;
    this.path = path;
  }

  /** What the person typed or, until they do, the folder's own name. */
  get name(): string {
    return this.#givenName ?? this.report?.name ?? "";
  }

  set name(name: string) {
    this.#givenName = name;
  }

  /** The request, when everything needed is there and the folder can become a project. */
  get request(): NewProject | null {
    const { report } = this;
    if (!report || report.project_root !== null || report.path === "" || this.name.trim() === "") {
      return null;
    }
    const checks = report.suggestions.map((each) => each.name).filter((name) => this.checks.has(name));
    return { path: report.path, name: this.name.trim(), git: this.git || report.git, checks };
  }

  /** Forgets what was known: it belonged to another folder. */
  pathChanged(): void {
    this.#version++;
    this.report = null;
    this.fault = null;
    this.checks.clear();
  }

  /** Looks into the folder. Nothing in it is executed. An older answer never replaces a newer one. */
  async inspect(): Promise<void> {
    const path = this.path.trim();
    if (path === "") {
      return;
    }
    const version = ++this.#version;
    this.inspecting = true;
    try {
      const report = await this.#backend.inspectFolder(path);
      if (version === this.#version) {
        this.report = report;
        this.fault = null;
      }
    } catch (thrown) {
      if (version === this.#version) {
        this.fault = faultOf(thrown);
      }
    } finally {
      if (version === this.#version) {
        this.inspecting = false;
      }
    }
  }
}

/** The contract as a script for a real window, where it talks to the shell. `npm run build:contract` makes it. */
import { createTauriBackend } from "$lib/backend/tauri";

import { CONTRACT } from "./index";
import type { Case, State } from "./suite";

/** A state's cases, in their order. */
function cases(state: State): Pick<Case, "name" | "asks">[] {
  return CONTRACT.filter((each) => each.state === state).map(({ name, asks }) => ({ name, asks }));
}

let underWay: Promise<string | null> = Promise.resolve(null);

/** Begins a case. What the shell asks meanwhile is answered from outside. */
function begin(state: State, name: string): void {
  const found = CONTRACT.find((each) => each.state === state && each.name === name);
  underWay = (found?.run(createTauriBackend()) ?? Promise.reject(new Error("There is no such case."))).then(
    () => null,
    (thrown: unknown) => (thrown instanceof Error ? thrown.message : String(thrown)),
  );
}

/** Waits for the end of the case that was begun last: what is wrong, or nothing. */
function outcome(): Promise<string | null> {
  return underWay;
}

Object.assign(window, { contract: { cases, begin, outcome } });

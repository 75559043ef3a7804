// Dialogs and messages load these on demand. Loading them here keeps the time that takes out of the tests.
import "bits-ui";
import "svelte-sonner";

import { render, screen } from "@testing-library/svelte";
import userEvent, { type UserEvent } from "@testing-library/user-event";

import { App } from "$lib/app/app.svelte";
import { createMockBackend, type MockBackend, type MockHooks, type MockOptions } from "$lib/backend/mock";

import type { Fault } from "$lib/backend/types";

import Window from "../shell/Window.svelte";

export interface TestWindow {
  app: App;
  backend: MockBackend;
  user: UserEvent;
}

/** A whole window over the mock backend, as a person has it in front of them. */
export async function openWindow(
  options: Partial<MockOptions> = {},
  hooks: MockHooks = {},
  problem: Fault | null = null,
): Promise<TestWindow> {
  const backend = createMockBackend(options, hooks);
  const start = backend.windowStart();
  const context = start.context.kind === "start" ? { ...start.context, problem } : start.context;
  const app = new App(backend, { ...start, context });
  render(Window, { app });
  return { app, backend, user: userEvent.setup() };
}

/** The calls of one method, in order. */
export function callsOf(backend: MockBackend, method: string): unknown[] {
  return backend.controls.calls.filter((call) => call.method === method).map((call) => call.argument);
}

export { screen };

import { readFileSync } from "node:fs";
import { createContext, runInContext } from "node:vm";

import { describe, expect, it } from "vitest";

const PAGE = "tauri://localhost";
const READY = "__TAURI_ISOLATION_READY__";
const SCRIPTS = ["commands.js", "check.js"].map((name) =>
  readFileSync(new URL(`../../src-tauri/isolation/${name}`, import.meta.url), "utf8"),
);

interface Call {
  cmd: string;
  callback: number;
  error: number;
  payload?: unknown;
}

type Hook = (call: Call) => unknown;

/** The isolation frame as Tauri makes it: its own script listens for calls, before or after ours have run. */
class Frame {
  /** What the page was told. */
  readonly told: unknown[] = [];
  readonly #window = Object.assign(new EventTarget(), {
    location: { ancestorOrigins: [PAGE] },
    parent: { postMessage: (message: unknown) => this.told.push(message) },
  });

  run(): void {
    const window = createContext(Object.assign(this.#window, { window: this.#window, MessageEvent }));
    SCRIPTS.forEach((script) => runInContext(script, window));
  }

  /** What Tauri's script does once it has its key. */
  listen(page = PAGE): void {
    this.#window.addEventListener("message", async (event) => {
      const { origin, data } = event as MessageEvent<Call>;
      if (origin === page && "callback" in data && "error" in data) {
        this.told.push(await this.hook(data));
      }
    });
  }

  hook(call: Call): unknown {
    return (this.#window as unknown as { __TAURI_ISOLATION_HOOK__: Hook }).__TAURI_ISOLATION_HOOK__(call);
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

describe("the isolation frame", () => {
  it("says that it is ready as soon as calls are heard, and passes nothing else on", async () => {
    const frame = new Frame();
    frame.listen();
    frame.run();
    await settled();
    expect(frame.told).toEqual([READY]);
  });

  it("leaves it to Tauri to say so where calls would be lost", async () => {
    const early = new Frame();
    early.run();
    early.listen();
    const foreign = new Frame();
    foreign.listen("https://example.org");
    foreign.run();
    await settled();
    expect([early.told, foreign.told]).toEqual([[], []]);
  });

  it("lets commands through that exist, with the arguments they take", () => {
    const frame = new Frame();
    frame.run();
    const call = (cmd: string, payload?: unknown) => ({ cmd, callback: 1, error: 2, payload });
    const known = [
      call("app_info"),
      call("gate", { id: 1 }),
      call("plugin:event|unlisten", { event: "a", eventId: 1 }),
    ];
    expect(known.map((each) => frame.hook(each))).toEqual(known);
    const unknown = [
      call("evil"),
      call("constructor"),
      call("gate", { id: 1, other: 2 }),
      call("gate", ["id"]),
      call("gate", { id: "x".repeat(9 * 1024 * 1024) }),
    ];
    for (const each of unknown) {
      expect(frame.hook(each)).toMatchObject({ cmd: "refused", callback: 1, error: 2, payload: {} });
    }
  });
});

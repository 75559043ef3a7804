import { describe, expect, it, vi } from "vitest";

import { type Command, Commands } from "./commands.svelte";
import { recentCommands, rememberCommand } from "./recent";

const command = (id: string, key: string, more: Partial<Command> = {}): Command => ({
  id,
  title: id,
  section: "Test",
  shortcuts: [{ key }],
  run: vi.fn(),
  ...more,
});
const press = (init: KeyboardEventInit, target: Element = document.body) => {
  const event = new KeyboardEvent("keydown", init);
  Object.defineProperty(event, "target", { value: target });
  return event;
};

describe("a key", () => {
  it("belongs to the innermost scope that knows it", () => {
    const commands = new Commands();
    commands.add("window", () => [command("outer", "a"), command("window only", "b")]);
    const leave = commands.add("view", () => [command("inner", "a")]);
    expect(commands.forKey(press({ key: "a" }), false, false)?.id).toBe("inner");
    expect(commands.forKey(press({ key: "b" }), false, false)?.id).toBe("window only");
    leave();
    expect(commands.forKey(press({ key: "a" }), false, false)?.id).toBe("outer");
  });

  it("reaches nothing below an open dialog", () => {
    const commands = new Commands();
    commands.add("window", () => [command("outer", "a")]);
    commands.add("view", () => [command("inner", "b")]);
    commands.add("dialog", () => [command("mine", "c")]);
    expect(["a", "b", "c"].map((key) => commands.forKey(press({ key }), false, true)?.id)).toEqual([
      undefined,
      undefined,
      "mine",
    ]);
    expect(commands.forKey(press({ key: "c" }), false, false)).toBeUndefined();
  });

  it("is text where text is typed, unless Ctrl or Alt is held", () => {
    const commands = new Commands();
    const withMod = command("mod", "k", { shortcuts: [{ key: "k", mod: true }] });
    commands.add("window", () => [command("plain", "a"), withMod]);
    const field = document.createElement("input");
    expect(commands.forKey(press({ key: "a" }, field), false, false)).toBeUndefined();
    expect(commands.forKey(press({ key: "k", ctrlKey: true }, field), false, false)?.id).toBe("mod");
  });

  it("that is held down does again only what may be done again, and what is only told of does nothing", () => {
    const commands = new Commands();
    commands.add("view", () => [command("once", "a"), command("often", "b", { repeats: true })]);
    commands.add("list", () => [{ id: "told", title: "Told", section: "Test", shortcuts: [{ key: "c" }] }]);
    expect(["a", "b"].map((key) => commands.forKey(press({ key, repeat: true }), false, false)?.id)).toEqual([
      undefined,
      "often",
    ]);
    expect(commands.forKey(press({ key: "c" }), false, false)).toBeUndefined();
    expect(commands.all.map(({ id }) => id)).toEqual(["once", "often", "told"]);
  });
});

describe("what was chosen lately", () => {
  it("is remembered, the newest first, each once and not for ever", () => {
    for (const id of ["a", "b", "a", "c", "d", "e", "f", "g"]) {
      rememberCommand(id);
    }
    expect(recentCommands()).toEqual(["g", "f", "e", "d", "c", "a"]);
  });

  it("is nothing when what is kept makes no sense", () => {
    for (const kept of ["{", "7", "null", "[1, {}]"]) {
      localStorage.setItem("loopwright.recent-commands", kept);
      expect(recentCommands()).toEqual([]);
    }
  });
});

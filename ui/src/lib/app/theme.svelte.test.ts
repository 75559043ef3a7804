import { describe, expect, it, vi } from "vitest";

import { Theme, themeChoice } from "./theme.svelte";

describe("Theme", () => {
  it("reads only names it knows", () => {
    expect(["light", "dark", "system", "sepia", null, undefined].map(themeChoice)).toEqual([
      "light",
      "dark",
      "system",
      "system",
      "system",
      "system",
    ]);
  });

  it("begins with what was chosen last", () => {
    localStorage.setItem("loopwright.theme", "dark");
    expect(new Theme().shown).toBe("dark");
    expect(document.documentElement.dataset.theme).toBe("dark");
  });

  it("begins with what the shell said before the page was painted", () => {
    localStorage.setItem("loopwright.theme", "light");
    document.documentElement.dataset.themeChoice = "dark";
    expect(new Theme().shown).toBe("dark");
    delete document.documentElement.dataset.themeChoice;
  });

  it("follows the system while it changes, and only then", () => {
    let change: ((event: { matches: boolean }) => void) | undefined;
    vi.spyOn(window, "matchMedia").mockReturnValue({
      matches: false,
      addEventListener: (_: string, listener: typeof change) => (change = listener),
    } as unknown as MediaQueryList);
    const theme = new Theme();
    change?.({ matches: true });
    expect([theme.shown, document.documentElement.dataset.theme]).toEqual(["dark", "dark"]);
    theme.adopt("light");
    change?.({ matches: true });
    expect(document.documentElement.dataset.theme).toBe("light");
  });

  it("follows another window of the app", () => {
    const theme = new Theme();
    window.dispatchEvent(new StorageEvent("storage", { key: "loopwright.theme", newValue: "dark" }));
    expect(theme.choice).toBe("dark");
    window.dispatchEvent(new StorageEvent("storage", { key: "something else", newValue: "light" }));
    expect(theme.choice).toBe("dark");
  });
});

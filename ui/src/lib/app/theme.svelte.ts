export const THEME_CHOICES = ["system", "light", "dark"] as const;

export type ThemeChoice = (typeof THEME_CHOICES)[number];

/** Read by `public/first-frame.js` before the first paint, which leaves its finding on the document. */
const STORAGE_KEY = "loopwright.theme";

/** The choice with this name; anything else follows the system. */
export function themeChoice(name: string | null | undefined): ThemeChoice {
  return THEME_CHOICES.find((choice) => choice === name) ?? "system";
}

/** Which theme is wanted and which one that is right now. Every change is applied to the document at once. */
export class Theme {
  choice = $state<ThemeChoice>(
    themeChoice(document.documentElement.dataset.themeChoice ?? localStorage.getItem(STORAGE_KEY)),
  );
  #systemDark = $state(false);

  constructor() {
    const query = window.matchMedia("(prefers-color-scheme: dark)");
    this.#systemDark = query.matches;
    query.addEventListener("change", (event) => {
      this.#systemDark = event.matches;
      this.#apply();
    });
    // Another window of the app changed it.
    window.addEventListener("storage", (event) => {
      if (event.key === STORAGE_KEY) {
        this.adopt(themeChoice(event.newValue));
      }
    });
    this.#apply();
  }

  get shown(): "light" | "dark" {
    return this.choice === "dark" || (this.choice === "system" && this.#systemDark) ? "dark" : "light";
  }

  adopt(choice: ThemeChoice): void {
    this.choice = choice;
    localStorage.setItem(STORAGE_KEY, choice);
    this.#apply();
  }

  #apply(): void {
    document.documentElement.dataset.theme = this.shown;
  }
}

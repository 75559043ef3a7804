const KEY = "loopwright.recent-commands";
const KEPT = 6;

/** The commands that were chosen last, the newest first. */
export function recentCommands(): string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(kept) ? kept.filter((id) => typeof id === "string") : [];
  } catch {
    return [];
  }
}

export function rememberCommand(id: string): void {
  const recent = [id, ...recentCommands().filter((each) => each !== id)].slice(0, KEPT);
  try {
    localStorage.setItem(KEY, JSON.stringify(recent));
  } catch {
    // A window that may not remember anything works without it.
  }
}

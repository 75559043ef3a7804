import type { Backend } from "./backend";
import { createTauriBackend } from "./tauri";

/** The backend of this build: the desktop shell, or the mock when built with `--mode mock`. */
export async function createBackend(): Promise<Backend> {
  if (import.meta.env.MODE === "mock") {
    const { startMock } = await import("./mock/browser");
    return startMock();
  }
  return createTauriBackend();
}

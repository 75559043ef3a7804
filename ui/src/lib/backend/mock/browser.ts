import { createMockBackend, type MockBackend, type MockControls, optionsFromQuery } from "../mock";

declare global {
  interface Window {
    /** For journeys in a browser: what happens outside the window. Only in the mock build. */
    loopwrightMock?: MockControls;
  }
}

/** A mock for a browser tab. "Opening a window" shows the project in the same tab. */
export function startMock(): MockBackend {
  const options = optionsFromQuery(window.location.search);
  const backend = createMockBackend(options, {
    openWindow: () => {
      window.location.search = `?window=project&scenario=${options.scenario}`;
    },
  });
  window.loopwrightMock = backend.controls;
  return backend;
}

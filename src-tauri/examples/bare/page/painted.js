// After two frames the first one is on the screen.
requestAnimationFrame(() => requestAnimationFrame(() => window.__TAURI_INTERNALS__.invoke("first_paint")));

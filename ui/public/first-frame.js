// Runs before the first frame. It must stay a plain external file: the content security policy allows no inline script.

// The theme, so that a dark window never flashes light. The shell may hand over the stored choice as
// `__LOOPWRIGHT_THEME__`; otherwise the last applied choice is remembered in this webview.
(function () {
  var choice = window.__LOOPWRIGHT_THEME__;
  if (choice !== "light" && choice !== "dark" && choice !== "system") {
    try {
      choice = window.localStorage.getItem("loopwright.theme");
    } catch {
      choice = "system";
    }
  }
  var dark = choice === "dark" || (choice !== "light" && window.matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.themeChoice = choice || "system";
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();

// A word instead of an empty window when the app does not start: at the first error, or when it takes too long.
(function () {
  var PATIENCE = 20000;

  function tell(reason) {
    var trouble = document.getElementById("trouble");
    // The app takes the frame away, and the word with it, as soon as it runs.
    if (trouble) {
      document.getElementById("trouble-reason").textContent = reason;
      trouble.hidden = false;
    }
  }

  function failed(event) {
    var element = event.target instanceof HTMLElement ? event.target : null;
    if (element && (element.rel === "icon" || element.rel === "preload")) {
      return;
    }
    var cause = event.reason || event.error;
    tell(
      element
        ? "Not loaded: " + new URL(element.src || element.href).pathname
        : String((cause && cause.message) || event.message || cause),
    );
  }

  // Files that do not load are told on the way down only.
  window.addEventListener("error", failed, true);
  window.addEventListener("unhandledrejection", failed);
  window.setTimeout(tell, PATIENCE, "It did not start within " + PATIENCE / 1000 + " seconds.");
})();

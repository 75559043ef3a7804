// Runs before the first paint so that a dark window never flashes light. It must stay a plain external file:
// the content security policy allows no inline script. The shell may hand over the stored choice as
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

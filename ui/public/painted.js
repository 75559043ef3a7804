// Says when the first frame with something on it can be seen. The bare window that a start is measured against has
// this very file, so that both are measured by the same rule: the first contentful paint, and one frame more, about when
// it reaches the screen.
new PerformanceObserver(function (list, observer) {
  if (list.getEntriesByName("first-contentful-paint").length > 0) {
    observer.disconnect();
    requestAnimationFrame(function () {
      // A measurement that cannot be noted must not trouble the page.
      window.__TAURI_INTERNALS__?.invoke("first_paint").catch(function () {});
    });
  }
}).observe({ type: "paint", buffered: true });

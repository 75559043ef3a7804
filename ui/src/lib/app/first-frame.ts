/** A window that nobody can see is not painted, but its app must run all the same. */
const PATIENCE = 500;

/**
 * Waits until the frame that `index.html` draws can be seen. Setting the app up keeps the page busy for a while; a
 * person looks at the frame meanwhile and not at nothing.
 */
export function firstFrame(): Promise<void> {
  return new Promise((resolve) => {
    window.setTimeout(resolve, PATIENCE);
    new PerformanceObserver((list, observer) => {
      if (list.getEntriesByName("first-contentful-paint").length > 0) {
        observer.disconnect();
        requestAnimationFrame(() => window.setTimeout(resolve));
      }
    }).observe({ type: "paint", buffered: true });
  });
}

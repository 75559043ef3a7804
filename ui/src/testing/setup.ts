/** What jsdom leaves out and the components use. Each is as small as what they ask of it. */
import { configure } from "@testing-library/svelte";
import { afterEach, vi } from "vitest";

// Parts of the window are loaded on demand, which takes its time on a busy machine.
configure({ asyncUtilTimeout: 15_000 });

class SilentObserver {
  observe(): void {}
  unobserve(): void {}
  disconnect(): void {}
  takeRecords(): [] {
    return [];
  }
}

vi.stubGlobal("ResizeObserver", SilentObserver);
vi.stubGlobal("IntersectionObserver", SilentObserver);

Range.prototype.getClientRects = () => [] as unknown as DOMRectList;
Range.prototype.getBoundingClientRect = () => new DOMRect();
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.hasPointerCapture = () => false;
Element.prototype.releasePointerCapture = () => undefined;
Element.prototype.getAnimations = () => [];
// Nothing can be drawn here.
HTMLCanvasElement.prototype.getContext = () => null;

Object.defineProperty(window, "matchMedia", {
  writable: true,
  value: (media: string) => ({
    media,
    matches: false,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }),
});

afterEach(() => {
  localStorage.clear();
  document.documentElement.dataset.theme = "light";
});

/** Loads the gallery of components when the address asks for it. Only the mock build has it in it. */
export function galleryLoader(query: string) {
  if (import.meta.env.MODE === "mock") {
    return new URLSearchParams(query).has("gallery") ? () => import("./Gallery.svelte") : null;
  }
  return null;
}

/** Loads a page of the workshop when the address asks for one. Only the mock build has them in it. */
export function galleryLoader(query: string) {
  if (import.meta.env.MODE === "mock") {
    const params = new URLSearchParams(query);
    if (params.get("stage") === "output") {
      return () => import("./OutputStage.svelte");
    }
    return params.has("gallery") ? () => import("./Gallery.svelte") : null;
  }
  return null;
}

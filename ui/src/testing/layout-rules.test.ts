import { describe, expect, it } from "vitest";

/** The components of the views, as they are written. */
const FILES: Record<string, string> = import.meta.glob("../views/**/*.svelte", {
  query: "?raw",
  import: "default",
  eager: true,
});

/** A box is drawn only around what floats or can be dragged, or is a thing in a drawing. */
const BOXES = [
  "tasks/BoardCard.svelte",
  "tasks/BoardColumn.svelte",
  "review/CommentThread.svelte",
  "waves/Drawing.svelte",
  "waves/Minimap.svelte",
  "waves/TaskNode.svelte",
];
/** What floats over a view and is not made by a primitive. */
const FLOATS = [
  "iterations/RunPicker.svelte",
  "tasks/BoardPane.svelte",
  "waves/Drawing.svelte",
  "waves/GraphTools.svelte",
];

const RULES: { name: string; broken: RegExp; except: readonly string[] }[] = [
  { name: "keyframes: motion is in styles and lib/ui", broken: /@keyframes/, except: [] },
  {
    name: "breakpoints: only the frame and the layout primitives know them",
    broken: /@(media|container)[^{]*width/,
    except: [],
  },
  {
    // A control's frame (`--line-control`) is no card.
    name: "cards of their own: use Panel, Split or Inspector",
    broken: /border: 1px (solid|dashed) var\(--line(?!-control)/,
    except: BOXES,
  },
  { name: "shadows: only what floats has one", broken: /box-shadow: var\(--lift/, except: FLOATS },
];

/** The styles of each component, by its path in the views' folder. */
function styles(): [string, string][] {
  return Object.entries(FILES).map(([path, content]) => [
    path.replace("../views/", ""),
    /<style>([^]*)<\/style>/.exec(content)?.[1] ?? "",
  ]);
}

describe("views are made of the layout primitives and have no", () => {
  it.each(RULES)("$name", ({ broken, except }) => {
    expect(styles().length).toBeGreaterThan(50);
    const found = styles().filter(([name, style]) => !except.includes(name) && broken.test(style));
    expect(found.map(([name]) => name)).toEqual([]);
  });
});

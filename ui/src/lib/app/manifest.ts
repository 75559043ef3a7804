import type { WindowContext } from "$lib/backend/types";

import type { ViewId } from "./route";
import type { Shortcut } from "./shortcuts";
import views from "./views.json";

/** A view as navigation, palette, keys, routes and the native menu know it. The menu is tested against the same file. */
export interface ViewEntry {
  id: ViewId;
  title: string;
  /** The windows it belongs to. */
  windows: WindowContext["kind"][];
  /** The native menu's name for showing it. */
  action: string;
  /** A key of its own besides its digit, with Ctrl (⌘ on a Mac). */
  key?: string;
  /** It takes the whole window, without navigation and run strip, and is left again: no place of the navigation. */
  whole?: boolean;
}

export const VIEWS = views as ViewEntry[];

/** The views of a window, in the order of the navigation, then those that take it whole. */
export function viewsIn(kind: WindowContext["kind"]): ViewEntry[] {
  return VIEWS.filter((view) => view.windows.includes(kind));
}

/** The views that the navigation shows. */
export function placesIn(kind: WindowContext["kind"]): ViewEntry[] {
  return viewsIn(kind).filter((view) => view.whole !== true);
}

/** The keys of the view at a place of the navigation: the first nine have a digit, the tenth has 0, more have none. */
export function viewKeys(view: Pick<ViewEntry, "key">, place: number): Shortcut[] {
  const digit = place < 10 ? [{ key: String((place + 1) % 10), mod: true }] : [];
  return [...digit, ...(view.key === undefined ? [] : [{ key: view.key, mod: true }])];
}

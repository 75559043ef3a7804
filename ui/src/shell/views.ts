import Brain from "@lucide/svelte/icons/brain";
import ChartNoAxesCombined from "@lucide/svelte/icons/chart-no-axes-combined";
import ClipboardCheck from "@lucide/svelte/icons/clipboard-check";
import ClipboardList from "@lucide/svelte/icons/clipboard-list";
import FileText from "@lucide/svelte/icons/file-text";
import House from "@lucide/svelte/icons/house";
import LayoutDashboard from "@lucide/svelte/icons/layout-dashboard";
import ListChecks from "@lucide/svelte/icons/list-checks";
import Repeat from "@lucide/svelte/icons/repeat";
import SlidersHorizontal from "@lucide/svelte/icons/sliders-horizontal";
import WandSparkles from "@lucide/svelte/icons/wand-sparkles";
import Waves from "@lucide/svelte/icons/waves";
import type { Component } from "svelte";

import { type ViewEntry, viewsIn } from "$lib/app/manifest";
import type { ViewId } from "$lib/app/route";
import type { WindowContext } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

import OverviewView from "../views/overview/OverviewView.svelte";
import StartView from "../views/start/StartView.svelte";

/** What of a view the manifest (`lib/app/views.json`) cannot say. */
interface Parts {
  icon: IconType;
  /** What is shown first is bundled; everything else is loaded when it is first shown. */
  load: () => Promise<{ default: Component<Record<string, never>> }>;
}

export type View = ViewEntry & Parts;

const PARTS: Record<ViewId, Parts> = {
  start: { icon: House, load: () => Promise.resolve({ default: StartView }) },
  overview: { icon: LayoutDashboard, load: () => Promise.resolve({ default: OverviewView }) },
  waves: { icon: Waves, load: () => import("../views/waves/WavesView.svelte") },
  tasks: { icon: ClipboardList, load: () => import("../views/tasks/TasksPage.svelte") },
  iterations: { icon: Repeat, load: () => import("../views/iterations/IterationsView.svelte") },
  review: { icon: ClipboardCheck, load: () => import("../views/review/ReviewView.svelte") },
  spec: { icon: FileText, load: () => import("../views/spec/SpecView.svelte") },
  checks: { icon: ListChecks, load: () => import("../views/checks/ChecksView.svelte") },
  memory: { icon: Brain, load: () => import("../views/memory/MemoryView.svelte") },
  metrics: { icon: ChartNoAxesCombined, load: () => import("../views/metrics/MetricsView.svelte") },
  wizard: { icon: WandSparkles, load: () => import("../views/wizard/WizardView.svelte") },
  settings: { icon: SlidersHorizontal, load: () => import("../views/settings/SettingsView.svelte") },
};

/** The views of a window, in the order of the navigation, then those that take it whole. */
export function viewsOf(kind: WindowContext["kind"]): View[] {
  return viewsIn(kind).map((entry) => ({ ...entry, ...PARTS[entry.id] }));
}

/** The views that the navigation shows. */
export function placesOf(kind: WindowContext["kind"]): View[] {
  return viewsOf(kind).filter((view) => view.whole !== true);
}

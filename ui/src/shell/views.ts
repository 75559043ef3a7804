import ClipboardCheck from "@lucide/svelte/icons/clipboard-check";
import ClipboardList from "@lucide/svelte/icons/clipboard-list";
import House from "@lucide/svelte/icons/house";
import LayoutDashboard from "@lucide/svelte/icons/layout-dashboard";
import ListChecks from "@lucide/svelte/icons/list-checks";
import Repeat from "@lucide/svelte/icons/repeat";
import SlidersHorizontal from "@lucide/svelte/icons/sliders-horizontal";
import Waves from "@lucide/svelte/icons/waves";
import type { Component } from "svelte";

import type { WindowContext } from "$lib/backend/types";
import type { IconType } from "$lib/ui/Icon.svelte";

import OverviewView from "../views/overview/OverviewView.svelte";
import StartView from "../views/start/StartView.svelte";

/**
 * A page of a window. Navigation, palette, shortcuts and menus are made from this list: a new view is one entry here.
 * What is shown first is bundled; everything else is loaded when it is first shown.
 */
export interface View {
  id: string;
  title: string;
  icon: IconType;
  /** The windows it belongs to. */
  windows: WindowContext["kind"][];
  /** The native menu's name for showing it. */
  menuAction: string;
  load: () => Promise<{ default: Component<Record<string, never>> }>;
}

const VIEWS: View[] = [
  {
    id: "start",
    title: "Projects",
    icon: House,
    windows: ["start"],
    menuAction: "view_overview",
    load: () => Promise.resolve({ default: StartView }),
  },
  {
    id: "overview",
    title: "Overview",
    icon: LayoutDashboard,
    windows: ["project"],
    menuAction: "view_overview",
    load: () => Promise.resolve({ default: OverviewView }),
  },
  {
    id: "waves",
    title: "Waves",
    icon: Waves,
    windows: ["project"],
    menuAction: "view_waves",
    load: () => import("../views/waves/WavesView.svelte"),
  },
  {
    id: "tasks",
    title: "Tasks",
    icon: ClipboardList,
    windows: ["project"],
    menuAction: "view_tasks",
    load: () => import("../views/tasks/TasksView.svelte"),
  },
  {
    id: "iterations",
    title: "Iterations",
    icon: Repeat,
    windows: ["project"],
    menuAction: "view_iterations",
    load: () => import("../views/iterations/IterationsView.svelte"),
  },
  {
    id: "review",
    title: "Review",
    icon: ClipboardCheck,
    windows: ["project"],
    menuAction: "view_review",
    load: () => import("../views/review/ReviewView.svelte"),
  },
  {
    id: "checks",
    title: "Checks",
    icon: ListChecks,
    windows: ["project"],
    menuAction: "view_checks",
    load: () => import("../views/checks/ChecksView.svelte"),
  },
  {
    id: "settings",
    title: "Settings",
    icon: SlidersHorizontal,
    windows: ["start", "project"],
    menuAction: "view_settings",
    load: () => import("../views/settings/SettingsView.svelte"),
  },
];

/** The views of a window, in the order of the navigation. */
export function viewsOf(kind: WindowContext["kind"]): View[] {
  return VIEWS.filter((view) => view.windows.includes(kind));
}

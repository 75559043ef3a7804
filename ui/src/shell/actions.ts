import ArrowLeft from "@lucide/svelte/icons/arrow-left";
import ArrowRight from "@lucide/svelte/icons/arrow-right";
import BookOpen from "@lucide/svelte/icons/book-open";
import FileDown from "@lucide/svelte/icons/file-down";
import FileText from "@lucide/svelte/icons/file-text";
import FolderOpen from "@lucide/svelte/icons/folder-open";
import FolderPlus from "@lucide/svelte/icons/folder-plus";
import FolderSymlink from "@lucide/svelte/icons/folder-symlink";
import Info from "@lucide/svelte/icons/info";
import Keyboard from "@lucide/svelte/icons/keyboard";
import Monitor from "@lucide/svelte/icons/monitor";
import Moon from "@lucide/svelte/icons/moon";
import RotateCw from "@lucide/svelte/icons/rotate-cw";
import Search from "@lucide/svelte/icons/search";
import ShieldCheck from "@lucide/svelte/icons/shield-check";
import Sparkles from "@lucide/svelte/icons/sparkles";
import Stethoscope from "@lucide/svelte/icons/stethoscope";
import Sun from "@lucide/svelte/icons/sun";
import WandSparkles from "@lucide/svelte/icons/wand-sparkles";

import type { App } from "$lib/app/app.svelte";
import type { Command } from "$lib/app/commands.svelte";
import { viewKeys } from "$lib/app/manifest";
import type { IconType } from "$lib/ui/Icon.svelte";

import { runActions } from "./run/actions";
import { placesOf } from "./views";

/** Where the user guide is. */
const DOCUMENTATION = "https://github.com/loopwright/loopwright/tree/main/docs";

/** A command of the window itself. */
export interface Action extends Command {
  section: "Go to" | "Run" | "Project" | "Appearance" | "Help";
  icon: IconType;
  run: () => void;
}

function viewActions(app: App): Action[] {
  return placesOf(app.context.kind).map((view, index) => ({
    id: view.action,
    title: view.title,
    section: "Go to",
    icon: view.icon,
    shortcuts: viewKeys(view, index),
    run: () => app.show(view.id),
  }));
}

function historyActions(app: App): Action[] {
  const { nav, mac } = app;
  return [
    ...(nav.canGoBack
      ? [
          {
            id: "back",
            title: "Back",
            section: "Go to" as const,
            icon: ArrowLeft,
            keywords: "previous history",
            shortcuts: [mac ? { key: "[", mod: true } : { key: "ArrowLeft", alt: true }],
            run: () => app.back(),
          },
        ]
      : []),
    ...(nav.canGoForward
      ? [
          {
            id: "forward",
            title: "Forward",
            section: "Go to" as const,
            icon: ArrowRight,
            keywords: "next history",
            shortcuts: [mac ? { key: "]", mod: true } : { key: "ArrowRight", alt: true }],
            run: () => app.forward(),
          },
        ]
      : []),
  ];
}

function projectActions(app: App): Action[] {
  const actions: Action[] = [
    {
      id: "new_project",
      title: "New project…",
      section: "Project",
      icon: FolderPlus,
      keywords: "create init",
      shortcuts: [{ key: "n", mod: true }],
      run: () => (app.overlay = { kind: "new-project", path: "" }),
    },
    {
      id: "plan",
      title: app.inProject ? "Plan a change…" : "New project from an idea…",
      section: "Project",
      icon: WandSparkles,
      keywords: "wizard idea spec document new",
      shortcuts: [{ key: "i", mod: true }],
      run: () => app.go({ view: "wizard" }),
    },
    {
      id: "open_folder",
      title: "Open folder…",
      section: "Project",
      icon: FolderOpen,
      shortcuts: [{ key: "o", mod: true }],
      run: () => void app.openFolder(),
    },
    {
      id: "open_sample",
      title: "Open the sample project",
      section: "Project",
      icon: Sparkles,
      keywords: "demo try tea",
      run: () => void app.openSample(),
    },
  ];
  if (!app.inProject) {
    return actions;
  }
  const trust = app.overview.data?.trust;
  return [
    ...actions,
    {
      id: "import_tasks",
      title: "Import tasks…",
      section: "Project",
      icon: FileDown,
      keywords: "scud task-master checklist json markdown",
      run: () => (app.overlay = { kind: "import", what: "tasks" }),
    },
    {
      id: "import_spec",
      title: "Import spec…",
      section: "Project",
      icon: FileText,
      keywords: "documents sections markdown requirements",
      run: () => (app.overlay = { kind: "import", what: "spec" }),
    },
    {
      id: "reveal_project",
      title: "Show in the file manager",
      section: "Project",
      icon: FolderSymlink,
      keywords: "reveal finder explorer",
      run: () => void app.revealProject(),
    },
    ...(trust && trust.state !== "not_needed"
      ? [
          {
            id: "review_trust",
            title: trust.state === "trusted" ? "Show what this folder may run" : "Review and trust this folder…",
            section: "Project" as const,
            icon: ShieldCheck,
            keywords: "security commands hooks",
            run: () => (app.overlay = { kind: "trust" as const }),
          },
        ]
      : []),
  ];
}

function appearanceActions(app: App): Action[] {
  return (
    [
      ["theme_system", "Theme: system", Monitor, "system"],
      ["theme_light", "Theme: light", Sun, "light"],
      ["theme_dark", "Theme: dark", Moon, "dark"],
    ] as const
  ).map(([id, title, icon, choice]) => ({
    id,
    title,
    section: "Appearance",
    icon,
    keywords: "colour mode",
    run: () => void app.setTheme(choice),
  }));
}

function helpActions(app: App): Action[] {
  return [
    {
      id: "palette",
      title: "Command palette",
      section: "Help",
      icon: Search,
      shortcuts: [{ key: "k", mod: true }],
      run: () => (app.overlay = { kind: "palette" }),
    },
    {
      id: "shortcuts",
      title: "Keyboard shortcuts",
      section: "Help",
      icon: Keyboard,
      keywords: "keys hotkeys",
      shortcuts: [{ key: "/", mod: true }, { key: "?" }],
      run: () => (app.overlay = { kind: "shortcuts" }),
    },
    {
      id: "doctor",
      title: "Run the doctor",
      section: "Help",
      icon: Stethoscope,
      keywords: "diagnose health problems",
      run: () => {
        app.show("settings", "doctor");
        void app.doctor.refresh();
      },
    },
    {
      id: "documentation",
      title: "Documentation",
      section: "Help",
      icon: BookOpen,
      keywords: "manual guide docs",
      run: () => void app.attempt("open_link", () => app.backend.openLink(DOCUMENTATION)),
    },
    {
      id: "about",
      title: "About Loopwright",
      section: "Help",
      icon: Info,
      keywords: "version licence",
      run: () => app.show("settings", "about"),
    },
    {
      id: "refresh",
      title: "Refresh",
      section: "Help",
      icon: RotateCw,
      keywords: "reload",
      shortcuts: [{ key: "r", mod: true }, { key: "F5" }],
      run: () => app.refresh(),
    },
  ];
}

/** Everything that can be done in this window now. */
export function actionsOf(app: App): Action[] {
  return [
    ...viewActions(app),
    ...historyActions(app),
    ...runActions(app),
    ...projectActions(app),
    ...appearanceActions(app),
    ...helpActions(app),
  ];
}

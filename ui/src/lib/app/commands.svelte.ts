import { onMount } from "svelte";

import type { IconType } from "$lib/ui/Icon.svelte";

import type { App } from "./app.svelte";
import { isTyping, matches, type Shortcut } from "./shortcuts";

/** Something a person can make the window do, whether by palette, key, menu or button. */
export interface Command {
  /** Also the name by which the native menu asks for it. */
  id: string;
  title: string;
  /** Under which heading it is listed. */
  section: string;
  icon?: IconType;
  /** Other words people look for. */
  keywords?: string;
  shortcuts?: Shortcut[];
  /** A word or two for the hints in the status bar; without, it is not hinted at. */
  hint?: string;
  /** The keys that the hint shows, where it stands for more commands than this one. */
  hintKeys?: string[];
  /** A key that is held down does it again and again. */
  repeats?: boolean;
  /** Does it. Without, it is a key of a list, which hears it itself while it has the focus; here it is only told of. */
  run?: (event?: KeyboardEvent) => void;
}

/** Where a command works, from the outside in: a key belongs to the innermost scope that knows it. */
const SCOPES = ["window", "view", "list", "dialog"] as const;
export type Scope = (typeof SCOPES)[number];

interface Layer {
  scope: Scope;
  commands: () => Command[];
}

/** What can be done in a window now. Palette, shortcut sheet, menu and keys all come from here. */
export class Commands {
  #layers = $state.raw<readonly Layer[]>([]);

  /** Adds commands until the returned function is called. */
  add(scope: Scope, commands: () => Command[]): () => void {
    const layer = { scope, commands };
    this.#layers = [...this.#layers, layer];
    return () => (this.#layers = this.#layers.filter((each) => each !== layer));
  }

  /** The commands of a scope, those that were added last first. */
  of(scope: Scope): Command[] {
    return this.#layers
      .filter((layer) => layer.scope === scope)
      .toReversed()
      .flatMap((layer) => layer.commands());
  }

  /** Everything that can be done or is told of, the window's own first. */
  get all(): Command[] {
    return SCOPES.flatMap((scope) => this.of(scope));
  }

  byId(id: string): Command | undefined {
    return this.all.find((command) => command.id === id);
  }

  /** What a key does: of a dialog only, where one is open; else of the innermost scope. Text that is typed is text. */
  forKey(event: KeyboardEvent, mac: boolean, inDialog: boolean): Command | undefined {
    const typing = isTyping(event.target);
    const means = (command: Command) =>
      command.run !== undefined &&
      (!event.repeat || command.repeats === true) &&
      (command.shortcuts ?? []).some(
        (shortcut) => (shortcut.mod || shortcut.alt || !typing) && matches(event, shortcut, mac),
      );
    const scopes = SCOPES.filter((scope) => (scope === "dialog") === inDialog).toReversed();
    for (const scope of scopes) {
      const command = this.of(scope).find(means);
      if (command) {
        return command;
      }
    }
    return undefined;
  }
}

/** Adds commands while a component is shown. Call it while the component is made. */
export function provideCommands(app: App, scope: Scope, commands: () => Command[]): void {
  onMount(() => app.commands.add(scope, commands));
}

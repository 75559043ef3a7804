import { untrack } from "svelte";

/** The dialogs that are open in this window, wherever in it they are. While there is one, keys are for it alone. */
class OpenDialogs {
  #count = $state(0);

  get any(): boolean {
    return this.#count > 0;
  }

  /** A dialog is open until the returned function is called. */
  add(): () => void {
    untrack(() => this.#count++);
    return () => untrack(() => this.#count--);
  }
}

export const dialogs = new OpenDialogs();

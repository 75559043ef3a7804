import type { toast } from "svelte-sonner";

import type { Fault } from "$lib/backend/types";
import { advice } from "$lib/format/advice";
import { asSentence } from "$lib/format/text";

type Toast = typeof toast;

/** How long something can be undone from its message, in milliseconds. */
const UNDO_FOR = 8_000;

/** Short messages that come and go. The part that shows them is loaded with the first message. */
export class Notifier {
  /** True from the first message on: the shell then shows the host. */
  hostNeeded = $state(false);

  /** Something was done; `undo` takes it back, as long as the message is there. */
  success(message: string, detail?: string, undo?: () => void): void {
    this.#show((toast) =>
      toast.success(message, {
        ...(detail !== undefined && { description: detail }),
        ...(undo && { action: { label: "Undo", onClick: undo }, duration: UNDO_FOR }),
      }),
    );
  }

  info(message: string, detail?: string): void {
    this.#show((toast) => toast.info(message, detail === undefined ? {} : { description: detail }));
  }

  /** A refused call. A person's own "no" is not an error and is not shown as one. */
  fault(fault: Fault): void {
    if (fault.code === "confirmation.declined") {
      this.info(asSentence(fault.message));
      return;
    }
    const description = [advice(fault), fault.code].filter(Boolean).join(" · ");
    this.#show((toast) => toast.error(asSentence(fault.message), { description, duration: 10_000 }));
  }

  #show(message: (toast: Toast) => void): void {
    this.hostNeeded = true;
    void import("svelte-sonner").then(({ toast }) => message(toast));
  }
}

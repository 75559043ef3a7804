import type { toast } from "svelte-sonner";

import type { Fault } from "$lib/backend/types";
import { asSentence } from "$lib/format/text";

type Toast = typeof toast;

/** Short messages that come and go. The part that shows them is loaded with the first message. */
export class Notifier {
  /** True from the first message on: the shell then shows the host. */
  hostNeeded = $state(false);

  success(message: string, detail?: string): void {
    this.#show((toast) => toast.success(message, detail === undefined ? {} : { description: detail }));
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
    const description = [fault.hint && asSentence(fault.hint), fault.code].filter(Boolean).join(" · ");
    this.#show((toast) => toast.error(asSentence(fault.message), { description, duration: 10_000 }));
  }

  #show(message: (toast: Toast) => void): void {
    this.hostNeeded = true;
    void import("svelte-sonner").then(({ toast }) => message(toast));
  }
}

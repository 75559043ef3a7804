import { afterEach, describe, expect, it, vi } from "vitest";

import { onFocusLost } from "./focus";

const button = (parent: HTMLElement) => parent.appendChild(document.createElement("button"));
/** What changed in the page has been looked at. */
const looked = () => new Promise((resolve) => setTimeout(resolve));

describe("onFocusLost", () => {
  let end: () => void = () => undefined;
  afterEach(() => {
    end();
    document.body.replaceChildren();
  });

  function watched(held = false) {
    const lost = vi.fn();
    end = onFocusLost(lost, () => held);
    return lost;
  }

  it("tells when what had the focus is gone, once", async () => {
    const lost = watched();
    const gone = button(document.body);
    gone.focus();
    gone.remove();
    await looked();
    button(document.body);
    await looked();
    expect(lost).toHaveBeenCalledOnce();
  });

  it("says nothing while the focus is somewhere, or an open dialog sees to it", async () => {
    const lost = watched();
    const [first, second] = [button(document.body), button(document.body)];
    first.focus();
    second.focus();
    first.remove();
    await looked();
    expect(lost).not.toHaveBeenCalled();
    end();
    const under = watched(true);
    second.focus();
    second.remove();
    await looked();
    expect(under).not.toHaveBeenCalled();
  });
});

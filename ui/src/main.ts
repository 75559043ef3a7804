import { mount } from "svelte";

import { firstFrame } from "$lib/app/first-frame";

import Root from "./Root.svelte";

async function start(target: HTMLElement): Promise<void> {
  await firstFrame();
  mount(Root, { target });
  // Only now: should the app fail to start, the frame is where `public/first-frame.js` says so.
  document.getElementById("frame")?.remove();
}

const target = document.getElementById("app");
if (target) {
  void start(target);
}

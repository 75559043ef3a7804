import "./styles/tokens.css";
import "./styles/base.css";

import { mount } from "svelte";

import Root from "./Root.svelte";

const target = document.getElementById("app");
if (target) {
  mount(Root, { target });
}

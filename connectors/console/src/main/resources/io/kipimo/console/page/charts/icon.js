// The icon of a status. Each has its own shape, so colour is never the only difference.

import { s } from "../dom.js";

const SHAPES = {
  wrong: ["M8 1.8 15 14H1Z", "M8 6.2v3.6M8 11.9v.1"],
  unknown: ["M8 1 15 8 8 15 1 8Z", "M6.4 6.6a1.7 1.7 0 1 1 2.4 1.7c-.6.3-.8.6-.8 1.1M8 11.3v.1"],
  uncertain: ["M8 1 15 8 8 15 1 8Z", "M4.8 8.6q1.6-2 3.2-.6t3.2-.6"],
  fine: ["M8 1.2a6.8 6.8 0 1 1 0 13.6a6.8 6.8 0 1 1 0-13.6Z", "M4.9 8.3l2.2 2.2 4-4.6"],
  idle: ["M8 1.8a6.2 6.2 0 1 1 0 12.4a6.2 6.2 0 1 1 0-12.4Z", "M5 8h6"],
};

/** {node, update(status)}. */
export function icon() {
  const shape = s("path", { class: "icon-shape" });
  const sign = s("path", { class: "icon-sign" });
  const node = s("svg", { class: "icon", viewBox: "0 0 16 16", width: 16, height: 16, "aria-hidden": "true" }, shape, sign);
  return {
    node,
    update(status) {
      const known = status in SHAPES ? status : "unknown";
      if (node.dataset.status === known) return;
      node.dataset.status = known;
      shape.setAttribute("d", SHAPES[known][0]);
      sign.setAttribute("d", SHAPES[known][1]);
    },
  };
}

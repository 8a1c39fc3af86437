// One cell for each server: its colour shows how slow it is compared with the others, its height how busy its cores are.

import { attribute, s, shown } from "../dom.js";
import { px } from "./scale.js";

const WIDTH = 240;
const HEIGHT = 24;
const WIDEST = 22;
/** Ratios of p99 to the component's median at which a cell gets the next colour. */
const STEPS = [1.15, 1.5, 2, 3];

/** The step of a ratio, 0..4. */
export const heatOf = (ratio) => STEPS.filter((step) => ratio >= step).length;

/** {node, update([{ratio | null, utilisation | null}]), setCursor(index | null), at(clientX)}; decorative by itself. */
export function heat() {
  const cells = [];
  const cursor = s("rect", { class: "heat-cursor", y: 0.75, height: HEIGHT - 1.5, rx: 2, hidden: true });
  const node = s("svg", { class: "heat", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: "xMinYMid meet", "aria-hidden": "true" }, cursor);
  let width = WIDEST;

  function cell() {
    const ground = s("rect", { class: "heat-ground", y: 1, height: HEIGHT - 2 });
    const busy = s("rect", { class: "heat-busy" });
    node.insertBefore(ground, cursor);
    node.insertBefore(busy, cursor);
    return { ground, busy };
  }

  return {
    node,
    update(servers) {
      while (cells.length < servers.length) cells.push(cell());
      while (cells.length > servers.length) {
        const { ground, busy } = cells.pop();
        ground.remove();
        busy.remove();
      }
      width = Math.min(WIDEST, WIDTH / Math.max(1, servers.length));
      const gap = width > 6 ? 2 : width > 3 ? 1 : 0;
      servers.forEach(({ ratio, utilisation }, i) => {
        const { ground, busy } = cells[i];
        attribute(ground, "x", px(i * width));
        attribute(ground, "width", Math.max(0.5, px(width - gap)));
        attribute(ground, "data-heat", ratio == null ? null : heatOf(ratio));
        const height = (HEIGHT - 2) * Math.min(1, utilisation ?? 0);
        attribute(busy, "x", px(i * width));
        attribute(busy, "width", Math.max(0.5, px((width - gap) * 0.3)));
        attribute(busy, "y", px(HEIGHT - 1 - height));
        attribute(busy, "height", px(height));
      });
    },
    setCursor(index) {
      shown(cursor, index !== null);
      if (index === null) return;
      attribute(cursor, "x", px(index * width));
      attribute(cursor, "width", Math.max(2, px(width)));
    },
    at(clientX) {
      const box = node.getBoundingClientRect();
      if (box.width === 0 || cells.length === 0) return null;
      const x = ((clientX - box.left) / box.width) * WIDTH;
      return Math.min(cells.length - 1, Math.max(0, Math.floor(x / width)));
    },
  };
}

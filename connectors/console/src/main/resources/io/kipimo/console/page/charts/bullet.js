// A bullet graph: the interval as a bar, the mean as a dot, the objective as a tick across.

import { attribute, s, shown } from "../dom.js";
import { linear, px } from "./scale.js";

const WIDTH = 132;
const HEIGHT = 22;
const PAD = 5;

/** {node, update({low, mean, high} | null, objective | null, status)}; decorative: the figures are also there as text. */
export function bullet() {
  const middle = HEIGHT / 2;
  const track = s("line", { class: "bullet-track", x1: PAD, x2: WIDTH - PAD, y1: middle, y2: middle });
  const lack = s("rect", { class: "bullet-lack", y: middle - 1.5, height: 3 });
  const interval = s("rect", { class: "bullet-interval", y: middle - 4, height: 8, rx: 2 });
  const mean = s("circle", { class: "bullet-mean", cy: middle, r: 4 });
  const goal = s("path", { class: "bullet-goal" });
  const node = s("svg", { class: "bullet", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    track, lack, interval, mean, goal);

  return {
    node,
    update(estimate, objective, status) {
      // From 0.5 to 1, so that rows can be compared; from 0 only if necessary.
      const least = Math.min(estimate?.low ?? 1, objective ?? 1);
      const x = linear(least >= 0.5 ? 0.5 : 0, 1, PAD, WIDTH - PAD);
      attribute(node, "data-status", status);
      attribute(goal, "d", objective == null ? "" : `M${px(x(objective))} ${middle - 9}V${middle + 9}`);
      shown(interval, estimate != null);
      shown(mean, estimate != null);
      const short = status === "wrong" && estimate != null && objective != null && estimate.mean < objective;
      shown(lack, short);
      if (estimate == null) return;
      attribute(interval, "x", px(x(estimate.low)));
      attribute(interval, "width", Math.max(2, px(x(estimate.high) - x(estimate.low))));
      attribute(mean, "cx", px(x(estimate.mean)));
      if (short) {
        attribute(lack, "x", px(x(estimate.mean)));
        attribute(lack, "width", px(x(objective) - x(estimate.mean)));
      }
    },
  };
}

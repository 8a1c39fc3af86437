// The last means of a class against its objective, without axes.

import { attribute, s } from "../dom.js";
import { linear, linePath, px } from "./scale.js";

const WIDTH = 104;
const HEIGHT = 26;

/** {node, update(means, objective | null)}; decorative. */
export function sparkline() {
  const goal = s("path", { class: "spark-goal" });
  const line = s("path", { class: "spark-line" });
  const end = s("circle", { class: "spark-end", r: 2.2 });
  const node = s("svg", { class: "spark", viewBox: `0 0 ${WIDTH} ${HEIGHT}`, width: WIDTH, height: HEIGHT, "aria-hidden": "true" },
    goal, line, end);

  return {
    node,
    update(means, objective) {
      const known = means.filter((m) => m != null);
      const goalKnown = objective != null;
      const least = Math.min(goalKnown ? objective - 0.02 : 0.9, ...known);
      const y = linear(least, 1, HEIGHT - 3, 3);
      const x = linear(0, Math.max(1, means.length - 1), 2, WIDTH - 4);
      attribute(goal, "d", goalKnown ? `M2 ${px(y(objective))}H${WIDTH - 4}` : "");
      attribute(line, "d", linePath([...means.keys()], means, x, y));
      const last = means.at(-1);
      attribute(end, "visibility", last == null ? "hidden" : null);
      if (last != null) {
        attribute(end, "cx", px(x(means.length - 1)));
        attribute(end, "cy", px(y(last)));
      }
    },
  };
}

// Selective fan-out: what asking fewer components of each query would save, and whether front ends do it.

import { serverNow } from "../clock.js";
import { numberAxis, Plot } from "../charts/plot.js";
import { Reading } from "../charts/reading.js";
import { bandPath, linePath, px } from "../charts/scale.js";
import { h, shown, text } from "../dom.js";
import * as words from "../words.js";
import { fanOutAdvice, fanOutState } from "./advice.js";
import { card } from "./card.js";

const USUAL_OBJECTIVE = 0.95;

export function fanOutCard() {
  const plot = new Plot({
    height: 190, yLabel: (v) => v.toFixed(2), yTicks: 3, xAxis: numberAxis("of the work", (v) => v.toFixed(1)),
    layers: [
      { name: "band", path: (d, x, y) => bandPath(d.xs, d.low, d.high, x, y) },
      { name: "goal", path: (d, x, y) => `M${px(x(d.x[0]))} ${px(y(d.objective))}H${px(x(d.x[1]))}` },
      { name: "line quality-line", path: (d, x, y) => linePath(d.xs, d.mean, x, y) },
    ],
  });
  let points = [];
  const at = (i) => {
    const p = points[i];
    return p ? `${words.share(p.effort)} of the work: ${words.quality(p.mean)} (${words.quality(p.low)} to ${words.quality(p.high)}), ${words.share(p.belowHalf)} of the queries below 0.5` : "";
  };
  const read = h("p", { class: "read-line" });
  let idle = "";
  const reading = new Reading("Quality against the effort of a learned choice of components", [plot], [plot.node], (i) => (i < 0 ? idle : at(i)), (i) => text(read, i < 0 ? idle : at(i)));
  const own = card("Asking fewer components", "fan-out", reading.node, read);
  return {
    node: own.node,
    update({ cls }) {
      const curve = cls.deadline?.fanOut;
      // Without features there is nothing to choose by.
      shown(own.node, Boolean(curve));
      if (!curve) return;
      points = [...curve.learned].sort((a, b) => a.effort - b.effort);
      own.lack(points.length === 0 ? `Learning which components contribute: ${words.plural(curve.queries, "query", "queries")} with features so far.` : null);
      if (points.length === 0) return;
      const objective = cls.objective || USUAL_OBJECTIVE;
      own.say([fanOutState(cls.fanOut, serverNow()), fanOutAdvice(curve, objective)].filter(Boolean).join(" "));
      idle = `Learned from ${words.plural(curve.queries, "query", "queries")} and tested on each before it was learned.`;
      points.push({ effort: 1, low: 1, mean: 1, high: 1, belowHalf: 0 });
      const xs = points.map((p) => p.effort);
      plot.draw({
        xs, x: [Math.min(xs[0], 0.9), 1], y: [Math.max(0, Math.floor(Math.min(objective, ...points.map((p) => p.low)) * 10) / 10), 1],
        low: points.map((p) => p.low), mean: points.map((p) => p.mean), high: points.map((p) => p.high), objective,
      });
      reading.setPoints(xs);
    },
  };
}

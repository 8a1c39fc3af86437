// Predicted completeness: the prediction at the answer's departure against the later measurement.

import { numberAxis, Plot } from "../charts/plot.js";
import { Reading } from "../charts/reading.js";
import { px } from "../charts/scale.js";
import { h, text } from "../dom.js";
import * as words from "../words.js";
import { card } from "./card.js";

export function completenessCard() {
  const plot = new Plot({
    height: 190, yLabel: (v) => v.toFixed(2), yTicks: 3, xAxis: numberAxis("", (v) => v.toFixed(2)),
    layers: [
      { name: "goal", path: (d, x, y) => `M${px(x(d.x[0]))} ${px(y(d.y[0]))}L${px(x(1))} ${px(y(1))}` },
      { name: "error", path: (d, x, y) => d.bins.map((b) => `M${px(x(b.meanPredicted))} ${px(y(b.meanPredicted))}V${px(y(b.meanMeasured))}`).join("") },
      { name: "mark dot", path: (d, x, y) => d.bins.map((b) => dot(px(x(b.meanPredicted)), px(y(b.meanMeasured)), 2.5 + 5 * Math.sqrt(b.queries / d.most))).join("") },
    ],
  });
  let bins = [];
  let idle = "";
  const at = (i) => {
    const b = bins[i];
    return b ? `Predicted ${words.quality(b.meanPredicted)}, measured ${words.quality(b.meanMeasured)}: ${words.plural(b.queries, "answer")}` : "";
  };
  const read = h("p", { class: "read-line" });
  const reading = new Reading("Predicted against measured completeness", [plot], [plot.node], (i) => (i < 0 ? idle : at(i)), (i) => text(read, i < 0 ? idle : at(i)));
  const own = card("Predicted completeness", "completeness",
    h("p", { class: "panel-head" }, h("span", { class: "legend" }, "↑ measured, → predicted")), reading.node, read);
  return {
    node: own.node,
    update({ cls }) {
      const model = cls.completeness;
      bins = (model?.calibration ?? []).filter((b) => b.queries > 0);
      own.lack(bins.length === 0 ? "No prediction is checked yet. Checks need degraded answers whose late results arrived. Front ends send the prediction in the header kipimo-completeness." : null);
      if (bins.length === 0) return;
      const all = bins.reduce((sum, b) => sum + b.queries, 0);
      const error = bins.reduce((sum, b) => sum + b.queries * Math.abs(b.meanPredicted - b.meanMeasured), 0) / all;
      own.say(`Predictions of ${words.count(all)} degraded answers were ${words.quality(error)} off, bin by bin.`);
      const top = [...(model.losses ?? [])].sort((a, b) => b.loss - a.loss).slice(0, 3);
      idle = `Dots on the line: measured as predicted.${top.length > 0 ? ` Costs most when missing: ${top.map((l) => `${l.component} ${l.loss.toFixed(2)}`).join(", ")}; any other ${model.usualLoss.toFixed(2)}.` : ""}`;
      const least = Math.min(...bins.map((b) => Math.min(b.meanPredicted, b.meanMeasured)));
      const from = Math.max(0, Math.floor(least * 10 - 0.5) / 10);
      plot.draw({ bins, most: Math.max(...bins.map((b) => b.queries)), x: [from, 1], y: [from, 1] });
      reading.setPoints(bins.map((b) => b.meanPredicted));
    },
  };
}

const dot = (x, y, r) => `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0Z`;

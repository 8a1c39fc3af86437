// Quality as a function of the deadline, estimated from late results.

import { numberAxis, Plot } from "../charts/plot.js";
import { Reading } from "../charts/reading.js";
import { bandPath, linePath, px } from "../charts/scale.js";
import { h, text } from "../dom.js";
import * as words from "../words.js";
import { deadlineAdvice, shortest } from "./advice.js";
import { card } from "./card.js";

export function deadlineCard() {
  const plot = new Plot({
    height: 210, yLabel: (v) => v.toFixed(2), yTicks: 4, xAxis: numberAxis("ms"),
    layers: [
      { name: "band", path: (d, x, y) => bandPath(d.xs, d.low, d.high, x, y) },
      { name: "goal", path: (d, x, y) => (d.objective == null ? "" : `M${px(x(d.x[0]))} ${px(y(d.objective))}H${px(x(d.x[1]))}`) },
      { name: "line quality-line", path: (d, x, y) => linePath(d.xs, d.mean, x, y) },
      { name: "in-force-line", path: (d, x, y) => `M${px(x(d.inForce))} ${px(y(d.y[0]))}V${px(y(d.y[1]))}` },
      { name: "mark best", path: (d, x, y) => (d.sure === null ? "" : `M${px(x(d.sure))} ${px(y(d.objective)) - 7}l6 7-6 7-6-7Z`) },
    ],
    labels: (d) => {
      const late = d.inForce > (d.x[0] + d.x[1]) / 2;
      const marks = [
        { key: "force", x: d.inForce, y: d.y[0], dx: late ? -6 : 6, dy: -6, anchor: late ? "end" : "start", words: `in force ${words.millis(d.inForce)}` },
      ];
      if (d.objective != null) marks.push({ key: "goal", x: d.x[1], y: d.objective, anchor: "end", dy: d.y[1] - d.objective < (d.y[1] - d.y[0]) * 0.12 ? 15 : -5, words: `objective ${words.objective(d.objective)}` });
      return marks;
    },
  });
  let points = [];
  const at = (i) => {
    const p = points[i];
    return p ? `${words.millis(p.deadlineMillis)}: ${words.quality(p.mean)} (${words.quality(p.low)} to ${words.quality(p.high)}), ${words.share(p.complete)} of the answers complete` : "";
  };
  const read = h("p", { class: "read-line" });
  let idle = "";
  const reading = new Reading("Quality against the deadline", [plot], [plot.node], (i) => (i < 0 ? idle : at(i)), (i) => text(read, i < 0 ? idle : at(i)));
  const own = card("Deadline", "deadline", reading.node, read);
  return {
    node: own.node,
    update({ cls, service }) {
      const curve = cls.deadline;
      points = curve?.points ?? [];
      own.lack(points.length === 0
        ? `No curve yet${service.deadlineMillis ? ` (in force: ${words.millis(service.deadlineMillis)})` : ""}: it needs profiles, queries whose partial results are all there, in time and late. It comes by itself once enough were sampled.`
        : null);
      if (points.length === 0) return;
      const xs = points.map((p) => p.deadlineMillis);
      const least = Math.min(cls.objective ?? 1, ...points.map((p) => p.low));
      idle = `From ${words.count(curve.profiles)} queries merged again. ◆ shortest deadline that surely keeps the objective.`;
      own.say(cls.objective == null ? "" : deadlineAdvice(curve, cls.objective));
      plot.draw({
        xs, x: [Math.min(xs[0], curve.deadlineMillis), Math.max(xs.at(-1), curve.deadlineMillis)], y: [Math.max(0, Math.floor(least * 10) / 10), 1],
        low: points.map((p) => p.low), mean: points.map((p) => p.mean), high: points.map((p) => p.high),
        objective: cls.objective, inForce: curve.deadlineMillis, sure: cls.objective == null ? null : shortest(points, cls.objective, "low"),
      });
      reading.setPoints(xs);
    },
  };
}

// Ratings by target: the load that the service carries within its agreement, and whether the rating is stale.

import { numberAxis, Plot } from "../charts/plot.js";
import { linePath, px } from "../charts/scale.js";
import { attribute, h, KeyedList, text } from "../dom.js";
import * as words from "../words.js";
import { card, table } from "./card.js";

const COLUMNS = [
  { label: "Target" },
  { label: "Rating", className: "number" },
  { label: "At", className: "number" },
  { label: "Promised" },
  { label: "When", className: "number" },
  { label: "State" },
];

const UNIT = { OPEN: "requests/s imposed", CLOSED: "users", SHARE: "% of the traffic" };

/** A cross or a circle at each experiment. */
const marks = (trials, shape, x, y) => trials.map((t) => `M${px(x(t.load))} ${px(y(t.throughput))}${shape}`).join("");
const CIRCLE = "m-4 0a4 4 0 1 0 8 0a4 4 0 1 0 -8 0";
const CROSS = "m-4 -4l8 8m0 -8l-8 8";

export function ratingsCard() {
  const body = h("tbody");
  const rows = new KeyedList(body, (r) => r.target, createRow);
  let unit = "";
  const plot = new Plot({
    height: 190, yLabel: (v) => words.count(v), yTicks: 4, xAxis: (from, to, wanted) => numberAxis(unit, words.count)(from, to, wanted),
    layers: [
      { name: "line quality-line", path: (d, x, y) => linePath(d.loads, d.throughputs, x, y) },
      { name: "mark-passed", path: (d, x, y) => marks(d.trials.filter((t) => t.verdict === "PASSED"), CIRCLE, x, y) },
      { name: "mark-failed", path: (d, x, y) => marks(d.trials.filter((t) => t.verdict !== "PASSED"), CROSS, x, y) },
    ],
    labels: (d) => (d.load == null ? [] : [{ key: "rated", x: d.load, y: d.throughput, dy: -9, anchor: "middle", words: "★" }]),
  });
  const note = h("p", { class: "note" });
  const own = card("Ratings", "ratings", table("Ratings of this service", COLUMNS, body), plot.node, note);
  return {
    node: own.node,
    update({ service, now }) {
      const ratings = service.ratings ?? [];
      own.lack(ratings.length === 0 ? `This service is not rated yet. Measure how much load it carries: ./kipimo rate --remote --service ${service.name} --target NAME --sla 'p95<=50ms'` : null);
      if (ratings.length === 0) return;
      own.say(sentence(ratings, now));
      rows.update(ratings.map((r) => ({ ...r, now })));
      const newest = ratings[0];
      unit = UNIT[newest.loadIs] ?? "";
      text(note, `Requests served a second over the load, of ${newest.target}: ○ within the agreement, × not, ★ the rating. ${words.plural(newest.experiments, "experiment")}, ${words.duration(newest.elapsedMillis)}; ${words.duration(newest.predictedMillis)} by the model of a rating's duration.`);
      const known = newest.trials;
      if (known.length === 0) return;
      plot.draw({
        trials: known, loads: known.map((t) => t.load), throughputs: known.map((t) => t.throughput),
        load: newest.load, throughput: newest.throughput,
        x: [0, Math.max(...known.map((t) => t.load))], y: [0, 1.1 * Math.max(...known.map((t) => t.throughput), 1)],
      });
    },
  };
}

function sentence(ratings, now) {
  const stale = ratings.filter((r) => r.state === "STALE");
  if (stale.length > 0) {
    return `The rating of ${words.list(stale.map((r) => r.target))} is stale: ${stale[0].remark || "the service has changed since"}. Rate it again.`;
  }
  const newest = ratings[0];
  if (newest.state === "REQUESTED" || newest.state === "RUNNING") return `${newest.target} is being rated: ${words.plural(newest.experiments, "experiment")} so far.`;
  if (newest.throughput == null) return `${newest.target} has no rating: ${newest.stateText}.`;
  return `${newest.target} carries ${words.rate(newest.throughput)} within ${promised(newest)}, as of ${words.clock(newest.atMillis, now)}.`;
}

const promised = (r) => `p${Number((100 * r.leastWithin).toPrecision(4))} ≤ ${words.millis(r.boundMillis)}${r.leastQuality > 0 ? `, quality ≥ ${words.objective(r.leastQuality)}` : ""}`;

function createRow({ target }) {
  const [rating, at, sla, when, state] = COLUMNS.slice(1).map(({ label, className }) => h("td", { "data-label": label, class: className }));
  const node = h("tr", {}, h("th", { scope: "row" }, target), rating, at, sla, when, state);
  return {
    node,
    update(r) {
      attribute(node, "data-state", r.state);
      text(rating, words.rate(r.throughput));
      text(at, r.load == null ? "–" : `${words.count(r.load)} ${UNIT[r.loadIs] ?? ""}`);
      text(sla, promised(r));
      text(when, words.clock(r.atMillis, r.now));
      text(state, `${r.state === "STALE" ? "stale" : r.stateText}${r.remark ? `: ${r.remark}` : ""}`);
    },
  };
}

// Quality, admitted fraction and time-outs over the same time, with the decisions.

import { Plot, timeAxis } from "../charts/plot.js";
import { Reading } from "../charts/reading.js";
import { bandPath, linePath, nearest, px, stepPath } from "../charts/scale.js";
import { h, KeyedList, shown, text } from "../dom.js";
import { within } from "../range.js";
import * as words from "../words.js";
import { card } from "./card.js";

const goalPath = (d, x, y) => (d.objective == null ? "" : `M${px(x(d.x[0]))} ${px(y(d.objective))}H${px(x(d.x[1]))}`);

/** Triangles at decisions that moved the fraction one way. */
const moves = (up) => (d, x, y) =>
  d.decisions.filter((m) => (up ? m.value > m.previous : m.value < m.previous)).map((m) => {
    const at = px(x(m.atMillis));
    const on = px(y(m.value));
    return up ? `M${at - 5} ${on + 9}h10l-5 -9Z` : `M${at - 5} ${on - 9}h10l-5 9Z`;
  }).join("");

/** Rings at decisions that held. */
const holds = (d, x, y) =>
  d.decisions.filter((m) => m.value === m.previous).map((m) => `M${px(x(m.atMillis)) - 4} ${px(y(m.value))}a4 4 0 1 0 8 0a4 4 0 1 0-8 0Z`).join("");

export function timelineCard() {
  const qualityPlot = new Plot({
    height: 190, yLabel: (v) => v.toFixed(2), yTicks: 4,
    layers: [
      { name: "band", path: (d, x, y) => bandPath(d.xs, d.low, d.high, x, y) },
      { name: "goal", path: goalPath },
      { name: "line quality-line", path: (d, x, y) => linePath(d.xs, d.mean, x, y) },
    ],
    labels: (d) => (d.objective == null ? [] : [{ key: "goal", x: d.x[0], y: d.objective, dx: 4, dy: d.y[1] - d.objective < 0.03 ? 14 : -5, words: `objective ${words.objective(d.objective)}` }]),
  });
  const admittedPlot = new Plot({
    height: 118, yLabel: (v) => `${Math.round(v * 100)} %`, yTicks: 2,
    layers: [
      { name: "area admitted-area", path: (d, x, y) => areaBelow(d, x, y) },
      { name: "line sibling-line", path: (d, x, y) => d.siblings.map((c) => stepPath(c.history.endMillis, c.history.admitted, x, y)).join("") },
      { name: "line admitted-line", path: (d, x, y) => stepPath(d.xs, d.admitted, x, y) },
      { name: "mark hold", path: holds },
      { name: "mark up", path: moves(true) },
      { name: "mark down", path: moves(false) },
    ],
    labels: (d) => (d.siblings.length === 0 ? [] : byLastFraction(d)),
  });
  const timeOutPlot = new Plot({
    height: 112, yLabel: (v) => `${Math.round(v * 100)} %`, yTicks: 2, xAxis: timeAxis,
    layers: [
      { name: "line timeout-line", path: (d, x, y) => linePath(d.xs, d.timeOutShare, x, y) },
      { name: "line expired-line", path: (d, x, y) => linePath(d.xs, d.expiredShare, x, y) },
    ],
  });
  const plots = [qualityPlot, admittedPlot, timeOutPlot];

  const panel = (title, plot, ...legend) => {
    const read = h("span", { class: "read" });
    return { read, node: h("div", { class: "panel" }, h("p", { class: "panel-head" }, h("span", { class: "panel-title" }, title), ...legend, read), plot.node) };
  };
  const key = (className, name) => h("span", { class: "legend" }, h("i", { class: `swatch ${className}`, "aria-hidden": "true" }), name);
  const panels = [
    panel("Quality", qualityPlot, key("quality", "mean"), key("interval", "95 % interval")),
    panel("Admitted", admittedPlot, key("down", "less"), key("up", "more"), key("hold", "held")),
    panel("Without some result", timeOutPlot, key("timeouts", "time-outs"), key("expired", "expired")),
  ];
  const when = h("strong");
  const inForce = h("span");
  let data = null;

  const decisionAt = (millis) => data.decisions.find((d) => d.own && d.atMillis <= millis) ?? null;
  const isCovered = (i) => data.answeredPerSecond[i] != null;
  const wordsAt = (i) => !isCovered(i) ? ["no window", "no window", "no window"] : [
    data.mean[i] == null ? "not enough data" : `${words.quality(data.mean[i])} (${words.quality(data.low[i])} to ${words.quality(data.high[i])})`,
    [words.share(data.admitted[i]), ...data.siblings.map((c) => `${c.name} ${words.share(c.history.admitted[nearest(c.history.endMillis, data.xs[i])])}`)].join(", "),
    `${words.share(data.timeOutShare[i])} time-outs, ${words.share(data.expiredShare[i])} expired`,
  ];
  const sentence = (i) => {
    if (data === null || data.xs.length === 0) return "no points";
    const at = i < 0 ? data.xs.length - 1 : i;
    const [q, admitted, late] = wordsAt(at);
    const decision = decisionAt(data.xs[at]);
    const said = isCovered(at) ? `quality ${q}, admitted ${admitted}, ${late}` : "no window covers this time";
    return `${words.clock(data.xs[at], data.now, true)}: ${said}. ${decision ? decisionWords(decision, data.now) : ""}`;
  };
  const reading = new Reading("Quality, admission and time-outs over time", plots, panels.map((p) => p.node), sentence, (i) => {
    if (data === null || data.xs.length === 0) return;
    const at = i < 0 ? data.xs.length - 1 : i;
    wordsAt(at).forEach((w, j) => text(panels[j].read, w));
    text(when, `${i < 0 ? "Now" : words.clock(data.xs[at], data.now, true)}: `);
    const decision = decisionAt(i < 0 ? Infinity : data.xs[at] + 5000);
    text(inForce, decision ? decisionWords(decision, data.now) : "no known decision.");
  });
  const own = card("Over time", "timeline", reading.node, h("p", { class: "in-force" }, when, inForce));

  return {
    node: own.node,
    /** Shows a point in time, such as that of a decision under the pointer. */
    showMoment(millis) {
      if (data !== null) reading.move(millis === null ? -1 : nearest(data.xs, millis));
    },
    update({ service, cls: whole, now, bounds }) {
      const kept = whole.history?.endMillis ?? [];
      const history = kept.length === 0 ? null : within(whole.history, bounds);
      const cls = { ...whole, history };
      const xs = history?.endMillis ?? [];
      const siblings = service.classes.filter((c) => c.name !== whole.name && c.history?.endMillis.length > 0)
        .map((c) => ({ ...c, history: within(c.history, bounds) })).filter((c) => c.history.endMillis.length > 0);
      if (kept.length > 0 && xs.length === 0) {
        own.lack(`No window ends in this range. The console keeps those from ${words.clock(kept[0], now, true)} to ${words.clock(kept.at(-1), now, true)}.`);
        return;
      }
      own.lack(xs.length === 0 ? "No window has closed yet. The first one closes one slide after the first answers of this class. Is the quality job running?" : null);
      if (xs.length === 0) return;
      const x = xs.length > 1 ? [xs[0], xs.at(-1)] : [xs[0] - 60_000, xs[0]];
      const lows = history.low.filter((v) => v != null);
      const least = Math.min(cls.objective ?? 1, ...lows);
      const late = Math.max(0.02, ...history.timeOutShare.filter((v) => v != null), ...history.expiredShare.filter((v) => v != null));
      data = { ...history, xs, x, now, objective: cls.objective, cls, siblings, decisions: decisionsOf(service, whole) };
      const inView = data.decisions.filter((d) => d.atMillis >= x[0] && d.atMillis <= x[1]);
      qualityPlot.draw({ ...data, y: [Math.max(0, Math.floor((least - 0.02) * 20) / 20), 1] });
      admittedPlot.draw({ ...data, decisions: inView, y: [0, 1] });
      timeOutPlot.draw({ ...data, y: [0, Math.min(1, Math.ceil(late * 1.08 * 20) / 20)] });
      reading.setPoints(xs);
    },
  };
}

function areaBelow(d, x, y) {
  const zero = d.admitted.map((v) => (v == null ? null : 0));
  return bandPath(d.xs, zero, d.admitted, x, y);
}

/** Names at the right end of the lines; classes with the same fraction share a place. */
function byLastFraction({ cls, siblings, x }) {
  const places = new Map();
  for (const { name, history } of [cls, ...siblings]) {
    const last = history.admitted.findLast((v) => v != null);
    if (last === undefined) continue;
    const place = Math.round(last * 10) / 10;
    places.set(place, [...(places.get(place) ?? []), name]);
  }
  return [...places].map(([y, names]) => ({ key: `${y}`, x: x[1], y, anchor: "end", dx: -4, dy: y > 0.6 ? 16 : -6, words: names.join(", ") }));
}

/** Decisions of the class, and changes in the service's other classes; newest first. */
function decisionsOf(service, cls) {
  return service.classes
    .flatMap((c) => (c.decisions ?? []).filter((d) => c === cls || d.value !== d.previous).map((d) => ({ ...d, className: c.name, own: c === cls })))
    .sort((a, b) => b.atMillis - a.atMillis);
}

/** One decision as a sentence. */
export function decisionWords(d, now) {
  const what = d.value === d.previous ? `${words.share(d.value)} kept` : `${words.share(d.previous)} to ${words.share(d.value)}`;
  return `${what} at ${words.clock(d.atMillis, now, true)}, ${words.constant(d.reason)}. ${d.reasonText}`;
}

/** The last decisions; pointing at one shows its moment in the charts. */
export function decisionsCard(timeline) {
  const listNode = h("ol", { class: "decisions" });
  const items = new KeyedList(listNode, (d) => `${d.atMillis} ${d.reason} ${d.mode} ${d.className}`, (d) => decisionItem(d, timeline));
  const own = card("Decisions", "decision-card", listNode);
  return {
    node: own.node,
    update({ service, cls, now, bounds: [from, to] }) {
      const all = decisionsOf(service, cls);
      const decisions = all.filter((d) => d.atMillis >= from && d.atMillis <= to);
      own.lack(all.length > 0 && decisions.length === 0 ? "No decision is kept of this range." : decisions.length === 0 ? "Nobody has decided anything for this class yet. Is the admission job running? ./kipimo run admission" : null);
      items.update(decisions.map((d) => ({ ...d, now, alone: service.classes.length === 1 })));
    },
  };
}

function decisionItem(decision, timeline) {
  const way = decision.value > decision.previous ? "up" : decision.value < decision.previous ? "down" : "hold";
  const time = h("time", { datetime: new Date(decision.atMillis).toISOString() });
  const name = h("span", { class: "decision-class" }, decision.className);
  const mode = h("span", { class: "badge" }, decision.mode.toLowerCase());
  const node = h("li", { class: "decision", "data-way": way, tabindex: 0,
    onfocus: () => timeline.showMoment(decision.atMillis), onblur: () => timeline.showMoment(null),
    onpointerenter: () => timeline.showMoment(decision.atMillis), onpointerleave: () => timeline.showMoment(null) },
    h("p", { class: "decision-head" }, h("i", { class: `swatch ${way}`, "aria-hidden": "true" }), time, name,
      h("strong", {}, way === "hold" ? words.share(decision.value) : `${words.share(decision.previous)} → ${words.share(decision.value)}`),
      h("span", { class: "constant" }, words.constant(decision.reason)), mode),
    h("p", { class: "reason" }, decision.reasonText));
  shown(name, !decision.alone);
  shown(mode, decision.mode !== "ACTIVE" && decision.mode !== "HOLD");
  return { node, update: (d) => text(time, words.clock(d.atMillis, d.now, true)) };
}

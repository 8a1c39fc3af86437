// The error budget: the remaining quality that may be lost, and the burn rate.

import { linear, px } from "../charts/scale.js";
import { attribute, h, KeyedList, s, style, text } from "../dom.js";
import * as words from "../words.js";
import { card } from "./card.js";

/** Burn rates lie on a logarithmic scale from a tenth to a hundred of what is allowed. */
const LEAST = 0.1;
const MOST = 100;
/** At 1 the budget lasts exactly its period; at 14.4 a 28-day budget is gone in two days (Google SRE workbook, ch. 5). */
const MARKS = [1, 14.4];

export function budgetCard() {
  const fill = h("span", { class: "fill" });
  const left = h("strong", { class: "big" });
  const covered = h("span", { class: "side" });
  const burns = [burn(), burn()];
  const causesList = h("ul", { class: "causes" });
  const causes = new KeyedList(causesList, (c) => c.component, createCause);
  const own = card("Error budget", "budget",
    h("p", { class: "left" }, left, " ", covered), h("span", { class: "meter tall", "aria-hidden": "true" }, fill),
    h("div", { class: "burns" }, ...burns.map((b) => b.node)),
    h("p", { class: "note" }, "Burn rate: lost quality over allowed loss. At 1 the budget lasts exactly its period; 14.4 pages someone."),
    causesList);
  return {
    node: own.node,
    update({ cls }) {
      const budget = cls.budget;
      const none = !budget || (budget.verdict === "NOT_ENOUGH" && !budget.long.samples);
      own.lack(none ? "No verdict yet: the budget needs measured answers in both windows. This is not the same as “fine”." : null);
      if (none) return;
      own.say(words.budgetOf(budget).sentence);
      text(left, words.share(Math.max(0, budget.remaining)));
      text(covered, budget.remaining < 0
        ? `left; overspent by ${words.share(-budget.remaining)} of ${words.duration(budget.periodMillis)}`
        : `left of ${words.duration(budget.periodMillis)}; ${words.duration(budget.coveredMillis)} of it are measured`);
      style(fill, "width", `${Math.min(1, Math.max(0, budget.remaining)) * 100}%`);
      attribute(own.node, "data-verdict", budget.verdict);
      burns[0].update(budget.short);
      burns[1].update(budget.long);
      causes.update(budget.causes ?? []);
    },
  };
}

function burn() {
  const label = h("span", { class: "burn-window" });
  const figure = h("span", { class: "burn-figure" });
  const x = (v) => linear(Math.log10(LEAST), Math.log10(MOST), 2, 158)(Math.log10(Math.min(MOST, Math.max(LEAST, v))));
  const interval = s("rect", { class: "bullet-interval", y: 7, height: 8, rx: 2 });
  const dot = s("circle", { class: "bullet-mean", cy: 11, r: 4 });
  const marks = MARKS.map((m) => s("path", { class: "bullet-goal", d: `M${px(x(m))} 2V20` }));
  const graph = s("svg", { class: "bullet", viewBox: "0 0 160 22", width: 160, height: 22, "aria-hidden": "true" },
    s("line", { class: "bullet-track", x1: 2, x2: 158, y1: 11, y2: 11 }), interval, dot, ...marks);
  return {
    node: h("p", { class: "burn" }, label, graph, figure),
    update({ windowMillis, low, rate, high, samples }) {
      text(label, `over ${words.duration(windowMillis)}`);
      const known = samples > 0;
      attribute(interval, "visibility", known ? null : "hidden");
      attribute(dot, "visibility", known ? null : "hidden");
      text(figure, known ? `${rate.toFixed(rate < 10 ? 2 : 1)} (${low.toFixed(1)} to ${high.toFixed(1)})` : "no samples");
      attribute(graph, "data-status", !known ? "unknown" : low >= 1 ? "wrong" : high < 1 ? "fine" : "uncertain");
      attribute(interval, "x", px(x(low)));
      attribute(interval, "width", Math.max(2, px(x(high) - x(low))));
      attribute(dot, "cx", px(x(rate)));
    },
  };
}

function createCause({ component }) {
  const fill = h("span", { class: "fill" });
  const share = h("span", { class: "main" });
  return {
    node: h("li", {}, h("span", { class: "component" }, component), h("span", { class: "meter", "aria-hidden": "true" }, fill), share),
    update(cause) {
      text(share, words.share(cause.share));
      style(fill, "width", `${cause.share * 100}%`);
    },
  };
}

// One row of the first screen. Its name and status are always present, for search and screen readers;
// figures are added when it comes near the visible part.

import { serverNow } from "../clock.js";
import { bullet } from "../charts/bullet.js";
import { icon } from "../charts/icon.js";
import { sparkline } from "../charts/sparkline.js";
import { attribute, h, shown, style, text } from "../dom.js";
import { isBelow, LEAST_MEASURABLE, steering } from "../model.js";
import * as words from "../words.js";
import { admissionWord } from "./sentences.js";

export class Row {
  #entry;
  #visible = false;
  #cells = null;
  #status = null;

  constructor(entry) {
    this.sign = icon();
    this.word = h("span", { class: "status-word" });
    this.link = h("a", { class: "row-link", href: entry.key, tabindex: -1 },
      h("span", { class: "service" }, entry.service.name), h("span", { class: "slash" }, " / "), h("span", { class: "class" }, entry.cls.name));
    this.badge = h("span", { class: "badge", hidden: true });
    this.reason = h("div", { class: "cell reason", role: "cell" });
    this.node = h("div", { class: "row", role: "row" },
      h("div", { class: "cell cell-name", role: "cell" },
        this.sign.node,
        h("p", { class: "name" }, this.link, this.word, this.badge)));
    this.node.row = this; // for the observer, which gets nodes only
    this.#entry = entry;
  }

  get entry() {
    return this.#entry;
  }

  update(entry) {
    this.#entry = entry;
    if (this.#visible || this.#status !== entry.cls.status) this.#draw();
  }

  /** Called by the observer when the row enters or leaves the visible part. */
  setVisible(visible) {
    this.#visible = visible;
    if (visible) this.#draw();
  }

  #draw() {
    const { service, cls } = this.#entry;
    this.#status = cls.status;
    const status = words.statusOf(cls.status);
    attribute(this.node, "data-status", cls.status);
    this.sign.update(cls.status);
    text(this.word, isBelow(cls) ? "below" : status.word);
    const badge = cls.override ? "override" : steering(service);
    shown(this.badge, badge !== null);
    text(this.badge, badge);
    if (!this.#visible) return;

    shown(this.reason, cls.status !== "fine");
    text(this.reason, cls.statusReason);

    this.#cells ??= this.#fill();
    const c = this.#cells;
    const now = cls.now;
    const isBlind = now != null && now.measurable < LEAST_MEASURABLE;
    const estimate = now?.mean == null || isBlind ? null : now;
    c.bullet.update(estimate, cls.objective, cls.status);
    text(c.mean, words.quality(estimate?.mean));
    text(c.interval, estimate ? `${words.quality(now.low)} to ${words.quality(now.high)}` : isBlind ? `${words.share(now.measurable)} measurable` : now ? words.plural(now.samples ?? 0, "sample") : "no recent window");
    text(c.objective, words.ofObjective(cls.objective));
    c.spark.update(cls.spark ?? [], cls.objective);
    const admitted = cls.admission?.value ?? null;
    text(c.admitted, words.share(admitted));
    text(c.admittedWord, admissionWord(cls, service.policy, serverNow()));
    style(c.fill, "width", `${(admitted ?? 0) * 100}%`);
    text(c.timeOuts, words.share(now?.timeOutShare));
    text(c.answered, now ? `of ${words.rate(now.answered * now.measurable)}` : "");
    text(c.expired, now ? words.share(now.expiredShare) : "–");
    const budget = cls.budget;
    const known = budget && budget.verdict !== "NOT_ENOUGH";
    text(c.budget, known ? words.share(budget.remaining) : "–");
    text(c.verdict, budget ? words.budgetOf(budget).word : "");
    attribute(c.budgetCell, "data-verdict", budget?.verdict ?? null);
  }

  #fill() {
    const figure = (label, className, ...lines) =>
      h("div", { class: `cell figure ${className}`, role: "cell" }, h("span", { class: "label", "aria-hidden": "true" }, label), ...lines);
    const c = {
      bullet: bullet(), spark: sparkline(),
      mean: h("span", { class: "main" }), interval: h("span", { class: "side" }), objective: h("span", { class: "goal" }),
      admitted: h("span", { class: "main" }), admittedWord: h("span", { class: "side" }), fill: h("span", { class: "fill" }),
      timeOuts: h("span", { class: "main" }), answered: h("span", { class: "side" }),
      expired: h("span", { class: "main" }),
      budget: h("span", { class: "main" }), verdict: h("span", { class: "side" }),
    };
    c.budgetCell = figure("budget left", "cell-budget", c.budget, c.verdict);
    this.node.append(
      h("div", { class: "cell cell-quality", role: "cell" },
        h("span", { class: "figures" }, c.mean, c.objective, c.interval), c.bullet.node),
      h("div", { class: "cell cell-spark", role: "cell", "aria-hidden": "true" }, c.spark.node),
      figure("admitted", "cell-admitted", c.admitted, h("span", { class: "meter", "aria-hidden": "true" }, c.fill), c.admittedWord),
      figure("time-outs", "cell-timeouts", c.timeOuts, c.answered),
      figure("expired", "cell-expired", c.expired),
      c.budgetCell, this.reason);
    return c;
  }
}

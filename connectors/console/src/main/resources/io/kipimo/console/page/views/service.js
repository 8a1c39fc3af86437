// One class of a service in full.

import { icon } from "../charts/icon.js";
import { serverNow } from "../clock.js";
import { attribute, h, KeyedList, shown, text } from "../dom.js";
import { isBelow, LEAST_MEASURABLE, route, steering } from "../model.js";
import { bounds, rangeQuery, SPANS, parseRange } from "../range.js";
import * as words from "../words.js";
import { budgetCard } from "./budget.js";
import { figures } from "./card.js";
import { cachingCard } from "./caching.js";
import { completenessCard } from "./completeness.js";
import { componentsCard } from "./components.js";
import { deadlineCard } from "./deadline.js";
import { fanOutCard } from "./fanout.js";
import { measurementCard } from "./measurement.js";
import { policyCard } from "./policy.js";
import { queriesCard } from "./queries.js";
import { ratingsCard } from "./ratings.js";
import { replicationCard } from "./replication.js";
import { serversCard } from "./servers.js";
import { admissionWord } from "./sentences.js";
import { decisionsCard, timelineCard } from "./timeline.js";
import { variantsCard } from "./variants.js";

export class ServiceView {
  #model;
  #wanted;
  /** Newest full state of the service; null until the stream brings it. */
  #full = null;
  #drawn = null;

  constructor(model, wanted, steer) {
    this.#model = model;
    this.#wanted = wanted;
    this.sign = icon();
    this.heading = h("h1", { tabindex: -1 });
    this.word = h("span", { class: "status-word" });
    this.badge = h("span", { class: "badge", hidden: true });
    this.reason = h("p", { class: "lede" });
    const tabs = h("nav", { class: "tabs", "aria-label": "Classes of this service" });
    this.tabs = new KeyedList(tabs, (c) => c.key, createTab);
    this.range = h("select", { id: "range", onchange: () => this.#rangeBy(this.range.value) });
    const range = h("label", { for: "range", class: "field range" }, h("span", {}, "Charts show"), this.range);
    this.facts = figures("facts", { quality: "Quality", admitted: "Admitted", timeouts: "Time-outs", expired: "Expired", answers: "Answers", budget: "Budget left" });
    const timeline = timelineCard();
    this.cards = [timeline, decisionsCard(timeline), componentsCard(), variantsCard(), queriesCard(), serversCard(), replicationCard(), cachingCard(), ratingsCard(), deadlineCard(), budgetCard(), completenessCard(), fanOutCard(), measurementCard(), policyCard(steer)];
    const [over, decided, ...rest] = this.cards;
    this.body = h("div", { class: "service-body" },
      h("div", { class: "split" }, over.node, decided.node), rest.slice(0, 7).map((c) => c.node), h("div", { class: "cards" }, ...rest.slice(7).map((c) => c.node)));
    /** The only card of a service that only reports cached answers. */
    this.caching = cachingCard();
    this.missing = h("p", { class: "empty", hidden: true });
    this.node = h("div", { class: "service" },
      h("p", { class: "back" }, h("a", { href: "#/" }, "← All classes")),
      h("header", { class: "service-head" }, h("div", { class: "title" }, this.sign.node, this.heading, this.word, this.badge), this.reason),
      h("div", { class: "service-tools" }, tabs, range), this.facts.node, this.missing, this.body, this.caching.node);
  }

  get title() {
    return `${this.#wanted.service}${this.#wanted.queryClass === null ? "" : ` / ${this.#wanted.queryClass}`}`;
  }

  /** The class that a keyboard override applies to. */
  get entry() {
    const service = this.#service();
    const cls = this.#class(service);
    return cls ? { service, cls } : null;
  }

  focus() {
    this.heading.focus({ preventScroll: true });
  }

  /** Takes a full state. */
  take(service) {
    if (service.name === this.#wanted.service) this.#full = service;
  }

  update() {
    const service = this.#service();
    const cls = this.#class(service);
    text(this.heading, this.title);
    const sibling = service?.classes[0];
    const onlyCached = Boolean(service) && service.classes.length === 0 && service.cachedTables > 0;
    shown(this.missing, !cls && !onlyCached);
    shown(this.caching.node, onlyCached && this.#full !== null);
    if (onlyCached && this.#full !== null) this.caching.update({ service: this.#full });
    text(this.missing, !this.#model.known ? "Waiting for the first figures …"
      : !service ? `No policy names a service “${this.#wanted.service}”. List all policies: ./kipimo policy show`
        : `The policy of this service has no class “${this.#wanted.queryClass}”; it has ${words.list(service.classes.map((c) => c.name))}.`);
    shown(this.body, Boolean(cls) && this.#full !== null);
    shown(this.facts.node, Boolean(cls));
    shown(this.word, Boolean(cls));
    this.tabs.update((service?.classes ?? []).map((c) => ({ key: route(service.name, c.name), query: rangeQuery(this.#wanted.range), cls: c, current: c === cls })));
    if (!cls) {
      this.sign.update(sibling ? "unknown" : "idle");
      return;
    }
    const now = serverNow();
    this.#drawRange(now);
    this.sign.update(cls.status);
    attribute(this.node, "data-status", cls.status);
    text(this.word, isBelow(cls) ? "below" : words.statusOf(cls.status).word);
    const badge = cls.override ? "override" : steering(service);
    shown(this.badge, badge !== null);
    text(this.badge, badge);
    text(this.reason, cls.statusReason);
    this.#drawFacts(service, cls, now);
    if (this.#full === null || this.#drawn === this.#full) return;
    this.#drawn = this.#full;
    const seen = { service: this.#full, cls: this.#class(this.#full), now, bounds: bounds(this.#wanted.range, now), writable: this.#model.writable };
    if (seen.cls) this.cards.forEach((card) => card.update(seen));
  }

  /** Shows the range of the address, also one that is not among the spans to choose from. */
  #drawRange(now) {
    const query = rangeQuery(this.#wanted.range);
    if (this.range.dataset.query === query) return;
    this.range.dataset.query = query;
    const { span, from, to } = this.#wanted.range ?? { span: "" };
    const clock = (millis, open) => (millis == null ? open : words.clock(millis, now, true));
    const own = span === undefined ? `${clock(from, "the start")} to ${clock(to, "now")}` : SPANS.some(([known]) => known === span) ? null : `the last ${span}`;
    const choices = SPANS.map(([word, label]) => [word === "" ? "" : `?range=${word}`, label]);
    if (own !== null) choices.push([query, own]);
    this.range.replaceChildren(...choices.map(([value, label]) => h("option", { value }, label)));
    this.range.value = query;
  }

  #rangeBy(query) {
    this.#wanted = { ...this.#wanted, range: parseRange(query) };
    history.replaceState(null, "", location.hash.replace(/(\?.*)?$/, query));
    this.#drawn = null;
    this.update();
  }

  #drawFacts(service, cls, now) {
    const w = cls.now;
    const known = w?.mean != null && w.measurable >= LEAST_MEASURABLE;
    const budget = cls.budget && cls.budget.verdict !== "NOT_ENOUGH" ? cls.budget : null;
    this.facts.update({
      quality: [known ? words.quality(w.mean) : "–", `${known ? `${words.quality(w.low)} to ${words.quality(w.high)}, ` : ""}${words.withObjective(cls.objective)}`, isBelow(cls)],
      admitted: [words.share(cls.admission?.value), [admissionWord(cls, service.policy, now), cls.override?.untilMillis ? `until ${words.clock(cls.override.untilMillis, now)}` : ""].filter(Boolean).join(" ")],
      timeouts: [words.share(w?.timeOutShare), [w?.measurable < 1 ? "of the measurable answers" : "of the answers", w?.deliberateLoss > 0 ? `${words.quality(w.deliberateLoss)} lost on purpose, by components not asked` : ""].filter(Boolean).join("; ")],
      expired: [words.share(w?.expiredShare), "of the measured ones"],
      answers: [words.rate(w?.answered), w ? [w.measurable < 1 ? `${words.share(w.measurable)} measurable` : "", w.rejected > 0 ? `${words.rate(w.offered)} offered, ${words.rate(w.rejected)} turned away` : "none turned away", w.zeroResultRate == null ? "" : `${words.share(w.zeroResultRate)} without any item`].filter(Boolean).join(", ") : ""],
      budget: [budget ? words.share(Math.max(0, budget.remaining)) : "–", cls.budget ? words.budgetOf(cls.budget).word : "not known yet"],
    });
  }

  /** The service from the full state, or from the summary before that has arrived. */
  #service() {
    if (this.#full !== null) return this.#full;
    return this.#model.services.find((s) => s.name === this.#wanted.service) ?? null;
  }

  /** The class of the route; if it names none, the first wrong class, else the first class. */
  #class(service) {
    const classes = service?.classes ?? [];
    if (this.#wanted.queryClass === null) return classes.find((c) => c.status === "wrong") ?? classes[0] ?? null;
    return classes.find((c) => c.name === this.#wanted.queryClass) ?? null;
  }
}

function createTab({ key }) {
  const sign = icon();
  const name = h("span", {});
  const status = h("span", { class: "sr-only" });
  const node = h("a", { class: "tab", href: key }, sign.node, name, status);
  return {
    node,
    update({ key, query, cls, current }) {
      attribute(node, "href", `${key}${query}`);
      sign.update(cls.status);
      text(name, cls.name);
      text(status, ` ${words.statusOf(cls.status).sentence}`);
      attribute(node, "aria-current", current ? "page" : null);
    },
  };
}

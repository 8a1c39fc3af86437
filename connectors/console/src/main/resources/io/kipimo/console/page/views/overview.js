// The first screen: classes that need attention, since when, and what Kipimo did.

import { serverNow } from "../clock.js";
import { attribute, h, KeyedList, shown, text } from "../dom.js";
import { margin } from "../model.js";
import { statusOf, STATUS } from "../words.js";
import * as words from "../words.js";
import { Row } from "./row.js";
import { headline, lede } from "./sentences.js";

/** While the list has the pointer or the focus, rows move only if a status changed. */
const REORDER_MILLIS = 10_000;

const by = (figure) => (a, b) => (figure(a) ?? Infinity) - (figure(b) ?? Infinity);
const name = (e) => `${e.service.name}\u0000${String(e.cls.priority ?? "").padStart(4, "0")}\u0000${e.cls.name}`;
const SORTS = {
  attention: { label: "what needs attention", order: (a, b) => statusOf(a.cls.status).rank - statusOf(b.cls.status).rank || (a.cls.status === "wrong" ? by((e) => margin(e.cls))(a, b) : 0) },
  name: { label: "name", order: () => 0, column: "Class" },
  quality: { label: "quality, lowest first", order: by((e) => e.cls.now?.mean), column: "Quality" },
  admitted: { label: "admitted, least first", order: by((e) => e.cls.admission?.value), column: "Admitted" },
  timeouts: { label: "time-outs, most first", order: by((e) => (e.cls.now ? -(e.cls.now.timedOut / (e.cls.now.answered || 1)) : null)), column: "Time-outs" },
  expired: { label: "expired, most first", order: by((e) => (e.cls.now ? -e.cls.now.expiredShare : null)), column: "Expired" },
  budget: { label: "budget left, least first", order: by((e) => (e.cls.budget && e.cls.budget.verdict !== "NOT_ENOUGH" ? e.cls.budget.remaining : null)), column: "Budget left" },
};
const COLUMNS = ["name", "quality", null, "admitted", "timeouts", "expired", "budget"];

export class Overview {
  #model;
  #filter = "";
  #only = null;
  #sort = "attention";
  #shape = -1;
  #orderedAt = 0;
  #current = null;
  #order = [];

  constructor(model) {
    this.#model = model;
    this.sentence = h("h1", { class: "headline" });
    this.lede = h("p", { class: "lede" });
    this.chips = Object.keys(STATUS).map((status) => this.#chip(status));
    this.input = h("input", { type: "search", id: "filter", placeholder: "service or class", autocomplete: "off", spellcheck: "false",
      oninput: () => this.#filterBy(this.input.value), onkeydown: (e) => this.#keyInFilter(e) });
    this.select = h("select", { id: "sort", onchange: () => this.#sortBy(this.select.value) },
      ...Object.entries(SORTS).map(([key, { label }]) => h("option", { value: key }, label)));
    this.heads = COLUMNS.map((key) => this.#columnHead(key));
    this.body = h("div", { role: "rowgroup", class: "rows" });
    this.table = h("div", { class: "table", role: "table", "aria-label": "Classes" },
      h("div", { role: "rowgroup", class: "table-head" }, h("div", { class: "row head", role: "row" }, ...this.heads, h("div", { role: "columnheader", class: "sr-only" }, "What is going on"))), this.body);
    this.nothing = h("p", { class: "empty", hidden: true });
    this.setup = setUp();
    const cached = h("span", {});
    this.cached = h("p", { class: "cached note", hidden: true }, "Cached answers: ", cached);
    this.cachedLinks = new KeyedList(cached, (s) => s.name, cachedLink);
    this.node = h("div", { class: "overview" },
      h("section", { class: "hero" }, this.sentence, this.lede),
      this.tools = h("div", { class: "list-tools" },
        h("div", { class: "chips", role: "group", "aria-label": "Show only" }, ...this.chips.map((c) => c.node)),
        h("div", { class: "fields" },
          h("label", { for: "filter", class: "field" }, h("span", {}, "Filter"), this.input),
          h("label", { for: "sort", class: "field" }, h("span", {}, "Sort by"), this.select))),
      this.table, this.nothing, this.cached, this.setup);

    this.list = new KeyedList(this.body, (item) => item.key, (item) => (item.title ? groupHead(item) : this.#row(item)));
    this.observer = new IntersectionObserver(
      (seen) => seen.forEach((one) => one.target.row.setVisible(one.isIntersecting)), { rootMargin: "400px 0px" });
    this.body.addEventListener("focusin", (e) => this.#setCurrent(e.target.closest(".row")?.row?.entry.key ?? null));
  }

  /** Draws the model. */
  update() {
    const model = this.#model;
    text(this.sentence, model.known ? headline(model) : "Waiting for the first figures …");
    attribute(this.sentence, "data-status", model.count("wrong") > 0 ? "wrong" : null);
    text(this.lede, model.known ? lede(model, serverNow()) : "");
    const any = model.entries.size > 0;
    shown(this.tools, any);
    shown(this.table, any);
    const cached = model.services.filter((s) => s.cachedTables > 0);
    shown(this.cached, cached.length > 0);
    this.cachedLinks.update(cached);
    shown(this.setup, model.known && !any && cached.length === 0);
    this.chips.forEach((chip) => chip.update());

    const busy = this.body.matches(":hover, :focus-within");
    const due = this.#shape !== model.shape || (!busy && performance.now() - this.#orderedAt > REORDER_MILLIS);
    if (due) this.#arrange();
    else this.#order.forEach(({ key, entry }) => entry && this.list.get(key)?.update({ entry: model.entries.get(key) }));
  }

  /** Filter, status and order, for a bookmark or a link to somebody else. */
  get address() {
    const set = Object.entries({ filter: this.#filter, only: this.#only, sort: this.#sort === "attention" ? null : this.#sort });
    const query = new URLSearchParams(set.filter(([, value]) => value)).toString();
    return query === "" ? "#/" : `#/?${query}`;
  }

  /** Sets what {@code address} contains; unknown values are as none. */
  restore(address) {
    const query = new URLSearchParams(address.replace(/^[^?]*/, ""));
    const only = query.get("only");
    const sort = query.get("sort");
    this.#filter = (query.get("filter") ?? "").trim();
    this.input.value = this.#filter;
    this.#only = Object.hasOwn(STATUS, only ?? "") ? only : null;
    this.#showSort(Object.hasOwn(SORTS, sort ?? "") ? sort : "attention");
    this.chips.forEach((chip) => chip.update());
    this.#arrange();
  }

  focusFilter() {
    this.input.focus();
    this.input.select();
  }

  /** Moves the focus by a number of rows; to the first if no row has it. */
  move(by) {
    const rows = this.#order.filter((item) => item.entry);
    if (rows.length === 0) return;
    const at = rows.findIndex((item) => item.key === this.#current);
    const inList = this.body.contains(document.activeElement);
    const to = inList && at >= 0 ? Math.min(rows.length - 1, Math.max(0, at + by)) : Math.max(0, at);
    this.list.get(rows[to].key).link.focus();
  }

  /** Returns the focus to the last row. */
  focusCurrent() {
    this.list.get(this.#current)?.link.focus();
  }

  /** The row with the focus. */
  get current() {
    return this.body.contains(document.activeElement) ? (this.#model.entries.get(this.#current) ?? null) : null;
  }

  #arrange() {
    const model = this.#model;
    this.#shape = model.shape;
    this.#orderedAt = performance.now();
    const wanted = this.#filter.toLowerCase().split(/\s+/).filter(Boolean);
    const matching = [...model.entries.values()].filter((entry) => {
      if (this.#only && statusOf(entry.cls.status) !== STATUS[this.#only]) return false;
      const label = `${entry.service.name}/${entry.cls.name}`.toLowerCase();
      return wanted.every((word) => label.includes(word));
    });
    const names = new Map(matching.map((e) => [e, name(e)]));
    const { order } = SORTS[this.#sort];
    matching.sort((a, b) => order(a, b) || (names.get(a) < names.get(b) ? -1 : 1));

    this.#order = [];
    let group = null;
    for (const entry of matching) {
      const status = statusOf(entry.cls.status);
      if (this.#sort === "attention" && status !== group) {
        group = status;
        const n = matching.filter((e) => statusOf(e.cls.status) === status).length;
        this.#order.push({ key: `group ${status.title}`, title: status.title, n });
      }
      this.#order.push({ key: entry.key, entry });
    }
    const focused = this.body.contains(document.activeElement) ? document.activeElement : null;
    this.list.update(this.#order);
    if (focused?.isConnected && document.activeElement !== focused) focused.focus({ preventScroll: true });
    shown(this.nothing, matching.length === 0 && model.entries.size > 0);
    text(this.nothing, this.#only && !this.#filter ? `No class is ${STATUS[this.#only].word}.` : `No class matches “${this.#filter}”. Esc clears the filter.`);
    const first = this.#order.find((item) => item.entry)?.key ?? null;
    if (!this.#order.some((item) => item.key === this.#current)) this.#setCurrent(first);
  }

  #row({ entry }) {
    const row = new Row(entry);
    this.observer.observe(row.node);
    return { node: row.node, link: row.link, update: (item) => row.update(item.entry) };
  }

  /** Only one row is in tab order; arrow keys reach the others. */
  #setCurrent(key) {
    if (key === null || key === this.#current) return;
    const before = this.list.get(this.#current)?.link;
    if (before) before.tabIndex = -1;
    this.#current = key;
    const link = this.list.get(key)?.link;
    if (link) link.tabIndex = 0;
  }

  #filterBy(value) {
    this.#filter = value.trim();
    this.#rearrange();
  }

  #rearrange() {
    history.replaceState(null, "", this.address);
    this.#arrange();
  }

  #sortBy(key) {
    this.#showSort(key);
    this.#rearrange();
  }

  #showSort(key) {
    this.#sort = key;
    this.select.value = key;
    this.heads.forEach((head, i) => COLUMNS[i] && attribute(head, "aria-sort", COLUMNS[i] === key ? (key === "timeouts" || key === "expired" ? "descending" : "ascending") : null));
  }

  #keyInFilter(event) {
    if (event.key === "Escape") {
      event.stopPropagation();
      this.input.value = "";
      this.#filterBy("");
      this.input.blur();
    } else if (event.key === "ArrowDown" || event.key === "Enter") {
      event.preventDefault();
      event.stopPropagation();
      this.move(0);
    }
  }

  #chip(status) {
    const number = h("span", { class: "number" });
    const node = h("button", { type: "button", class: "chip", "data-status": status, "aria-pressed": "false",
      onclick: () => {
        this.#only = this.#only === status ? null : status;
        this.chips.forEach((chip) => chip.update());
        this.#rearrange();
      } }, number, ` ${STATUS[status].word}`);
    return {
      node,
      update: () => {
        text(number, words.count(this.#model.count(status)));
        attribute(node, "aria-pressed", this.#only === status);
        attribute(node, "data-none", this.#model.count(status) === 0);
      },
    };
  }

  #columnHead(key) {
    if (key === null) return h("div", { role: "columnheader", class: "cell cell-spark" }, "Trend");
    const { column } = SORTS[key];
    return h("div", { role: "columnheader", class: `cell cell-${key}` },
      h("button", { type: "button", class: "sorter", onclick: () => this.#sortBy(this.#sort === key ? "attention" : key) }, column));
  }
}

function groupHead({ key, title }) {
  const number = h("span", { class: "number" });
  const node = h("div", { class: "group", role: "row", "data-group": key },
    h("div", { role: "cell" }, h("h2", {}, title, " ", number)));
  return { node, update: (item) => item.title && text(number, words.count(item.n)) };
}

/** Instructions for a first start. */
function cachedLink({ name }) {
  const tables = h("span", {});
  return {
    node: h("span", { class: "cached-service" }, h("a", { href: `#/${encodeURIComponent(name)}` }, name), " ", tables),
    update({ cachedTables }) {
      text(tables, `(${words.plural(cachedTables, "table")}) `);
    },
  };
}

function setUp() {
  const step = (sentence, command) => h("li", {}, h("p", {}, sentence), h("pre", {}, h("code", {}, command)));
  return h("section", { class: "set-up", hidden: true, "aria-label": "How to begin" },
    h("p", {}, "No policy yet. Kipimo shows a service once a policy names it. Leave this page open; it updates by itself."),
    h("ol", {},
      step("Write a policy with the objectives of each class.", "./kipimo policy example > search.yaml"),
      step("Set it. A new policy is in shadow mode: Kipimo decides but changes nothing.", "./kipimo policy set search.yaml --bootstrap-servers broker:9092"),
      step("Let the service emit (README, “How a service joins”), and run the job that measures.", "./kipimo run quality -Dkafka.bootstrap-servers=broker:9092")));
}

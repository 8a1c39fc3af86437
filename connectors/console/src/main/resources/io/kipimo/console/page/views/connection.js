// Whether the shown data is current: console, broker, age of the data, and further notices.

import { serverNow } from "../clock.js";
import { attribute, h, KeyedList, text } from "../dom.js";
import * as words from "../words.js";

/** Data older than this is shown as old, even if everything is connected. */
const OLD_MILLIS = 60_000;

export class Connection {
  #state = { state: "connecting" };
  #model = null;

  constructor() {
    this.link = document.getElementById("connection");
    this.words = this.link.querySelector(".words");
    this.notices = new KeyedList(document.getElementById("notices"), (n) => n.key, createNotice);
  }

  setState(state) {
    this.#state = state;
    this.update(this.#model);
  }

  update(model) {
    this.#model = model;
    const now = serverNow();
    const health = model?.health;
    const age = health?.lastRecordMillis ? now - health.lastRecordMillis : null;
    const data = age === null ? "no data yet" : `data ${words.duration(age)} old`;
    let state = this.#state.state;
    let line = "connecting …";
    if (state === "away") {
      const wait = Math.max(0, this.#state.retryAtMillis - Date.now());
      line = `console unreachable, next try in ${words.duration(Math.ceil(wait / 1000) * 1000)}`;
    } else if (health?.broker === "away") {
      state = "broker-away";
      line = `broker away, ${data}`;
    } else if (health) {
      state = age !== null && age > OLD_MILLIS ? "old" : "open";
      if (health.caughtUp === false) line = "reading topics …";
      else line = state === "old" ? `no news, ${data}` : age === null ? data : "live";
    }
    attribute(this.link, "data-state", state);
    text(this.words, line);
    this.link.title = health?.joinPath ? `${data}; join.path is ${health.joinPath}` : data;
    this.notices.update(notices(model, state, now, data));
  }
}

const away = ({ brokerSinceMillis: since }, now) =>
  since ? `since ${words.clock(since, now)} (${words.duration(now - since)})` : "and was not there since the console started";

/** Notices on top of the page, most severe first. */
function notices(model, state, now, data) {
  const found = [];
  if (!model?.known && state !== "away") return found;
  if (state === "away") {
    found.push({ key: "console", grave: true, words: `The console does not answer${model?.known ? `; what you see is as it was, ${data}` : ""}. Is its process running? This page returns to it by itself.` });
  }
  if (!model?.known) return found;
  const { health } = model;
  if (health.broker === "away") {
    found.push({ key: "broker", grave: true, words: `The broker is away ${away(health, now)}: ${data}. Services go to their safe fractions when their decisions expire.` });
  }
  const killed = [...new Map([...model.entries.values()].filter((e) => e.service.policy?.killSwitch).map((e) => [e.service.name, e.service])).keys()];
  if (killed.length > 0) {
    found.push({ key: "kill", grave: false, words: `Kill switch is on for ${killed.length > 4 ? `${killed.length} services` : words.list(killed)}: safe fractions are in force, Kipimo decides nothing there.` });
  }
  if (health.deadLetters?.count > 0) {
    found.push({ key: "dead", grave: false, words: `${words.plural(health.deadLetters.count, "record")} could not be used by the jobs.`, details: health.deadLetters.last, now });
  }
  if (health.unreadable > 0) {
    found.push({ key: "unreadable", grave: false, words: `${words.plural(health.unreadable, "record")} of the jobs could not be read by this console; is it older than they are?` });
  }
  return found;
}

function createNotice(notice) {
  const sentence = h("span", {});
  const node = h("div", { class: "notice", role: notice.grave ? "alert" : null, "data-grave": notice.grave ? "" : null });
  if (!notice.details) {
    node.append(h("p", {}, sentence));
    return { node, update: (n) => text(sentence, n.words) };
  }
  const body = h("tbody");
  const letters = new KeyedList(body, (l) => `${l.topic} ${l.partition} ${l.offset}`, createLetter);
  node.append(h("details", {}, h("summary", {}, sentence),
    h("div", { class: "reflow" }, h("table", {}, h("caption", { class: "sr-only" }, "The last records that could not be used"),
      h("thead", {}, h("tr", {}, ...["Time", "Topic, partition, offset", "Reason", "Which field, which value, what is allowed"].map((t) => h("th", { scope: "col" }, t)))), body))));
  return {
    node,
    update(n) {
      text(sentence, n.words);
      letters.update(n.details.map((l) => ({ ...l, now: n.now })));
    },
  };
}

function createLetter(letter) {
  const node = h("tr", {},
    h("td", { "data-label": "Time", class: "time" }, words.clock(letter.atMillis, letter.now, true)),
    h("td", { "data-label": "Record" }, `${letter.topic}, ${letter.partition}, ${letter.offset}`),
    h("td", { "data-label": "Reason" }, words.constant(letter.reason)),
    h("td", { "data-label": "Detail" }, letter.detail));
  return { node, update() {} };
}

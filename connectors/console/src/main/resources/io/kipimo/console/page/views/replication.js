// Replication: copies of a request by tier, reasons, and results of trials.

import { attribute, h, KeyedList, shown, text } from "../dom.js";
import * as words from "../words.js";
import { card, figures, table } from "./card.js";

const TARGET = { MEAN: "Mean", P95: "p95", P99: "p99" };

const TIERS = [
  { label: "Tier" },
  { label: "Copies", className: "number" },
  { label: "Proven", className: "number" },
  { label: "Another copy" },
];

const EVENTS = [
  { label: "When" },
  { label: "Copies" },
  { label: "Verdict" },
  { label: "Before", className: "number" },
  { label: "In the trial", className: "number" },
  { label: "Change", className: "number" },
  { label: "Predicted", className: "number" },
];

const TURN = {
  replication: ["replication", "admission opens nothing during a trial"],
  admission: ["admission", "no trial before its move has taken effect"],
  nobody: ["nobody", "either may move"],
};

/** What further copies would exceed, by constraint. */
const TOO_MUCH = {
  SERVERS: "the number of servers",
  COLLISIONS: "the collisions that are allowed",
  SERVER_CAPACITY: "the servers",
  TOKEN_CAPACITY: "the tokens",
  EXTRA_LOAD: "the budget of extra load",
};

export function replicationCard() {
  const tierBody = h("tbody");
  const tiers = new KeyedList(tierBody, (t) => t.name, tierRow);
  const facts = figures("facts-list", { measured: "Target", turn: "Turn", mode: "Control", decided: "Decided" });
  const eventBody = h("tbody");
  const events = new KeyedList(eventBody, (e) => `${e.atMillis} ${e.reason} ${e.mode}`, eventRow);
  const trials = h("div", { class: "trials" }, table("Trials and other turns, newest first", EVENTS, eventBody));
  const none = h("p", { class: "note" }, "No trial yet.");
  const own = card("Replication", "replication",
    h("div", { class: "replication-now" }, table("Copies of a request, by tier", TIERS, tierBody), facts.node), trials, none);
  return {
    node: own.node,
    update({ service, now }) {
      const r = service.replication ?? null;
      const decided = r?.decidedAtMillis != null;
      own.lack(r === null ? "Every request goes to one server of each tier. To find out where copies help, name the tiers in the policy under replication, and start the job: ./kipimo run replication"
        : !decided ? "The policy asks for replication, but there are no decisions. Is the job running? ./kipimo run replication" : null);
      if (!decided) return;
      const killed = Boolean(service.policy?.killSwitch);
      const over = now > r.validUntilMillis;
      own.say(sentence(r, killed, now));
      tiers.update(r.tiers.map((t) => ({ ...t, trial: r.inTrial && t.factor !== t.proven })));
      facts.update({
        measured: [`${TARGET[r.target] ?? r.target} ${words.latency(r.measured)}`, r.objective == null ? `of ${words.plural(r.requests, "request")} in the last window` : `objective ${words.latency(r.objective)}`, r.objective != null && r.measured > r.objective],
        turn: TURN[r.turn] ?? TURN.nobody,
        mode: mode(r, killed, now),
        decided: [words.clock(r.decidedAtMillis, now, true), over ? "its lease has ended: arbiters use the proven factors" : words.constant(r.reason), over],
      });
      shown(trials, r.events.length > 0);
      shown(none, r.events.length === 0);
      events.update(r.events.map((e) => ({ ...e, now })));
    },
  };
}

const until = (override, now) => (override.untilMillis > 0 ? ` until ${words.clock(override.untilMillis, now)}` : "");

function mode(r, killed, now) {
  if (killed) return ["kill switch", "no copies until it is turned off", true];
  if (r.override) return ["override", `${r.override.by}${until(r.override, now)}: ${r.override.reason}`];
  return r.shadow ? ["shadow", "decides but changes nothing"] : ["active", "trials on live traffic"];
}

function sentence(r, killed, now) {
  const copies = words.list(r.tiers.map((t) => `${words.count(t.factor)} in ${t.name}`));
  if (killed) return "The kill switch is on: every request goes to one server of each tier.";
  if (r.override) return `${r.override.by} set the copies of a request${until(r.override, now)}: ${words.list(r.override.factors.map((f, i) => `${words.count(f)} in ${r.tiers[i]?.name ?? "?"}`))}.`;
  if (r.inTrial) {
    const tried = words.list(r.tiers.filter((t) => t.factor !== t.proven).map((t) => `${words.count(t.factor)} instead of ${words.count(t.proven)} in ${t.name}`));
    return `On trial: ${tried}.${r.evidence ? ` So far ${change(r.evidence)}.` : ""}`;
  }
  const broken = r.broken.length > 0 ? ` More would be too much for ${words.list(r.broken.map((b) => `${TOO_MUCH[b.constraint] ?? words.constant(b.constraint)} of ${b.tier}`))}.` : "";
  return `Copies of a request: ${copies}. ${r.reasonText}${broken}`;
}

const signed = (m) => (m == null ? "–" : `${m < 0 ? "−" : m > 0 ? "+" : ""}${words.millis(Math.abs(m))}`);

const interval = (e) => `${signed(e.low)} to ${signed(e.high)}`;

const change = (e) => `${signed(e.change)} (${interval(e)})`;

function tierRow({ name }) {
  const cell = (i) => h("td", { "data-label": TIERS[i].label, class: TIERS[i].className });
  const [copies, proven, another] = [1, 2, 3].map(cell);
  const node = h("tr", {}, h("th", { scope: "row" }, name), copies, proven, another);
  return {
    node,
    update(t) {
      attribute(node, "data-trial", t.trial ? "" : null);
      text(copies, words.count(t.factor));
      text(proven, words.count(t.proven));
      text(another, t.trial ? "on trial" : [t.refusedByModel ? "ruled out by the model" : "", t.unevenCosts ? "would repeat the most expensive requests" : ""].filter(Boolean).join("; ") || "–");
    },
  };
}

function eventRow(event) {
  const cell = (i) => h("td", { "data-label": EVENTS[i].label, class: EVENTS[i].className });
  const when = h("th", { scope: "row" });
  const [copies, verdict, before, during, gain, predicted] = [1, 2, 3, 4, 5, 6].map(cell);
  const e = event.evidence;
  const [from, to] = e ? [e.from, e.to] : [event.previous, event.factors];
  text(copies, String(from) === String(to) ? to.join(", ") : `${from.join(", ")} → ${to.join(", ")}`);
  verdict.append(h("span", {}, words.constant(event.reason)),
    h("span", { class: "side" }, `${event.mode === "SHADOW" ? "Shadow: nothing was changed. " : ""}${event.reasonText}`));
  text(before, words.latency(e?.baseline));
  text(during, words.latency(e?.trial));
  gain.append(h("span", {}, signed(e?.change)), h("span", { class: "side" }, e ? interval(e) : ""));
  text(predicted, signed(e?.predicted));
  return {
    node: h("tr", { "data-verdict": event.reason }, when, copies, verdict, before, during, gain, predicted),
    update: ({ now }) => text(when, words.clock(event.atMillis, now, true)),
  };
}

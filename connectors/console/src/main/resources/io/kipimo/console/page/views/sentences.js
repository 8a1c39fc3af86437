// Sentences of the first screen. Pure functions.

import { isBelow } from "../model.js";
import * as words from "../words.js";

/** What can be said of classes without a problem, least known first: [of which, of one, of many]. */
const CALM = [
  [(c) => c.status === "unknown", "cannot be judged", "cannot be judged"],
  [(c) => c.status === "uncertain", "may be above or below its objective", "may be above or below their objective"],
  [(c) => c.status === "fine" && c.objective > 0, "keeps its objective", "keep their objective"],
  [(c) => c.status === "fine" && !(c.objective > 0), "has no objective", "have no objective"],
  [(c) => c.status === "idle", "is idle", "are idle"],
];

/** The headline: is anything wrong? */
export function headline(model) {
  const all = model.entries.size;
  const wrong = model.count("wrong");
  const classes = words.plural(all, "class", "classes").replace(" ", "\u00a0");
  if (model.isOld) return "Nothing is known: the console does not answer";
  if (all === 0) return "No service is measured yet";
  if (wrong > 0) {
    const below = [...model.entries.values()].filter((e) => isBelow(e.cls)).length === wrong;
    const what = below ? (wrong === 1 ? "is below its objective" : "are below their objective") : wrong === 1 ? "needs attention" : "need attention";
    return all === 1 ? `The only class ${what}` : `${words.count(wrong)}\u00a0of\u00a0${classes} ${what}`;
  }
  const parts = CALM.map(([holds, one, many]) => ({ n: [...model.entries.values()].filter((e) => holds(e.cls)).length, one, many })).filter(({ n }) => n > 0);
  const [first, ...others] = parts;
  if (all === 1) return `The only class ${first.one}`;
  if (first.n === all) return model.count("unknown") === all ? `None of ${classes} can be judged` : `All ${classes} ${first.many}`;
  const said = ({ n, one, many }) => `${words.count(n)} ${n === 1 ? one : many}`;
  return `${words.count(first.n)}\u00a0of\u00a0${classes} ${first.n === 1 ? first.one : first.many}; ${words.list(others.map(said))}`;
}

/** A sentence on what Kipimo does in one service. */
export function response(service, nowMillis) {
  const { policy, classes } = service;
  if (policy?.killSwitch) return "Kill switch is on: every class gets its safe fraction.";
  if (policy?.controller === "NO_CONTROL") return "Kipimo only measures here: the policy has no controller.";
  const shed = classes.filter((c) => c.admission != null && c.admission.value < 1);
  const part = (c) => `${words.share(c.admission.value)} of ${c.name}`;
  if (policy?.shadow) {
    if (shed.length === 0) return "Shadow mode: Kipimo would admit everything, but changes nothing.";
    return `Shadow mode: Kipimo would admit ${words.list(shed.map(part))}, but changes nothing.`;
  }
  if (shed.length > 0) {
    const byHand = shed.every((c) => c.admission.mode === "MANUAL");
    const since = Math.min(...shed.map((c) => c.admission.issuedAtMillis));
    return `${byHand ? "By hand" : "Kipimo admits"} ${words.list(shed.map(part))}${byHand ? "" : `, decided at ${words.clock(since, nowMillis)}`}.`;
  }
  const last = classes.reduce((a, b) => ((a?.priority ?? -1) > b.priority ? a : b), null);
  if (last?.admission == null) return "There is no decision yet.";
  return `Everything is admitted. ${last.admission.reasonText}`;
}

/** The sentence below the headline: since when, and what Kipimo did; may be empty. */
export function lede(model, nowMillis) {
  const wrong = [...model.entries.values()].filter((e) => e.cls.status === "wrong");
  if (model.entries.size === 0) return "";
  if (model.isOld) return "";
  const lapsed = [...model.entries.values()].filter((e) => e.cls.admission != null && e.cls.admission.validUntilMillis < nowMillis);
  if (wrong.length === 0 && lapsed.length > 0) return `What is shed now is not known: ${words.plural(lapsed.length, "class has", "classes have")} no decision that is still valid.`;
  if (wrong.length === 0) {
    const shed = [...model.entries.values()].filter((e) => (e.cls.admission?.value ?? 1) < 1);
    if (shed.length === 0) return "Kipimo sheds nothing.";
    return `${words.plural(shed.length, "class is", "classes are")} shed in part: ${few(shed, (e) => `${name(e)} ${words.share(e.cls.admission.value)}`)}.`;
  }
  const began = (e) => e.cls.statusSinceMillis ?? nowMillis;
  const oldest = wrong.reduce((a, b) => (began(b) < began(a) ? b : a));
  const since = `${wrong.length === 1 ? `${name(oldest)} since` : `Longest: ${name(oldest)}, since`} ${words.clock(began(oldest), nowMillis)} (${words.duration(nowMillis - began(oldest))}).`;
  const services = new Map(wrong.map((e) => [e.service.name, e.service]));
  if (services.size === 1) return `${since} ${response(oldest.service, nowMillis)}`;
  const acting = [...services.values()].filter(acts).length;
  return `${since} Kipimo sheds load in ${acting} of these ${services.size} services.`;
}

const acts = (service) =>
  !service.policy?.shadow && service.classes.some((c) => c.admission != null && c.admission.value < 1);

const name = (entry) => `${entry.service.name} / ${entry.cls.name}`;

function few(items, toText) {
  const shown = items.slice(0, 3).map(toText);
  return items.length > 3 ? `${shown.join(", ")} and ${words.count(items.length - 3)} more` : words.list(shown);
}

/** The word under an admitted fraction. */
export function admissionWord(cls, policy, nowMillis) {
  if (cls.admission == null) return "undecided";
  if (cls.admission.validUntilMillis < nowMillis) return "lease ended";
  if (policy?.killSwitch) return "kill switch";
  if (cls.override != null || cls.admission.mode === "MANUAL") return "by hand";
  if (policy?.shadow || cls.admission.mode === "SHADOW") return "in shadow";
  if (cls.admission.reason === "SHUT") return "shutting";
  if (cls.admission.reason === "OPENED") return "opening";
  return cls.admission.value < 1 ? "held" : "";
}

/** Announcement of status changes for screen readers; one sentence for many changes. */
export function announcement(changes) {
  if (changes.length > 3) return `${changes.length} classes changed: ${changes.filter((c) => c.entry.cls.status === "wrong").length} of them need attention now.`;
  return changes.map(({ entry }) => `${name(entry)} ${isBelow(entry.cls) ? "is below its objective" : words.statusOf(entry.cls.status).sentence}.`).join(" ");
}

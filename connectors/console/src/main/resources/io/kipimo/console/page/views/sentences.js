// Sentences of the first screen. Pure functions.

import { isBelow } from "../model.js";
import * as words from "../words.js";

/** The headline: is anything wrong? */
export function headline(model) {
  const all = model.entries.size;
  const wrong = model.count("wrong");
  const unknown = model.count("unknown");
  const idle = model.count("idle");
  const classes = words.plural(all, "class", "classes").replace(" ", "\u00a0");
  if (all === 0) return "No service is measured yet";
  if (wrong > 0) {
    const below = [...model.entries.values()].filter((e) => isBelow(e.cls)).length === wrong;
    const what = below ? (wrong === 1 ? "is below its objective" : "are below their objective") : wrong === 1 ? "needs attention" : "need attention";
    return all === 1 ? `The only class ${what}` : `${words.count(wrong)}\u00a0of\u00a0${classes} ${what}`;
  }
  if (unknown === all) return all === 1 ? "The only class cannot be judged" : `None of ${classes} can be judged`;
  if (unknown > 0) return `No known problems; ${words.count(unknown)}\u00a0of\u00a0${classes} cannot be judged`;
  if (idle === all) return `All ${classes} are idle`;
  if (all === 1) return "The only class keeps its objective";
  return `All ${classes} keep their objective`;
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
export function admissionWord(cls, policy) {
  if (cls.admission == null) return "undecided";
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

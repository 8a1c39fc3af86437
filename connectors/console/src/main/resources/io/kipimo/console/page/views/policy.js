// The policy, overrides and the kill switch.

import { h, shown, text } from "../dom.js";
import * as words from "../words.js";
import { card, figures } from "./card.js";

const SIGNALS = { QUALITY: "answer quality", TIME_OUTS: "time-outs", CASCADE: "time-outs, corrected by quality" };
const CONTROLLERS = { PID: "PID", AIMD: "AIMD", NO_CONTROL: "none, only measuring" };

export function policyCard(steer) {
  const facts = figures("facts-list", { mode: "Mode", controller: "Controller", metrics: "Metrics", window: "Averaged over", expires: "Late results count for", version: "Version" });
  let seen = null;
  const button = (label, action) => h("button", { type: "button", onclick: () => seen && action(seen) }, label);
  const override = button("Override…", ({ service, cls, writable }) => steer.override({ service, cls }, writable));
  const release = button("Remove the override…", ({ service, cls, writable }) => steer.release({ service, cls }, writable));
  const kill = button("Kill switch…", ({ service, writable }) => steer.kill(service, writable));
  const inForce = h("p", { class: "override-note", hidden: true });
  const readOnly = h("div", { class: "read-only" },
    h("p", {}, "Read-only: this console was started without a token. Steer from a terminal:"),
    h("pre", {}, h("code", {})));
  const own = card("Policy and overrides", "policy", facts.node, inForce, h("p", { class: "buttons" }, override, release, kill), readOnly);
  return {
    node: own.node,
    update(state) {
      seen = state;
      const { service, cls, now, writable } = state;
      const { policy } = service;
      own.lack(policy ? null : "This service has no policy. Set one with ./kipimo policy set FILE");
      if (!policy) return;
      facts.update({
        mode: policy.killSwitch ? ["kill switch", "safe fractions apply", true] : policy.shadow ? ["shadow", "decides but changes nothing"] : ["active", "decisions are applied"],
        controller: [CONTROLLERS[policy.controller] ?? policy.controller, policy.controller === "NO_CONTROL" ? "" : `by ${SIGNALS[policy.signal] ?? policy.signal}`],
        metrics: policy.problem ? [policy.metrics.join(", "), `the quality job cannot use this policy: ${policy.problem}`, true] : [policy.metrics.join(", "), policy.metrics.length > 1 ? "the first one counts" : ""],
        window: [words.duration(policy.windowMillis), ""],
        expires: [words.duration(policy.expirationWindowMillis), "after a query's start"],
        version: [String(policy.version), ""],
      });
      shown(inForce, cls.override !== null);
      if (cls.override !== null) {
        const { fraction, untilMillis, by, reason } = cls.override;
        text(inForce, `${by} set ${words.share(fraction)} ${untilMillis ? `until ${words.clock(untilMillis, now)}` : "until it is removed"}: ${reason}`);
      }
      shown(readOnly, !writable);
      [override, release, kill].forEach((b) => shown(b, writable));
      shown(release, writable && cls.override !== null);
      text(kill, policy.killSwitch ? "Turn the kill switch off…" : "Kill switch…");
      text(readOnly.querySelector("code"), commands(service, cls));
    },
  };
}

function commands(service, cls) {
  const name = quoted(service.name);
  const lines = [`./kipimo override set ${name} ${quoted(cls.name)} 0.5 --for 30m --by YOU --reason WHY`];
  if (cls.override !== null) lines.push(`./kipimo override clear ${name} ${quoted(cls.name)}`);
  lines.push(`./kipimo policy ${service.policy.killSwitch ? "unkill" : "kill"} ${name}`);
  return lines.join("\n");
}

/** Quotes for a shell, because names come from outside and people paste commands. */
const quoted = (name) => (/^[\w.-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`);

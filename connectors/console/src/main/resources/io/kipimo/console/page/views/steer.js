// The dialog of overrides and the kill switch: action, duration, author, reason, and then a
// confirmation in words.

import { serverNow } from "../clock.js";
import { h, shown, text } from "../dom.js";
import * as words from "../words.js";

const SPANS = [["600000", "10 minutes"], ["1800000", "30 minutes"], ["3600000", "1 hour"], ["14400000", "4 hours"], ["86400000", "1 day"]];
/** Kept until the tab is closed. */
const TOKEN = "kipimo-token";
const BY = "kipimo-by";

export class SteerDialog {
  /** Whom a proxy has logged in, who needs no token and signs by this name; null: nobody. */
  user = null;
  #request = null;
  #step = "ask";
  #sending = false;

  constructor() {
    this.title = h("h2", { id: "steer-title" });
    this.intro = h("p", {});
    this.fraction = h("input", { type: "number", id: "steer-fraction", min: 0, max: 100, step: "any", required: true, inputmode: "decimal" });
    this.span = h("select", { id: "steer-span" }, ...SPANS.map(([value, label]) => h("option", { value }, label)));
    this.span.value = "1800000";
    this.by = h("input", { type: "text", id: "steer-by", required: true, maxlength: 64, autocomplete: "username" });
    this.reason = h("input", { type: "text", id: "steer-reason", required: true, maxlength: 200, autocomplete: "off" });
    this.token = h("input", { type: "password", id: "steer-token", required: true, autocomplete: "off" });
    const field = (label, input, hint) => h("p", { class: "field" }, h("label", { for: input.id }, label), input, hint ? h("span", { class: "hint" }, hint) : null);
    this.only = h("div", {}, field("Admit, in %", this.fraction), field("For", this.span));
    this.name = field("Your name", this.by);
    this.who = h("div", {}, this.name, field("Reason", this.reason));
    this.secret = field("Token", this.token, "kept in this tab only");
    this.fields = h("fieldset", {}, h("legend", { class: "sr-only" }, "Action"), this.only, this.who, this.secret);
    this.confirm = h("p", { class: "confirm", tabindex: -1 });
    this.error = h("p", { class: "error", role: "alert" });
    this.back = h("button", { type: "button", onclick: () => this.#show("ask") }, "Back");
    this.submit = h("button", { type: "submit", class: "primary" });
    this.cancel = h("button", { type: "button", onclick: () => this.dialog.close() }, "Cancel");
    this.dialog = h("dialog", { class: "sheet", "aria-labelledby": "steer-title" },
      h("form", { onsubmit: (e) => this.#submitted(e) }, this.title, this.intro, this.fields, this.confirm, this.error,
        h("p", { class: "buttons" }, this.submit, this.back, this.cancel)));
    document.body.append(this.dialog);
  }

  /** Overrides the admitted fraction of a class. */
  override({ service, cls }, writable) {
    this.fraction.value = String(Math.round((cls.override?.fraction ?? cls.admission?.value ?? 1) * 100));
    this.#open(writable, {
      title: `Override ${service.name} / ${cls.name}`,
      intro: "Your override precedes every controller until it ends.",
      withFraction: true,
      signed: true,
      ask: "Go on",
      act: "Override now",
      sentence: () => `${service.name} / ${cls.name} gets ${words.share(this.#fraction())} until ${words.clock(serverNow() + Number(this.span.value), serverNow())}, whatever the controller computes. ${Number(this.fraction.value) === 0 ? "At 0 % nothing of the class is answered, and nothing can be measured." : ""}`,
      send: () => ({ method: "POST", path: path(service.name, "classes", cls.name, "override"), body: { fraction: this.#fraction(), forMillis: Number(this.span.value), ...this.#signed() } }),
    });
  }

  /** Removes an override. */
  release({ service, cls }, writable) {
    this.#open(writable, {
      title: `Remove the override of ${service.name} / ${cls.name}`,
      intro: "The controller decides again.",
      withFraction: false,
      signed: false,
      ask: "Go on",
      act: "Remove it now",
      sentence: () => `The override of ${service.name} / ${cls.name} (${words.share(cls.override?.fraction)}) ends now.`,
      send: () => ({ method: "DELETE", path: path(service.name, "classes", cls.name, "override"), body: null }),
    });
  }

  /** Toggles the kill switch of a service. */
  kill(service, writable) {
    const on = !service.policy.killSwitch;
    this.#open(writable, {
      title: `${on ? "Turn on" : "Turn off"} the kill switch of ${service.name}`,
      intro: on ? "Kipimo steps aside: every class of the service gets its safe fraction." : "Controllers decide again.",
      withFraction: false,
      signed: true,
      ask: "Go on",
      act: on ? "Turn it on now" : "Turn it off now",
      sentence: () => (on ? `All ${words.plural(service.classes.length, "class", "classes")} of ${service.name} get their safe fractions, and Kipimo decides nothing there until the switch is turned off.` : `Kipimo steers ${service.name} again, from the fractions in force.`),
      send: () => ({ method: "POST", path: path(service.name, "kill"), body: { on, ...this.#signed() } }),
    });
  }

  #fraction() {
    return Number(this.fraction.value) / 100;
  }

  #signed() {
    return { by: this.user ?? this.by.value.trim(), reason: this.reason.value.trim() };
  }

  #open(writable, request) {
    this.#request = request;
    this.token.value = sessionStorage.getItem(TOKEN) ?? "";
    this.by.value ||= sessionStorage.getItem(BY) ?? "";
    this.reason.value = "";
    text(this.title, request.title);
    this.#show(writable ? "ask" : "read-only");
    this.dialog.showModal();
    if (!writable) return;
    const first = request.withFraction ? this.fraction : !request.signed ? (this.user === null ? this.token : this.submit) : this.user === null ? this.by : this.reason;
    first.focus();
    first.select?.();
  }

  #show(step, error = "") {
    this.#step = step;
    const request = this.#request;
    const asking = step === "ask";
    shown(this.intro, step !== "confirm");
    text(this.intro, step === "read-only" ? "This console is read-only: it was started without a token. The service's screen shows the commands for a terminal." : request.intro);
    shown(this.fields, asking);
    this.fields.disabled = !asking; // hidden fields that are required would refuse the form
    shown(this.only, request.withFraction);
    this.fraction.disabled = !request.withFraction;
    shown(this.who, request.signed);
    this.reason.disabled = !request.signed;
    shown(this.name, this.user === null);
    this.by.disabled = !request.signed || this.user !== null;
    shown(this.secret, this.user === null);
    this.token.disabled = this.user !== null;
    shown(this.confirm, step === "confirm");
    shown(this.back, step === "confirm");
    shown(this.submit, step !== "read-only");
    text(this.submit, asking ? request.ask : request.act);
    text(this.error, error);
    if (step === "confirm") {
      const { by, reason } = this.#signed();
      text(this.confirm, `${request.sentence()}${request.signed ? ` Signed ${by}: ${reason}` : ""}`);
      this.confirm.focus();
    }
  }

  async #submitted(event) {
    event.preventDefault();
    if (this.#step === "ask") {
      this.#show("confirm");
      return;
    }
    if (this.#sending) return;
    this.#sending = true;
    const { method, path: url, body } = this.#request.send();
    try {
      const answer = await fetch(url, {
        method, body: body && JSON.stringify(body),
        headers: { ...(body && { "Content-Type": "application/json" }), ...(this.user === null && { Authorization: `Bearer ${this.token.value}` }) },
      });
      if (answer.ok) {
        if (this.user === null) {
          sessionStorage.setItem(TOKEN, this.token.value);
          sessionStorage.setItem(BY, this.by.value.trim());
        }
        this.dialog.close();
      } else {
        if (answer.status === 401) sessionStorage.removeItem(TOKEN);
        this.#show("ask", await problem(answer, this.user !== null));
        if (answer.status === 401 && this.user === null) this.token.focus();
      }
    } catch {
      this.#show("ask", "The console did not answer, so the change may have been made or not. Check the screen before you try again.");
    } finally {
      this.#sending = false;
    }
  }
}

const path = (...parts) => `api/services/${parts.map(encodeURIComponent).join("/")}`;

/** The error as a sentence. */
async function problem(answer, loggedIn) {
  const told = await answer.json().then((body) => body.error, () => null);
  if (answer.status === 401) return loggedIn ? "The proxy no longer says who you are. Load this page again." : "The token is not the one this console was started with.";
  if (answer.status === 403) return told ?? "This console is read-only.";
  if (answer.status === 404) return told ?? "The service or class no longer exists.";
  return told ?? `The console answered ${answer.status}.`;
}

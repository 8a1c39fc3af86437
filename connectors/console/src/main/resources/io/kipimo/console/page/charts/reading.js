// Reads plots point by point, by pointer or keys. For screen readers it is a slider over the
// points, whose value is the sentence of the point.

import { attribute, h } from "../dom.js";
import { nearest } from "./scale.js";

/** Wraps plots that share one x axis. */
export class Reading {
  #plots;
  #xs = [];
  #index = -1;
  #sentence;
  #onMove;

  /**
   * @param label accessible name
   * @param plots plots that share the cursor
   * @param sentence index -> text of the point; -1: no point
   * @param onMove index -> void, -1 when the pointer leaves
   */
  constructor(label, plots, children, sentence, onMove) {
    this.#plots = plots;
    this.#sentence = sentence;
    this.#onMove = onMove;
    this.node = h("div", { class: "reading", role: "slider", tabindex: 0, "aria-label": label, "aria-orientation": "horizontal",
      onkeydown: (e) => this.#key(e),
      onpointermove: (e) => this.#point(e),
      onpointerdown: (e) => this.#point(e),
      onpointerleave: () => this.move(-1),
      onfocus: () => this.#index < 0 && this.move(this.#xs.length - 1),
      onblur: () => this.move(-1) }, ...children);
  }

  /** Sets new points; the cursor keeps its place on the x axis. */
  setPoints(xs) {
    const before = this.#index >= 0 ? this.#xs[this.#index] : null;
    const atEnd = this.#index === this.#xs.length - 1;
    this.#xs = xs;
    attribute(this.node, "aria-valuemin", 0);
    attribute(this.node, "aria-valuemax", Math.max(0, xs.length - 1));
    this.move(before === null ? -1 : atEnd ? xs.length - 1 : nearest(xs, before));
  }

  move(index) {
    this.#index = index;
    const at = index < 0 ? null : this.#xs[index];
    this.#plots.forEach((plot) => plot.setCursor(at));
    attribute(this.node, "aria-valuenow", index < 0 ? Math.max(0, this.#xs.length - 1) : index);
    attribute(this.node, "aria-valuetext", this.#sentence(index));
    this.#onMove(index);
  }

  #point(event) {
    const at = this.#plots[0].at(event.clientX);
    if (at !== null && this.#xs.length > 0) this.move(nearest(this.#xs, at));
  }

  #key(event) {
    const last = this.#xs.length - 1;
    const from = this.#index < 0 ? last : this.#index;
    const to = { ArrowLeft: from - 1, ArrowRight: from + 1, PageUp: from + 10, PageDown: from - 10, Home: 0, End: last }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    this.move(Math.min(last, Math.max(0, to)));
  }
}

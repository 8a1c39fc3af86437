// One plot: axes, layers that are one path each, and a cursor. Drawn at the size it has on the
// screen, so that text stays as large as other text; colours come from the style sheet.

import { attribute, h, KeyedList, s, text } from "../dom.js";
import { linear, px, ticks, timeTicks } from "./scale.js";
import { clock } from "../words.js";

const LEFT = 48; // enough for "1.00" and "100 %"; grows with longer figures
const GAP = 7; // between a figure and its line
const RIGHT = 12;
const TOP = 8;
const AXIS = 20;
const FONT_SIZE = "12px"; // of labels, as in charts.css

const pen = document.createElement("canvas").getContext("2d");

/** Local times below a plot. */
export const timeAxis = (from, to, wanted) =>
  timeTicks(from, to, wanted).map(({ at, step }) => ({ at, label: clock(at, null, step < 60_000) }));

/** Figures below a plot; the last carries the unit. */
export const numberAxis = (unit, format = String) => (from, to, wanted) => {
  const found = ticks(from, to, wanted);
  return found.map((at, i) => ({ at, label: i === found.length - 1 && unit ? `${format(at)} ${unit}` : format(at) }));
};

/**
 * @typedef {{name: string, path: (data: object, x: Function, y: Function) => string}} Layer name is
 *     the class of the path
 */
export class Plot {
  #options;
  #data = null;
  #x = null;
  #y = null;
  #width = 0;

  /**
   * @param options height in pixels; layers, from back to front; labels(data) -> [{key, x, y, words, anchor, dx, dy}];
   *     xAxis(from, to, wanted) -> [{at, label}] or null; yLabel(figure); yTicks
   */
  constructor(options) {
    this.#options = { yTicks: 3, labels: () => [], ...options };
    const { height } = this.#options;
    this.grid = s("g", { class: "grid" });
    this.paths = this.#options.layers.map(({ name }) => s("path", { class: name }));
    this.notes = s("g", { class: "notes" });
    this.cursor = s("path", { class: "cursor", visibility: "hidden" });
    this.svg = s("svg", { class: "plot", height, "aria-hidden": "true" }, this.grid, ...this.paths, this.notes, this.cursor);
    this.node = h("div", { class: "plot-box" }, this.svg);
    this.gridParts = new KeyedList(this.grid, (t) => t.key, createTick);
    this.noteParts = new KeyedList(this.notes, (n) => n.key, createNote);
    // The height of the box is fixed by the style below, so drawing never causes another resize.
    this.node.style.height = `${height}px`;
    new ResizeObserver(([{ contentRect }]) => {
      const width = Math.floor(contentRect.width);
      if (width === this.#width || width === 0) return;
      this.#width = width;
      this.#render();
    }).observe(this.node);
  }

  /** @param data with x: [from, to] and y: [from, to], and what the layers read */
  draw(data) {
    this.#data = data;
    this.#render();
  }

  /** Puts the cursor at a figure of the x axis; null hides it. */
  setCursor(at) {
    if (at === null || this.#x === null) {
      attribute(this.cursor, "visibility", "hidden");
      return;
    }
    attribute(this.cursor, "visibility", null);
    attribute(this.cursor, "d", `M${px(this.#x(at))} ${TOP}V${this.#bottom()}`);
  }

  /** The figure of the x axis below a pixel of the page; null before anything is drawn. */
  at(clientX) {
    return this.#x?.invert(clientX - this.svg.getBoundingClientRect().left) ?? null;
  }

  #bottom() {
    return this.#options.height - (this.#options.xAxis ? AXIS : 4);
  }

  #render() {
    if (this.#data === null || this.#width === 0) return;
    const { xAxis, yLabel, yTicks, layers, labels, height } = this.#options;
    const data = this.#data;
    const right = this.#width - RIGHT;
    const bottom = this.#bottom();
    pen.font = `${FONT_SIZE} ${getComputedStyle(this.node).fontFamily}`;
    const wide = (label) => pen.measureText(label).width;

    const figures = ticks(...data.y, yTicks).map((at) => ({ at, words: yLabel(at) }));
    const left = Math.max(LEFT, Math.ceil(Math.max(...figures.map((f) => wide(f.words)))) + GAP + 1);
    const x = (this.#x = linear(...data.x, left, right));
    const y = (this.#y = linear(...data.y, bottom, TOP));
    attribute(this.svg, "width", this.#width);

    const marks = figures.map(({ at, words }) => ({
      key: `y${at}`, line: `M${left} ${px(y(at))}H${right}`, x: left - GAP, y: px(y(at)) + 4, words, anchor: "end",
    }));
    if (xAxis) {
      let free = this.#width; // free width for a label
      for (const { at, label } of xAxis(...data.x, Math.max(2, (right - left) / 84)).reverse()) {
        const where = px(x(at));
        const length = wide(label);
        const anchor = where + length / 2 > this.#width ? "end" : where < left + 14 ? "start" : "middle";
        const end = { end: right, start: where + length, middle: where + length / 2 }[anchor];
        const fits = end <= free;
        if (fits) free = end - length - GAP;
        marks.push({ key: `x${at}`, line: `M${where} ${bottom}v4`, x: anchor === "end" ? right : where, y: height - 5, words: fits ? label : "", anchor });
      }
    }
    this.gridParts.update(marks);
    layers.forEach(({ path }, i) => attribute(this.paths[i], "d", path(data, x, y)));
    this.noteParts.update(labels(data).map((note) => {
      const where = x(note.x);
      return { ...note, px: px(Math.min(right, Math.max(left, where)) + (note.dx ?? 0)), py: px(y(note.y) + (note.dy ?? 0)) };
    }));
  }
}

function createTick() {
  const line = s("path");
  const label = s("text");
  return {
    node: s("g", {}, line, label),
    update(tick) {
      attribute(line, "d", tick.line);
      attribute(label, "x", tick.x);
      attribute(label, "y", tick.y);
      attribute(label, "text-anchor", tick.anchor);
      text(label, tick.words);
    },
  };
}

function createNote() {
  const node = s("text");
  return {
    node,
    update(note) {
      attribute(node, "x", note.px);
      attribute(node, "y", note.py);
      attribute(node, "text-anchor", note.anchor ?? "start");
      text(node, note.words);
    },
  };
}

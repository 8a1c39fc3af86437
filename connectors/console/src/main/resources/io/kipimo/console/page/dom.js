// Creates and updates elements. External text only becomes text nodes; innerHTML is never used.

const SVG = "http://www.w3.org/2000/svg";

/** An HTML element: h("p", { class: "x", onclick: f }, "text", child). Null children are left out. */
export function h(tag, attributes = {}, ...children) {
  return furnish(document.createElement(tag), attributes, children);
}

/** Creates an SVG element. */
export function s(tag, attributes = {}, ...children) {
  return furnish(document.createElementNS(SVG, tag), attributes, children);
}

function furnish(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else attribute(node, name, value);
  }
  for (const child of children.flat()) {
    if (child != null) node.append(child);
  }
  return node;
}

/** Sets an attribute if it differs; null or false removes it, true makes it empty. */
export function attribute(node, name, value) {
  if (value == null || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
    return;
  }
  const text = value === true ? "" : String(value);
  if (node.getAttribute(name) !== text) node.setAttribute(name, text);
}

/** Sets the text of a node that holds nothing else, if it differs. */
export function text(node, value) {
  const wanted = value == null ? "" : String(value);
  const child = node.firstChild;
  if (child && child === node.lastChild && child.nodeType === Node.TEXT_NODE) {
    if (child.data !== wanted) child.data = wanted;
  } else {
    node.textContent = wanted;
  }
}

/** Shows or hides, HTML and SVG alike. */
export function shown(node, visible) {
  attribute(node, "hidden", !visible);
}

/** Sets a style property through the object model, which the content security policy allows. */
export function style(node, property, value) {
  if (node.style.getPropertyValue(property) !== value) node.style.setProperty(property, value);
}

/**
 * Makes the children of {@code parent} match {@code items}: keeps children with the same key, moves only
 * those in the wrong place, and so keeps focus and selection.
 */
export class KeyedList {
  #parent;
  #key;
  #create;
  #parts = new Map();

  /** @param create item -> {node, update(item)} */
  constructor(parent, key, create) {
    this.#parent = parent;
    this.#key = key;
    this.#create = create;
  }

  get(key) {
    return this.#parts.get(key);
  }

  update(items) {
    const kept = new Map();
    for (const item of items) {
      const key = this.#key(item);
      if (kept.has(key)) continue;
      const part = this.#parts.get(key) ?? this.#create(item);
      this.#parts.delete(key);
      part.update(item);
      kept.set(key, part);
    }
    for (const gone of this.#parts.values()) gone.node.remove();
    this.#parts = kept;
    let place = this.#parent.firstChild;
    for (const { node } of kept.values()) {
      if (node === place) place = place.nextSibling;
      else this.#parent.insertBefore(node, place);
    }
  }
}

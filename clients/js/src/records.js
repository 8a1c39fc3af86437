/** Records of results that contain them as their own addresses answer them, as ResultRecords in Java. */

const ADDRESS = /^(\/(?!\/)[^{}?#]*)\{([^{}]+)\}([^{}#]*)$/;
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/gs;

/** The parts of a valid array or object, by their places: a part is kept as it was sent, whatever its numbers are. */
function partsOf(text) {
  const all = [];
  let level = 0;
  let name;
  let from = -1;
  let to = -1;
  for (const { 0: token, index } of text.matchAll(TOKEN)) {
    const closes = token === '}' || token === ']';
    level -= closes ? 1 : 0;
    if (level === 1 && token === ':') {
      name = JSON.parse(text.slice(from, to));
      from = -1;
    } else if (level === 0 ? closes : level === 1 && token === ',') {
      if (from >= 0) {
        all.push({ name, text: text.slice(from, to) });
      }
      from = -1;
    } else if (level > 0) {
      from = from < 0 ? index : from;
      to = index + token.length;
    }
    level += token === '{' || token === '[' ? 1 : 0;
  }
  return all;
}

const memberOf = (text, name) => partsOf(text).findLast((part) => part.name === name)?.text ?? '';

/** The text of a string or of a number; empty of other values. */
const scalar = (text) => (text.startsWith('"') ? JSON.parse(text) : /^[-0-9]/.test(text) ? text : '');

const escaped = (field) =>
  encodeURIComponent(field).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`);

export class ResultRecords {
  #lists;
  #array;
  #path;
  #version;

  /** @throws {RangeError} naming what is not allowed */
  constructor({ lists, array = '', address, version = '' }) {
    if (!String(lists).startsWith('/')) {
      throw new RangeError(`lists are '${lists}'; allowed: the beginning of a path`);
    }
    this.#path = ADDRESS.exec(String(address));
    if (this.#path === null) {
      throw new RangeError(
        `address is '${address}'; allowed: a path with one field in braces, such as /products/{id}`,
      );
    }
    this.#lists = lists;
    this.#array = array;
    this.#version = version;
  }

  isIn(address) {
    return new URL(address).pathname.startsWith(this.#lists);
  }

  /**
   * The records that have an address and a version.
   *
   * @throws {SyntaxError} if the result is no such list
   */
  of(result, body, resultVersion, most) {
    const whole = new TextDecoder('utf-8', { fatal: true }).decode(body);
    JSON.parse(whole);
    const list = this.#array === '' ? whole.trim() : memberOf(whole, this.#array);
    if (!list.startsWith('[')) {
      throw new SyntaxError(`it has no list ${this.#array}`);
    }
    const [, before, name, after] = this.#path;
    const records = [];
    for (const { text } of partsOf(list)) {
      const field = text.startsWith('{') ? scalar(memberOf(text, name)) : '';
      const number = this.#version === '' ? String(resultVersion) : field && scalar(memberOf(text, this.#version));
      // A path with these names another one.
      const isNamed = !['', '.', '..'].includes(field) && field.isWellFormed();
      if (records.length < most && isNamed && /^[0-9]{1,18}$/.test(number) && BigInt(number) > 0n) {
        records.push({
          address: new URL(before + escaped(field) + after, result).href,
          body: new TextEncoder().encode(text).buffer,
          version: BigInt(number),
        });
      }
    }
    return records;
  }
}

/** A client's own answers, by address and variant, as ResponseCache in Java. */

import { isSelectionKnown, isVariantShown, selecting } from './http.js';

/** Of one address; more displace the oldest. */
const MOST_VARIANTS = 16;

const key = (pairs) => JSON.stringify(pairs);

/** One answer. Its body is there only if it is known which requests get it. */
export class Entry {
  constructor(response, body, recordKey, request, figures) {
    this.status = response.status;
    this.statusText = response.statusText;
    this.headers = response.headers;
    this.url = response.url;
    this.key = recordKey;
    this.request = request.headers;
    this.isKnown = isSelectionKnown(response.headers, request.headers);
    this.body = body;
    Object.assign(this, figures);
  }

  get vary() {
    return this.headers.get('vary') ?? '';
  }

  get etag() {
    return this.headers.get('etag') ?? '';
  }

  get selecting() {
    return key(selecting(this.vary, this.request));
  }

  isFor(headers) {
    return this.isKnown && this.selecting === key(selecting(this.vary, headers));
  }

  /** Only for knowing that the address varies by what scripts do not know. */
  withoutBody() {
    return Object.assign(Object.create(Entry.prototype), this, { body: new ArrayBuffer(0) });
  }

  /** A new answer with the same content. */
  toResponse() {
    const hasBody = ![101, 204, 205, 304].includes(this.status);
    const response = new Response(hasBody ? this.body : null, {
      status: this.status,
      statusText: this.statusText,
      headers: this.headers,
    });
    Object.defineProperty(response, 'url', { value: this.url });
    return response;
  }
}

/** The least recently used addresses are dropped first. */
export class ResponseCache {
  #mostResponses;
  #mostBytes;
  #byAddress = new Map();
  #size = 0;
  #bytes = 0;

  constructor(mostResponses, mostBytes) {
    this.#mostResponses = mostResponses;
    this.#mostBytes = mostBytes;
  }

  find(address, headers) {
    const variants = this.#byAddress.get(address);
    if (variants === undefined) {
      return undefined;
    }
    this.#byAddress.delete(address);
    this.#byAddress.set(address, variants);
    return variants.find((entry) => entry.isFor(headers));
  }

  /** Whether answers of the address vary, and do not say how. */
  isVariantUnshown(address) {
    return (this.#byAddress.get(address) ?? []).some((entry) => !isVariantShown(entry.headers, entry.request));
  }

  /** Stores an entry in place of the one for the same request. */
  put(address, headers, entry) {
    this.remove(address, headers);
    const kept = this.#byAddress.get(address) ?? [];
    const variants = [entry, ...kept].slice(0, MOST_VARIANTS);
    this.#replace(address, variants);
    while (this.#size > this.#mostResponses || this.#bytes > this.#mostBytes) {
      const [oldest, entries] = this.#byAddress.entries().next().value;
      this.#replace(oldest, oldest === address ? entries.slice(0, -1) : []);
    }
  }

  remove(address, headers) {
    const variants = this.#byAddress.get(address) ?? [];
    this.#replace(
      address,
      variants.filter((entry) => entry.isKnown && !entry.isFor(headers)),
    );
  }

  /** Removes all variants of all addresses with that key. */
  removeKey(recordKey) {
    for (const [address, variants] of [...this.#byAddress]) {
      if (variants[0].key === recordKey) {
        this.#replace(address, []);
      }
    }
  }

  clear() {
    this.#byAddress.clear();
    this.#size = 0;
    this.#bytes = 0;
  }

  get size() {
    return this.#size;
  }

  #replace(address, variants) {
    const bytes = (entries) => entries.reduce((sum, entry) => sum + entry.body.byteLength, 0);
    const before = this.#byAddress.get(address) ?? [];
    this.#size += variants.length - before.length;
    this.#bytes += bytes(variants) - bytes(before);
    this.#byAddress.delete(address);
    if (variants.length > 0) {
      this.#byAddress.set(address, variants);
    }
  }
}

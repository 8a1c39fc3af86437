/** A client's own answers, by address and variant, as ResponseCache in Java. */

import { isSelectionKnown, mayBeAnothers, selecting } from './http.js';

/** Of one address; more displace the oldest. */
const MOST_VARIANTS = 16;

/** What selects a copy, as a text. */
export const copySelecting = (vary, request) => JSON.stringify(selecting(vary, request));

/** Whether scripts can make an answer like it, for example none of a redirect that was not followed. */
export const isCopied = (response) =>
  response.type !== 'opaqueredirect' && response.status >= 200 && response.status <= 599;

/** Headers of a result that hold for its records, too. */
const OF_RECORDS = ['content-type', 'cache-control', 'expires', 'date', 'age', 'kipimo-evaluated-millis'];

/** One answer. Its body is there only if it is known which requests get it. */
export class Entry {
  constructor(response, body, recordKey, request, figures) {
    this.status = response.status;
    this.statusText = response.statusText;
    this.headers = response.headers;
    this.url = response.url;
    this.key = recordKey;
    this.request = request;
    this.isKnown = isSelectionKnown(response.headers, request.headers);
    this.body = body ?? new ArrayBuffer(0);
    this.received = body === undefined ? response : null;
    this.resultKey = '';
    Object.assign(this, figures);
  }

  /** A record that came with this result, for requests that want what the result's wanted. */
  ofRecord({ address, body, version }, recordKey) {
    const headers = new Headers([...this.headers].filter(([name]) => OF_RECORDS.includes(name)));
    headers.set('Kipimo-Version', String(version));
    headers.set('Vary', [this.vary, 'Accept', 'Accept-Language'].filter((name) => name !== '').join(', '));
    const response = { status: 200, statusText: 'OK', headers, url: address };
    const { evaluatedMillis, freshUntilMillis, isKnown, key: resultKey } = this;
    return new Entry(response, body, recordKey, this.request, {
      version,
      evaluatedMillis,
      freshUntilMillis,
      isKnown,
      resultKey,
      resultHeaders: this.headers,
    });
  }

  get vary() {
    return this.headers.get('vary') ?? '';
  }

  get etag() {
    return this.headers.get('etag') ?? '';
  }

  get selecting() {
    return copySelecting(this.vary, this.request);
  }

  isFor(request) {
    return this.isKnown && this.selecting === copySelecting(this.vary, request);
  }

  /** Only for knowing that the address varies by what scripts do not know. */
  withoutBody() {
    return Object.assign(Object.create(Entry.prototype), this, { body: new ArrayBuffer(0) });
  }

  /** Whether all of it was received. If not, only one caller can have it. */
  get isWhole() {
    return this.received === null;
  }

  /** Nobody wants it. */
  drop() {
    this.received?.body?.cancel().catch(() => {});
  }

  /** A new answer with the same content, or the one that was received. */
  toResponse() {
    if (this.received !== null) {
      return this.received;
    }
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

  find(address, request) {
    const variants = this.#byAddress.get(address);
    if (variants === undefined) {
      return undefined;
    }
    this.#byAddress.delete(address);
    this.#byAddress.set(address, variants);
    return variants.find((entry) => entry.isFor(request));
  }

  /**
   * Whether another cache may have another's answer: those of the address vary and do not say how, or they were for a
   * user and may be kept by caches that do not tell users apart.
   */
  isVariantUnshown(address) {
    return (this.#byAddress.get(address) ?? []).some(
      (entry) => mayBeAnothers(entry.resultKey === '' ? entry.headers : entry.resultHeaders, entry.request.headers),
    );
  }

  /** Stores an entry in place of the one for the same request. */
  put(address, request, entry) {
    this.remove(address, request);
    const kept = this.#byAddress.get(address) ?? [];
    const variants = [entry, ...kept].slice(0, MOST_VARIANTS);
    this.#replace(address, variants);
    while (this.#size > this.#mostResponses || this.#bytes > this.#mostBytes) {
      const [oldest, entries] = this.#byAddress.entries().next().value;
      this.#replace(oldest, oldest === address ? entries.slice(0, -1) : []);
    }
  }

  /** Stores a record of a result, unless there is a newer copy. */
  putOfResult(address, request, entry) {
    const own = this.find(address, request);
    if (
      own === undefined ||
      own.version < entry.version ||
      (own.version === entry.version && own.freshUntilMillis < entry.freshUntilMillis)
    ) {
      this.put(address, request, entry);
    }
  }

  remove(address, request) {
    const variants = this.#byAddress.get(address) ?? [];
    this.#replace(
      address,
      variants.filter((entry) => entry.isKnown && !entry.isFor(request)),
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

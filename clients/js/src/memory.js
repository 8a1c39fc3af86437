/** What a session has seen, kept in IndexedDB: a browser ends a service worker half a minute after its last request. */

const KEYS = 'keys';

/** Kept beyond the keys that a session knows, so that it knows of those that they were read. */
const FORGOTTEN_A_KEY = 3;

const done = (request) =>
  new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });

/** Bounded: the keys whose versions changed last. One session at a time has a name. */
export class SessionMemory {
  #database;
  #most;
  #order = 0;

  /**
   * @param {string} name of the session in this origin
   * @param {number} rememberedKeys of the session
   */
  constructor(name, rememberedKeys, indexedDB = globalThis.indexedDB) {
    this.#most = (1 + FORGOTTEN_A_KEY) * rememberedKeys;
    const opening = indexedDB.open(name, 1);
    opening.onupgradeneeded = () =>
      opening.result.createObjectStore(KEYS, { keyPath: 'hash' }).createIndex('order', 'order');
    this.#database = done(opening);
    // Told by whoever loads or saves.
    this.#database.catch(() => {});
  }

  /** @returns {Promise<{hash: bigint}[]>} what was saved, the oldest first */
  async load() {
    const database = await this.#database;
    const all = await done(database.transaction(KEYS).objectStore(KEYS).index('order').getAll());
    this.#order = (all.at(-1)?.order ?? 0) + 1;
    return all.map((one) => ({ ...one, hash: BigInt(one.hash) }));
  }

  /** @param {{hash: bigint}[]} seen to add, or to put in the place of what was saved of the same hash */
  async save(seen) {
    const database = await this.#database;
    const transaction = database.transaction(KEYS, 'readwrite', { durability: 'relaxed' });
    const keys = transaction.objectStore(KEYS);
    for (const one of seen) {
      keys.put({ ...one, hash: String(one.hash), order: this.#order++ });
    }
    const old = this.#order - this.#most;
    if (old > 0) {
      keys.index('order').openKeyCursor(IDBKeyRange.upperBound(old, true)).onsuccess = ({ target }) => {
        if (target.result !== null) {
          keys.delete(target.result.primaryKey);
          target.result.continue();
        }
      };
    }
    await new Promise((resolve, reject) => {
      transaction.oncomplete = resolve;
      transaction.onabort = () => reject(transaction.error);
    });
  }
}

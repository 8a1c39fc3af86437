// The stream of events: reconnects with growing pauses, and also after silence.

const FIRST_PAUSE_MILLIS = 1_000;
const LONGEST_PAUSE_MILLIS = 15_000;
/** A tunnel or a sleeping laptop can cut a stream without an error. */
const SILENCE_MILLIS = 45_000;

/**
 * Calls back onSummary, onService, onTaken(millis that the last one took) and
 * onState({state: "open"|"away", retryAtMillis}). One stream at a time: follow(name) reopens it for
 * another service, null for none.
 */
export class Live {
  #on;
  #source = null;
  #service = null;
  #pauseMillis = FIRST_PAUSE_MILLIS;
  #retry = 0;
  #silence = 0;

  constructor(on) {
    this.#on = on;
    addEventListener("online", () => this.#open());
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden && this.#source === null) this.#open();
    });
  }

  follow(service) {
    if (this.#source !== null && service === this.#service) return;
    this.#service = service;
    this.#open();
  }

  #open() {
    this.#close();
    const query = this.#service === null ? "" : `?service=${encodeURIComponent(this.#service)}`;
    const source = new EventSource(`api/events${query}`);
    this.#source = source;
    source.addEventListener("open", () => this.#alive());
    source.addEventListener("summary", (e) => this.#received(e, this.#on.onSummary));
    source.addEventListener("service", (e) => this.#received(e, this.#on.onService));
    source.addEventListener("error", () => this.#failed());
    this.#listen();
  }

  #close() {
    clearTimeout(this.#retry);
    clearTimeout(this.#silence);
    this.#source?.close();
    this.#source = null;
  }

  #received(event, callback) {
    const started = performance.now();
    this.#alive();
    callback(JSON.parse(event.data));
    this.#on.onTaken(performance.now() - started);
  }

  #alive() {
    this.#pauseMillis = FIRST_PAUSE_MILLIS;
    this.#on.onState({ state: "open" });
    this.#listen();
  }

  #listen() {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => this.#open(), SILENCE_MILLIS);
  }

  #failed() {
    this.#close();
    // Random, so that the pages of a whole team do not reconnect at the same time.
    const pause = this.#pauseMillis * (0.75 + Math.random() / 2);
    this.#pauseMillis = Math.min(LONGEST_PAUSE_MILLIS, this.#pauseMillis * 2);
    this.#retry = setTimeout(() => this.#open(), pause);
    this.#on.onState({ state: "away", retryAtMillis: Date.now() + pause });
  }
}

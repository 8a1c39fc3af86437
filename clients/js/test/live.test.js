/** Live queries over a stream that the test drives. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';

import { liveQuery } from '../src/kipimo.js';

let sources;
let timers;

class Source extends EventTarget {
  constructor(address) {
    super();
    this.address = new URL(address);
    this.readyState = 0;
    sources.push(this);
  }

  tell(type, data = '{}', lastEventId = `id-${type}`) {
    const event = new Event(type);
    Object.assign(event, { data, lastEventId });
    this.dispatchEvent(event);
  }

  fail(readyState) {
    this.readyState = readyState;
    this.dispatchEvent(new Event('error'));
  }

  close() {
    this.readyState = 2;
  }
}

beforeEach(() => {
  sources = [];
  timers = [];
});

const settle = () => new Promise((resolve) => setImmediate(resolve));

/** A live query whose loads end when the test says so. */
function start(settings = {}) {
  const loads = [];
  const results = [];
  const errors = [];
  const live = liveQuery({
    changes: 'http://shop/changes',
    keys: ['shop/things/q1', 'shop/things/q2'],
    load: (change) => new Promise((resolve, reject) => loads.push({ change, resolve, reject })),
    onResult: (result) => results.push(result),
    onError: (error) => errors.push(error.message),
    EventSource: Source,
    setTimeout: (task, millis) => timers.push({ task, millis }),
    clearTimeout: () => {},
    ...settings,
  });
  return { live, loads, results, errors };
}

const change = (more = {}) => JSON.stringify({ key: 'q1', change: 'ADDED', retryAfterMillis: 0, ...more });

test('it loads once the stream is open, and again after a change', async () => {
  const { loads, results } = start();
  assert.deepEqual(sources[0].address.searchParams.getAll('key'), ['shop/things/q1', 'shop/things/q2']);
  assert.equal(loads.length, 0, 'a load before the stream would miss changes');
  sources[0].tell('ready');
  loads[0].resolve('first');
  await settle();
  sources[0].tell('change', change({ record: 'r1' }));
  assert.equal(loads[1].change.record, 'r1');
  loads[1].resolve('second');
  await settle();
  assert.deepEqual(results, ['first', 'second']);
});

test('changes during a load lead to one more load', async () => {
  const { live, loads, results } = start();
  sources[0].tell('ready');
  for (let i = 0; i < 5; i++) sources[0].tell('change', change({ record: `r${i}` }));
  assert.equal(loads.length, 1);
  loads[0].resolve('old');
  await settle();
  assert.equal(loads.length, 2);
  assert.equal(loads[1].change.record, 'r4');
  loads[1].resolve('new');
  await settle();
  assert.deepEqual(results, ['old', 'new']);
  assert.equal(live.counts.loads, 2);
});

test('after a reconnection it loads only if changes came or may be missing', async () => {
  const { loads } = start();
  sources[0].tell('ready');
  loads[0].resolve('first');
  await settle();
  sources[0].fail(0);
  assert.equal(timers.length, 0, 'the browser reconnects');
  sources[0].tell('ready');
  assert.equal(loads.length, 1);
  sources[0].tell('reload');
  assert.equal(loads.length, 2);
});

test('a stream that the server refused is opened again with the last id', async () => {
  const { loads } = start({ retryMillis: 500 });
  sources[0].fail(2);
  assert.equal(timers[0].millis, 500);
  timers[0].task();
  assert.equal(sources[1].address.searchParams.get('lastEventId'), null);
  sources[1].tell('ready', '{}', 'id-7');
  loads[0].resolve('first');
  await settle();
  sources[1].fail(2);
  timers[1].task();
  assert.equal(sources[2].address.searchParams.get('lastEventId'), 'id-7');
  sources[2].tell('ready');
  assert.equal(loads.length, 1, 'the server would have told to load again');
});

test('a load that fails is tried again, and a refused query is asked for later', async () => {
  const { loads, errors, live } = start();
  sources[0].tell('ready');
  loads[0].reject(new Error('503'));
  await settle();
  assert.deepEqual(errors, ['503']);
  timers[0].task();
  loads[1].resolve('first');
  await settle();
  sources[0].tell('change', change({ change: 'REFUSED', retryAfterMillis: 10_000 }));
  loads[2].resolve('second');
  await settle();
  assert.equal(timers[1].millis, 10_000);
  timers[1].task();
  assert.equal(loads.length, 4);
  assert.equal(live.counts.failures, 1);
});

test('a closed one shows nothing more', async () => {
  const { live, loads, results } = start();
  sources[0].tell('ready');
  live.close();
  loads[0].resolve('late');
  await settle();
  sources[0].tell('change', change());
  sources[0].fail(2);
  assert.deepEqual([results, loads.length, timers.length, sources.length], [[], 1, 0, 1]);
  assert.equal(sources[0].readyState, 2);
});

test('keys are needed', () => {
  assert.throws(() => start({ keys: [] }), /keys are missing; allowed: at least one/);
});

test('a token goes with the address', () => {
  start({ token: 'a-secret-of-pages' });
  assert.equal(sources[0].address.searchParams.get('token'), 'a-secret-of-pages');
});

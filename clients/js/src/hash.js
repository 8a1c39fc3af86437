/** XXH64 of text, as {@code XxHash64} in Java. */

const MASK = 0xffffffffffffffffn;
const PRIME_1 = 0x9e3779b185ebca87n;
const PRIME_2 = 0xc2b2ae3d27d4eb4fn;
const PRIME_3 = 0x165667b19e3779f9n;
const PRIME_4 = 0x85ebca77c2b2ae63n;
const PRIME_5 = 0x27d4eb2f165667c5n;
const STRIPE = 32;

const UTF_8 = new TextEncoder();

const rotate = (value, bits) => ((value << bits) | (value >> (64n - bits))) & MASK;
const round = (lane, input) => (rotate((lane + input * PRIME_2) & MASK, 31n) * PRIME_1) & MASK;
const merge = (hash, lane) => ((hash ^ round(0n, lane)) * PRIME_1 + PRIME_4) & MASK;

/**
 * Hash of a text's UTF-8 bytes, seed 0.
 *
 * @param {string} text
 * @returns {bigint} 0..2^64-1
 */
export function xxHash64(text) {
  const bytes = UTF_8.encode(text);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const long = (at) => view.getBigUint64(at, true);
  let at = 0;
  let hash = PRIME_5;
  if (bytes.length >= STRIPE) {
    const lanes = [(PRIME_1 + PRIME_2) & MASK, PRIME_2, 0n, -PRIME_1 & MASK];
    for (; at <= bytes.length - STRIPE; at += STRIPE) {
      for (let i = 0; i < lanes.length; i++) {
        lanes[i] = round(lanes[i], long(at + 8 * i));
      }
    }
    hash = rotate(lanes[0], 1n) + rotate(lanes[1], 7n) + rotate(lanes[2], 12n) + rotate(lanes[3], 18n);
    hash = lanes.reduce(merge, hash & MASK);
  }
  hash = (hash + BigInt(bytes.length)) & MASK;
  for (; at <= bytes.length - 8; at += 8) {
    hash = (rotate(hash ^ round(0n, long(at)), 27n) * PRIME_1 + PRIME_4) & MASK;
  }
  if (at <= bytes.length - 4) {
    hash ^= (BigInt(view.getUint32(at, true)) * PRIME_1) & MASK;
    hash = (rotate(hash, 23n) * PRIME_2 + PRIME_3) & MASK;
    at += 4;
  }
  for (; at < bytes.length; at++) {
    hash ^= (BigInt(bytes[at]) * PRIME_5) & MASK;
    hash = (rotate(hash, 11n) * PRIME_1) & MASK;
  }
  hash = ((hash ^ (hash >> 33n)) * PRIME_2) & MASK;
  hash = ((hash ^ (hash >> 29n)) * PRIME_3) & MASK;
  return hash ^ (hash >> 32n);
}

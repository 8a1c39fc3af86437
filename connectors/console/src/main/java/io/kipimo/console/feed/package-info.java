/**
 * Reads topics into the model: which ones, from which offsets, and with retries while the broker is unavailable. Read
 * {@link io.kipimo.console.feed.ModelFeeder} first.
 */
package io.kipimo.console.feed;

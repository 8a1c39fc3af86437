/**
 * From the log to the model: which topics, from where on, and what to do while the broker is away.
 * Read {@link io.kipimo.console.feed.ModelFeeder} first.
 */
package io.kipimo.console.feed;

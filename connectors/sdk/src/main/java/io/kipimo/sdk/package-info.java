/**
 * The library that a service embeds: an emitter of answers and partial results of sampled queries, counters of all
 * queries, and clients of decisions. No method blocks the service's threads, except for closing. No method fails while
 * Kafka is unavailable, unless the service requires Kafka at its start.
 *
 * <p>Read {@link io.kipimo.sdk.Kipimo} first.
 */
package io.kipimo.sdk;

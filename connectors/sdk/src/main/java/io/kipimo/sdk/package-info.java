/**
 * What a service embeds: an emitter of answers and partial results of sampled queries, counters of all queries, and
 * clients of decisions. No method blocks the service's threads, except for closing, and none fails while Kafka is
 * unavailable, except where the service requires Kafka at its start.
 *
 * <p>Read {@link io.kipimo.sdk.Kipimo} first.
 */
package io.kipimo.sdk;

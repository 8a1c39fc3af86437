/**
 * What a service embeds: an emitter of answers and partial results of sampled queries, counters of
 * everything else, and the admitted fraction in force. Nothing in here blocks a thread of the
 * service, and nothing fails when the log is away.
 *
 * <p>Read {@link io.kipimo.sdk.Kipimo} first.
 */
package io.kipimo.sdk;

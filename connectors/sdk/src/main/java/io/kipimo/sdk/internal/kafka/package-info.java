/**
 * Access to topics for Kipimo's own modules: create topics, read one to its end, store policies.
 *
 * <p>Read {@link io.kipimo.sdk.internal.kafka.PolicyStore} first.
 */
package io.kipimo.sdk.internal.kafka;

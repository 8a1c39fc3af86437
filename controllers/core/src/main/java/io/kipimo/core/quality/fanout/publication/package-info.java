/**
 * When a model of contributions is handed to front ends, and how they use it. Begin with
 * {@link io.kipimo.core.quality.fanout.publication.FanOutPublisher}.
 */
package io.kipimo.core.quality.fanout.publication;

/**
 * Reads topics into the model. The package chooses the topics and the first offsets, and retries while the broker is
 * unavailable. Read {@link io.kipimo.console.feed.ModelFeeder} first.
 */
package io.kipimo.console.feed;

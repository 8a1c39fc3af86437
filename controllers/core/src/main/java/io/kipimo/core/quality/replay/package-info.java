/**
 * Measures recorded queries as the quality job measures live ones. Read
 * {@link io.kipimo.core.quality.replay.QueryReplay} first.
 */
package io.kipimo.core.quality.replay;

/**
 * Recorded queries, judged as the quality job judges live ones. Read {@link
 * io.kipimo.core.quality.replay.QueryReplay} first.
 */
package io.kipimo.core.quality.replay;
